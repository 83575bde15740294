package harness

import (
	"sync"
	"time"
)

// Windows measures for how long nobody had an answer without an error.
type Windows struct {
	mu      sync.Mutex
	last    time.Time
	longest time.Duration
	// failed is when the last request failed.
	failed time.Time
}

// NewWindows begins to measure.
func NewWindows() *Windows { return &Windows{last: time.Now()} }

// Note notes an answer.
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

// FailedSince returns for how long requests have failed since some time.
func (w *Windows) FailedSince(since time.Time) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(0, w.failed.Sub(since))
}

// Take returns the longest window since the last call, the one that goes on included.
func (w *Windows) Take() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	longest := max(w.longest, time.Since(w.last))
	w.longest = 0
	return longest
}
