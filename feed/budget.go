package feed

import (
	"context"
	"time"
)

// Budget bounds how many of something dear go on at once in this process. A nil budget
// has no bound.
type Budget struct {
	slots    chan struct{}
	patience time.Duration
}

// NewBudget lets n go on at once, and others wait for at most patience.
func NewBudget(n int, patience time.Duration) *Budget {
	return &Budget{slots: make(chan struct{}, n), patience: patience}
}

// Spend calls do when it is its turn, and returns its error. When that does not come
// in time, do is not called and the error is [CodeUnavailable].
func (b *Budget) Spend(ctx context.Context, do func() error) error {
	if b == nil {
		return do()
	}
	if err := b.wait(ctx); err != nil {
		return err
	}
	defer func() { <-b.slots }()
	return do()
}

// wait takes a slot. The timer is for those only who find none free.
func (b *Budget) wait(ctx context.Context) error {
	select {
	case b.slots <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(b.patience)
	defer timer.Stop()
	select {
	case b.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return Errorf(CodeUnavailable, "too much is asked of the database at once; try again soon")
	}
}
