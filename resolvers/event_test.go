package resolvers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/resolvers"
)

// Each event costs what the subscription cost, so a budget of 100 pays for the subscription and two
// events of 31.
func TestEvent_UnpaidEndsTheSubscription(t *testing.T) {
	hits := make(chan string, 10)
	w := newWorld(t, rated, func(d *resolvers.Deps) { d.Trace.LimitHit = func(limit string) { hits <- limit } })
	w.follow(1, 2)
	s := w.subscribed(1, `node { comments(first: 28) { nodes { id } } }`)
	for id := feed.PostID(1); id <= 4; id++ {
		w.post(id, 2)
		w.announce(2, id)
	}
	for n := range 2 {
		if got, more := s.next(); !more || len(got.Errors) > 0 || got.Data == nil {
			t.Fatalf("event %d is %+v, %v", n, got, more)
		}
	}
	got, _ := s.next()
	wantEqual(t, []string{"RATE_LIMITED"}, got.codes(), "the codes of the last event")
	if got.Data != nil || got.Errors[0].Extensions.RequestID != "request-1" || !strings.Contains(got.Errors[0].Message, "of the budget viewer; try again in ") {
		t.Errorf("the last event is %+v", got)
	}
	if got, more := s.next(); more {
		t.Errorf("after the last event the stream has %+v", got)
	}
	until(func() bool { return w.subscriptions.Subscribers() == 0 })
	wantEqual(t, []any{"viewer", 0}, []any{<-hits, len(hits)}, "the limit that was hit, and further hits")
}

// slowCounters wait for the end of the context, or for the test, for certain posts.
type slowCounters struct {
	feed.Counters
	of map[feed.PostID]error
}

