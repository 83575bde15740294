package bench

import (
	"math/rand/v2"
	"testing"
)

// A chain with a short cycle would fit into the caches.
func TestChainOfLoads_VisitsEveryLine(t *testing.T) {
	const lines = 1000
	chain := chainOf(lines, rand.New(rand.NewPCG(1, 2)))
	at, seen := 0, map[int]bool{}
	for !seen[at] {
		seen[at] = true
		at = chain[at].next
	}
	if len(seen) != lines || at != 0 {
		t.Errorf("the chain visits %d of %d lines and returns to line %d", len(seen), lines, at)
	}
}

func TestLoad_TakesTime(t *testing.T) {
	if l := MeasureLoad(1<<12, 1000, rand.New(rand.NewPCG(1, 2))); l.Bytes != 1<<12 || l.Nanos <= 0 {
		t.Errorf("the load is %+v", l)
	}
}

func TestProcessors_ComputeTogether(t *testing.T) {
	if got := MeasureTogether(1000); got <= 0 {
		t.Errorf("all processors together compute %v times as much as one", got)
	}
}
