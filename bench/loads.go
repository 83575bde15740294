package bench

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"time"
)

// Load is the measured latency of a memory load.
type Load struct {
	// Bytes is the size of the memory region.
	Bytes int     `json:"bytes"`
	Nanos float64 `json:"nanos"`
}

// cacheLine is the size of a cache line in bytes.
const cacheLine = 64

// line is a value in its own cache line: the index of the next load.
type line struct {
	next int
	_    [cacheLine - 8]byte
}

// chainOf returns a cyclic chain of lines in random order, which a processor cannot prefetch.
func chainOf(lines int, r *rand.Rand) []line {
	order := r.Perm(lines)
	out := make([]line, lines)
	for i, at := range order {
		out[at].next = order[(i+1)%lines]
	}
	return out
}

// loadRounds is the number of rounds per measurement. Other load on the machine slows some of them
// down.
const loadRounds = 5

// MeasureLoad makes dependent loads across a region of the given size, steps per round. It returns
// the median latency of the rounds.
func MeasureLoad(bytes, steps int, r *rand.Rand) Load {
	chain := chainOf(bytes/cacheLine, r)
	at := 0
	var took []float64
	// The first round warms the caches and is not counted.
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
		panic("bench: the chain has a wrong index") // using the index keeps the compiler from removing the loads
	}
	return Load{Bytes: bytes, Nanos: Median(took)}
}

// MeasureTogether returns the ratio of the throughput of all processors to that of one. It is the
// median of some rounds, and steps is the work of each processor. The ratio equals the number of
// processors unless some are threads of one core.
func MeasureTogether(steps int) float64 {
	var ratios []float64
	for range loadRounds {
		alone := computing(1, steps)
		ratios = append(ratios, float64(runtime.NumCPU())*alone.Seconds()/computing(runtime.NumCPU(), steps).Seconds())
	}
	return Median(ratios)
}

// computing returns the run time of concurrent goroutines that compute in registers, so that none
// waits for memory.
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

// writeMachine describes the speed of memory and processors.
func (s *CPUTimes) writeMachine(out *strings.Builder) {
	if len(s.Loads) == 0 {
		return
	}
	var parts []string
	for _, l := range s.Loads {
		parts = append(parts, fmt.Sprintf("%s ns in %d KB", Number(l.Nanos), l.Bytes>>10))
	}
	fmt.Fprintf(out, "\nOne dependent load from memory takes %s. "+
		"All processors together compute %s times as much as one.\n", strings.Join(parts, ", "), Number(s.Together))
}
