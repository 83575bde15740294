package guard

import (
	"context"
	"slices"
	"time"
)

// bucketKind is what buckets have in common that are paid for together.
type bucketKind struct {
	quota  int
	window time.Duration
}

// settle pays what is owed on all tabs that are due, those of one kind together.
func (t *Tabs) settle() {
	ctx, cancel := context.WithTimeout(context.Background(), settleWithin)
	defer cancel()
	for kind, payments := range t.takeDue() {
		for some := range slices.Chunk(payments, settleMany) {
			t.payAll(ctx, kind, some)
		}
	}
}

// takeDue returns the payments that are due, which are on their way from now on. A tab whose
// debts were paid since, with something that did not fit on it, owes nothing.
func (t *Tabs) takeDue() map[bucketKind][]payment {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := map[bucketKind][]payment{}
	for _, tab := range t.due {
		if p := tab.take(0); p.paid > 0 {
			kind := bucketKind{tab.quota, tab.window}
			out[kind] = append(out[kind], p)
		}
	}
	t.due = nil
	return out
}

// payAll makes payments into buckets of one kind.
func (t *Tabs) payAll(ctx context.Context, kind bucketKind, payments []payment) {
	keys, costs := make([]string, len(payments)), make([]int, len(payments))
	for i, p := range payments {
		keys[i], costs[i] = p.tab.key, p.paid
	}
	var failed error
	t.shared.SpendAll(ctx, keys, costs, kind.quota, kind.window, func(i, left int, wait time.Duration, err error) {
		t.book(payments[i], left, wait, err)
		if err != nil {
			failed = err
		}
	})
	if failed != nil {
		t.log.Debug("what clients have spent cannot be told other processes", "error", failed)
	}
}
