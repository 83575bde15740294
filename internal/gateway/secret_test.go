package gateway

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestSecret_IsCreatedOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	first, err := LoadOrCreateSecret(dir)
	noError(t, err)
	if len(first) != MinSecret || bytes.Equal(first, make([]byte, MinSecret)) {
		t.Errorf("the secret is %d bytes, %x", len(first), first)
	}
	again, err := LoadOrCreateSecret(dir)
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("the second start reads another secret (%v)", err)
	}
	elsewhere, err := LoadOrCreateSecret(t.TempDir())
	if err != nil || bytes.Equal(first, elsewhere) {
		t.Errorf("two directories have the secrets %x and %x (%v)", first, elsewhere, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the directory holds %v (%v), want the secret only", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v (%v), want 0600", info.Mode(), err)
	}
}

func TestSecret_ConcurrentStartsAgree(t *testing.T) {
	const starters = 16
	dir := t.TempDir()
	secrets, errs := make([][]byte, starters), make([]error, starters)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range starters {
		wg.Go(func() {
			<-start
			secrets[i], errs[i] = LoadOrCreateSecret(dir)
		})
	}
	close(start)
	wg.Wait()
	for i := range starters {
		if errs[i] != nil || !bytes.Equal(secrets[i], secrets[0]) {
			t.Errorf("starter %d got another secret (%v)", i, errs[i])
		}
	}
}

func TestSecret_RefusesDamagedOrReadableFile(t *testing.T) {
	for name, c := range map[string]struct {
		content []byte
		mode    os.FileMode
		says    string
	}{
		"cut short": {testSecret[:5], 0o600, "has 5 bytes instead of 32"},
		"empty":     {nil, 0o600, "has 0 bytes instead of 32"},
		"open":      {testSecret, 0o644, "is readable by other users (mode 0644)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, secretFile)
			noError(t, os.WriteFile(path, c.content, c.mode))
			_, err := LoadOrCreateSecret(dir)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("the error is %v, want the path and %q", err, c.says)
			}
		})
	}
}

func TestSecret_FailsWithoutDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	noError(t, os.WriteFile(file, nil, 0o600))
	if secret, err := LoadOrCreateSecret(filepath.Join(file, "data")); err == nil {
		t.Errorf("got a secret of %d bytes without a directory", len(secret))
	}
}
