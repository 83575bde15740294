package resolvers_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/graph/model"
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

// firstToken returns the sync token of ann's first page.
func firstToken(w *world, kinds string) string {
	w.t.Helper()
	data := w.must(1, `{ viewer { homeFeed`+kinds+` { syncToken } } }`, nil)
	token, ok := data.at(w.t, "viewer.homeFeed.syncToken").(string)
	if !ok {
		w.t.Fatalf("the first page has the token %v", data)
	}
	return token
}

const changesQuery = `query($since: String!, $first: Int, $downTo: String) { viewer {
	homeChanges(since: $since, first: $first, downTo: $downTo) {
		changes { kind postId edge { cursor node { text author { handle } } } } hasMore syncToken
	}
	homeFeed { newCount(since: $since) }
} }`

func TestHomeChanges_CompleteTheFirstPage(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	w.post(1, 2)
	w.post(2, 2)
	since := firstToken(w, "")
	w.post(3, 1)
	_, err := w.store.StorePlan(t.Context(), feed.Plan{Post: 2, Author: 2}, 0)
	noError(t, err)
	w.must(2, `mutation { editPost(input: {postId: "`+postID(1)+`", text: "edited"}) { post { id } } }`, nil)

	first := w.must(1, changesQuery, map[string]any{"since": since, "first": 2})
	change := func(kind string, id int, text, author string) any {
		key := feed.Key{TS: epoch + int64(id)*1000, ID: int64(id)}
		edge := map[string]any{
			"cursor": feed.Cursor{Kind: feed.FeedHome, Key: key}.String(),
			"node":   map[string]any{"text": text, "author": map[string]any{"handle": author}},
		}
		return map[string]any{"kind": kind, "postId": postID(feed.PostID(id)), "edge": edge}
	}
	want := []any{change("ADDED", 3, "text 3", "ann"), change("ADDED", 2, "text 2", "ben")}
	wantEqual(t, want, first.at(t, "viewer.homeChanges.changes"), "the first page")
	wantEqual(t, []any{true, 2.0}, []any{first.at(t, "viewer.homeChanges.hasMore"), first.at(t, "viewer.homeFeed.newCount")}, "hasMore and newCount")
	next := first.at(t, "viewer.homeChanges.syncToken")
	w.must(2, `mutation { deletePost(input: {postId: "`+postID(2)+`"}) { deletedPostId } }`, nil)
	second := w.must(1, changesQuery, map[string]any{"since": next})
	want = []any{change("CHANGED", 1, "edited", "ben"), map[string]any{"kind": "REMOVED", "postId": postID(2), "edge": nil}}
	wantEqual(t, want, second.at(t, "viewer.homeChanges.changes"), "the second page")
	wantEqual(t, []any{false, 0.0}, []any{second.at(t, "viewer.homeChanges.hasMore"), second.at(t, "viewer.homeFeed.newCount")}, "hasMore and newCount")
}

func TestSyncToken_OnlyOnFirstPagesOfHomeFeeds(t *testing.T) {
	w := newWorld(t)
	w.post(1, 1)
	got := w.must(1, `query($c: String!) {
		viewer { after: homeFeed(after: $c) { syncToken } last: homeFeed(last: 1) { syncToken } before: homeFeed(last: 1, before: $c) { syncToken } }
		user(handle: "ann") { posts { syncToken } }
	}`, map[string]any{"c": feed.HomeCursor(&feed.Post{ID: 1, PublishedAt: epoch})})
	for _, path := range []string{"viewer.after.syncToken", "viewer.last.syncToken", "viewer.before.syncToken", "user.posts.syncToken"} {
		wantEqual(t, nil, got.at(t, path), "%s", path)
	}
}

func TestHomeChangesSubscription_ShowsReset(t *testing.T) {
	w := newWorld(t)
	s := w.watch(1, `subscription { homeChanges(since: "`+firstToken(w, "")+`") { changes { kind postId edge { cursor } } } }`)
	noError(t, w.store.NewEpoch(t.Context()))
	w.catchUp()
	got, _ := s.next()
	want := map[string]any{"kind": "RESET", "postId": nil, "edge": nil}
	wantEqual(t, []any{want}, got.at(t, "homeChanges.changes"), "the changes")
}

