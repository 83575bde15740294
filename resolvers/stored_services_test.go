package resolvers_test

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/upstream"
	"github.com/tideline-feeds/tideline/resolvers"
)

// caches are those of the services; nil without the service.
type caches struct {
	posts *upstream.Service[feed.PostContent]
	users *upstream.Service[feed.Profile]
}

// newServices gives deps the services of a mode.
func newServices(s *feedtest.Service, m services, d *resolvers.Deps) *caches {
	c := &caches{}
	d.Upstreams.Budget = time.Minute
	if m.posts {
		c.posts = newService(s, storedPost, s.Versions.ObjectVersions, lrucache.DefaultPosts())
		d.Upstreams.Posts = c.posts
	}
	if m.users {
		c.users = newService(s, storedProfile, s.Versions.ObjectVersions, lrucache.DefaultUsers())
		d.Upstreams.Users = c.users
	}
	if m.counters { // not cached, because scripts expect exact numbers at once
		d.Upstreams.Counters = newService(s, storedCounters, nil, lrucache.Options{})
	}
	return c
}

func newService[V any](s *feedtest.Service, read reader[V], versions upstream.Versions, o lrucache.Options) *upstream.Service[V] {
	o.TTL = 24 * time.Hour // only evictions end it
	return upstream.New(upstream.Options[V]{
		Name: "service", Versions: versions, Cache: lrucache.NewContents[feed.Object, V](o, 0),
		Timeout: time.Minute, CallsMax: 8, Clock: s.Clock.Now,
		Ask: func(ctx context.Context, refs []feed.UpstreamRef) ([]upstream.Answer[V], error) {
			out := make([]upstream.Answer[V], len(refs))
			for i, ref := range refs {
				value, err := read(ctx, s.Stores, ref.Object)
				if err != nil {
					return nil, err
				}
				out[i] = upstream.Answer[V]{Status: upstream.Found, Value: value}
			}
			return out, nil
		},
	})
}

// Evict implements [changes.Cache].
func (c *caches) Evict(posts []feed.PostID, users []feed.UserID) {
	for _, id := range posts {
		if c.posts != nil {
			c.posts.Evict([]feed.Object{{Type: feed.RecordPost, A: int64(id)}})
		}
	}
	for _, id := range users {
		if c.users != nil {
			c.users.Evict([]feed.Object{{Type: feed.RecordUser, A: int64(id)}})
		}
	}
}

// Purge implements [changes.Cache].
func (c *caches) Purge() {
	if c.posts != nil {
		c.posts.Purge()
	}
	if c.users != nil {
		c.users.Purge()
	}
}

// reader reads what a service has of an object, which is what is stored.
type reader[V any] func(ctx context.Context, s feedtest.Stores, o feed.Object) (V, error)

func storedPost(ctx context.Context, s feedtest.Stores, o feed.Object) (feed.PostContent, error) {
	posts, err := s.Posts.Posts(ctx, []feed.PostID{feed.PostID(o.A)})
	if err != nil {
		return feed.PostContent{}, err
	}
	return posts[0].Content(), nil
}

func storedProfile(ctx context.Context, s feedtest.Stores, o feed.Object) (feed.Profile, error) {
	users, err := s.Users.Users(ctx, []feed.UserID{feed.UserID(o.A)})
	if err != nil {
		return feed.Profile{}, err
	}
	return users[0].Profile(), nil
}

func storedCounters(ctx context.Context, s feedtest.Stores, o feed.Object) (c feed.UpstreamCounters, err error) {
	if o.B == 0 {
		users, err := s.Counters.UserCounters(ctx, []feed.UserID{feed.UserID(o.A)})
		if err == nil {
			c.User = users[0]
		}
		return c, err
	}
	posts, err := s.Counters.PostCounters(ctx, []feed.PostID{feed.PostID(o.B)})
	if err == nil {
		c.Post = posts[0]
	}
	return c, err
}
