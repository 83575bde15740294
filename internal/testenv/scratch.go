package testenv

import (
	"os"
	"sync"
	"testing"
)

// Dir returns an empty folder for files of a test, such as a SQLite database. It is removed when
// the test or the test binary ends.
//
// Unlike [testing.T.TempDir] it is in memory if the machine has at least 1 GiB to spare and TMPDIR
// is not set: tests that make hundreds of databases mostly wait for a busy disk. So tests of power
// failures must not use it.
func Dir(t testing.TB) string {
	t.Helper()
	shared, err := sharedScratch()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(shared.dir, "test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// sharedScratch makes the common folder on the first call; see sharedPostgres for why it is shared.
var sharedScratch = sync.OnceValues(func() (*scratch, error) {
	dir, err := scratchDir("tideline-test-")
	if err != nil {
		return nil, err
	}
	g, err := startGuard(dir, nil)
	return &scratch{dir: dir, guard: g}, err
})

// scratch is a folder and its guard, which is kept because its end is the end of the
// folder.
type scratch struct {
	dir   string
	guard *guard
}

// memoryRoom is the free memory, in bytes, that folders in memory need. A PostgreSQL server with a
// few small databases takes a quarter of it.
const memoryRoom = 1 << 30

// scratchDir makes a folder in memory, or where temporary files belong.
func scratchDir(pattern string) (string, error) {
	if os.Getenv("TMPDIR") == "" && freeMemory() >= memoryRoom {
		if dir, err := os.MkdirTemp(memoryDir, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