// A token is of one viewer, one feed and its kinds.
func TestSyncTokens_RefusedElsewhere(t *testing.T) {
	w := newWorld(t)
	home, posts, sessions := firstToken(w, ""), firstToken(w, "(kinds: [POST])"), w.liveToken(1)
	for _, c := range []struct {
		viewer                feed.UserID
		document, token, code string
	}{
		{2, `{ viewer { homeChanges(since: %q) { hasMore } } }`, home, badCursor},
		{1, `{ viewer { homeChanges(since: %q) { hasMore } } }`, posts, badCursor},
		{1, `{ viewer { homeChanges(since: %q) { hasMore } } }`, sessions, badCursor},
		{1, `{ viewer { homeChanges(since: "` + home + `", downTo: %q) { hasMore } } }`, home, badCursor},
		{1, `{ viewer { homeChanges(since: %q, first: 101) { hasMore } } }`, home, badInput},
		{1, `{ viewer { homeFeed { newCount(since: %q) } } }`, posts, badCursor},
		{1, `{ user(handle: "ann") { posts { newCount(since: %q) } } }`, home, badCursor},
		{1, `{ viewer { homeFeed(after: %q) { nodes { id } } } }`, home, badCursor},
		{2, `{ viewer { liveChanges(since: %q) { hasMore } } }`, sessions, badCursor},
		{1, `{ viewer { liveChanges(since: %q) { hasMore } } }`, home, badCursor},
		{1, `{ viewer { liveChanges(since: %q, first: 101) { hasMore } } }`, sessions, badInput},
		{1, `{ viewer { liveFeed(after: %q) { nodes { id } } } }`, sessions, badCursor},
		{1, `subscription { homeChanges(since: %q) { hasMore } }`, "", badCursor},
		{2, `subscription { homeChanges(since: %q, kinds: [POST]) { hasMore } }`, posts, badCursor},
		{1, `subscription { homeChanges(since: %q, filter: {kinds: [POST], hasMedia: true}) { hasMore } }`, posts, badCursor},
		{1, `subscription { homeFeedEdges(since: %q) { cursor } }`, posts, badCursor},
		{1, `subscription { liveChanges(since: %q) { hasMore } }`, home, badCursor},
	} {
		got, _ := w.watch(c.viewer, fmt.Sprintf(c.document, c.token)).next()
		wantEqual(t, []string{c.code}, got.codes(), "the codes for "+c.document, c.token)
	}
	w.must(1, `{ viewer { homeChanges(since: "`+posts+`", kinds: [POST]) { hasMore } } }`, nil)
	w.must(1, `{ viewer { homeChanges(since: "`+posts+`", filter: {kinds: [POST]}) { hasMore } } }`, nil)
}

const changesOfLive = `changes { kind liveSessionId edge { state node { title } } } syncToken hasMore`

// liveToken returns the sync token of the first page of the viewer's live feed.
func (w *world) liveToken(viewer feed.UserID) string {
	w.t.Helper()
	return w.must(viewer, `{ viewer { liveFeed { syncToken } } }`, nil).at(w.t, "viewer.liveFeed.syncToken").(string)
}

func liveChange(kind string, id live.ID, state, title string) any {
	c := map[string]any{"kind": kind, "liveSessionId": liveID(id), "edge": nil}
	if state != "" {
		c["edge"] = map[string]any{"state": state, "node": map[string]any{"title": title}}
	}
	return c
}

