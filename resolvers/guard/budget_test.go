package guard

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/resolvers/apierror"
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
