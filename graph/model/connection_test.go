package model_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
)

func TestFeedConnection_KeepsOrder(t *testing.T) {
	one, two := &feed.Post{ID: 1}, &feed.Post{ID: 2}
	page := &feed.Page{
		Entries: []feed.Entry{{Cursor: "a", Post: two}, {Cursor: "b", Post: one}},
		HasNext: true,
	}
	c := model.NewFeedConnection(5, feed.OutboxRef(6), feed.Kinds{feed.KindPost}, page)

	if diff := cmp.Diff([]model.FeedEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]*feed.Post{two, one}, c.Nodes()); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(model.PageInfo{HasNextPage: true, StartCursor: &first, EndCursor: &last}, c.PageInfo); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
	if c.Viewer != 5 || c.Feed != feed.OutboxRef(6) || !c.Kinds.Has(feed.KindPost) || c.Kinds.Has(feed.KindRepost) {
		t.Errorf("newCount would not count in the same list: %+v", c)
	}
}

func TestUserConnection_KeepsOrder(t *testing.T) {
	one, two := &feed.User{ID: 1}, &feed.User{ID: 2}
	page := &feed.UserPage{
		Entries:     []feed.UserEntry{{Cursor: "a", User: two}, {Cursor: "b", User: one}},
		HasPrevious: true,
	}
	c := model.NewUserConnection(page)

	if diff := cmp.Diff([]model.UserEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]*feed.User{two, one}, c.Nodes()); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(model.PageInfo{HasPreviousPage: true, StartCursor: &first, EndCursor: &last}, c.PageInfo); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
}

func TestLiveConnection_KeepsOrder(t *testing.T) {
	one, two := &live.Session{ID: 1, State: live.Replay}, &live.Session{ID: 2, State: live.Live}
	page := &live.Page{
		Entries: []live.PageEntry{{Cursor: "a", Session: two, State: live.Upcoming}, {Cursor: "b", Session: one, State: live.Replay}},
		HasNext: true,
		At:      7,
	}
	c := model.NewLiveConnection(page)

	want := []model.LiveEdge{{Cursor: "a", Node: two, State: live.Upcoming}, {Cursor: "b", Node: one, State: live.Replay}}
	if diff := cmp.Diff(want, c.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]*live.Session{two, one}, c.Nodes()); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(model.PageInfo{HasNextPage: true, StartCursor: &first, EndCursor: &last}, c.PageInfo); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
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
