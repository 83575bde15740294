package people

import (
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// expiringMax limits an [expiring] set: 200,000 users are some megabytes.
const expiringMax = 200_000

// expiring is a set of users with an expiry each. When it is full it starts over empty. The zero
// value is empty. It is safe for concurrent use and must not be copied.
type expiring struct {
	mu    sync.Mutex
	until map[feed.UserID]time.Time
}

func (e *expiring) has(user feed.UserID, now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return now.Before(e.until[user])
}

func (e *expiring) put(user feed.UserID, until time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.set(user, until)
}

// claim adds the user and returns true unless they are in the set at now.
func (e *expiring) claim(user feed.UserID, now, until time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Before(e.until[user]) {
		return false
	}
	e.set(user, until)
	return true
}

// set is put for a caller that holds mu.
func (e *expiring) set(user feed.UserID, until time.Time) {
	if _, in := e.until[user]; e.until == nil || !in && len(e.until) >= expiringMax {
		e.until = map[feed.UserID]time.Time{}
	}
	e.until[user] = until
}

func (e *expiring) drop(user feed.UserID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.until, user)
}
