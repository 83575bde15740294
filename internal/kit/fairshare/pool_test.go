package fairshare_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/internal/kit/fairshare"
)

// ledger is a pool, and the names of the claims that it has evicted.
type ledger struct {
	*fairshare.Pool
	evicted []string
	calls   int
}

func newLedger(o fairshare.Options) *ledger {
	l := &ledger{}
	o.OnEvict = func() { l.calls++ }
	l.Pool = fairshare.New(o)
	return l
}

// take takes units for a claim with a name.
func (l *ledger) take(holder, name string, n int) (release func(), refused fairshare.Refusal) {
	return l.Take(holder, n, func() { l.evicted = append(l.evicted, name) })
}

// fill takes a unit for each of n holders.
func (l *ledger) fill(t *testing.T, n int, holder func(i int) string) (taken int) {
	t.Helper()
	for i := range n {
		if _, refused := l.take(holder(i), holder(i), 1); refused == "" {
			taken++
		}
	}
	return taken
}

func (l *ledger) want(t *testing.T, used int, evicted ...string) {
	t.Helper()
	if diff := cmp.Diff(evicted, l.evicted); diff != "" || l.calls != len(evicted) {
		t.Errorf("evicted %d times (-want +got):\n%s", l.calls, diff)
	}
	if l.Used() != used {
		t.Errorf("%d units are used, want %d", l.Used(), used)
	}
}

func always(holder string) func(int) string { return func(int) string { return holder } }

func TestPool_HolderHasAShare(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 100})
	if n := l.fill(t, 100, always("192.0.2.1")); n != 25 {
		t.Errorf("an address has %d units, want 25", n)
	}
	if n := l.fill(t, 100, always("")); n != 75 {
		t.Errorf("clients that look alike have %d units, want the rest", n)
	}
	l.want(t, 100)
}

// A provider gives a customer up to a /48. All limits are tried with the addresses that differ most.
func TestPool_CountsIPv6ByWiderNetworks(t *testing.T) {
	for _, c := range []struct {
		what   string
		holder func(i int) string
		want   int
	}{
		{"a /64", always("2001:db8::/64"), 200},
		{"a /56", func(i int) string { return fmt.Sprintf("2001:db8:0:%x::/64", i%256) }, 300},
		{"a /48", func(i int) string { return fmt.Sprintf("2001:db8:0:%x::/64", i%65536) }, 400},
		{"a /47", func(i int) string { return fmt.Sprintf("2001:db8:%x:%x::/64", i%2, i/2) }, 800},
	} {
		l := newLedger(fairshare.Options{Max: 10_000, Share: 200})
		if n := l.fill(t, 11_000, c.holder); n != c.want {
			t.Errorf("%s has %d units, want %d", c.what, n, c.want)
		}
	}
}

func TestPool_LargestHolderLosesItsOldest(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 10, Share: 4})
	for i, holder := range []string{"a", "b", "b", "b", "c", "c", "c", "c", "a", "a"} {
		l.take(holder, fmt.Sprint(holder, i), 1)
	}
	l.take("user:1", "u1", 1)
	l.take("user:1", "u2", 1)
	l.want(t, 10, "c4", "a0")
	if _, refused := l.take("user:1", "u3", 1); refused != fairshare.Full {
		t.Errorf("a holder evicts from one with a unit more: %q", refused)
	}
	l.want(t, 10, "c4", "a0")
}

// Fifty-five networks of 200 fill a pool of 10,000; a user gets a place all the same.
func TestPool_StrangersExcludeNoUser(t *testing.T) {
	for name, holder := range map[string]func(i int) string{
		"networks of one provider": func(i int) string { return fmt.Sprintf("2001:db8:%x::/64", i%55) },
		"networks of one customer": func(i int) string { return fmt.Sprintf("2001:db8:%x:%x::/64", i%55, i/55) },
		"IPv4 addresses":           func(i int) string { return fmt.Sprintf("192.0.2.%d", i%55) },
		"one proxy":                always(""),
	} {
		l := newLedger(fairshare.Options{Max: 10_000, Share: 200})
		l.fill(t, 11_000, holder)
		if n := l.fill(t, 100, func(i int) string { return fmt.Sprint("user:", i) }); n != 100 {
			t.Errorf("%s leave units for %d of 100 users", name, n)
		}
		if len(l.evicted) == 0 || l.Used() != 10_000 {
			t.Errorf("%s: %d units are evicted, and %d used", name, len(l.evicted), l.Used())
		}
	}
}

func TestPool_WidestNetworkLosesFirst(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 8, Share: 4})
	for i := range 5 {
		l.take(fmt.Sprintf("2001:db8:0:%x::/64", i), fmt.Sprint("net", i), 1)
	}
	l.fill(t, 3, always("192.0.2.1"))
	l.take("user:1", "u", 1)
	l.want(t, 8, "net0")
}

func TestPool_ReplacesTheOldestOfAHolder(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 100, Replace: true})
	l.take("other", "other", 20)
	l.take("a", "a1", 10)
	l.take("a", "a2", 10)
	l.take("a", "a3", 10)
	l.want(t, 40, "a1")
	l.take("a", "a4", 25)
	l.want(t, 45, "a1", "a2", "a3")
}

func TestPool_KeepsTheClaimThatBegins(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 100, Replace: true})
	l.take("a", "larger than all", 200)
	l.want(t, 200)
	l.take("b", "b", 1)
	l.want(t, 1, "larger than all")
}

func TestPool_SparesHoldersBelowTheirShare(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 100, Replace: true})
	l.take("modest", "modest", 5)
	for _, holder := range []string{"a", "b", "c", "d"} {
		l.take(holder, holder, 23)
	}
	l.want(t, 97)
	l.take("e", "e", 20)
	l.want(t, 94, "a")
}

func TestPool_ReleasesOnce(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 100, Replace: true})
	first, _ := l.take("a", "a1", 20)
	second, _ := l.take("a", "a2", 20)
	l.want(t, 20, "a1")
	first() // it was evicted
	l.want(t, 20, "a1")
	second()
	second()
	l.want(t, 0, "a1")
}

func TestPool_SparesWhatCannotBeEvicted(t *testing.T) {
	l := newLedger(fairshare.Options{Max: 2, Share: 2})
	for range 2 {
		if _, refused := l.Take("a", 1, nil); refused != "" {
			t.Fatal(refused)
		}
	}
	if _, refused := l.take("b", "b", 1); refused != fairshare.Full {
		t.Errorf("b gets %q", refused)
	}
}

// A holder with many waiters does not hold up others.
func TestWait_HoldersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fairshare.New(fairshare.Options{Max: 1})
		held, _ := p.Take("slow", 1, nil)
		var got []string
		for _, name := range []string{"a1", "a2", "a3", "b1", "c1"} {
			go func() {
				release := p.Wait(t.Context(), name[:1])
				got = append(got, name)
				release()
			}()
			synctest.Wait()
		}
		held()
		synctest.Wait()
		if diff := cmp.Diff([]string{"a1", "b1", "c1", "a2", "a3"}, got); diff != "" {
			t.Errorf("the order of units (-want +got):\n%s", diff)
		}
		if p.Used() != 0 {
			t.Errorf("%d units are used", p.Used())
		}
	})
}

func TestWait_FullHoldersHoldUpNoOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fairshare.New(fairshare.Options{Max: 4})
		slow := p.Wait(t.Context(), "slow")
		done := make(chan struct{})
		go func() {
			defer close(done)
			p.Wait(t.Context(), "slow")()
		}()
		synctest.Wait()
		p.Wait(t.Context(), "other")()
		slow()
		<-done
	})
}

func TestWait_EndsWithItsContext(t *testing.T) {
	p := fairshare.New(fairshare.Options{Max: 1})
	release := p.Wait(t.Context(), "a")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if p.Wait(ended, "a") != nil {
		t.Error("a unit is given twice")
	}
	release()
	p.Wait(t.Context(), "b")()
	if p.Used() != 0 {
		t.Errorf("%d units are used", p.Used())
	}
}

// After any history, what is used is what was taken and neither released nor evicted, and no limit is
// exceeded.
func TestPool_KeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := fairshare.New(fairshare.Options{Max: 20, Share: 6})
		held := map[int]func(){}
		of := map[int]string{}
		holder := rapid.SampledFrom([]string{"", "user:1", "192.0.2.1", "2001:db8::/64", "2001:db8:0:1::/64", "2001:db8:0:100::/64", "2001:db8:0:200::/64"})
		for i := range rapid.IntRange(1, 200).Draw(t, "steps") {
			if n := len(held); n > 0 && rapid.Bool().Draw(t, "release") {
				for k, release := range held {
					release()
					delete(held, k)
					break
				}
				continue
			}
			h := holder.Draw(t, "holder")
			release, refused := p.Take(h, 1, func() { delete(held, i) })
			if refused == "" {
				held[i], of[i] = release, h
			}
			counts := map[string]int{}
			for k := range held {
				counts[of[k]]++
			}
			for h, n := range counts {
				if h != "" && n > 6 {
					t.Fatalf("%q has %d units", h, n)
				}
			}
			if p.Used() != len(held) || len(held) > 20 {
				t.Fatalf("%d units are used, and %d held", p.Used(), len(held))
			}
		}
	})
}

func TestOfAddress_IsAQuarterAndNeverNothing(t *testing.T) {
	for total, want := range map[int]int{1: 1, 3: 1, 4: 1, 7: 1, 8: 2, 256: 64} {
		if got := fairshare.OfAddress(total); got != want {
			t.Errorf("of %d: %d, want %d", total, got, want)
		}
	}
}
