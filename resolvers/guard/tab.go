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
	// payment does for many operations.
	settleAfter = 100 * time.Millisecond
	// settleWithin bounds the wait for the shared budgets when nobody waits for it.
	settleWithin = time.Second
	// tabsMax is how many tabs there are before those are forgotten that owe nothing: some
	// 10 MB.
	tabsMax = 50_000
)

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
	shared Budgets
	now    func() time.Time
	log    *slog.Logger
	// later calls a function after settleAfter, on a goroutine of its own.
	later func(func())

	mu   sync.Mutex
	tabs map[string]*tab
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
func NewTabs(shared Budgets, now func() time.Time, log *slog.Logger) *Tabs {
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
	tab, left, ok := t.grant(key, cost, quota, window) //nolint:contextcheck // what is paid later is paid for many
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
		t.sweep()
	}
	opened := &tab{key: key, quota: quota, window: window, left: quota, asked: now}
	t.tabs[key] = opened
	return opened
}

// sweep forgets the tabs that owe nothing, and then others until half as many are left as
// there may be: while the shared budgets do not answer, all may owe something.
func (t *Tabs) sweep() {
	for key, tab := range t.tabs {
		if tab.owed+tab.paying == 0 {
			delete(t.tabs, key)
		}
	}
	for key := range t.tabs {
		if len(t.tabs) <= tabsMax/2 {
			break
		}
		delete(t.tabs, key)
	}
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
	t.later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), settleWithin)
		defer cancel()
		if _, _, err := t.pay(ctx, tab, 0); err != nil {
			t.log.Debug("what a client has spent cannot be told other processes", "error", err)
		}
	})
}

// pay pays what is owed and cost to the shared budgets, and returns what they say. When they
// refuse, or do not answer, what is owed goes on being owed.
func (t *Tabs) pay(ctx context.Context, tab *tab, cost int) (left int, wait time.Duration, err error) {
	owed := t.take(tab)
	if owed+cost == 0 {
		return 0, 0, nil
	}
	// More than a full bucket cannot be paid at once.
	paid := min(owed+cost, tab.quota)
	left, wait, err = t.shared.Spend(ctx, tab.key, paid, tab.quota, tab.window)
	t.mu.Lock()
	defer t.mu.Unlock()
	tab.paying -= owed
	switch {
	case err != nil:
		tab.owed += owed
		return 0, 0, err
	case wait > 0:
		tab.owed += owed
	default:
		tab.owed += owed + cost - paid
	}
	tab.left, tab.asked = left, t.now()
	return max(0, left-tab.owed), wait, nil
}

// take returns what is owed, which is on its way from now on.
func (t *Tabs) take(tab *tab) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	owed := tab.owed
	tab.owed, tab.paying, tab.due = 0, tab.paying+owed, false
	return owed
}
