package fanout

import (
	"context"
	"github.com/tideline-feeds/tideline/feed"
	"slices"
	"sync"
	"time"
)

// authorOrder has contents of one author that are dispatched at the same time, within this
// process, be enqueued in feed order, the oldest first. A push that meets a newer entry has to
// find its place behind others, which costs a store several times as much as putting it at the
// end, and subtasks are pushed in the order in which they are enqueued. So an author's contents
// are planned at the same time, but enqueued one behind the other. It is an economy and no
// promise: inboxes stand any order, which is also why nobody waits for long.
//
// It does not matter who came first. Of two dispatches that begin at once, the one of the newer
// content may be told sooner what it is about, and still has to wait.
type authorOrder struct {
	mu sync.Mutex
	// places are those that are taken, of every author for whom there are any.
	places map[feed.UserID][]*orderPlace
}

// orderPlace is the place of one content in the order of its author.
type orderPlace struct {
	order  *authorOrder
	author feed.UserID
	key    feed.Key
	// left is closed when the place has been given up.
	left chan struct{}
}

// take takes a place in front of all that are newer. It has to be left.
func (o *authorOrder) take(author feed.UserID, key feed.Key) *orderPlace {
	o.mu.Lock()
	defer o.mu.Unlock()
	p := &orderPlace{order: o, author: author, key: key, left: make(chan struct{})}
	if o.places == nil {
		o.places = map[feed.UserID][]*orderPlace{}
	}
	o.places[author] = append(o.places[author], p)
	return p
}

// await waits until all in front have left, also those who come to stand there meanwhile, but
// no longer than patience, nor than ctx holds.
func (p *orderPlace) await(ctx context.Context, patience time.Duration) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for before := p.before(); before != nil; before = p.before() {
		select {
		case <-before.left:
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// before returns a place in front; nil when there is none.
func (p *orderPlace) before() *orderPlace {
	p.order.mu.Lock()
	defer p.order.mu.Unlock()
	for _, other := range p.order.places[p.author] {
		if other.key.Compare(p.key) < 0 {
			return other
		}
	}
	return nil
}

// leave gives the place up.
func (p *orderPlace) leave() {
	p.order.mu.Lock()
	defer p.order.mu.Unlock()
	rest := slices.DeleteFunc(p.order.places[p.author], func(other *orderPlace) bool { return other == p })
	if p.order.places[p.author] = rest; len(rest) == 0 {
		delete(p.order.places, p.author)
	}
	close(p.left)
}
