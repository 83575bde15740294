package guard

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"
)

const (
	// debtPeriod limits the debt of a local budget to what its bucket refills in this time. A
	// viewer's bucket refills 10,000 by default: the most expensive operation, or 160 pages.
	debtPeriod = 2 * time.Second
	// flushAfter is how long a debt waits, so that one call pays for many operations.
	flushAfter = 100 * time.Millisecond
	// flushMax is the number of buckets in one call, whose reply then has 16 kB.
	flushMax = 500
	// flushTimeout limits a flush.
	flushTimeout = time.Second
	// localBudgetsMax is the number of local budgets at which idle ones are deleted: some 10 MB.
	localBudgetsMax = 50_000
)

// SharedBudgets are [Budgets] that take many payments in one call.
type SharedBudgets interface {
	Budgets
	// SpendAll is Spend for many buckets with the same quota and window. It calls done with the
	// result for each index of keys, which are distinct.
	SpendAll(ctx context.Context, keys []string, costs []int, quota int, window time.Duration,
		done func(i, left int, wait time.Duration, err error))
}

// LocalBudgets are write-behind [Budgets]. A process grants small costs at once, as a debt, and
// pays the debts of all clients to the shared budgets every flushAfter. A cost that exceeds the
// limit of the debt is paid immediately, together with the debt, so the shared budgets decide about
// every refusal. They are safe for concurrent use.
//
// In return, each process may grant more than the bucket holds: at most what it refills in
// debtPeriod. It pays that later. Debts are lost when the process ends, and when more than
// localBudgetsMax clients have any.
type LocalBudgets struct {
	shared SharedBudgets
	now    func() time.Time
	log    *slog.Logger
	// afterFunc runs a function on a goroutine after flushAfter.
	afterFunc func(func())

	mu      sync.Mutex
	budgets map[string]*localBudget
	// queued are the budgets of the next flush.
	queued []*localBudget
}

type localBudget struct {
	key    string
	quota  int
	window time.Duration

	// left is what the bucket held when it was last asked, at the time asked. A bucket that was
	// never asked counts as full.
	left  int
	asked time.Time
	// debt is not paid yet; flushing is the part that a running call pays.
	debt, flushing int
	queued         bool
}

// NewLocalBudgets returns local budgets over shared ones. now defaults to [time.Now]. log gets
// failed flushes; nil discards them.
func NewLocalBudgets(shared SharedBudgets, now func() time.Time, log *slog.Logger) *LocalBudgets {
	if now == nil {
		now = time.Now
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	afterFunc := func(do func()) { time.AfterFunc(flushAfter, do) }
	return &LocalBudgets{shared: shared, now: now, log: log, afterFunc: afterFunc, budgets: map[string]*localBudget{}}
}

// Spend implements [Budgets]. It fails only for a cost above the limit of the debt.
func (l *LocalBudgets) Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (int, time.Duration, error) {
	b, left, ok := l.grant(key, cost, quota, window)
	if ok {
		return left, 0, nil
	}
	return l.pay(ctx, b, cost)
}

func (l *LocalBudgets) grant(key string, cost, quota int, window time.Duration) (*localBudget, int, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.now()
	b := l.budget(key, quota, window, now)
	left := b.estimate(now) - cost
	if left < 0 || b.debt+b.flushing+cost > b.debtMax() {
		return b, 0, false
	}
	b.debt += cost
	l.queue(b)
	return b, left, true
}

// budget returns the local budget of a key. The mutex is held.
func (l *LocalBudgets) budget(key string, quota int, window time.Duration, now time.Time) *localBudget {
	if known := l.budgets[key]; known != nil {
		return known
	}
	if len(l.budgets) >= localBudgetsMax {
		// While the shared budgets fail, all may have debts.
		shrink(l.budgets, localBudgetsMax/2, func(b *localBudget) bool { return b.debt+b.flushing == 0 })
	}
	b := &localBudget{key: key, quota: quota, window: window, left: quota, asked: now}
	l.budgets[key] = b
	return b
}

func (b *localBudget) debtMax() int {
	return int(float64(b.quota) * float64(debtPeriod) / float64(b.window))
}

func (b *localBudget) estimate(now time.Time) int {
	refilled := float64(b.quota) * float64(max(0, now.Sub(b.asked))) / float64(b.window)
	return min(b.quota, b.left+int(min(refilled, float64(b.quota)))) - b.debt - b.flushing
}

// queue adds a budget to the next flush. The mutex is held.
func (l *LocalBudgets) queue(b *localBudget) {
	if b.queued {
		return
	}
	b.queued = true
	if l.queued = append(l.queued, b); len(l.queued) == 1 {
		l.afterFunc(l.flush)
	}
}

// pay pays the debt and a cost to the shared budgets. If they refuse or fail, the debt remains.
func (l *LocalBudgets) pay(ctx context.Context, b *localBudget, cost int) (left int, wait time.Duration, err error) {
	l.mu.Lock()
	p := b.payment(cost)
	l.mu.Unlock()
	if p.paid == 0 {
		return 0, 0, nil
	}
	left, wait, err = l.shared.Spend(ctx, b.key, p.paid, b.quota, b.window)
	if left = l.record(p, left, wait, err); err != nil {
		return 0, 0, err
	}
	return left, wait, nil
}

type payment struct {
	budget *localBudget
	// debt and cost are to be paid; paid is the part of them that fits into a full bucket.
	debt, cost, paid int
}

// payment begins to pay the debt and a cost. The mutex is held.
func (b *localBudget) payment(cost int) payment {
	p := payment{budget: b, debt: b.debt, cost: cost, paid: min(b.debt+cost, b.quota)}
	b.debt, b.flushing, b.queued = 0, b.flushing+p.debt, false
	return p
}

func (l *LocalBudgets) record(p payment, left int, wait time.Duration, err error) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := p.budget
	b.flushing -= p.debt
	switch {
	case err != nil:
		b.debt += p.debt
		return 0
	case wait > 0:
		b.debt += p.debt
	default:
		b.debt += p.debt + p.cost - p.paid
	}
	b.left, b.asked = left, l.now()
	return max(0, left-b.debt)
}

// bucketKind is what buckets that are paid in one call have in common.
type bucketKind struct {
	quota  int
	window time.Duration
}

func (l *LocalBudgets) flush() {
	ctx, cancel := context.WithTimeout(context.Background(), flushTimeout)
	defer cancel()
	for kind, payments := range l.payments() {
		for chunk := range slices.Chunk(payments, flushMax) {
			l.payAll(ctx, kind, chunk)
		}
	}
}

// A debt may have been paid meanwhile, together with a large cost.
func (l *LocalBudgets) payments() map[bucketKind][]payment {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[bucketKind][]payment{}
	for _, b := range l.queued {
		if p := b.payment(0); p.paid > 0 {
			kind := bucketKind{b.quota, b.window}
			out[kind] = append(out[kind], p)
		}
	}
	l.queued = nil
	return out
}

func (l *LocalBudgets) payAll(ctx context.Context, kind bucketKind, payments []payment) {
	keys, costs := make([]string, len(payments)), make([]int, len(payments))
	for i, p := range payments {
		keys[i], costs[i] = p.budget.key, p.paid
	}
	var failed error
	l.shared.SpendAll(ctx, keys, costs, kind.quota, kind.window, func(i, left int, wait time.Duration, err error) {
		l.record(payments[i], left, wait, err)
		if err != nil {
			failed = err
		}
	})
	if failed != nil {
		l.log.Debug("cannot flush local budgets", "error", failed)
	}
}
