package feed

import (
	"context"
	"sync"
	"time"
)

// authorOrder has what is done for contents of one author be done in the order in which it
// was begun, within this process. A push that meets a newer entry has to find its place
// behind others, which costs a store several times as much as putting it at the end, and
// subtasks are pushed in the order in which they are enqueued. So an author's contents are
// planned at the same time, but enqueued one behind the other. It is an economy and no
// promise: inboxes stand any order, which is also why nobody waits for long.
type authorOrder struct {
	mu sync.Mutex
	// last is the place that was taken last, of every author for whom there is one.
	last map[UserID]*orderPlace
}

// orderPlace is the place of one content in the order of its author.
type orderPlace struct {
	order  *authorOrder
	author UserID
	// before is closed when the one in front has left, and nil when there was none; left is
	// what the one behind waits for.
	before, left chan struct{}
}

// take takes a place behind all who have one. It has to be left.
func (o *authorOrder) take(author UserID) *orderPlace {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := &orderPlace{order: o, author: author, left: make(chan struct{})}
	if last := o.last[author]; last != nil {
		p.before = last.left
	}
	if o.last == nil {
		o.last = map[UserID]*orderPlace{}
	}
	o.last[author] = p
	return p
}

// await waits until the one in front has left, but no longer than patience, nor than ctx
// holds.
func (p *orderPlace) await(ctx context.Context, patience time.Duration) {
	if p.before == nil {
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-p.before:
	case <-timer.C:
	case <-ctx.Done():
	}
}

// leave gives the place up.
func (p *orderPlace) leave() {
	p.order.mu.Lock()
	defer p.order.mu.Unlock()
	if p.order.last[p.author] == p {
		delete(p.order.last, p.author)
	}
	close(p.left)
}
