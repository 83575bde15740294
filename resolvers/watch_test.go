package resolvers_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

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
