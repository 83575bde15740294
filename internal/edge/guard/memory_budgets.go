package guard

import (
	"context"
	"maps"
	"sync"
	"time"
)

// memoryBudgetsMax limits the buckets that are not full to some 10 MB. Deleting more fills them.
const memoryBudgetsMax = 100_000

// MemoryBudgets are [Budgets] in the memory of one process. Create them with [NewMemoryBudgets].
type MemoryBudgets struct {
	now func() time.Time

	mu sync.Mutex
	// fullAt is when each bucket will be full. A missing bucket is full.
	fullAt map[string]time.Time
}

// NewMemoryBudgets returns budgets by a clock.
func NewMemoryBudgets(now func() time.Time) *MemoryBudgets {
	return &MemoryBudgets{now: now, fullAt: map[string]time.Time{}}
}

// Spend implements [Budgets]. It never fails.
func (m *MemoryBudgets) Spend(_ context.Context, key string, cost, quota int, window time.Duration) (int, time.Duration, error) {
	left, wait := m.spend(key, cost, quota, window)
	return left, wait, nil
}

// spend moves the time at which the bucket will be full by the time that cost takes to refill, but
// never further than window from now.
func (m *MemoryBudgets) spend(key string, cost, quota int, window time.Duration) (left int, wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.now()
	missing := max(0, m.fullAt[key].Sub(now))
	after := missing + time.Duration(float64(window)*float64(cost)/float64(quota))
	if after > window {
		return remaining(missing, quota, window), after - window
	}
	m.fullAt[key] = now.Add(after)
	if len(m.fullAt) > memoryBudgetsMax {
		shrink(m.fullAt, memoryBudgetsMax/2, func(fullAt time.Time) bool { return !fullAt.After(now) })
	}
	return remaining(after, quota, window), 0
}

// remaining returns the content of a bucket that will be full after missing. It ignores rounding
// errors below a thousandth of a unit.
func remaining(missing time.Duration, quota int, window time.Duration) int {
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
