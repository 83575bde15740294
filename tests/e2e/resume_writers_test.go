//go:build nightly

package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// writer publishes, edits and deletes posts.
type writer struct {
	t      *testing.T
	client graphql.Client
	posts  []string
	edits  map[string]int
}

func (w *writer) write(n int) {
	w.t.Helper()
	text := fmt.Sprintf("text %d", n)
	var err error
	switch at := rand.IntN(10); {
	case at < 6 || len(w.posts) == 0:
		var done *tideline.PublishPostResponse
		if done, err = tideline.PublishPost(w.t.Context(), w.client, tideline.PublishPostInput{Text: text}); err == nil {
			w.posts = append(w.posts, done.PublishPost.FeedEdge.Node.Id)
		}
	case at < 8:
		id := w.posts[rand.IntN(len(w.posts))]
		w.edits[id]++
		_, err = tideline.EditPost(w.t.Context(), w.client, tideline.EditPostInput{PostId: id, Text: text})
	default:
		i := rand.IntN(len(w.posts))
		_, err = tideline.DeletePost(w.t.Context(), w.client, tideline.PostIdInput{PostId: w.posts[i]})
		w.posts = slices.Delete(w.posts, i, i+1)
	}
	harness.Check(w.t, err)
}

// host schedules, moves, starts, ends and cancels sessions.
type host struct {
	t      *testing.T
	client graphql.Client
	// upcoming and live have the ids of sessions, and ended counts replays.
	upcoming, live []string
	ended          int
	// transitions counts the changes of each session after it was scheduled.
	transitions map[string]int
}

// openMost is how many sessions a host has open here; the server allows 100.
const openMost = 20

func (h *host) write(n int) {
	h.t.Helper()
	ctx, c := h.t.Context(), h.client
	var err error
	switch at := rand.IntN(10); {
	case len(h.upcoming) == 0 || at < 4 && len(h.upcoming)+len(h.live) < openMost:
		in := tideline.ScheduleLiveInput{Title: fmt.Sprintf("session %d", n), ScheduledAt: time.Now().Add(time.Duration(1+rand.IntN(90)) * time.Minute)}
		var done *tideline.ScheduleLiveResponse
		if done, err = tideline.ScheduleLive(ctx, c, in); err == nil {
			h.upcoming = append(h.upcoming, done.ScheduleLive.LiveSession.Id)
		}
	case at < 5:
		id := h.change(h.upcoming)
		_, err = tideline.RescheduleLive(ctx, c, tideline.RescheduleLiveInput{LiveSessionId: id, ScheduledAt: time.Now().Add(2 * time.Hour)})
	case at < 7:
		id := h.change(h.upcoming)
		h.upcoming, h.live = without(h.upcoming, id), append(h.live, id)
		_, err = tideline.StartLive(ctx, c, tideline.LiveIdInput{LiveSessionId: id})
	case at < 9 && len(h.live) > 0:
		id := h.change(h.live)
		h.live = without(h.live, id)
		h.ended++
		_, err = tideline.EndLive(ctx, c, tideline.EndLiveInput{LiveSessionId: id})
	default:
		id := h.change(h.upcoming)
		h.upcoming = without(h.upcoming, id)
		_, err = tideline.CancelLive(ctx, c, tideline.LiveIdInput{LiveSessionId: id})
	}
	harness.Check(h.t, err)
}

// sessions is the number of sessions that the feeds of followers have.
func (h *host) sessions() int { return len(h.upcoming) + len(h.live) + h.ended }

// change chooses a session at random and counts its change.
func (h *host) change(ids []string) string {
	id := ids[rand.IntN(len(ids))]
	h.transitions[id]++
	return id
}

func without(ids []string, gone string) []string {
	return slices.DeleteFunc(ids, func(id string) bool { return id == gone })
}
