package resolvers_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
		{endLive, map[string]any{"liveSessionId": liveID(1), "replayUrl": "https://replays.example/2"}, nil},
	} {
		for field, value := range step.change {
			session[field] = value
		}
		step.input["clientMutationId"] = "m1"
		want := map[string]any{"liveSession": session, "userErrors": []any{}, "clientMutationId": "m1"}
		got := w.must(2, step.mutation, map[string]any{"input": step.input})
		if diff := cmp.Diff(want, got.at(t, "change")); diff != "" {
			t.Errorf("the response to %s\n(-want +got):\n%s", step.mutation, diff)
		}
	}
	got := w.must(1, `query($id: ID!) { node(id: $id) { ...all } }
		fragment all on LiveSession { id databaseId title state scheduledAt startedAt endedAt replayUrl host { handle } }`,
		map[string]any{"id": liveID(1)})
	if diff := cmp.Diff(session, got.at(t, "node")); diff != "" {
		t.Errorf("the node (-want +got):\n%s", diff)
	}
}

func TestLive_CancelledSessionIsGone(t *testing.T) {
	w := newWorld(t)
	id := w.schedule(2, "tea")
	for range 2 {
		got := w.must(2, cancelLive, map[string]any{"input": map[string]any{"liveSessionId": liveID(id)}})
		want := map[string]any{"liveSession": nil, "userErrors": []any{}, "clientMutationId": nil}
		if diff := cmp.Diff(want, got.at(t, "change")); diff != "" {
			t.Errorf("the payload (-want +got):\n%s", diff)
		}
	}
	got := w.must(2, `query($id: ID!) { node(id: $id) { id } viewer { liveFeed { nodes { id } } user { liveSessions { nodes { id } } } } }`,
		map[string]any{"id": liveID(id)})
	want := map[string]any{"node": nil, "viewer": map[string]any{
		"liveFeed": map[string]any{"nodes": []any{}}, "user": map[string]any{"liveSessions": map[string]any{"nodes": []any{}}},
	}}
	if diff := cmp.Diff(want, got.Data); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
}

