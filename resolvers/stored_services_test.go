package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/resolvers"
)

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

// Each part of a response names what is missing in it.
func TestUpstream_PartsHaveTheirOwnNotes(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(7, 2)
	w.handler, _ = movedOut(w, services{true, true, true}, func(feed.Object) feed.UpstreamProblem { return feed.UpstreamNotFound })
	var got []string
	for _, p := range w.parts(t, 1, `{ viewer { homeFeed { nodes { text ... @defer { author { name } } } } } }`, nil) {
		notes, err := json.Marshal(p.Extensions["upstream"])
		noError(t, err)
		got = append(got, string(notes))
	}
	const missing = `{"missing":[{"path":["viewer","homeFeed","nodes",0%s],"reason":"NOT_FOUND"}]}`
	wantEqual(t, []string{fmt.Sprintf(missing, ""), fmt.Sprintf(missing, `,"author"`)}, got, "the notes")
}

// silent is a service that answers only at the end of the budget.
type silent[V any] struct{}

func (silent[V]) Fetch(ctx context.Context, refs []feed.UpstreamRef) []feed.Fetched[V] {
	<-ctx.Done()
	out := make([]feed.Fetched[V], len(refs))
	for i := range out {
		out[i].Problem = feed.UpstreamTimeout
	}
	return out
}

// The budget is for an operation, however many levels it has.
func TestUpstream_BudgetForTheWholeOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // no time passes but that of waiting
		w := newWorld(t)
		fillFeed(w)
		for id := feed.PostID(1); id <= 20; id++ {
			w.post(200+id, 4, replyTo(id))
		}
		d := w.deps
		const budget = time.Second
		d.Upstreams.Posts, d.Upstreams.Users, d.Upstreams.Budget = silent[feed.PostContent]{}, silent[feed.Profile]{}, budget
		began := time.Now()
		body := responseTo(signedIn(resolvers.NewHandler(d)),
			`{ viewer { homeFeed(first: 20) { nodes { text author { name } comments(first: 2) { nodes { text author { name } } } } } } }`, nil)
		if took := time.Since(began); took < budget || took > budget+budget/2 {
			t.Errorf("the page took %s", took)
		}
		if strings.Contains(body, `"errors"`) || strings.Count(body, `"reason":"TIMEOUT"`) < 60 {
			t.Errorf("the page is %.500s", body)
		}
	})
}
