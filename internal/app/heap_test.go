package app

import (
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"testing/fstest"
	"time"
)

func TestPercentFor_ShrinksAsTheHeapGrows(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 20 << 20: 400, 64 << 20: 400, 128 << 20: 200, 256 << 20: 100, 1 << 40: 100} {
		if got := percentFor(live); got != want {
			t.Errorf("a heap of %d bytes has a GOGC of %d, want %d", live, got, want)
		}
	}
}

// tuned is a heapTuner of a heap that a test sets. due is the check that waits.
type tuned struct {
	heapTuner
	heap     heap
	percents []int
	released int
	due      func()
}

func newTuned() *tuned {
	h := &tuned{}
	h.read = func() heap { return h.heap }
	h.setPercent = func(percent int) { h.percents = append(h.percents, percent) }
	h.release = func() { h.released++ }
	h.after = func(_ time.Duration, do func()) { h.due = do }
	return h
}

// pass makes the check that waits.
func (h *tuned) pass() {
	do := h.due
	h.due = nil
	do()
}

func TestHeapTuner_SetsChangedPercents(t *testing.T) {
	h := newTuned()
	for _, live := range []uint64{1 << 20, 2 << 20, 128 << 20, 3 << 20} {
		h.heap.live = live
		h.collected()
	}
	if want := []int{400, 200, 400}; !slices.Equal(h.percents, want) {
		t.Errorf("set %v, want %v", h.percents, want)
	}
}

func TestHeapTuner_ReleasesMemoryOnceQuiet(t *testing.T) {
	h := newTuned()
	h.heap = heap{live: 100 << 20, held: 300 << 20}
	h.collected()
	for range 10 {
		h.heap.allocated += 20 << 20
		h.pass()
		h.collected()
	}
	if h.released > 0 {
		t.Error("released memory while busy")
	}
	h.pass()
	if h.released != 1 || h.due != nil {
		t.Errorf("released memory %d times once quiet; checks again: %t", h.released, h.due != nil)
	}
}

func TestHeapTuner_KeepsMemoryThatIsNeeded(t *testing.T) {
	h := newTuned()
	h.heap = heap{live: 200 << 20, held: 245 << 20}
	h.collected()
	h.pass()
	if h.released > 0 {
		t.Error("released memory")
	}
}

func TestHeapTuner_SeesEachCollection(t *testing.T) {
	seen := make(chan struct{}, 100)
	h := newTuned()
	h.setPercent = func(int) {}
	h.read = func() heap { seen <- struct{}{}; return heap{} }
	h.after = func(time.Duration, func()) {}
	h.afterEachCollection()
	defer h.stopped.Store(true)
	for range 3 {
		runtime.GC()
		<-seen
	}
}

func TestReadHeap_HoldsMoreThanIsLive(t *testing.T) {
	runtime.GC()
	if h := readHeap(); h.live == 0 || h.held < h.live || h.allocated < h.live {
		t.Errorf("read %+v", h)
	}
}

func TestTuneMemory_EnvironmentTakesPrecedence(t *testing.T) {
	container := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("1000000000\n")}}
	boundless := fstest.MapFS{"sys/fs/cgroup/memory.max": {Data: []byte("max\n")}}
	for name, c := range map[string]struct {
		root        fstest.MapFS
		env         map[string]string
		wantPercent int
		wantLimit   int64
	}{
		"a machine":                   {fstest.MapFS{}, nil, garbagePercent, math.MaxInt64},
		"a container":                 {container, nil, garbagePercent, 750_000_000},
		"a container without a bound": {boundless, nil, garbagePercent, math.MaxInt64},
		"GOGC and GOMEMLIMIT are set": {container, map[string]string{"GOGC": "50", "GOMEMLIMIT": "1GiB"}, 100, math.MaxInt64},
		"GOMEMLIMIT alone is set":     {container, map[string]string{"GOMEMLIMIT": "off"}, garbagePercent, math.MaxInt64},
	} {
		percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
		tuneMemory(c.root, func(name string) string { return c.env[name] })()
		gotPercent, gotLimit := debug.SetGCPercent(percent), debug.SetMemoryLimit(limit)
		if gotPercent != c.wantPercent || gotLimit != c.wantLimit {
			t.Errorf("%s: %d %%, at most %d bytes; want %d and %d", name, gotPercent, gotLimit, c.wantPercent, c.wantLimit)
		}
	}
}
