package subscribe

import (
	"context"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
)

// Subscription is one viewer's to their home feed. Except for Close, Notify and EndTurn, its methods
// are for one goroutine. Call either Poll or PollEdge.
type Subscription struct {
	all    *Subscriptions
	viewer feed.UserID
	scope  delta.Scope
	// wake holds a token if there may be something to read.
	wake chan struct{}

	mu sync.Mutex
	// token is the place up to which the viewer has all changes.
	token feed.SyncToken
	// behind says that rows may lack some after the token, which the log has.
	behind bool
	rows   []feed.Change
	// edges have been read, but not delivered. They are judged again then.
	edges []feed.HomeChange
	ended error
	// ready is the argument of Notify until it is called.
	ready func()
	turn  turn
}

// PollEdge returns the next post that is added to the feed, with the token after it; none if there is
// nothing to read. At a reset, the subscription ends with [ErrReset], or with [ErrMissed] if it began
// without a token.
func (u *Subscription) PollEdge(ctx context.Context) (feed.HomeChange, error) {
	for {
		c, err := u.takeEdge(ctx)
		if err != nil || c.ID != 0 {
			return c, err
		}
		page, err := u.Poll(ctx)
		if err != nil || page == nil {
			return feed.HomeChange{}, err
		}
		if page.Resets() {
			return feed.HomeChange{}, u.reset()
		}
		added := slices.DeleteFunc(page.Changes, func(c feed.HomeChange) bool { return c.Kind != feed.HomeAdded })
		if len(added) == 0 {
			continue
		}
		if rest := added[1:]; len(rest) > 0 {
			u.mu.Lock()
			u.edges = rest
			u.mu.Unlock()
		}
		return added[0], nil
	}
}

// takeEdge returns the next waiting post that is still in the feed; none if none waits.
func (u *Subscription) takeEdge(ctx context.Context) (feed.HomeChange, error) {
	for {
		u.mu.Lock()
		if len(u.edges) == 0 {
			u.edges = nil
			u.mu.Unlock()
			return feed.HomeChange{}, nil
		}
		c := u.edges[0]
		u.edges = u.edges[1:]
		u.mu.Unlock()
		state := u.all.Changes.Viewers.State(u.viewer)
		posts, err := feed.Judge(ctx, u.viewer, state, []feed.PostID{c.ID}, u.token.Of.Scope())
		if err != nil {
			return feed.HomeChange{}, err
		}
		if posts[0] != nil {
			c.Entry.Post = posts[0]
			return c, nil
		}
	}
}

func (u *Subscription) reset() error {
	why := ErrReset
	if u.scope == delta.Arrivals {
		why = ErrMissed
	}
	u.end(why)
	if u.all.Trace.SubscriptionsEnded != nil {
		u.all.Trace.SubscriptionsEnded(1, why)
	}
	return why
}

// Notify calls ready once, when Wait need not wait: at once, or when there may be changes, at most
// Policy.DeliveriesMax subscriptions at a time, or when the subscription ends. Then call Poll, PollEdge,
// EndTurn or Close, so that others get their turn. ready must not block or call methods of the subscription.
func (u *Subscription) Notify(ready func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.isReady() {
		ready()
		return
	}
	u.ready = ready
}

// Close ends the subscription. It may be called again.
func (u *Subscription) Close() {
	u.end(context.Canceled)
	u.all.leave(u)
}

// Poll returns the next changes with their token; nil if there is nothing to read. It may return a page
// without changes. The error is that of ctx or of a store. After the latter the subscription has ended.
func (u *Subscription) Poll(ctx context.Context) (*feed.HomeChangePage, error) {
	size := u.all.Policy.PageDefault
	return poll(ctx, u, func(rows []feed.Change) (*feed.HomeChangePage, error) {
		if rows == nil {
			return u.all.Changes.After(ctx, u.token, u.scope, size)
		}
		return u.all.Changes.Of(ctx, u.all.Viewers, u.token, rows, u.scope, size)
	})
}

// change is a change of a home feed or a live feed.
type change interface{ IsReset() bool }

// poll reads the next page by read, which gets the rows after the token, or nil if it must read the
// log.
func poll[C change](
	ctx context.Context, u *Subscription, read func(rows []feed.Change) (*feed.ChangePage[C], error),
) (*feed.ChangePage[C], error) {
	defer u.EndTurn()
	rows, behind, err := u.waiting()
	if err != nil || !behind && len(rows) == 0 {
		return nil, err
	}
	select {
	case u.all.judging <- struct{}{}:
	case <-ctx.Done():
		u.fallBehind()
		return nil, ctx.Err()
	}
	defer func() { <-u.all.judging }()
	if behind {
		rows = nil
	}
	page, err := read(rows)
	if err != nil {
		u.fallBehind()
		return nil, err
	}
	u.advance(page.Token, behind && page.HasMore)
	return page, nil
}

// waiting returns the rows after the token, or that the log must be read. Rows that come from then
// on are kept.
func (u *Subscription) waiting() (rows []feed.Change, behind bool, err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended != nil {
		return nil, false, u.ended
	}
	behind, u.behind = u.behind, false
	u.dropRows()
	return slices.Clone(u.rows), behind, nil
}

// advance makes a token the place up to which the viewer has all changes.
func (u *Subscription) advance(token feed.SyncToken, behind bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.token = token
	u.behind = u.behind || behind
	u.dropRows()
}

// dropRows drops the rows up to the token. The caller holds mu.
func (u *Subscription) dropRows() {
	u.rows = slices.DeleteFunc(u.rows, func(row feed.Change) bool { return row.Number <= u.token.Place.Number })
	if len(u.rows) == 0 {
		// An idle subscription needs no memory.
		u.rows = nil
	}
}

// Wait waits until there may be something to read, or the subscription has ended. The error is that
// of ctx.
func (u *Subscription) Wait(ctx context.Context) error {
	for {
		u.mu.Lock()
		ready := u.isReady()
		u.mu.Unlock()
		if ready {
			return nil
		}
		select {
		case <-u.wake:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isReady reports whether Wait need not wait. The caller holds mu.
func (u *Subscription) isReady() bool {
	return u.ended != nil || u.behind || len(u.rows)+len(u.edges) > 0
}

// offer queues a row. Beyond most rows, the subscription reads the log instead.
func (u *Subscription) offer(row feed.Change, most int) {
	if !u.scope.Has(row) {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.ended != nil || u.behind:
		return
	case len(u.rows) >= most:
		u.rows, u.behind = nil, true
	default:
		u.rows = append(u.rows, row)
	}
	u.signal()
}

// fallBehind makes the subscription read the log.
func (u *Subscription) fallBehind() {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended == nil {
		u.rows, u.behind = nil, true
		u.signal()
	}
}

func (u *Subscription) end(why error) {
	defer u.EndTurn()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended == nil {
		u.ended, u.rows, u.edges = why, nil, nil
		u.signal()
	}
}
