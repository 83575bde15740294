package app

import "runtime"

// spareThreads is by how many the threads that run Go code at once are more than the processors.
//
// A thread looks for what has come from the network when it has nothing else to run. With as many
// threads as processors and all of them at pages, the answer of a store that a dozen other pages
// wait for lies there until one of them has done all it had, and the store has nothing to do
// meanwhile. A spare thread waits in the kernel, which runs it at once. One of them brought 1.03
// times as many warm pages on two processors, and two 1.05 times; with more there was nothing to
// be seen beyond that. See docs/adr/0050.
const spareThreads = 2

// tuneProcessors sets how many threads run Go code at once, unless the environment does by Go's
// own variable GOMAXPROCS.
func tuneProcessors(getenv func(string) string) {
	if n := threadsFor(getenv("GOMAXPROCS"), runtime.GOMAXPROCS(0), runtime.NumCPU()); n > 0 {
		runtime.GOMAXPROCS(n)
	}
}

// threadsFor returns how many threads are right where the environment says set, Go has chosen so
// many by itself, and there are so many processors; 0 for those that Go has chosen. It chooses
// fewer than there are processors where a container may not use all of their time: with more it
// would have used up what is its due before the end of each tenth of a second, and stood still.
func threadsFor(set string, chosen, processors int) int {
	if set != "" || chosen != processors {
		return 0
	}
	return processors + spareThreads
}
