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
