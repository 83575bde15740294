package subscribe

import "sync"

// turns limits how many subscriptions are awake at once. One post can concern ten thousand, and
// the goroutines of all of them would wait with grown stacks, in memory that the garbage collector
// scans. Subscriptions get their turns in the order in which they ask.
type turns struct {
	mu      sync.Mutex
	free    int
	waiting []*Subscription
}

// take takes a turn. If there is none, it queues the subscription and returns false.
func (t *turns) take(u *Subscription) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.free > 0 {
		t.free--
		return true
	}
	t.waiting = append(t.waiting, u)
	return false
}

// pass gives a turn that has ended to the next subscription that still wants it. The caller holds
// the mutex of no subscription.
func (t *turns) pass() {
	for u := t.next(); u != nil; u = t.next() {
		if u.granted() {
			return
		}
	}
}

// next returns the next waiting subscription. If none waits, it frees the turn and returns nil.
func (t *turns) next() *Subscription {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.waiting) == 0 {
		t.waiting = nil
		t.free++
		return nil
	}
	u := t.waiting[0]
	t.waiting[0] = nil
	t.waiting = t.waiting[1:]
	return u
}

// turn says whether a subscription is awake.
type turn int

const (
	noTurn turn = iota
	waitsForTurn
	hasTurn
)

// granted begins the turn of a waiting subscription, and returns false if it has ended meanwhile.
func (u *Subscription) granted() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended != nil || u.ready == nil {
		u.turn = noTurn
		return false
	}
	u.turn = hasTurn
	u.callReady()
	return true
}

// EndTurn passes the turn on, if the subscription has it. Any goroutine may call it.
func (u *Subscription) EndTurn() {
	u.mu.Lock()
	had := u.turn == hasTurn
	if had {
		u.turn = noTurn
	}
	u.mu.Unlock()
	if had {
		u.all.turns.pass()
	}
}

// callReady calls the argument of Notify. The caller holds mu.
func (u *Subscription) callReady() {
	u.ready()
	u.ready = nil
}

// signal wakes the waiting call, or the next one. A function that waits is called when it is the
// subscription's turn, or at once if the subscription has ended. The caller holds mu.
func (u *Subscription) signal() {
	switch {
	case u.ready == nil:
	case u.ended != nil:
		u.callReady()
	case u.turn == noTurn && !u.all.turns.take(u):
		u.turn = waitsForTurn
	case u.turn == noTurn:
		u.turn = hasTurn
		u.callReady()
	}
	select {
	case u.wake <- struct{}{}:
	default:
	}
}
