package app

import (
	"io/fs"
	"runtime/debug"
	"strconv"
	"strings"
)

// garbagePercent is how much garbage a server makes before it is collected, in percent of
// what it keeps. What it keeps is mostly caches, some hundred megabytes, and what a request
// needs is garbage a millisecond later: a page took a fifth less of the processors at 400 than
// at Go's own 100 percent.
const garbagePercent = 400

// limitPercent is how much of the memory that a container may take is used before garbage is
// collected as often as need be: what is not Go's heap must fit into the rest.
const limitPercent = 75

// tuneMemory sets how garbage is collected, unless the environment does by Go's own variables
// GOGC and GOMEMLIMIT. root is the root of the file system.
func tuneMemory(root fs.FS, getenv func(string) string) {
	if limit, ok := containerMemory(root); ok && getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 100 * limitPercent)
	}
	if getenv("GOGC") == "" {
		debug.SetGCPercent(garbagePercent)
	}
}

// containerMemory returns how many bytes the container may take that the program runs in;
// false when there is no such bound.
func containerMemory(root fs.FS) (int64, bool) {
	text, err := fs.ReadFile(root, "sys/fs/cgroup/memory.max")
	if err != nil {
		return 0, false
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return limit, err == nil && limit > 0
}
