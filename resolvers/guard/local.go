package guard

import (
	"context"
	"maps"
	"sync"
	"time"
)

// localMax is how many buckets a process keeps that are not full: some 10 MB. Beyond it
// any of them are forgotten, which is to fill them.
const localMax = 100_000

// Local is [Budgets] in the memory of one process. Make one with [NewLocal].
type Local struct {
	now func() time.Time

	mu sync.Mutex
	// full is when each bucket will be full. One that is full already is as good as none.
	full map[string]time.Time
}

// NewLocal returns budgets by a clock.
func NewLocal(now func() time.Time) *Local {
	return &Local{now: now, full: map[string]time.Time{}}
}

// Spend implements [Budgets]. It never fails.
func (l *Local) Spend(_ context.Context, key string, cost, quota int, window time.Duration) (int, time.Duration, error) {
	left, wait := l.spend(key, cost, quota, window)
	return left, wait, nil
}

// spend goes by the time at which a bucket will be full: taking cost out of it moves that
// time into the future, by the time it takes to fill in as much, and it can never be
// further away than window.
func (l *Local) spend(key string, cost, quota int, window time.Duration) (left int, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	missing := max(0, l.full[key].Sub(now))
	after := missing + time.Duration(float64(window)*float64(cost)/float64(quota))
	if after > window {
		return unspent(missing, quota, window), after - window
	}
	l.full[key] = now.Add(after)
	if len(l.full) > localMax {
		shrink(l.full, localMax/2, func(full time.Time) bool { return !full.After(now) })
	}
	return unspent(after, quota, window), 0
}

// unspent returns what is in a bucket that will be full in missing. What lacks less than
// a thousandth of a unit lacks it by rounding.
func unspent(missing time.Duration, quota int, window time.Duration) int {
	return int(float64(quota)*float64(window-missing)/float64(window) + 0.001)
}

// shrink deletes the idle elements of m, and then others until at most n are left.
func shrink[V any](m map[string]V, n int, idle func(V) bool) {
	maps.DeleteFunc(m, func(_ string, v V) bool { return idle(v) })
	for key := range m {
		if len(m) <= n {
			break
		}
		delete(m, key)
	}
}
