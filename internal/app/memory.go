package app

import (
	"io/fs"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// limitPercent is the share of a container's memory for Go's heap.
const limitPercent = 75

// tuneMemory configures the garbage collector, unless GOGC and GOMEMLIMIT do. stop ends its work in
// the background.
func tuneMemory(root fs.FS, getenv func(string) string) (stop func()) {
	if limit, ok := containerMemory(root); ok && getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 100 * limitPercent)
	}
	if getenv("GOGC") != "" {
		return func() {}
	}
	t := &heapTuner{
		read: readHeap, setPercent: func(percent int) { debug.SetGCPercent(percent) }, release: debug.FreeOSMemory,
		after: func(d time.Duration, do func()) { time.AfterFunc(d, do) },
	}
	t.collected()
	t.afterEachCollection()
	return func() { t.stopped.Store(true) }
}

// containerMemory returns the memory limit of the container in bytes; false if there is none.
func containerMemory(root fs.FS) (int64, bool) {
	text, err := fs.ReadFile(root, "sys/fs/cgroup/memory.max")
	if err != nil {
		return 0, false
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return limit, err == nil && limit > 0
}
