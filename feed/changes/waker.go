package changes

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// wakeInterval is the shortest time between two signals of a process.
const wakeInterval = time.Second

// Waker wakes the [Numberer], in whatever process it runs.
type Waker struct {
	Signal feed.ChangeSignal

	mu   sync.Mutex
	sent time.Time
}

// Wake signals that a change has been committed. It does not wait for the signal. It does nothing if
// it has signalled less than a second ago, because the numberer still polls then.
func (w *Waker) Wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	if !w.sent.IsZero() && now.Sub(w.sent) < wakeInterval {
		return
	}
	w.sent = now
	go w.signal()
}

func (w *Waker) signal() {
	ctx, cancel := context.WithTimeout(context.Background(), wakeInterval)
	defer cancel()
	// If it is lost, the next poll of the numberer finds the change.
	_ = w.Signal.SignalWaiting(ctx)
}