func TestLiveChanges_CompleteTheFirstPage(t *testing.T) {
	w := newWorld(t)
	w.follow(1, 2)
	old := w.schedule(2, "old")
	since := w.liveToken(1)
	added := w.schedule(2, "new")
	w.start(2, old)
	cancelled := w.schedule(2, "cancelled")
	w.must(2, `mutation { cancelLive(input: {liveSessionId: "`+liveID(cancelled)+`"}) { userErrors { code } } }`, nil)
	read := func(since string) result {
		t.Helper()
		return w.must(1, `query($since: String!) { viewer { liveChanges(since: $since, first: 2) { `+changesOfLive+` } } }`, map[string]any{"since": since})
	}
	first := read(since)
	want := []any{liveChange("ADDED", added, "UPCOMING", "new"), liveChange("CHANGED", old, "LIVE", "old")}
	wantEqual(t, want, first.at(t, "viewer.liveChanges.changes"), "the changes")
	wantEqual(t, true, first.at(t, "viewer.liveChanges.hasMore"), "hasMore")
	second := read(first.at(t, "viewer.liveChanges.syncToken").(string))
	wantEqual(t, []any{liveChange("REMOVED", cancelled, "", "")}, second.at(t, "viewer.liveChanges.changes"), "the changes")
	noError(t, w.store.NewEpoch(t.Context()))
	reset := []any{map[string]any{"kind": "RESET", "liveSessionId": nil, "edge": nil}}
	wantEqual(t, reset, read(since).at(t, "viewer.liveChanges.changes"), "the changes after a new epoch")
}

// The cursor of a change continues a list as the cursor of a page does.
func TestLiveChanges_CursorsContinueLists(t *testing.T) {
	w := newWorld(t)
	since := w.liveToken(1)
	first, second := w.schedule(1, "first"), w.schedule(1, "second")
	w.start(1, second)
	changes := w.must(1, `{ viewer { liveChanges(since: "`+since+`") { changes { edge { cursor } } } } }`, nil)
	cursor := changes.at(t, "viewer.liveChanges.changes").([]any)[1].(map[string]any)["edge"].(map[string]any)["cursor"].(string)
	page := w.must(1, `{ viewer { liveFeed(after: "`+cursor+`") { nodes { id } syncToken } } }`, nil)
	wantEqual(t, []any{map[string]any{"id": liveID(first)}}, page.at(t, "viewer.liveFeed.nodes"), "the next page")
	wantEqual(t, nil, page.at(t, "viewer.liveFeed.syncToken"), "the token of a later page")
	wantEqual(t, nil, w.must(1, `{ viewer { user { liveSessions { syncToken } } } }`, nil).at(t, "viewer.user.liveSessions.syncToken"), "the token of the list of a host")
}

// newLive returns services of live sessions over a store. Session ids are 1, 2, 3 and so on.
func newLive(store *sqlstore.Store, policy feed.Policy, clock feed.Clock) (*live.Feed, *live.Hosting) {
	sessions, replays, queue := sqlstore.NewLive(store), sqlstore.NewReplays(store), noQueue{}
	posts := live.ReplayPosts{Sessions: sessions}
	inboxes := sqlstore.NewReplayInboxes(store, policy.InboxCap)
	reads := &timeline.Timeline{
		Viewers: &timeline.Direct{Inboxes: inboxes, Relations: store, Outboxes: replays, Posts: posts, Primary: posts},
		Inboxes: inboxes, Outboxes: replays, Reference: replays, Pending: replays, PullsPending: true, Queue: queue, Policy: policy,
	}
	lists := &live.Feed{
		Sessions: sessions, History: sessions, Changes: sessions, Sets: feedtest.NewSets(), Snapshots: feedtest.NewSnapshots(time.Now),
		Relations: store, Users: store, Outboxes: replays, Replays: reads, Queue: queue,
		Async:   func(do func(context.Context)) { do(context.Background()) },
		NewName: func() uint64 { return 1 }, Policy: live.DefaultPolicy(), Places: places{store},
	}
	last := live.ID(0)
	return lists, &live.Hosting{
		Sessions: sessions, Relations: store, Users: store, Queue: queue, Clock: clock, Policy: live.DefaultPolicy(),
		NewID: func() (live.ID, error) { last++; return last, nil },
	}
}

func newLiveChanges(store *sqlstore.Store, policy feed.Policy) *delta.LiveReader {
	sessions := sqlstore.NewLive(store)
	return &delta.LiveReader{
		Log: store, Sessions: sessions, Versions: sessions, Viewers: &timeline.Direct{Relations: store}, Users: store, Coverage: store, Policy: policy,
	}
}

// noQueue ignores tasks; reads come from the store.
type noQueue struct{ feed.Queue }

