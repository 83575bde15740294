package lrucache

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Posts is a [feed.Posts] that keeps contents of big-V authors, deleted ones too.
type Posts struct {
	inner feed.Posts
	cache *cache[feed.ContentID, *feed.Post]
}

// NewPosts puts a cache before inner.
func NewPosts(inner feed.Posts, o Options) *Posts {
	return &Posts{inner: inner, cache: newCache[feed.ContentID, *feed.Post](o)}
}

// Posts returns what inner would, at most TTL ago.
func (p *Posts) Posts(ctx context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
	load := func(missing []feed.ContentID) ([]*feed.Post, error) { return p.inner.Posts(ctx, missing) }
	return p.cache.through(ids, load, func(post *feed.Post) bool { return post != nil && post.AuthorPulled })
}

// Stats returns the look-ups so far.
func (p *Posts) Stats() Stats { return p.cache.stats() }

// Users is a [feed.Users] that keeps profiles of big-V authors.
type Users struct {
	inner feed.Users
	cache *cache[feed.UserID, *feed.User]
}

// NewUsers puts a cache before inner. Look-ups by handle and new users go past it.
func NewUsers(inner feed.Users, o Options) *Users {
	return &Users{inner: inner, cache: newCache[feed.UserID, *feed.User](o)}
}

// Users returns what the store would, at most TTL ago.
func (u *Users) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	load := func(missing []feed.UserID) ([]*feed.User, error) { return u.inner.Users(ctx, missing) }
	return u.cache.through(ids, load, func(user *feed.User) bool { return user != nil && user.Pulled })
}

// UserByHandle asks the store.
func (u *Users) UserByHandle(ctx context.Context, handle string) (*feed.User, error) {
	return u.inner.UserByHandle(ctx, handle)
}

// EnsureUser asks the store.
func (u *Users) EnsureUser(ctx context.Context, user *feed.User) (*feed.User, error) {
	return u.inner.EnsureUser(ctx, user)
}

// Stats returns the look-ups so far.
func (u *Users) Stats() Stats { return u.cache.stats() }

// Evictor makes caches forget what has changed. It implements [feed.Evictor].
type Evictor struct {
	Posts *Posts
	Users *Users
}

// Evict forgets the given contents and profiles.
func (e Evictor) Evict(posts []feed.ContentID, users []feed.UserID) {
	e.Posts.cache.evict(posts)
	e.Users.cache.evict(users)
}

// Purge forgets everything: for when evictions may have been missed.
func (e Evictor) Purge() {
	e.Posts.cache.purge()
	e.Users.cache.purge()
}
