package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
)

// wantPage checks what all connections have: the entries a and b in this order, and between which
// cursors they are.
func wantPage[E, N any](t *testing.T, edges, wantEdges []E, nodes, wantNodes []N, info model.PageInfo, hasNext bool) {
	t.Helper()
	if diff := cmp.Diff(wantEdges, edges) + cmp.Diff(wantNodes, nodes); diff != "" {
		t.Errorf("edges and nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(model.PageInfo{HasNextPage: hasNext, HasPreviousPage: !hasNext, StartCursor: &first, EndCursor: &last}, info); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
}

func TestFeedConnection_KeepsOrder(t *testing.T) {
	one, two := &feed.Post{ID: 1}, &feed.Post{ID: 2}
	page := &feed.Page{Entries: []feed.Entry{{Cursor: "a", Post: two}, {Cursor: "b", Post: one}}, HasNext: true}
	c := model.NewFeedConnection(5, feed.OutboxRef(6), feed.Kinds{feed.KindPost}, page)
	wantPage(t, c.Edges, []model.FeedEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Nodes(), []*feed.Post{two, one}, c.PageInfo, true)
	if c.Viewer != 5 || c.Feed != feed.OutboxRef(6) || !c.Kinds.Has(feed.KindPost) || c.Kinds.Has(feed.KindRepost) {
		t.Errorf("newCount would not count in the same list: %+v", c)
	}
}

func TestUserConnection_KeepsOrder(t *testing.T) {
	one, two := &feed.User{ID: 1}, &feed.User{ID: 2}
	c := model.NewUserConnection(&feed.UserPage{Entries: []feed.UserEntry{{Cursor: "a", User: two}, {Cursor: "b", User: one}}, HasPrevious: true})
	wantPage(t, c.Edges, []model.UserEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Nodes(), []*feed.User{two, one}, c.PageInfo, false)
}

func TestLiveConnection_KeepsOrder(t *testing.T) {
	one, two := &live.Session{ID: 1, State: live.Replay}, &live.Session{ID: 2, State: live.Live}
	entries := []live.PageEntry{{Cursor: "a", Session: two, State: live.Upcoming}, {Cursor: "b", Session: one, State: live.Replay}}
	c := model.NewLiveConnection(&live.Page{Entries: entries, HasNext: true, At: 7})
	edges := []model.LiveEdge{{Cursor: "a", Node: two, State: live.Upcoming}, {Cursor: "b", Node: one, State: live.Replay}}
	wantPage(t, c.Edges, edges, c.Nodes(), []*live.Session{two, one}, c.PageInfo, true)
	if c.SnapshotAt != 7 {
		t.Errorf("the list shows the moment %d, want 7", c.SnapshotAt)
	}
}

func TestPageInfo_EmptyPageHasNoCursors(t *testing.T) {
	feeds := model.NewFeedConnection(0, feed.HomeRef(), nil, &feed.Page{})
	users := model.NewUserConnection(&feed.UserPage{})
	sessions := model.NewLiveConnection(&live.Page{})
	for _, info := range []model.PageInfo{feeds.PageInfo, users.PageInfo, sessions.PageInfo} {
		if diff := cmp.Diff(model.PageInfo{}, info); diff != "" {
			t.Errorf("page info (-want +got):\n%s", diff)
		}
	}
	if feeds.Edges == nil || feeds.Nodes() == nil || users.Edges == nil || users.Nodes() == nil ||
		sessions.Edges == nil || sessions.Nodes() == nil {
		t.Error("an empty list is nil, which the schema does not allow")
	}
}
