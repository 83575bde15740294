package resolvers_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
