package feed

import (
	"context"
	"time"
)

// Semaphore limits how many expensive operations run at once in this process. A nil semaphore has
// no limit.
type Semaphore struct {
	slots chan struct{}
	wait  time.Duration
}

// NewSemaphore returns a semaphore with n slots, for which callers wait at most as long as wait.
func NewSemaphore(n int, wait time.Duration) *Semaphore {
	return &Semaphore{slots: make(chan struct{}, n), wait: wait}
}

// Do calls f with a slot held, and returns its error. If no slot becomes free in time, it returns
// [CodeUnavailable] without calling f.
func (s *Semaphore) Do(ctx context.Context, f func() error) error {
	if s == nil {
		return f()
	}
	if err := s.acquire(ctx); err != nil {
		return err
	}
	defer func() { <-s.slots }()
	return f()
}

// acquire takes a slot. It starts a timer only if none is free.
func (s *Semaphore) acquire(ctx context.Context) error {
	select {
	case s.slots <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(s.wait)
	defer timer.Stop()
	select {
	case s.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return Errorf(CodeUnavailable, "too much is asked of the database at once; try again soon")
	}
}
