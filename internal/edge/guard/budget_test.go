package guard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// clock is a time that tests move.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newClock() *clock { return &clock{time.Date(2024, 5, 17, 12, 0, 0, 0, time.UTC)} }

func TestMemoryBudgets_RefillEvenly(t *testing.T) {
	c := newClock()
	l := NewMemoryBudgets(c.Now)
	for _, step := range []struct {
		after    time.Duration
		cost     int
		wantLeft int
		wantWait time.Duration
		because  string
	}{
		{0, 70, 30, 0, "a hundred at first"},
		{0, 40, 30, 6 * time.Second, "ten are missing, and a hundred come in a minute"},
		{6 * time.Second, 40, 0, 0, "ten have come"},
		{30 * time.Second, 1, 49, 0, "half of it has come"},
		{time.Hour, 1, 99, 0, "no more than a hundred"},
	} {
		c.now = c.now.Add(step.after)
		left, wait, err := l.Spend(context.Background(), "k", step.cost, 100, time.Minute)
		if left != step.wantLeft || wait.Round(time.Millisecond) != step.wantWait || err != nil {
			t.Errorf("%d leaves %d, wait %v, %v; want %d, %v: %s", step.cost, left, wait, err, step.wantLeft, step.wantWait, step.because)
		}
	}
	if left, wait := l.spend("other", 100, 100, time.Minute); left != 0 || wait != 0 {
		t.Errorf("another budget has %d left, wait %v", left, wait)
	}
}

// Over any period, a client spends at most a full bucket and its refill.
func TestMemoryBudgets_NeverOverspent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		l := NewMemoryBudgets(c.Now)
		const window = time.Minute
		quota := rapid.IntRange(1, 100_000).Draw(t, "quota")
		spent, began := 0, c.now
		for range rapid.IntRange(1, 50).Draw(t, "operations") {
			c.now = c.now.Add(time.Duration(rapid.Int64Range(0, int64(window)).Draw(t, "later")))
			cost := rapid.IntRange(1, quota).Draw(t, "cost")
			left, wait := l.spend("k", cost, quota, window)
			if wait == 0 {
				spent += cost
			}
			if left < 0 || left > quota || wait > window {
				t.Fatalf("%d left of %d, wait %v", left, quota, wait)
			}
			there := float64(quota) * (1 + float64(c.now.Sub(began))/float64(window))
			if float64(spent) > there+0.01 {
				t.Fatalf("spent %d of %f", spent, there)
			}
			if wait > 0 {
				// After the returned wait, the cost can be paid.
				c.now = c.now.Add(wait)
				if _, again := l.spend("k", cost, quota, window); again > time.Microsecond {
					t.Fatalf("after %v the wait is another %v", wait, again)
				}
				spent += cost
			}
		}
	})
}

func TestMemoryBudgets_AreBounded(t *testing.T) {
	c := newClock()
	l := NewMemoryBudgets(c.Now)
	for i := range memoryBudgetsMax {
		l.spend(fmt.Sprint("early ", i), 1, 100, time.Minute)
	}
	c.now = c.now.Add(time.Minute)
	l.spend("late", 100, 100, time.Minute)
	wantEqual(t, 1, len(l.fullAt), "the budgets in memory, when most are full")
	for i := range memoryBudgetsMax + 10 {
		l.spend(fmt.Sprint("many ", i), 1, 100, time.Minute)
		if len(l.fullAt) > memoryBudgetsMax {
			t.Fatalf("%d budgets are in memory", len(l.fullAt))
		}
	}
}

// broken are budgets that fail until mended.
type broken struct {
	mended bool
	spent  int
}

func (b *broken) Spend(_ context.Context, _ string, cost, quota int, _ time.Duration) (int, time.Duration, error) {
	if !b.mended {
		return 0, 0, errors.New("no response")
	}
	b.spent += cost
	return quota - b.spent, 0, nil
}

func allClients(context.Context) string { return "x" }

func anonymous(context.Context) string { return "" }

func testMeter(shared Budgets, rates ...Rate) meter {
	return newMeter(Options{Rates: rates, Budgets: shared, Now: newClock().Now}.withDefaults())
}

func TestMeter_FallsBackToOwnBudgets(t *testing.T) {
	shared := &broken{}
	m := testMeter(shared, Rate{"viewer", 100, time.Minute, allClients})
	wantCharged := func(cost, wantLeft int, wantPaid bool) {
		t.Helper()
		if left, refused := m.charge(t.Context(), http.Header{}, cost); left != wantLeft || (refused == nil) != wantPaid {
			t.Errorf("%d leave %d, %v; want %d, paid %v", cost, left, refused, wantLeft, wantPaid)
		}
	}
	wantCharged(60, 40, true)
	wantCharged(60, 40, false)
	shared.mended = true
	wantCharged(60, 40, true)
	wantEqual(t, 60, shared.spent, "what was spent of the shared budget")
}

func TestMeter_SetsHeaders(t *testing.T) {
	m := testMeter(nil,
		Rate{"viewer", 100, time.Minute, allClients}, Rate{"nobody", 1, time.Minute, anonymous}, Rate{"address", 150, time.Hour, allClients})
	got := http.Header{}
	if left, refused := m.charge(t.Context(), got, 60); left != 40 || refused != nil {
		t.Errorf("left %d, %v", left, refused)
	}
	want := http.Header{}
	want.Set("RateLimit-Policy", `"viewer";q=100;w=60, "address";q=150;w=3600`)
	want.Set("RateLimit", `"viewer";r=40;t=36, "address";r=90;t=1440`)
	wantEqual(t, want, got, "the headers")

	got = http.Header{}
	left, refused := m.charge(t.Context(), got, 60)
	if left != 40 || refused == nil || apierror.CodeOf(refused) != apierror.RateLimited || refused.Extensions["retryAfter"] != 12 {
		t.Errorf("left %d, %+v", left, refused)
	}
	want = http.Header{}
	want.Set("RateLimit-Policy", `"viewer";q=100;w=60`)
	want.Set("RateLimit", `"viewer";r=40;t=36`)
	want.Set("Retry-After", "12")
	wantEqual(t, want, got, "the headers beyond the budget")
}

func TestMessage_SpendsTheBudget(t *testing.T) {
	g := &Guard{rates: testMeter(nil, Rate{"address", 2, time.Minute, allClients})}
	for i := range 3 {
		if err := g.Message(t.Context()); (err != nil) != (i == 2) {
			t.Errorf("message %d is charged with %v", i+1, err)
		}
	}
}

func TestMeter_NoHeadersWithoutKey(t *testing.T) {
	m := testMeter(nil, Rate{"viewer", 100, time.Minute, anonymous})
	header := http.Header{}
	if left, refused := m.charge(t.Context(), header, 1_000_000); left != -1 || refused != nil || len(header) != 0 {
		t.Errorf("left %d, %v, %v", left, refused, header)
	}
}

// A full bucket pays for every permitted operation.
func TestMeter_FullBudgetPaysForAnything(t *testing.T) {
	m := testMeter(nil, Rate{"viewer", 100, time.Minute, allClients})
	if left, refused := m.charge(t.Context(), http.Header{}, 1000); left != 0 || refused != nil {
		t.Errorf("left %d, %v", left, refused)
	}
}

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
