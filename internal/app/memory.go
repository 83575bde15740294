package app

import (
	"io/fs"
	"runtime"
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

// ballastBytes is how much a server pretends to keep beyond what it does keep, so that one
// whose caches are small does not collect garbage every quarter second: four times this much
// may lie about before it begins. It is never written to, so the kernel gives no memory for
// it. Collected about as seldom, by a GOGC of 1600, a warm page took 0.95 of the processors.
const ballastBytes = 32 << 20

// sampleBytes is how many bytes are asked for between two of which a profile of the heap says
// who asked. Each walks the whole stack of a request. With Go's own 512 KB that came to one in
// twenty pages, and to almost a hundredth of the time.
const sampleBytes = 8 << 20

// ballastShare is what part of a memory limit the ballast may be at most: under a limit it
// counts like everything else.
const ballastShare = 16

// tuneMemory sets how much of what is allocated a profile looks at, and how garbage is
// collected, unless the environment does by Go's own variables GOGC and GOMEMLIMIT. root is
// the root of the file system. What it returns is to be kept until the server ends; nil when
// there is nothing.
func tuneMemory(root fs.FS, getenv func(string) string) (ballast []byte) {
	runtime.MemProfileRate = sampleBytes
	if limit, ok := containerMemory(root); ok && getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit / 100 * limitPercent)
	}
	if getenv("GOGC") != "" {
		return nil
	}
	debug.SetGCPercent(garbagePercent)
	// A negative limit is a question.
	if debug.SetMemoryLimit(-1)/ballastShare < ballastBytes {
		return nil
	}
	return make([]byte, ballastBytes)
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
