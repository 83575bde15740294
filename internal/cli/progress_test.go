package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestProgress_RequiresTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	check(t, err)
	defer func() { _ = file.Close() }()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	check(t, err)
	defer func() { _ = terminal.Close() }()
	if isTerminal(file) || isTerminal(&bytes.Buffer{}) || !isTerminal(terminal) {
		t.Error("isTerminal is wrong for a file, a buffer or a terminal")
	}

	bar := newCount(file, "done", 2)
	for range 2 {
		if err := bar.Add(1); err != nil {
			t.Error(err)
		}
	}
	if text, err := os.ReadFile(file.Name()); err != nil || len(text) > 0 {
		t.Errorf("a progress bar wrote %q to a file: %v", text, err)
	}
}
