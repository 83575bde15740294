package resolvers_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers"
	"github.com/tideline-feeds/tideline/resolvers/transport"
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
