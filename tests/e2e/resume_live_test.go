package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"

	tideline "github.com/tideline-feeds/tideline/clients/go"
)

// liveResumer holds a live feed by pages and changes, like [resumer].
type liveResumer struct {
	live *tideline.Live

	mu       sync.Mutex
	sessions tideline.LiveEntries
	chain    tokenChain
}

func newLiveResumer(w *wires, token string) *liveResumer {
	return &liveResumer{live: w.client(token).Live(tideline.PageSize(100), tideline.RetryWait(time.Millisecond, 50*time.Millisecond))}
}

// run reads pages and changes until ctx ends.
func (r *liveResumer) run(ctx context.Context) {
	for ctx.Err() == nil {
		since, err := r.readPages(ctx)
		if err != nil {
			continue
		}
		for page, err := range r.live.Changes(ctx, since) {
			if err != nil || !r.apply(page) {
				break
			}
		}
	}
}

func (r *liveResumer) readPages(ctx context.Context) (since string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for page, err := range r.live.Pages(ctx) {
		if err != nil {
			return "", err
		}
		r.sessions.Add(page)
		if page.SyncToken != nil {
			since = *page.SyncToken
		}
	}
	r.chain.begin()
	return since, nil
}

func (r *liveResumer) apply(page *tideline.LiveChangePage) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range page.Changes {
		r.chain.report(c.Kind, c.LiveSessionId)
	}
	return r.sessions.Apply(page)
}

// shown returns the states of sessions with their titles, in the order of the feed.
func (r *liveResumer) shown() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return statesOf(r.sessions.List())
}

func statesOf(edges []tideline.SessionEdge) []string {
	states := []string{}
	for _, e := range edges {
		states = append(states, fmt.Sprint(e.Node.State, " ", e.Node.Title))
	}
	return states
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
	if err != nil {
		h.t.Fatal(err)
	}
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
