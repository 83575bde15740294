package lrucache

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// countersTTL counts a post in ten thousand feeds once a second, and readers do not notice it.
const countersTTL = time.Second

const counterCost = entryCost + 32

// Counters is a [feed.Counters] that keeps counters for a moment. Changes by this process through
// [Counters.PostWriter] and [Counters.Follows] show at once. Reactions of single viewers are not
// cached. It is safe for concurrent use.
type Counters struct {
	feed.Counters
	posts *cache[feed.PostID, feed.PostCounters]
	users *cache[feed.UserID, feed.UserCounters]
}

var _ feed.Counters = (*Counters)(nil)

// NewCounters returns caches in front of inner, each within o. They keep nothing over a second.
func NewCounters(inner feed.Counters, o Options, clock feed.Clock) *Counters {
	o.TTL = min(o.TTL, countersTTL)
	return &Counters{
		Counters: inner,
		posts:    newCache[feed.PostID](o, clock, always[feed.PostCounters]()),
		users:    newCache[feed.UserID](o, clock, always[feed.UserCounters]()),
	}
}

func always[V any]() class[V] {
	return class[V]{keeps: func(V) bool { return true }, cost: func(V) int64 { return counterCost }}
}

// PostCounters returns counters at most a second old, and not older than this process's last
// change.
func (c *Counters) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	return c.posts.get(ctx, ids, c.Counters.PostCounters)
}

// UserCounters does for users what PostCounters does for posts.
func (c *Counters) UserCounters(ctx context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	return c.users.get(ctx, ids, c.Counters.UserCounters)
}

// Stats returns the statistics of the caches for posts and for users.
func (c *Counters) Stats() (posts, users Stats) { return c.posts.snapshot(), c.users.snapshot() }

// PostWriter returns inner with changes that evict counters. posts finds what a post referred to.
func (c *Counters) PostWriter(inner feed.PostWriter, posts feed.Posts) feed.PostWriter {
	return countingPosts{PostWriter: inner, posts: posts, c: c}
}

// Follows does for follows what PostWriter does for posts.
func (c *Counters) Follows(inner feed.Follows) feed.Follows { return countingFollows{inner, c} }

// FollowRequests does for requests what PostWriter does for posts.
func (c *Counters) FollowRequests(inner feed.FollowRequests) feed.FollowRequests {
	return countingRequests{inner, c}
}

type countingPosts struct {
	feed.PostWriter
	posts feed.Posts
	c     *Counters
}

func (d countingPosts) Publish(ctx context.Context, p *feed.Post, idem feed.Idempotency, first feed.FirstDispatch) (feed.Publication, error) {
	defer d.c.changed(p)
	return d.PostWriter.Publish(ctx, p, idem, first)
}

// Delete implements [feed.PostWriter]. If the look-up fails, counters are right within a second.
func (d countingPosts) Delete(ctx context.Context, id feed.PostID, at int64) error {
	err := d.PostWriter.Delete(ctx, id, at)
	if found, lost := d.posts.Posts(ctx, []feed.PostID{id}); lost == nil && found[0] != nil {
		d.c.changed(found[0])
	}
	return err
}

func (d countingPosts) React(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID, at int64) error {
	defer d.c.posts.evict([]feed.PostID{post})
	return d.PostWriter.React(ctx, r, user, post, at)
}

func (d countingPosts) Unreact(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID) error {
	defer d.c.posts.evict([]feed.PostID{post})
	return d.PostWriter.Unreact(ctx, r, user, post)
}

func (c *Counters) changed(p *feed.Post) {
	c.posts.evict([]feed.PostID{p.ReplyTo, p.RepostOf})
	c.users.evict([]feed.UserID{p.Author})
}

type countingFollows struct {
	feed.Follows
	c *Counters
}

func (d countingFollows) Follow(ctx context.Context, follower, followee feed.UserID, at int64, limit int, choice feed.FollowChoice) error {
	defer d.c.users.evict([]feed.UserID{follower, followee})
	return d.Follows.Follow(ctx, follower, followee, at, limit, choice)
}

func (d countingFollows) Unfollow(ctx context.Context, follower, followee feed.UserID) error {
	defer d.c.users.evict([]feed.UserID{follower, followee})
	return d.Follows.Unfollow(ctx, follower, followee)
}

// requests is embedded under another name than its method.
type requests interface{ feed.FollowRequests }

type countingRequests struct {
	requests
	c *Counters
}

func (d countingRequests) AcceptFollow(ctx context.Context, followee, follower feed.UserID, at int64) error {
	defer d.c.users.evict([]feed.UserID{follower, followee})
	return d.requests.AcceptFollow(ctx, followee, follower, at)
}
