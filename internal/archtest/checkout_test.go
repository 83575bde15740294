package archtest_test

import (
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// checkout is the module without what builds leave. Of a folder that a test lists, the test cache keeps when each
// entry has changed, so that a build in bin would run all tests again that list the module's own folder.
type checkout struct {
	fs.FS
	top []fs.DirEntry
}

// openCheckout lists the module's folder by a program, which the test cache does not see. The digest of
// [testenv.Checkout] stands for its files.
func openCheckout(t *testing.T) fs.FS {
	t.Helper()
	root := testenv.Checkout(t)
	names, err := exec.CommandContext(t.Context(), "ls", "-A", root).Output()
	if err != nil {
		t.Fatal(err)
	}
	c := checkout{FS: os.DirFS(root)}
	for _, name := range slices.Sorted(slices.Values(strings.Fields(string(names)))) {
		if slices.Contains([]string{"bin", "data", ".git"}, name) {
			continue
		}
		info, err := fs.Stat(c.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		c.top = append(c.top, fs.FileInfoToDirEntry(info))
	}
	return c
}

// ReadDir implements [fs.ReadDirFS].
func (c checkout) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		return c.top, nil
	}
	return fs.ReadDir(c.FS, name)
}

// Stat implements [fs.StatFS]: without it the folder would be opened.
func (c checkout) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }
