package transport

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ledger has a limit of 100 bytes, 25 per address, and the names of what it has cut off.
type ledger struct {
	*unsent
	cut   []string
	calls int
}

func newLedger() *ledger {
	l := &ledger{}
	l.unsent = newUnsent(100, func() { l.calls++ })
	return l
}

func (l *ledger) add(address, name string, bytes int) (done func()) {
	return l.begin(address, bytes, func() { l.cut = append(l.cut, name) })
}

func (l *ledger) want(t *testing.T, total int, cut ...string) {
	t.Helper()
	if diff := cmp.Diff(cut, l.cut); diff != "" || l.calls != len(cut) {
		t.Errorf("cut %d times (-want +got):\n%s", l.calls, diff)
	}
	if l.total() != total {
		t.Errorf("%d bytes are unsent, want %d", l.total(), total)
	}
}

func TestUnsent_CutsTheOldestOfAnAddress(t *testing.T) {
	l := newLedger()
	l.add("other", "other", 20)
	l.add("a", "a1", 10)
	l.add("a", "a2", 10)
	l.add("a", "a3", 10)
	l.want(t, 40, "a1")
	l.add("a", "a4", 25)
	l.want(t, 45, "a1", "a2", "a3")
}

func TestUnsent_KeepsTheResponseThatBegins(t *testing.T) {
	l := newLedger()
	l.add("a", "larger than all", 200)
	l.want(t, 200)
	l.add("b", "b", 1)
	l.want(t, 1, "larger than all")
}

func TestUnsent_SparesAddressesBelowTheirShare(t *testing.T) {
	l := newLedger()
	l.add("modest", "modest", 5)
	for _, address := range []string{"a", "b", "c", "d"} {
		l.add(address, address, 23)
	}
	l.want(t, 97)
	l.add("e", "e", 20)
	l.want(t, 94, "a")
}

func TestUnsent_ForgetsResponsesThatAreDone(t *testing.T) {
	l := newLedger()
	first, second := l.add("a", "a1", 20), l.add("a", "a2", 20)
	l.want(t, 20, "a1")
	first() // it was cut, and is not taken off twice
	l.want(t, 20, "a1")
	second()
	l.want(t, 0, "a1")
	if len(l.addresses) > 0 {
		t.Errorf("addresses without responses are kept: %v", l.addresses)
	}
}
