package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func TestEmbeddedRedis_IsFoundWhileServerRuns(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := app.DatabaseSettings{DataDir: dir}
	noServer := func(when string) {
		t.Helper()
		url, err := db.ReadRedisURL(t.Context())
		if err == nil || url != "" || !strings.Contains(err.Error(), "no server with an embedded Redis runs on "+dir) {
			t.Errorf("%s: got %q and the error %v", when, url, err)
		}
	}
	noServer("before the first start")
	for _, end := range []string{"killed", "stopped"} {
		// The second server finds the file of the first, which was killed.
		s := startServer(t, "TIDELINE_DATA_DIR="+dir, "TIDELINE_DEMO=false")
		url, err := db.ReadRedisURL(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		client, err := redisstore.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if info, err := os.Stat(filepath.Join(dir, "redis.url")); err != nil || info.Mode() != 0o600 {
			t.Errorf("the mode of the file is %v (error %v), want access for its owner only", info.Mode(), err)
		}
		if end == "killed" {
			s.Process.Kill()
		} else {
			s.Process.Interrupt()
			s.Process.Wait()
		}
		noServer("when the server was " + end)
	}
	if _, err := os.Stat(filepath.Join(dir, "redis.url")); !os.IsNotExist(err) {
		t.Errorf("the stopped server left its file (error %v)", err)
	}
}

func TestEmbeddedRedis_IgnoresFileWithoutRedis(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"", "\n", "hunter2", "redis://:hunter2@127.0.0.1:1/0"} {
		if err := os.WriteFile(filepath.Join(dir, "redis.url"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		url, err := app.DatabaseSettings{DataDir: dir}.ReadRedisURL(t.Context())
		if err == nil || url != "" || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: got %q and the error %v", text, url, err)
		}
	}
}

func TestEmbeddedRedis_OtherServersWriteNoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	startServer(t, "TIDELINE_DATA_DIR="+dir, "TIDELINE_REDIS_URL="+testenv.Redis(t), "TIDELINE_DEMO=false")
	if _, err := os.Stat(filepath.Join(dir, "redis.url")); !os.IsNotExist(err) {
		t.Errorf("there is a file (error %v)", err)
	}
	if _, err := (app.DatabaseSettings{DataDir: dir}).ReadRedisURL(t.Context()); err == nil {
		t.Error("an embedded Redis was found")
	}
}
