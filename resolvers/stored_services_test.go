package resolvers_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"connectrpc.com/connect"

	tidelinev1 "github.com/tideline-feeds/tideline/api/tideline/v1"
	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
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

// newServices gives deps the services of a mode, over HTTP.
func newServices(t *testing.T, s *feedtest.Service, m services, d *resolvers.Deps) *caches {
	mux := http.NewServeMux()
	mux.Handle(tidelinev1connect.NewPostServiceHandler(storedPosts{s}))
	mux.Handle(tidelinev1connect.NewUserServiceHandler(storedUsers{s}))
	mux.Handle(tidelinev1connect.NewCounterServiceHandler(storedCounters{s}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client, c := upstream.NewClient(upstream.Connect, ""), &caches{}
	d.Upstreams.Budget = time.Minute
	if m.posts {
		c.posts = newService(s, client.Posts(server.URL), s.Versions.ObjectVersions, lrucache.DefaultPosts())
		d.Upstreams.Posts = c.posts
	}
	if m.users {
		c.users = newService(s, client.Users(server.URL), s.Versions.ObjectVersions, lrucache.DefaultUsers())
		d.Upstreams.Users = c.users
	}
	if m.counters { // not cached, because scripts expect exact numbers at once
		d.Upstreams.Counters = newService(s, client.Counters(server.URL), nil, lrucache.Options{})
	}
	return c
}

func newService[V any](s *feedtest.Service, ask upstream.Asker[V], versions upstream.Versions, o lrucache.Options) *upstream.Service[V] {
	o.TTL = 24 * time.Hour // only evictions end it
	return upstream.New(upstream.Options[V]{
		Name: "service", Ask: ask, Versions: versions, Cache: lrucache.NewContents[feed.Object, V](o, 0),
		Timeout: time.Minute, CallsMax: 8, Clock: s.Clock.Now,
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

// storedPosts, storedUsers and storedCounters serve what is stored.
type storedPosts struct{ *feedtest.Service }

// BatchGet implements the service.
func (s storedPosts) BatchGet(
	ctx context.Context, r *connect.Request[tidelinev1.PostServiceBatchGetRequest],
) (*connect.Response[tidelinev1.PostServiceBatchGetResponse], error) {
	posts, err := s.Posts.Posts(ctx, parsed[feed.PostID](r.Msg.GetIds()))
	out := &tidelinev1.PostServiceBatchGetResponse{}
	for _, p := range posts {
		out.Results = append(out.Results, &tidelinev1.PostResult{
			Id: p.ID.String(), Outcome: &tidelinev1.PostResult_Found{Found: &tidelinev1.Post{Text: p.Text}},
		})
	}
	return connect.NewResponse(out), err
}

type storedUsers struct{ *feedtest.Service }

// BatchGet implements the service.
func (s storedUsers) BatchGet(
	ctx context.Context, r *connect.Request[tidelinev1.UserServiceBatchGetRequest],
) (*connect.Response[tidelinev1.UserServiceBatchGetResponse], error) {
	users, err := s.Users.Users(ctx, parsed[feed.UserID](r.Msg.GetIds()))
	out := &tidelinev1.UserServiceBatchGetResponse{}
	for _, u := range users {
		out.Results = append(out.Results, &tidelinev1.UserResult{
			Id: u.ID.String(), Outcome: &tidelinev1.UserResult_Found{Found: &tidelinev1.User{Handle: u.Handle, Name: u.Name}},
		})
	}
	return connect.NewResponse(out), err
}

type storedCounters struct{ *feedtest.Service }

// BatchGet implements the service.
func (s storedCounters) BatchGet(
	ctx context.Context, r *connect.Request[tidelinev1.CounterServiceBatchGetRequest],
) (*connect.Response[tidelinev1.CounterServiceBatchGetResponse], error) {
	posts, err := s.Counters.PostCounters(ctx, parsed[feed.PostID](r.Msg.GetPostIds()))
	users, errOfUsers := s.Counters.UserCounters(ctx, parsed[feed.UserID](r.Msg.GetUserIds()))
	out := &tidelinev1.CounterServiceBatchGetResponse{}
	for i, n := range posts {
		out.Posts = append(out.Posts, &tidelinev1.PostCounters{
			Id: r.Msg.GetPostIds()[i], Likes: n.Likes, Comments: n.Comments, Reposts: n.Reposts, Favorites: n.Favorites,
		})
	}
	for i, n := range users {
		out.Users = append(out.Users, &tidelinev1.UserCounters{
			Id: r.Msg.GetUserIds()[i], Followers: n.Followers, Following: n.Following, Posts: n.Posts,
		})
	}
	return connect.NewResponse(out), errors.Join(err, errOfUsers)
}

func parsed[ID ~int64](texts []string) []ID {
	ids := make([]ID, len(texts))
	for i, text := range texts {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(err)
		}
		ids[i] = ID(n)
	}
	return ids
}
