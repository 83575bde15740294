package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Load is how long a processor waits for a value out of memory before it can go on.
type Load struct {
	// Bytes is how much memory the values stand in.
	Bytes int     `json:"bytes"`
	Nanos float64 `json:"nanos"`
}

// cacheLine is what processors fetch from memory at once, in bytes.
const cacheLine = 64

// line is a value with a line to itself: the index of the one to load next.
type line struct {
	next int
	_    [cacheLine - 8]byte
}

// chainOf returns lines each of which names the next one, in an order that no processor
// foresees, and the last one the first.
func chainOf(lines int, r *rand.Rand) []line {
	order := r.Perm(lines)
	out := make([]line, lines)
	for i, at := range order {
		out[at].next = order[(i+1)%lines]
	}
	return out
}

// loadRounds is how often a load is measured; what else a machine does makes some longer.
const loadRounds = 5

// MeasureLoad loads values all over so many bytes, steps of them each time and one after the
// other, and returns what one took in the middle of some rounds.
func MeasureLoad(bytes, steps int, r *rand.Rand) Load {
	chain := chainOf(bytes/cacheLine, r)
	at := 0
	var took []float64
	// The first round brings what fits into the caches, and is not counted.
	for round := range loadRounds + 1 {
		began := time.Now()
		for range steps {
			at = chain[at].next
		}
		if round > 0 {
			took = append(took, float64(time.Since(began).Nanoseconds())/float64(steps))
		}
	}
	if at < 0 {
		panic("bench: a chain leads out of itself") // the loads must not be left out
	}
	return Load{Bytes: bytes, Nanos: Median(took)}
}

// MeasureTogether returns how many times as much all processors compute at once as one does
// alone, in the middle of some rounds: as many times as there are processors, unless some of
// them are one with two threads. steps is how much each computes.
func MeasureTogether(steps int) float64 {
	var ratios []float64
	for range loadRounds {
		alone := computing(1, steps)
		ratios = append(ratios, float64(runtime.NumCPU())*alone.Seconds()/computing(runtime.NumCPU(), steps).Seconds())
	}
	return Median(ratios)
}

// computing returns how long some goroutines take that compute the same side by side, in
// registers, so that none waits for memory.
func computing(goroutines, steps int) time.Duration {
	began := time.Now()
	var group sync.WaitGroup
	sums := make([]uint64, goroutines)
	for i := range sums {
		group.Go(func() {
			x, y := uint64(i)+1, uint64(i)+2
			for range steps {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
				y += x * y
			}
			sums[i] = y
		})
	}
	group.Wait()
	return time.Since(began)
}

// writeMachine says in some sentences how fast memory and processors are.
func (s *Spending) writeMachine(out *strings.Builder) {
	if len(s.Loads) == 0 {
		return
	}
	var parts []string
	for _, l := range s.Loads {
		parts = append(parts, fmt.Sprintf("%s ns out of %d KB", Number(l.Nanos), l.Bytes>>10))
	}
	fmt.Fprintf(out, "\nA value that the processor cannot go on without takes it, when nothing else goes on, %s. "+
		"All processors compute %s times at once what one does alone.\n", strings.Join(parts, ", "), Number(s.Together))
}