func (noQueue) Dispatch(context.Context, []feed.Dispatchable[feed.PostID]) error { return nil }
func (noQueue) Push(context.Context, []feed.Dispatchable[feed.SliceRef]) error   { return nil }
func (noQueue) Build(context.Context, feed.UserID) error                         { return nil }
func (noQueue) Reconcile(context.Context, feed.UserID) error                     { return nil }
func (noQueue) WarmUp(context.Context, feed.UserID) error                        { return nil }
func (noQueue) Refresh(context.Context, []feed.UserID) error                     { return nil }

// schedule announces a session for the next hour. Each change is a second later than the one
// before.
func (w *world) schedule(host feed.UserID, title string) live.ID {
	w.t.Helper()
	w.now += 1000
	s, err := w.deps.Hosting.Schedule(context.Background(), host, title, epoch+7_200_000)
	noError(w.t, err)
	return s.ID
}

// start begins a session, and end ends it.
func (w *world) start(host feed.UserID, id live.ID) {
	w.t.Helper()
	w.now += 1000
	_, err := w.deps.Hosting.Start(context.Background(), host, id)
	noError(w.t, err)
}

func (w *world) end(host feed.UserID, id live.ID) {
	w.t.Helper()
	w.now += 1000
	_, err := w.deps.Hosting.End(context.Background(), host, id, "")
	noError(w.t, err)
}

func liveID(id live.ID) string { return model.LiveSessionGlobalID(live.PublicID{Number: int64(id)}) }

const (
	liveFields     = `fragment all on LiveSession { id databaseId title state scheduledAt startedAt endedAt replayUrl host { handle } }`
	livePayload    = `{ liveSession { ...all } userErrors { code field } clientMutationId } } ` + liveFields
	scheduleLive   = `mutation($input: ScheduleLiveInput!) { change: scheduleLive(input: $input) ` + livePayload
	rescheduleLive = `mutation($input: RescheduleLiveInput!) { change: rescheduleLive(input: $input) ` + livePayload
	startLive      = `mutation($input: LiveIdInput!) { change: startLive(input: $input) ` + livePayload
	endLive        = `mutation($input: EndLiveInput!) { change: endLive(input: $input) ` + livePayload
	cancelLive     = `mutation($input: LiveIdInput!) { change: cancelLive(input: $input) ` + livePayload
)

func TestLive_PayloadShowsEveryState(t *testing.T) {
	w := newWorld(t)
	type fields = map[string]any
	session := value(`{"id":%q,"databaseId":"1","title":"tea","host":{"handle":"ben"},"state":"UPCOMING",
		"scheduledAt":"2026-05-04T14:00:00.000Z","startedAt":null,"endedAt":null,"replayUrl":null}`, liveID(1)).(fields)
	for _, step := range []struct {
		mutation string
		input    fields
		// change is what the step changes of the session.
		change fields
	}{
		{scheduleLive, fields{"title": "  tea ", "scheduledAt": "2026-05-04T16:00:00+02:00"}, nil},
		{rescheduleLive, fields{"liveSessionId": liveID(1), "scheduledAt": "2026-05-04T15:00:00Z"}, fields{"scheduledAt": "2026-05-04T15:00:00.000Z"}},
		{startLive, fields{"liveSessionId": liveID(1)}, fields{"state": "LIVE", "startedAt": "2026-05-04T13:00:00.000Z"}},
		{
			endLive,
			fields{"liveSessionId": liveID(1), "replayUrl": "https://replays.example/1"},
			fields{"state": "REPLAY", "endedAt": "2026-05-04T13:00:00.000Z", "replayUrl": "https://replays.example/1"},
		},
	} {
		maps.Copy(session, step.change)
		step.input["clientMutationId"] = "m1"
		want := fields{"liveSession": session, "userErrors": []any{}, "clientMutationId": "m1"}
		wantEqual(t, want, w.must(2, step.mutation, fields{"input": step.input}).at(t, "change"), "the response to %s\n", step.mutation)
	}
	got := w.must(1, `query($id: ID!) { node(id: $id) { ...all } } `+liveFields, fields{"id": liveID(1)})
	wantEqual(t, session, got.at(t, "node"), "the node")
}
