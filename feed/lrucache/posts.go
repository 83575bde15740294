package lrucache

import (
	"context"
	"reflect"

	"github.com/tideline-feeds/tideline/feed"
)

// Posts is a [feed.Posts] that keeps contents, deleted ones too. It may be used by many
// goroutines.
type Posts struct {
	inner feed.Posts
	cache *cache[feed.PostID, *feed.Post]
}

// NewPosts puts a cache before inner. Pass time.Now for the clock outside tests.
func NewPosts(inner feed.Posts, o Options, clock feed.Clock) *Posts {
	return &Posts{inner: inner, cache: newCache[feed.PostID](o, clock, class[*feed.Post]{
		keeps: func(p *feed.Post) bool { return p != nil },
		cost:  costOf[feed.Post],
		owner: func(p *feed.Post) feed.UserID { return p.Author },
		same:  func(old, read *feed.Post) bool { return reflect.DeepEqual(old, read) },
	})}
}

// Posts returns what inner would have at most TTL ago, and nothing from before the
// last eviction of it. An error is inner's.
func (p *Posts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return p.cache.through(ids, func(missing []feed.PostID) ([]*feed.Post, error) {
		return p.inner.Posts(ctx, missing)
	})
}

// Stats returns the counts so far and what is held now.
func (p *Posts) Stats() Stats { return p.cache.snapshot() }

// Users is a [feed.Users] that keeps profiles. It may be used by many goroutines.
type Users struct {
	inner feed.Users
	cache *cache[feed.UserID, *feed.User]
}

// NewUsers puts a cache before inner. Look-ups by handle and new users go past it.
// Pass time.Now for the clock outside tests.
func NewUsers(inner feed.Users, o Options, clock feed.Clock) *Users {
	return &Users{inner: inner, cache: newCache[feed.UserID](o, clock, class[*feed.User]{
		keeps: func(u *feed.User) bool { return u != nil },
		cost:  costOf[feed.User],
		same:  func(old, read *feed.User) bool { return *old == *read },
	})}
}

// Users returns what inner would have at most TTL ago, and nothing from before the
// last eviction of it. An error is inner's.
func (u *Users) Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error) {
	return u.cache.through(ids, func(missing []feed.UserID) ([]*feed.User, error) {
		return u.inner.Users(ctx, missing)
	})
}

// UserByHandle asks the store.
func (u *Users) UserByHandle(ctx context.Context, handle string) (*feed.User, error) {
	return u.inner.UserByHandle(ctx, handle)
}

// EnsureUser asks the store.
func (u *Users) EnsureUser(ctx context.Context, user *feed.User) (*feed.User, error) {
	return u.inner.EnsureUser(ctx, user)
}

// Stats returns the counts so far and what is held now.
func (u *Users) Stats() Stats { return u.cache.snapshot() }

// Evictor makes the caches of this process forget what has changed. It implements
// [feed.Evictor] for a process that is alone; where there are several, something
// must pass on to each what the others changed.
type Evictor struct {
	Posts *Posts
	Users *Users
}

// Evict forgets the given contents and profiles, and all contents by the given users:
// when an account is deleted, its contents are so too, and nobody would list them.
// What is read of them from the store meanwhile is not kept.
func (e Evictor) Evict(posts []feed.PostID, users []feed.UserID) {
	e.Posts.cache.evict(posts)
	if len(users) == 0 {
		return
	}
	e.Users.cache.evict(users)
	e.Posts.cache.evictOwned(users)
}

// Purge forgets everything: for when evictions may have been missed.
func (e Evictor) Purge() {
	e.Posts.cache.purge()
	e.Users.cache.purge()
}
