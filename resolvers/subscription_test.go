package resolvers_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

func TestSubscription_SendsSelectedFields(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	s := w.subscribed(1, `cursor node { text author { handle viewerFollows } counters { likes } viewerHasLiked repostOf { text } }`)
	w.post(1, 2)
	w.post(2, 2, repostOf(1))
	w.announce(2, 1, 2)
	for _, texts := range [][]string{{"text 1"}, {"text 1", "text 2"}} {
		got, _ := s.next()
		told := strings.Split(outcome(got), ", ")
		slices.Sort(told)
		want := append([]string{"0", "a cursor", "ben", "false"}, append(texts, "true")...)
		wantEqual(t, want, told, "the texts of an event")
	}
}

// Loaded objects may have changed by the next event.
func TestSubscription_EventsHaveOwnLoaders(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	s := w.subscribed(1, `node { repostOf { counters { likes } } }`)
	w.post(1, 2)
	w.post(2, 2, repostOf(1))
	w.post(3, 2, repostOf(1))
	for likes, id := range []feed.PostID{2, 3} {
		w.announce(2, id)
		got, _ := s.next()
		wantEqual(t, float64(likes), got.at(t, "homeFeedEdges.node.repostOf.counters.likes"), "the likes in event %d", likes)
		w.must(2, `mutation { likePost(input: {postId: "`+postID(1)+`"}) { post { id } } }`, nil)
	}
}

func TestSubscription_IdleReadsNothing(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	s := w.subscribed(1, `node { author { handle } counters { likes } }`)
	if reads := w.reads.take(); len(reads) > 0 {
		t.Errorf("subscribing reads %v", reads)
	}
	w.post(1, 2)
	w.announce(2, 1)
	s.next()
	wantEqual(t, map[string]int{"users": 1, "post counters": 1}, w.reads.take(), "an event reads")
}

func TestSubscription_ReportsMissedEvents(t *testing.T) {
	w := newWorld(t)
	s := w.subscribed(1, `cursor`)
	noError(t, w.store.NewEpoch(t.Context()))
	w.catchUp()
	got, _ := s.next()
	wantEqual(t, []string{"UNAVAILABLE"}, got.codes(), "the codes")
	if got.Data != nil || got.Errors[0].Message != subscribe.ErrMissed.Message || got.Errors[0].Extensions.RequestID != "request-1" {
		t.Errorf("the stream ends with %+v", got)
	}
	if got, more := s.next(); more {
		t.Errorf("after its end the stream has %+v", got)
	}
	wantEqual(t, "", w.log.String(), "what subscribers log")
}

func TestSubscription_EndsWithTheErrorsCode(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2)
	w.subscriptions.Viewers = &timeline.Direct{Posts: brokenPosts{}, Primary: brokenPosts{}, Relations: w.store}
	s := w.subscribed(1, `cursor`)
	w.announce(2, 1)
	got, _ := s.next()
	wantEqual(t, []string{"INTERNAL"}, got.codes(), "the codes")
	if _, more := s.next(); more {
		t.Error("the subscription continues")
	}
}

func TestSubscription_ReportsWhyItCannotStart(t *testing.T) {
	for _, c := range []struct {
		name, document, code string
		viewer               feed.UserID
	}{
		{"nobody", `subscription { homeFeedEdges { cursor } }`, "UNAUTHENTICATED", 0},
		{"no field is left", `subscription { homeFeedEdges @skip(if: true) { cursor } }`, "BAD_USER_INPUT", 1},
		{"two fields", `subscription { a: homeFeedEdges { cursor } b: homeFeedEdges { cursor } }`, "BAD_USER_INPUT", 1},
		{"no field of ours", `subscription { __typename }`, "GRAPHQL_VALIDATION_FAILED", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			s := w.watch(c.viewer, c.document)
			got, _ := s.next()
			wantEqual(t, []string{c.code}, got.codes(), "the codes")
			if _, more := s.next(); more {
				t.Error("the subscription continues")
			}
			if n := w.subscriptions.Subscribers(); n > 0 {
				t.Errorf("%d subscriptions are left", n)
			}
		})
	}
}
