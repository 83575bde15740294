package lrucache

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// countersTTL is how long a counter is kept at most. What others do shows within a second,
// which nobody can tell from their having done it a second later; and a content that ten
// thousand feeds show every second is counted once.
const countersTTL = time.Second

// counterCost is what an entry takes: the counters, and what Go needs to hold them.
const counterCost = entryCost + 32

// Counters is a [feed.Counters] that keeps counters for a moment. What this process itself
// changes through [Counters.Contents] and [Counters.Follows] shows at once, and what one
// viewer did is never kept. It may be used by many goroutines.
type Counters struct {
	inner feed.Counters
	posts *cache[feed.PostID, feed.PostCounters]
	users *cache[feed.UserID, feed.UserCounters]
}

var _ feed.Counters = (*Counters)(nil)

// NewCounters puts caches before inner, for contents and for users, each within the bounds
// of o; they keep nothing for longer than a second. Pass time.Now for the clock outside
// tests.
func NewCounters(inner feed.Counters, o Options, clock feed.Clock) *Counters {
	o.TTL = min(o.TTL, countersTTL)
	return &Counters{
		inner: inner,
		posts: newCache[feed.PostID](o, clock, always[feed.PostCounters]()),
		users: newCache[feed.UserID](o, clock, always[feed.UserCounters]()),
	}
}

// always is the class of counters, all of which are kept.
func always[V any]() class[V] {
	return class[V]{keeps: func(V) bool { return true }, cost: func(V) int64 { return counterCost }}
}

// PostCounters returns what inner would have at most a second ago, and nothing from before
// this process last changed it. An error is inner's.
func (c *Counters) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	return c.posts.through(ids, func(missing []feed.PostID) ([]feed.PostCounters, error) {
		return c.inner.PostCounters(ctx, missing)
	})
}

// UserCounters does for users what PostCounters does for contents.
func (c *Counters) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	return c.users.through(ids, func(missing []feed.UserID) ([]feed.UserCounters, error) {
		return c.inner.UserCounters(ctx, missing)
	})
}

// Reactions asks the store.
func (c *Counters) Reactions(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	return c.inner.Reactions(ctx, viewer, ids)
}

// Stats returns the counts so far, and what is held now, of the counters of contents and of
// those of users.
func (c *Counters) Stats() (posts, users Stats) { return c.posts.snapshot(), c.users.snapshot() }

// Contents returns inner with changes that the cache forgets what they count. Posts are
// where a deletion looks up whose content it was and what it answered.
func (c *Counters) PostWriter(inner feed.PostWriter, posts feed.Posts) feed.PostWriter {
	return countedContents{PostWriter: inner, posts: posts, c: c}
}

// Follows does for follows what Contents does for contents.
func (c *Counters) Follows(inner feed.Follows) feed.Follows { return countedFollows{inner, c} }

type countedContents struct {
	feed.PostWriter
	posts feed.Posts
	c     *Counters
}

// Publish implements [feed.PostWriter].
func (d countedContents) Publish(ctx context.Context, p *feed.Post, idem feed.Idempotency, dueAt int64) (*feed.Post, error) {
	defer d.c.changed(p)
	return d.PostWriter.Publish(ctx, p, idem, dueAt)
}

// Delete implements [feed.PostWriter]. What it cannot look up any more shows in a second.
func (d countedContents) Delete(ctx context.Context, id feed.PostID, at int64) error {
	err := d.PostWriter.Delete(ctx, id, at)
	if found, lost := d.posts.Posts(ctx, []feed.PostID{id}); lost == nil && found[0] != nil {
		d.c.changed(found[0])
	}
	return err
}

// React implements [feed.PostWriter].
func (d countedContents) React(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID, at int64) error {
	defer d.c.posts.evict([]feed.PostID{post})
	return d.PostWriter.React(ctx, r, user, post, at)
}

// Unreact implements [feed.PostWriter].
func (d countedContents) Unreact(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID) error {
	defer d.c.posts.evict([]feed.PostID{post})
	return d.PostWriter.Unreact(ctx, r, user, post)
}

// changed forgets what a content counts for, once it is there or gone.
func (c *Counters) changed(p *feed.Post) {
	c.posts.evict([]feed.PostID{p.ReplyTo, p.RepostOf})
	c.users.evict([]feed.UserID{p.Author})
}

type countedFollows struct {
	feed.Follows
	c *Counters
}

// Follow implements [feed.Follows].
func (d countedFollows) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int) error {
	defer d.c.users.evict([]feed.UserID{follower, followee})
	return d.Follows.Follow(ctx, follower, followee, at, limit)
}

// Unfollow implements [feed.Follows].
func (d countedFollows) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	defer d.c.users.evict([]feed.UserID{follower, followee})
	return d.Follows.Unfollow(ctx, follower, followee)
}
