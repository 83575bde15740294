package guard

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// creditFor is how much may stand on a tab: as much as its bucket fills up in this time.
	// With the usual budget of a viewer, 300,000 in a minute, these are 10,000, which is the
	// dearest operation that there can be, or 160 pages.
	creditFor = 2 * time.Second
	// settleAfter is how long something stands on a tab before it is paid, so that one
	// payment does for many operations, and one message for the payments of many clients.
	settleAfter = 100 * time.Millisecond
	// settleMany is how many payments are sent in one message: their answers are 16 kB.
	settleMany = 500
	// settleWithin bounds the wait for the shared budgets when nobody waits for it.
	settleWithin = time.Second
	// tabsMax is how many tabs there are before those are forgotten that owe nothing: some
	// 10 MB.
	tabsMax = 50_000
)

// SharedBudgets are [Budgets] that take many payments at once.
type SharedBudgets interface {
	Budgets
	// SpendAll does what Spend does for many buckets of one kind, and tells what became of
	// each by its place in keys, which has no key twice.
	SpendAll(ctx context.Context, keys []string, costs []int, quota int, window time.Duration,
		tell func(i, left int, wait time.Duration, err error))
}

// Tabs are [Budgets] that others share, of which one process spends a little on credit. What
// fits on the tab of a key is granted at once, and paid to the shared budgets a moment later,
// with all that was granted meanwhile; so an ordinary operation waits for nobody. What does
// not fit is asked for there, together with what is owed: a refusal is always theirs, and
// exact.
//
// The price is that more may be granted than there is: for each process, and over any time,
// as much as a bucket fills up within creditFor at the most. What was granted is paid in the
// end, so that it is not there for the operations that follow. What stands on the tabs of a
// process is lost when it ends, and when more clients owe something than there may be tabs.
//
// Make them with [NewTabs]; they may be used by many goroutines.
type Tabs struct {
	shared SharedBudgets
	now    func() time.Time
	log    *slog.Logger
	// later calls a function after settleAfter, on a goroutine of its own.
	later func(func())

	mu   sync.Mutex
	tabs map[string]*tab
	// due are the tabs of which a payment is about to be made.
	due []*tab
}

// tab is what one process knows of one bucket, and owes it.
type tab struct {
	key    string
	quota  int
	window time.Duration

	// left is what was in the bucket at the time asked, without what is owed. A bucket that
	// was never asked for counts as full.
	left  int
	asked time.Time
	// owed is to be paid, and paying is on its way.
	owed, paying int
	// due says that a payment is about to be made.
	due bool
}

// NewTabs returns tabs for shared budgets, by a clock ([time.Now] when nil). log is told of
// payments that fail; nobody is when it is nil.
func NewTabs(shared SharedBudgets, now func() time.Time, log *slog.Logger) *Tabs {
	if now == nil {
		now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	later := func(do func()) { time.AfterFunc(settleAfter, do) }
	return &Tabs{shared: shared, now: now, log: log, later: later, tabs: map[string]*tab{}}
}

// Spend implements [Budgets]. Its error is that of the shared budgets, for what does not fit
// on the tab.
func (t *Tabs) Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (int, time.Duration, error) {
	tab, left, ok := t.grant(key, cost, quota, window)
	if ok {
		return left, 0, nil
	}
	return t.pay(ctx, tab, cost)
}

// grant puts cost on the tab if it fits, and returns what is left then.
func (t *Tabs) grant(key string, cost, quota int, window time.Duration) (*tab, int, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	now := t.now()
	tab := t.open(key, quota, window, now)
	left := tab.estimate(now) - cost
	if left < 0 || tab.owed+tab.paying+cost > tab.credit() {
		return tab, 0, false
	}
	tab.owed += cost
	t.settleSoon(tab)
	return tab, left, true
}

// open returns the tab of a key.
func (t *Tabs) open(key string, quota int, window time.Duration, now time.Time) *tab {
	if known := t.tabs[key]; known != nil {
		return known
	}
	if len(t.tabs) >= tabsMax {
		// While the shared budgets do not answer, all tabs may owe something.
		shrink(t.tabs, tabsMax/2, func(tab *tab) bool { return tab.owed+tab.paying == 0 })
	}
	opened := &tab{key: key, quota: quota, window: window, left: quota, asked: now}
	t.tabs[key] = opened
	return opened
}

// credit is the most that may stand on a tab.
func (t *tab) credit() int { return int(float64(t.quota) * float64(creditFor) / float64(t.window)) }

// estimate is what should be in the bucket, with what has come since, less what is owed.
func (t *tab) estimate(now time.Time) int {
	come := float64(t.quota) * float64(max(0, now.Sub(t.asked))) / float64(t.window)
	return min(t.quota, t.left+int(min(come, float64(t.quota)))) - t.owed - t.paying
}

// settleSoon has what is owed paid in a moment. The caller holds the lock.
func (t *Tabs) settleSoon(tab *tab) {
	if tab.due {
		return
	}
	tab.due = true
	if t.due = append(t.due, tab); len(t.due) == 1 {
		t.later(t.settle)
	}
}

// pay pays what is owed and cost to the shared budgets, and returns what they say. When they
// refuse, or do not answer, what is owed goes on being owed.
func (t *Tabs) pay(ctx context.Context, tab *tab, cost int) (left int, wait time.Duration, err error) {
	p := t.take(tab, cost)
	if p.paid == 0 {
		return 0, 0, nil
	}
	left, wait, err = t.shared.Spend(ctx, tab.key, p.paid, tab.quota, tab.window)
	if left = t.book(p, left, wait, err); err != nil {
		return 0, 0, err
	}
	return left, wait, nil
}

// payment is one that is on its way.
type payment struct {
	tab *tab
	// owed and cost are what it is for, and paid what is paid of them: more than a full
	// bucket cannot be paid at once.
	owed, cost, paid int
}

// take returns the payment of what is owed and cost, which is on its way from now on.
func (t *Tabs) take(tab *tab, cost int) payment {
	t.mu.Lock()
	defer t.mu.Unlock()
	return tab.take(cost)
}

func (t *tab) take(cost int) payment {
	p := payment{tab: t, owed: t.owed, cost: cost, paid: min(t.owed+cost, t.quota)}
	t.owed, t.paying, t.due = 0, t.paying+p.owed, false
	return p
}

// book notes what became of a payment, and returns what is left.
func (t *Tabs) book(p payment, left int, wait time.Duration, err error) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	tab := p.tab
	tab.paying -= p.owed
	switch {
	case err != nil:
		tab.owed += p.owed
		return 0
	case wait > 0:
		tab.owed += p.owed
	default:
		tab.owed += p.owed + p.cost - p.paid
	}
	tab.left, tab.asked = left, t.now()
	return max(0, left-tab.owed)
}
