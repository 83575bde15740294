package resolvers_test

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/graph/model"
)

// newLive returns services of live sessions over a store. Session ids are 1, 2, 3 and so on.
func newLive(store *memstore.Store, policy feed.Policy, clock feed.Clock) (*live.Feed, *live.Hosting) {
	sessions, replays, queue := memstore.NewLive(store), memstore.NewReplays(store), noQueue{}
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
