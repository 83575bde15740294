package guard

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// ledger are shared budgets that can fail, and count calls.
type ledger struct {
	*MemoryBudgets
	asked atomic.Int64
	err   error
}

func (l *ledger) Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (int, time.Duration, error) {
	l.asked.Add(1)
	if l.err != nil {
		return 0, 0, l.err
	}
	return l.MemoryBudgets.Spend(ctx, key, cost, quota, window)
}

func (l *ledger) SpendAll(ctx context.Context, keys []string, costs []int, quota int, window time.Duration,
	tell func(i, left int, wait time.Duration, err error),
) {
	asked := l.asked.Load() + 1
	for i, key := range keys {
		left, wait, err := l.Spend(ctx, key, costs[i], quota, window)
		tell(i, left, wait, err)
	}
	l.asked.Store(asked)
}

// process has the local budgets of one process, which are flushed when the test says so.
type process struct {
	*LocalBudgets
	due []func()
}

func newProcess(shared SharedBudgets, c *clock) *process {
	p := &process{LocalBudgets: NewLocalBudgets(shared, c.Now, nil)}
	p.afterFunc = func(do func()) { p.due = append(p.due, do) }
	return p
}

// wantLeft checks what a bucket has, and spends one of it.
func (l *ledger) wantLeft(t *testing.T, want int, key string, quota int) {
	t.Helper()
	left, _ := l.spend(key, 1, quota, time.Minute)
	wantEqual(t, want-1, left, "what bucket %s has", key)
}

// newLedger returns shared budgets, and a process that uses them, by one clock.
func newLedger() (*clock, *ledger, *process) {
	c := newClock()
	shared := &ledger{MemoryBudgets: NewMemoryBudgets(c.Now)}
	return c, shared, newProcess(shared, c)
}

// settle flushes the debts.
func (p *process) settle() {
	for len(p.due) > 0 {
		do := p.due[0]
		p.due = p.due[1:]
		do()
	}
}

// A quota of 3,000 per minute allows a debt of a hundred.
const (
	testQuota   = 3000
	testDebtMax = 100
)

func (p *process) wantSpent(t *testing.T, cost, wantLeft int, wantRefused bool) {
	t.Helper()
	left, wait, err := p.Spend(t.Context(), "k", cost, testQuota, time.Minute)
	if err != nil || left != wantLeft || (wait > 0) != wantRefused {
		t.Errorf("%d leaves %d, wait %v, %v; want %d left, refused %v", cost, left, wait, err, wantLeft, wantRefused)
	}
}

func TestLocalBudgets_GrantNowAndFlushLater(t *testing.T) {
	c, shared, p := newLedger()
	p.wantSpent(t, 60, testQuota-60, false)
	p.wantSpent(t, 40, testQuota-100, false)
	wantEqual(t, []int{0, 1}, []int{int(shared.asked.Load()), len(p.due)}, "the calls of the shared budgets, made and due")
	p.settle()
	shared.wantLeft(t, testQuota-100, "k", testQuota)
	wantEqual(t, 1, shared.asked.Load(), "calls of the shared budgets")
	c.now = c.now.Add(time.Second)
	p.wantSpent(t, 1, testQuota-100+50-1, false)
}

func TestLocalBudgets_LargeCostPaysTheDebt(t *testing.T) {
	_, shared, p := newLedger()
	p.wantSpent(t, testDebtMax, testQuota-testDebtMax, false)
	p.wantSpent(t, 500, testQuota-testDebtMax-500, false)
	shared.wantLeft(t, testQuota-testDebtMax-500, "k", testQuota)
	p.settle()
	wantEqual(t, 1, shared.asked.Load(), "calls, as a paid cost is not paid again")
}

// One call pays the debts of many clients.
func TestLocalBudgets_FlushManyTogether(t *testing.T) {
	_, shared, p := newLedger()
	for i := range 10 {
		_, _, err := p.Spend(t.Context(), strconv.Itoa(i), 10+i, testQuota, time.Minute)
		noError(t, err)
	}
	// Buckets with another quota need another call.
	_, _, err := p.Spend(t.Context(), "other", 7, 2*testQuota, time.Minute)
	noError(t, err)
	p.settle()
	wantEqual(t, 2, shared.asked.Load(), "calls of the shared budgets")
	for i := range 10 {
		shared.wantLeft(t, testQuota-10-i, strconv.Itoa(i), testQuota)
	}
	shared.wantLeft(t, 2*testQuota-7, "other", 2*testQuota)
}

