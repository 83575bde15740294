package guard

import (
	"context"
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
		l.sweep(now)
	}
	return unspent(after, quota, window), 0
}

// unspent returns what is in a bucket that will be full in missing. What lacks less than
// a thousandth of a unit lacks it by rounding.
func unspent(missing time.Duration, quota int, window time.Duration) int {
	return int(float64(quota)*float64(window-missing)/float64(window) + 0.001)
}

// sweep forgets the buckets that are full, and then others until half as many are left
// as there may be, so that it is long before the next sweep.
func (l *Local) sweep(now time.Time) {
	for key, full := range l.full {
		if !full.After(now) {
			delete(l.full, key)
		}
	}
	for key := range l.full {
		if len(l.full) <= localMax/2 {
			break
		}
		delete(l.full, key)
	}
}
