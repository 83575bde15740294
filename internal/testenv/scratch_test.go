package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// Every call returns a separate, empty folder, which is removed after its test.
func TestDir_IsEmptyAndRemovedAfterTest(t *testing.T) {
	var first string
	t.Run("user", func(t *testing.T) {
		first = Dir(t)
		writeFile(t, filepath.Join(first, "file"), "content")
		second := Dir(t)
		if entries, err := os.ReadDir(second); err != nil || len(entries) != 0 {
			t.Errorf("a new folder has %v (%v), want nothing", entries, err)
		}
	})
	if _, err := os.Stat(first); !os.IsNotExist(err) {
		t.Errorf("the folder outlives its test: %v", err)
	}
}