func TestLocalBudgets_RefusalKeepsTheDebt(t *testing.T) {
	c, shared, p := newLedger()
	// Another process has spent everything; the flush reveals it.
	shared.spend("k", testQuota, testQuota, time.Minute)
	p.wantSpent(t, 80, testQuota-80, false)
	p.settle()
	p.wantSpent(t, 1, 0, true)
	c.now = c.now.Add(1600 * time.Millisecond)
	p.wantSpent(t, 1, 0, true) // eighty have come, and are owed
	c.now = c.now.Add(20 * time.Millisecond)
	p.wantSpent(t, 1, 0, false)
}

// More than a full bucket is paid in two parts.
func TestLocalBudgets_PayMoreThanAFullBucket(t *testing.T) {
	c, _, p := newLedger()
	p.wantSpent(t, testDebtMax, testQuota-testDebtMax, false)
	p.wantSpent(t, testQuota, 0, false)
	c.now = c.now.Add(2 * time.Second)
	p.wantSpent(t, 1, 0, true) // a hundred have come, and are owed
}

func TestLocalBudgets_LimitDebtDuringOutage(t *testing.T) {
	away := errors.New("away")
	_, shared, p := newLedger()
	shared.err = away
	p.wantSpent(t, testDebtMax, testQuota-testDebtMax, false)
	p.settle()
	if _, _, err := p.Spend(t.Context(), "k", 1, testQuota, time.Minute); !errors.Is(err, away) {
		t.Errorf("a cost beyond the local budget returns %v", err)
	}
	shared.err = nil
	p.wantSpent(t, 10, testQuota-testDebtMax-10, false)
}

// All processes together grant at most a full bucket, its refill, and the maximum debt of each
// process.
func TestLocalBudgets_OvergrantIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		shared := &ledger{MemoryBudgets: NewMemoryBudgets(c.Now)}
		processes := make([]*process, rapid.IntRange(1, 4).Draw(t, "processes"))
		for i := range processes {
			processes[i] = newProcess(shared, c)
		}
		began, granted := c.now, 0
		for range rapid.IntRange(1, 100).Draw(t, "operations") {
			c.now = c.now.Add(time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "later")))
			p := rapid.SampledFrom(processes).Draw(t, "process")
			if rapid.Bool().Draw(t, "settle") {
				p.settle()
			}
			cost := rapid.IntRange(1, rapid.SampledFrom([]int{testDebtMax, 2 * testDebtMax, testQuota}).Draw(t, "most")).Draw(t, "cost")
			if _, wait, _ := p.Spend(context.Background(), "k", cost, testQuota, time.Minute); wait == 0 {
				granted += cost
			}
			there := testQuota*(1+float64(c.now.Sub(began))/float64(time.Minute)) + float64(len(processes)*testDebtMax)
			if float64(granted) > there+0.01 {
				t.Fatalf("granted %d of %f", granted, there)
			}
		}
	})
}

// The bound also holds while the shared budgets fail.
func TestLocalBudgets_AreBounded(t *testing.T) {
	_, shared, p := newLedger()
	shared.err = errors.New("away")
	for i := range localBudgetsMax + 10 {
		_, _, err := p.Spend(t.Context(), strconv.Itoa(i), 1, testQuota, time.Minute)
		noError(t, err)
	}
	if n := len(p.budgets); n > localBudgetsMax {
		t.Errorf("there are %d local budgets", n)
	}
}

func TestLocalBudgets_PayConcurrentSpending(t *testing.T) {
	_, _, p := newLedger()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				if _, wait, err := p.Spend(context.Background(), "k", 3, testQuota, time.Minute); wait > 0 || err != nil {
					t.Errorf("the refusal lasts %v, %v", wait, err)
				}
			}
		})
	}
	all.Wait()
	p.settle()
	p.wantSpent(t, 1, testQuota-8*100*3-1, false)
}