// A refusal names the input field and returns no session.
func TestLive_RefusalsAreUserErrors(t *testing.T) {
	w := newWorld(t)
	w.schedule(2, "upcoming")
	w.start(2, w.schedule(2, "live"))
	ended := w.schedule(2, "replay")
	w.start(2, ended)
	w.end(2, ended)
	at := "2026-05-04T15:00:00Z"
	id := func(id live.ID) map[string]any { return map[string]any{"liveSessionId": liveID(id)} }
	for _, c := range []struct {
		name, mutation string
		input          map[string]any
		code, field    string
	}{
		{"a blank title", scheduleLive, map[string]any{"title": " \n", "scheduledAt": at}, "INVALID", "title"},
		{"a long title", scheduleLive, map[string]any{"title": strings.Repeat("x", 201), "scheduledAt": at}, "TOO_LONG", "title"},
		{"a time that is over", scheduleLive, map[string]any{"title": "x", "scheduledAt": "2026-05-04T12:00:00Z"}, "INVALID", "scheduledAt"},
		{"moving to a time that is over", rescheduleLive, map[string]any{"liveSessionId": liveID(1), "scheduledAt": "2026-05-04T12:00:00Z"}, "INVALID", "scheduledAt"},
		{"moving what is live", rescheduleLive, map[string]any{"liveSessionId": liveID(2), "scheduledAt": at}, "CONFLICT", "liveSessionId"},
		{"starting twice", startLive, id(2), "CONFLICT", "liveSessionId"},
		{"starting what has ended", startLive, id(3), "CONFLICT", "liveSessionId"},
		{"ending what has not begun", endLive, id(1), "CONFLICT", "liveSessionId"},
		{"a replay that is not https", endLive, map[string]any{"liveSessionId": liveID(2), "replayUrl": "http://replays.example/1"}, "INVALID", "replayUrl"},
		{"cancelling what is live", cancelLive, id(2), "CONFLICT", "liveSessionId"},
		{"a session that is not there", startLive, id(9), "NOT_FOUND", "liveSessionId"},
		{"the id of a post", startLive, map[string]any{"liveSessionId": postID(1)}, "NOT_FOUND", "liveSessionId"},
		{"nonsense for an id", endLive, map[string]any{"liveSessionId": "?"}, "NOT_FOUND", "liveSessionId"},
	} {
		got := w.must(2, c.mutation, map[string]any{"input": c.input})
		want := map[string]any{
			"liveSession": nil, "clientMutationId": nil,
			"userErrors": []any{map[string]any{"code": c.code, "field": []any{c.field}}},
		}
		if diff := cmp.Diff(want, got.at(t, "change")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

const liveScroll = `query($first: Int, $after: String) { viewer { liveFeed(first: $first, after: $after) {
	edges { state cursor node { title state } } pageInfo { hasNextPage hasPreviousPage endCursor } snapshotAt
} } }`

// scrollLive reads Ann's live feed by pages of two, and calls between after the first page. It
// returns the title and both states of each entry.
func (w *world) scrollLive(between func()) []string {
	w.t.Helper()
	var seen []string
	var after, snapshot any
	for page := 0; ; page++ {
		got := w.must(1, liveScroll, map[string]any{"first": 2, "after": after})
		for _, e := range got.at(w.t, "viewer.liveFeed.edges").([]any) {
			edge := e.(map[string]any)
			node := edge["node"].(map[string]any)
			seen = append(seen, fmt.Sprint(node["title"], " ", edge["state"], " ", node["state"]))
		}
		at := got.at(w.t, "viewer.liveFeed.snapshotAt")
		if snapshot == nil {
			snapshot = at
		}
		if at != snapshot {
			w.t.Errorf("a page has the snapshot time %v, the first page %v", at, snapshot)
		}
		info := got.at(w.t, "viewer.liveFeed.pageInfo").(map[string]any)
		if info["hasPreviousPage"] != (page > 0) {
			w.t.Errorf("hasPreviousPage of page %d is %v", page, info["hasPreviousPage"])
		}
		if info["hasNextPage"] == false {
			return seen
		}
		after = info["endCursor"]
		if page == 0 {
			between()
		}
	}
}

func TestLiveFeed_ScrollShowsOneMoment(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.follow(1, 3)
	first, second := w.schedule(2, "one"), w.schedule(3, "two")
	w.start(2, first)
	w.start(3, second)
	replay := w.schedule(3, "three")
	w.start(3, replay)
	w.end(3, replay)
	next := w.schedule(2, "four")
	w.schedule(4, "of somebody else")
	seen := w.scrollLive(func() {
		w.end(2, first)
		w.start(2, next)
		w.schedule(2, "five")
	})
	want := []string{"two LIVE LIVE", "one LIVE LIVE", "four UPCOMING LIVE", "three REPLAY REPLAY"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("the scroll (-want +got):\n%s", diff)
	}
	want = []string{"four LIVE LIVE", "two LIVE LIVE", "five UPCOMING UPCOMING", "one REPLAY REPLAY", "three REPLAY REPLAY"}
	if diff := cmp.Diff(want, w.scrollLive(func() {})); diff != "" {
		t.Errorf("the next scroll (-want +got):\n%s", diff)
	}
}

func TestLiveSessions_ArePublic(t *testing.T) {
	w := newWorld(t)
	w.start(2, w.schedule(2, "one"))
	w.schedule(2, "two")
	w.relate(feed.RelationBlock, 2, 4)
	query := `query($id: ID!) { viewer { liveFeed { nodes { title } } } node(id: $id) { ... on User { liveSessions { edges { state } nodes { title } } } } }`
	for viewer, want := range map[feed.UserID][]string{0: {"one", "two"}, 1: {"one", "two"}, 2: {"one", "two"}} {
		got := w.must(viewer, query, map[string]any{"id": userID(2)})
		if diff := cmp.Diff(want, texts(t, got.at(t, "node.liveSessions.nodes"), "title")); diff != "" {
			t.Errorf("user %d sees (-want +got):\n%s", viewer, diff)
		}
		if viewer == 0 && got.Data["viewer"] != nil {
			t.Errorf("the anonymous viewer has a live feed: %v", got.Data["viewer"])
		}
	}
	if got := w.must(4, query, map[string]any{"id": userID(2)}); got.Data["node"] != nil {
		t.Errorf("a blocked viewer gets %v", got.Data["node"])
	}
}

func TestLiveLists_RejectBadArguments(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	home := w.must(1, `{ viewer { homeFeed { pageInfo { endCursor } } } }`, nil).at(t, "viewer.homeFeed.pageInfo.endCursor")
	for args, code := range map[string]string{
		`first: -1`:                      "BAD_USER_INPUT",
		`first: 101`:                     "BAD_USER_INPUT",
		`after: "nonsense"`:              "BAD_CURSOR",
		fmt.Sprintf(`after: "%s"`, home): "BAD_CURSOR",
		`last: 1`:                        "GRAPHQL_VALIDATION_FAILED",
		`after: "` + liveID(1) + `"`:     "BAD_CURSOR",
	} {
		for _, list := range []string{`liveFeed`, `user { liveSessions`} {
			closed := map[bool]string{true: " }"}[list != "liveFeed"]
			got := w.ask(1, fmt.Sprintf(`{ viewer { %s(%s) { nodes { id } } } }%s`, list, args, closed), nil)
			if !cmp.Equal(got.codes(), []string{code}) {
				t.Errorf("%s(%s) returns %+v, want %s", list, args, got.Errors, code)
			}
		}
	}
}

func TestLiveFeed_HostsCostOneReadOfEachKind(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.follow(1, 3)
	var ids []string
	for i := range 20 {
		ids = append(ids, liveID(w.schedule(feed.UserID(1+i%3), "session")))
	}
	for query, want := range map[string]map[string]int{
		`{ viewer { liveFeed { nodes { title state } edges { cursor } } } }`:                                                     nil,
		`{ viewer { liveFeed { edges { node { host { handle } } } nodes { host { viewerFollows counters { followers } } } } } }`: {"users": 1, "user counters": 1, "edges": 1},
		`query($ids: [ID!]!) { nodes(ids: $ids) { id ... on LiveSession { host { name } } } }`:                                   {"users": 1},
	} {
		w.reads.take()
		w.must(1, query, map[string]any{"ids": ids})
		if diff := cmp.Diff(want, w.reads.take()); diff != "" {
			t.Errorf("%s: bulk reads (-want +got):\n%s", query, diff)
		}
	}
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
	if diff := cmp.Diff([]bool{false, false, true}, behind); diff != "" {
		t.Errorf("looks back (-want +got):\n%s", diff)
	}
}
