package subscribe

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Next waits for the next post and returns it with its cursor in the viewer's home feed. Posts
// come about in the order in which they entered feeds, each once. The error is that of ctx,
// [ErrMissed], [ErrTooSlow], or that of a store. After an error the subscription has ended.
func (u *Subscription) Next(ctx context.Context) (feed.Entry, error) {
	for {
		id, err := u.take(ctx)
		if err != nil {
			return feed.Entry{}, err
		}
		post, err := u.judge(ctx, id)
		if err != nil {
			return feed.Entry{}, err
		}
		if post != nil {
			return feed.Entry{Cursor: feed.HomeCursor(post), Post: post}, nil
		}
	}
}

// Notify calls ready once, when [Subscription.Next] need not wait: at once, or when a post comes or
// the subscription ends. ready must not block or call methods of the subscription.
func (u *Subscription) Notify(ready func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended != nil || len(u.waiting) > 0 {
		ready()
		return
	}
	u.ready = ready
}

func (u *Subscription) take(ctx context.Context) (feed.PostID, error) {
	for {
		if id, err := u.poll(); id != 0 || err != nil {
			return id, err
		}
		select {
		case <-u.wake:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (u *Subscription) poll() (feed.PostID, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended != nil || len(u.waiting) == 0 {
		return 0, u.ended
	}
	id := u.waiting[0]
	if u.waiting = u.waiting[1:]; len(u.waiting) == 0 {
		u.waiting = nil // who is up to date keeps no memory
	}
	return id, nil
}

// judge returns the post if it belongs in the viewer's home feed now, otherwise nil.
func (u *Subscription) judge(ctx context.Context, id feed.PostID) (*feed.Post, error) {
	select {
	case u.hub.judging <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-u.hub.judging }()
	state := u.all.Viewers.State(u.viewer)
	defer state.Close(ctx)
	posts, err := feed.Judge(ctx, u.viewer, state, []feed.PostID{id}, feed.ScopeHome)
	if err != nil {
		return nil, err
	}
	return posts[0], nil
}

// offer queues a post for the viewer. If the queue is full, it ends the subscription and returns
// false.
func (u *Subscription) offer(id feed.PostID, most int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended != nil {
		return true
	}
	if len(u.waiting) >= most {
		u.endLocked(ErrTooSlow)
		return false
	}
	u.waiting = append(u.waiting, id)
	u.signal()
	return true
}

// end ends the subscription and drops waiting posts, which are in the viewer's feed.
func (u *Subscription) end(why error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ended == nil {
		u.endLocked(why)
	}
}

func (u *Subscription) endLocked(why error) {
	u.ended, u.waiting = why, nil
	u.signal()
}

// signal wakes the waiting call, or the next one. The caller holds mu.
func (u *Subscription) signal() {
	if u.ready != nil {
		u.ready()
		u.ready = nil
	}
	select {
	case u.wake <- struct{}{}:
	default:
	}
}
