package app

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// garbagePercent is the GOGC of a small heap. Most of the heap is long-lived caches, and most
	// garbage is from requests: a page takes a fifth less CPU time than with Go's default of 100.
	garbagePercent = 400
	// garbageMax bounds the garbage of a larger heap, down to garbagePercentMin.
	garbageMax        = 256 << 20
	garbagePercentMin = 100

	// quietFor is how long a process must allocate less than quietBytes before it releases unused
	// memory, if that is releaseMin at least. A release takes 100 to 200 ms of CPU time, so it must
	// be rare even if requests come in bursts.
	quietFor   = 5 * time.Second
	quietBytes = 8 << 20
	releaseMin = 32 << 20
)

// heapTuner sets GOGC by the size of the heap, and returns unused memory to the system when requests
// become rare. It works after collections only, so that it costs an idle process nothing.
type heapTuner struct {
	read       func() heap
	setPercent func(int)
	// release collects garbage and returns unused memory to the system.
	release func()
	after   func(time.Duration, func())
	stopped atomic.Bool

	mu       sync.Mutex
	percent  int
	watching bool
	// allocated is that of the last check.
	allocated uint64
}

// heap has sizes in bytes.
type heap struct {
	// live is what the last collection kept, and held what the process holds of the system.
	live, held uint64
	// allocated is the sum of all allocations.
	allocated uint64
}

func readHeap() heap {
	samples := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"},
		{Name: "/gc/heap/allocs:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(samples)
	at := func(i int) uint64 { return samples[i].Value.Uint64() }
	return heap{live: at(0), allocated: at(1), held: at(2) + at(3) + at(4)}
}

// percentFor returns the GOGC for a live heap.
func percentFor(live uint64) int {
	return max(garbagePercentMin, min(garbagePercent, int(garbageMax*100/max(live, 1))))
}

// afterEachCollection calls collected after each garbage collection until the tuner is stopped.
func (t *heapTuner) afterEachCollection() {
	if !t.stopped.Load() {
		runtime.AddCleanup(new(*heapTuner), func(t *heapTuner) {
			t.collected()
			t.afterEachCollection()
		}, t)
	}
}

func (t *heapTuner) collected() {
	h := t.read()
	t.mu.Lock()
	defer t.mu.Unlock()
	if percent := percentFor(h.live); percent != t.percent {
		t.percent = percent
		t.setPercent(percent)
	}
	if !t.watching {
		t.watching, t.allocated = true, h.allocated
		t.after(quietFor, t.check)
	}
}

// check releases unused memory, or checks again if the process is busy.
func (t *heapTuner) check() {
	h := t.read()
	t.mu.Lock()
	busy := h.allocated-t.allocated >= quietBytes
	t.allocated = h.allocated
	t.watching = busy && !t.stopped.Load()
	if t.watching {
		t.after(quietFor, t.check)
	}
	t.mu.Unlock()
	if !busy && h.held > h.live+max(h.live/4, releaseMin) {
		t.release()
	}
}
