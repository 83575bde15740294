package lrucache

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Posts is a [feed.Posts] that caches posts, deleted ones included. It is safe for concurrent use.
type Posts struct {
	inner feed.Posts
	cache *cache[feed.PostID, *feed.Post]
}

// NewPosts returns a cache in front of inner.
func NewPosts(inner feed.Posts, o Options, clock feed.Clock) *Posts {
	return &Posts{inner: inner, cache: newCache[feed.PostID](o, clock, class[*feed.Post]{
		keeps:  func(p *feed.Post) bool { return p != nil },
		cost:   costOf[feed.Post],
		owners: func(p *feed.Post) owners { return owners{p.Author, p.AudienceAuthor} },
	})}
}

// Posts returns posts at most TTL old, and not older than their last eviction.
func (p *Posts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return p.cache.get(ctx, ids, p.inner.Posts)
}

// Stats returns the statistics of the cache.
func (p *Posts) Stats() Stats { return p.cache.snapshot() }

// Users is a [feed.Users] that caches profiles by id. It is safe for concurrent use.
type Users struct {
	inner feed.Users
	cache *cache[feed.UserID, *feed.User]
}

// NewUsers returns a cache in front of inner.
func NewUsers(inner feed.Users, o Options, clock feed.Clock) *Users {
	return &Users{inner: inner, cache: newCache[feed.UserID](o, clock, class[*feed.User]{
		keeps: func(u *feed.User) bool { return u != nil },
		cost:  costOf[feed.User],
	})}
}

// Users returns users at most TTL old, and not older than their last eviction.
func (u *Users) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	return u.cache.get(ctx, ids, u.inner.Users)
}

// UserByHandle asks the store.
func (u *Users) UserByHandle(ctx context.Context, handle string) (*feed.User, error) {
	return u.inner.UserByHandle(ctx, handle)
}

// EnsureUser asks the store.
func (u *Users) EnsureUser(ctx context.Context, user *feed.User) (*feed.User, error) {
	return u.inner.EnsureUser(ctx, user)
}

// Stats returns the statistics of the cache.
func (u *Users) Stats() Stats { return u.cache.snapshot() }

// Evictor evicts from the caches of this process. It implements [feed.Evictor] for a single
// process; with several, each must also follow the change log.
type Evictor struct {
	Posts    *Posts
	Users    *Users
	Sessions *Sessions
}

// Evict evicts posts, sessions, profiles, all posts whose author or audience author is one of the users,
// and their sessions, also those being read meanwhile.
func (e Evictor) Evict(posts []feed.PostID, users []feed.UserID) {
	e.Posts.cache.evict(posts)
	e.Sessions.cache.evict(sessionsOf(posts))
	if len(users) == 0 {
		return
	}
	e.Users.cache.evict(users)
	e.Posts.cache.evictOwned(users)
	e.Sessions.cache.evictOwned(users)
}

// Purge evicts everything. Call it when evictions may have been missed.
func (e Evictor) Purge() {
	e.Posts.cache.purge()
	e.Users.cache.purge()
	e.Sessions.cache.purge()
}
