package harness

import (
	"sync"
	"time"
)

// Windows measures the time between two successful responses.
type Windows struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	// failed is the time of the last failure.
	failed time.Time
}

// NewWindows starts the first window.
func NewWindows() *Windows { return &Windows{last: time.Now()} }

// Note records the result of a request.
func (w *Windows) Note(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if err != nil {
		w.failed = now
		return
	}
	w.longest = max(w.longest, now.Sub(w.last))
	w.last = now
}

// FailedSince returns the time from since to the last failure.
func (w *Windows) FailedSince(since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(0, w.failed.Sub(since))
}

// Take returns the longest window since the last call, including the current one.
func (w *Windows) Take() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest := max(w.longest, time.Since(w.last))
	w.longest = 0
	return longest
}
