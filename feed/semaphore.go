package feed

import (
	"context"
	"time"
)

// Semaphore limits concurrent expensive operations in this process. A nil semaphore has no limit.
type Semaphore struct {
	slots chan struct{}
	wait  time.Duration
}

// NewSemaphore returns a semaphore with n slots. Callers wait at most wait for one.
func NewSemaphore(n int, wait time.Duration) *Semaphore {
	return &Semaphore{slots: make(chan struct{}, n), wait: wait}
}

// Do calls f while holding a slot. It returns [CodeUnavailable] if no slot becomes free in time.
func (s *Semaphore) Do(ctx context.Context, f func() error) error {
	held, err := s.Acquire(ctx)
	if err != nil {
		return err
	}
	if !held {
		return Errorf(CodeUnavailable, "the database is overloaded; try again soon")
	}
	defer s.Release()
	return f()
}

// Acquire takes a slot, to be released; false if none becomes free in time, or the error of ctx.
func (s *Semaphore) Acquire(ctx context.Context) (held bool, err error) {
	if s == nil {
		return true, nil
	}
	select {
	case s.slots <- struct{}{}:
		return true, nil
	default:
	}
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case s.slots <- struct{}{}:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	case <-timer.C:
		return false, nil
	}
}

// Release frees a slot taken by Acquire.
func (s *Semaphore) Release() {
	if s != nil {
		<-s.slots
	}
}