// PostCounters returns the error of a post, when the context ends or at once.
func (s slowCounters) PostCounters(ctx context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	for _, id := range ids {
		switch err, ok := s.of[id]; {
		case !ok:
		case err != nil:
			return nil, err
		default:
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	return s.Counters.PostCounters(ctx, ids)
}

func withCounters(of map[feed.PostID]error) func(*resolvers.Deps) {
	return func(d *resolvers.Deps) { d.Counters = slowCounters{d.Counters, of} }
}

// By the second event the subscription has lasted longer than the timeout.
func TestEvent_HasTheTimeoutOfAnOperation(t *testing.T) {
	w := newWorld(t, withCounters(map[feed.PostID]error{1: nil}), func(d *resolvers.Deps) {
		d.Transport = transport.New(transport.Options{OperationWithin: 2 * time.Second})
		d.Guard.OperationsMax = 1
	})
	w.follow(1, 2)
	s := w.subscribed(1, `node { id counters { likes } }`)
	w.post(1, 2)
	w.post(2, 2)
	w.announce(2, 1, 2)
	got, _ := s.next()
	wantEqual(t, []string{"TIMEOUT"}, got.codes(), "the codes of the event that exceeds its time")
	if got, more := s.next(); !more || len(got.Errors) > 0 || got.at(t, "homeFeedEdges.node.id") != postID(2) {
		t.Errorf("the next event is %+v, %v", got, more)
	}
}

// Ten thousand clients that connect again at once need all slots for some time. An event that waits
// has not been read, and has what happens meanwhile.
func TestEvent_WaitsLongerThanAnOperation(t *testing.T) {
	stuck := stuckTimeline{entered: make(chan struct{}), letGo: make(chan struct{})}
	const within = 2 * time.Second // enough for an event on any machine
	w := newWorld(t, func(d *resolvers.Deps) {
		stuck.Timeline = d.Timeline
		d.Timeline = stuck
		d.Guard.OperationsMax = 1
		d.Transport = transport.New(transport.Options{OperationWithin: within})
	})
	w.follow(1, 2)
	w.follow(1, 3)
	w.catchUp() // otherwise the subscription would begin with a read, in the only slot
	s := w.subscribed(1, `node { id }`)
	done := make(chan result, 1)
	go func() { done <- w.ask(1, `{ viewer { homeFeed { nodes { id } } } }`, nil) }()
	<-stuck.entered
	w.post(1, 2)
	w.announce(2, 1)
	w.relate(feed.RelationMute, 1, 2)
	w.post(2, 3)
	w.announce(3, 2)
	<-time.After(within + within/4)
	close(stuck.letGo)
	<-done
	got, more := s.next()
	if !more || len(got.Errors) > 0 || got.at(t, "homeFeedEdges.node.id") != postID(2) {
		t.Errorf("the first event is %+v, %v, want the post of the author who was not muted meanwhile", got, more)
	}
}

// An edge is never null, so an error in a required field makes all data null.
func TestEvent_ErrorHasItsPathAndStreamGoesOn(t *testing.T) {
	failed := errors.New("the counters are on fire")
	for _, c := range []struct{ selection, event, path, next string }{
		{`counters { likes }`, `"data":null}`, "[news node counters]", `{"data":{"news":{"node":{"counters":{"likes":0}}}}}`},
		{
			`text repostOf { counters { likes } }`, `"data":{"news":{"node":{"text":"text 2","repostOf":null}}}}`,
			"[news node repostOf counters]", `{"data":{"news":{"node":{"text":"text 3","repostOf":null}}}}`,
		},
	} {
		w := newWorld(t, withCounters(map[feed.PostID]error{1: failed, 2: failed}))
		w.follow(1, 2)
		s := w.watch(1, `subscription { news: homeFeedEdges { node { `+c.selection+` } } }`)
		until(func() bool { return w.subscriptions.Subscribers() > 0 })
		w.post(1, 2)
		w.post(2, 2, repostOf(1))
		w.post(3, 2)
		w.announce(2, 2)
		got, _ := s.next()
		if !cmp.Equal(got.codes(), []string{"INTERNAL"}) || fmt.Sprint(got.Errors[0].Path) != c.path || !strings.HasSuffix(s.lines.Text(), c.event) {
			t.Errorf("%s: %s\nwant an error at %s and %s", c.selection, s.lines.Text(), c.path, c.event)
		}
		w.announce(2, 3)
		if _, more := s.next(); !more || s.lines.Text() != "data: "+c.next {
			t.Errorf("%s: after it comes %s, want %s", c.selection, s.lines.Text(), c.next)
		}
	}
}

// watch is a subscription over server-sent events.
type watch struct {
	t      *testing.T
	lines  *bufio.Scanner
	cancel context.CancelFunc
}

// watch begins an operation as viewer and returns once the server has begun its response.
func (w *world) watch(viewer feed.UserID, query string) *watch {
	w.t.Helper()
	server := httptest.NewServer(w.handler)
	w.t.Cleanup(server.Close)
	body, err := json.Marshal(map[string]string{"query": query})
	noError(w.t, err)
	ctx, cancel := context.WithTimeout(context.Background(), eventually.Limit)
	w.t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/graphql", bytes.NewReader(body))
	noError(w.t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("X-Viewer", viewer.String())
	response, err := server.Client().Do(r)
	noError(w.t, err)
	w.t.Cleanup(func() { _ = response.Body.Close() })
	return &watch{w.t, bufio.NewScanner(response.Body), cancel}
}

// next returns the next event, and false when the stream is complete.
func (s *watch) next() (result, bool) {
	s.t.Helper()
	event := ""
	for s.lines.Scan() {
		name, value, _ := strings.Cut(s.lines.Text(), ":")
		switch name {
		case "event":
			event = strings.TrimSpace(value)
		case "data":
			if event == "complete" {
				return result{}, false
			}
			var got result
			if err := json.Unmarshal([]byte(value), &got); err != nil {
				s.t.Fatalf("%s is not JSON: %v", value, err)
			}
			return got, true
		}
	}
	s.t.Fatalf("the stream ended without a message: %v", s.lines.Err())
	return result{}, false
}

// subscribed subscribes viewer, and returns once the subscription has begun.
func (w *world) subscribed(viewer feed.UserID, selection string) *watch {
	w.t.Helper()
	before := w.subscriptions.Subscribers()
	s := w.watch(viewer, `subscription { homeFeedEdges { `+selection+` } }`)
	until(func() bool { return w.subscriptions.Subscribers() > before })
	return s
}

// until polls until a condition is true. The deadline of the test ends it.
func until(so func() bool) {
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !so() {
		<-tick.C
	}
}

// announce ends the fan-outs of posts of an author, and lets the process read the change log.
func (w *world) announce(author feed.UserID, ids ...feed.PostID) {
	w.t.Helper()
	for _, id := range ids {
		if _, err := w.store.StorePlan(context.Background(), feed.Plan{Post: id, Author: author}, 0); err != nil {
			w.t.Fatal(err)
		}
	}
	w.catchUp()
}

// catchUp lets the process read the change log.
func (w *world) catchUp() {
	w.t.Helper()
	noError(w.t, w.follower.CatchUp(context.Background()))
}

// told returns what viewer receives when Ben's post 1 is announced. A post by the viewer marks the
// end. With a token, Ben first receives what was missed.
func (w *world) told(viewer feed.UserID, query string) result {
	w.t.Helper()
	const own = 999
	s := w.watch(viewer, query)
	missed := viewer == 2 && strings.Contains(query, "since:")
	if viewer != 0 && !missed {
		until(func() bool { return w.subscriptions.Subscribers() == 1 })
		w.announce(2, 1)
		w.post(own, viewer)
		if strings.Contains(query, "liveChanges") {
			w.schedule(viewer, "text 999")
		}
		w.announce(viewer, own)
	}
	defer s.cancel()
	got, _ := s.next()
	if strings.Contains(outcome(got), "text 999") {
		return result{}
	}
	return got
}

// brokenPosts fails in an unexpected way.
type brokenPosts struct{}

func (brokenPosts) Posts(context.Context, []feed.PostID) ([]*feed.Post, error) {
	return nil, errors.New("the disk is on fire")
}
