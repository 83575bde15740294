package resolvers_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers"
)

// newLive returns services of live sessions over a store. Session ids are 1, 2, 3 and so on.
func newLive(store *memstore.Store, policy feed.Policy, clock feed.Clock) (*live.Feed, *live.Hosting) {
	sessions, replays, queue := memstore.NewLive(store), memstore.NewReplays(store), liveQueue{memstore.NewQueue()}
	posts := live.ReplayPosts{Sessions: sessions}
	inboxes := memstore.NewInboxes(policy.InboxCap)
	reads := &timeline.Timeline{
		Viewers: &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: replays, Posts: posts, Primary: posts},
		Inboxes: inboxes, Outboxes: replays, Reference: replays, Pending: replays, PullsPending: true, Queue: queue, Policy: policy,
	}
	lists := &live.Feed{
		Sessions: sessions, History: sessions, Changes: sessions, Sets: memstore.NewSets(), Snapshots: memstore.NewSnapshots(time.Now),
		Relations: store, Outboxes: replays, Replays: reads, Queue: queue,
		Async:   func(do func(context.Context)) { do(context.Background()) },
		NewName: func() uint64 { return 1 }, Policy: live.DefaultPolicy(), Places: places{store},
	}
	last := live.ID(0)
	return lists, &live.Hosting{
		Sessions: sessions, Relations: store, Queue: queue, Clock: clock, Policy: live.DefaultPolicy(),
		NewID: func() (live.ID, error) { last++; return last, nil },
	}
}

func newLiveChanges(store *memstore.Store, policy feed.Policy) *delta.LiveReader {
	sessions := memstore.NewLive(store)
	return &delta.LiveReader{
		Log: store, Sessions: sessions, Versions: sessions, Viewers: &timeline.Direct{Relations: store}, Coverage: store, Policy: policy,
	}
}

// liveQueue ignores tasks; reads come from the store.
type liveQueue struct{ *memstore.Queue }

func (liveQueue) Refresh(context.Context, []feed.UserID) error { return nil }

// schedule announces a session for the next hour. Each change is a second later than the one
// before.
func (w *world) schedule(host feed.UserID, title string) live.ID {
	w.t.Helper()
	w.now += 1000
	s, err := w.deps.Hosting.Schedule(context.Background(), host, title, epoch+7_200_000)
	if err != nil {
		w.t.Fatalf("schedule %s: %v", title, err)
	}
	return s.ID
}

// start begins a session, and end ends it.
func (w *world) start(host feed.UserID, id live.ID) {
	w.t.Helper()
	w.now += 1000
	if _, err := w.deps.Hosting.Start(context.Background(), host, id); err != nil {
		w.t.Fatalf("start session %d: %v", id, err)
	}
}

func (w *world) end(host feed.UserID, id live.ID) {
	w.t.Helper()
	w.now += 1000
	if _, err := w.deps.Hosting.End(context.Background(), host, id, ""); err != nil {
		w.t.Fatalf("end session %d: %v", id, err)
	}
}

func liveID(id live.ID) string { return model.LiveSessionGlobalID(live.PublicID{Number: int64(id)}) }

const (
	livePayload = `{ liveSession { ...all } userErrors { code field } clientMutationId } }
		fragment all on LiveSession { id databaseId title state scheduledAt startedAt endedAt replayUrl host { handle } }`
	scheduleLive   = `mutation($input: ScheduleLiveInput!) { change: scheduleLive(input: $input) ` + livePayload
	rescheduleLive = `mutation($input: RescheduleLiveInput!) { change: rescheduleLive(input: $input) ` + livePayload
	startLive      = `mutation($input: LiveIdInput!) { change: startLive(input: $input) ` + livePayload
	endLive        = `mutation($input: EndLiveInput!) { change: endLive(input: $input) ` + livePayload
	cancelLive     = `mutation($input: LiveIdInput!) { change: cancelLive(input: $input) ` + livePayload
)

func TestLive_PayloadShowsEveryState(t *testing.T) {
	w := newWorld(t)
	session := map[string]any{
		"id": liveID(1), "databaseId": "1", "title": "tea", "host": map[string]any{"handle": "ben"}, "state": "UPCOMING",
		"scheduledAt": "2026-05-04T14:00:00.000Z", "startedAt": nil, "endedAt": nil, "replayUrl": nil,
	}
	for _, step := range []struct {
		mutation string
		input    map[string]any
		// change is what the step changes of the session.
		change map[string]any
	}{
		{scheduleLive, map[string]any{"title": "  tea ", "scheduledAt": "2026-05-04T16:00:00+02:00"}, nil},
		{
			rescheduleLive,
			map[string]any{"liveSessionId": liveID(1), "scheduledAt": "2026-05-04T15:00:00Z"},
			map[string]any{"scheduledAt": "2026-05-04T15:00:00.000Z"},
		},
		{
			startLive,
			map[string]any{"liveSessionId": liveID(1)},
			map[string]any{"state": "LIVE", "startedAt": "2026-05-04T13:00:00.000Z"},
		},
		{
			endLive,
			map[string]any{"liveSessionId": liveID(1), "replayUrl": "https://replays.example/1"},
			map[string]any{"state": "REPLAY", "endedAt": "2026-05-04T13:00:00.000Z", "replayUrl": "https://replays.example/1"},
		},
	} {
		for field, value := range step.change {
			session[field] = value
		}
		step.input["clientMutationId"] = "m1"
		want := map[string]any{"liveSession": session, "userErrors": []any{}, "clientMutationId": "m1"}
		got := w.must(2, step.mutation, map[string]any{"input": step.input})
		wantEqual(t, want, got.at(t, "change"), "the response to %s\n", step.mutation)
	}
	got := w.must(1, `query($id: ID!) { node(id: $id) { ...all } }
		fragment all on LiveSession { id databaseId title state scheduledAt startedAt endedAt replayUrl host { handle } }`,
		map[string]any{"id": liveID(1)})
	wantEqual(t, session, got.at(t, "node"), "the node")
}

// watchedLive records the queries for pages.
type watchedLive struct {
	resolvers.Live
	queries []live.Query
}

func (l *watchedLive) Page(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error) {
	l.queries = append(l.queries, q)
	return l.Live.Page(ctx, viewer, q)
}

func TestLiveFeed_LooksBackOnlyIfSelected(t *testing.T) {
	var watched *watchedLive
	w := newWorld(t, func(d *resolvers.Deps) {
		watched = &watchedLive{Live: d.Live}
		d.Live = watched
	})
	w.schedule(1, "one")
	w.schedule(1, "two")
	cursor := w.must(1, `{ viewer { liveFeed(first: 1) { pageInfo { endCursor hasPreviousPage } } } }`, nil).at(t, "viewer.liveFeed.pageInfo.endCursor")
	for _, flags := range []string{"hasNextPage", "hasPreviousPage"} {
		w.must(1, `query($c: String!) { viewer { liveFeed(after: $c) { pageInfo { `+flags+` } } } }`, map[string]any{"c": cursor})
	}
	var behind []bool
	for _, q := range watched.queries {
		behind = append(behind, q.LookBack)
	}
	wantEqual(t, []bool{false, false, true}, behind, "looks back")
}
