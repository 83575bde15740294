package testenv

import (
	"os"
	"sync"
	"testing"
)

// Dir returns an empty folder for files of a test, such as a SQLite database. It is removed when
// the test or the test binary ends.
//
// Unlike [testing.T.TempDir], it is in memory if the machine has at least 1 GiB free and TMPDIR is
// not set. Tests with hundreds of databases mostly wait for a busy disk. Do not use Dir to test
// power failures.
func Dir(t testing.TB) string {
	t.Helper()
	shared, err := sharedScratch()
	check(t, err)
	dir, err := os.MkdirTemp(shared.dir, "test-")
	check(t, err)
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// sharedScratch makes the common folder on the first call. sharedPostgres says why tests share it.
var sharedScratch = sync.OnceValues(func() (*scratch, error) {
	dir, err := scratchDir("tideline-test-")
	if err != nil {
		return nil, err
	}
	g, err := startGuard(dir, nil)
	return &scratch{dir: dir, guard: g}, err
})

// scratch is a folder and its guard. The folder is removed when the guard ends.
type scratch struct {
	dir   string
	guard *guard
}

// memoryRoom is the free memory in bytes that a folder in memory needs. A PostgreSQL server with a
// few small databases takes a quarter of it.
const memoryRoom = 1 << 30

// scratchDir makes a folder in memory if possible, otherwise in the default folder for temporary
// files.
func scratchDir(pattern string) (string, error) {
	if os.Getenv("TMPDIR") == "" && freeMemory() >= memoryRoom {
		if dir, err := os.MkdirTemp(memoryDir, pattern); err == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", pattern)
}
