package graph_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
)

func TestAFeedConnectionHasTheEntriesOfItsPageInOrder(t *testing.T) {
	one, two := &feed.Post{ID: 1}, &feed.Post{ID: 2}
	page := &feed.Page{
		Entries: []feed.Entry{{Cursor: "a", Post: two}, {Cursor: "b", Post: one}},
		HasNext: true,
	}
	c := graph.NewFeedConnection(5, feed.OutboxRef(6), feed.Kinds{feed.KindPost}, page)

	if diff := cmp.Diff([]graph.FeedEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]*feed.Post{two, one}, c.Nodes()); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(graph.PageInfo{HasNextPage: true, StartCursor: &first, EndCursor: &last}, c.PageInfo); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
	if c.Viewer != 5 || c.Feed != feed.OutboxRef(6) || !c.Kinds.Has(feed.KindPost) || c.Kinds.Has(feed.KindRepost) {
		t.Errorf("newCount would not count in the same list: %+v", c)
	}
}

func TestAUserConnectionHasTheEntriesOfItsPageInOrder(t *testing.T) {
	one, two := &feed.User{ID: 1}, &feed.User{ID: 2}
	page := &feed.UserPage{
		Entries:     []feed.UserEntry{{Cursor: "a", User: two}, {Cursor: "b", User: one}},
		HasPrevious: true,
	}
	c := graph.NewUserConnection(page)

	if diff := cmp.Diff([]graph.UserEdge{{Cursor: "a", Node: two}, {Cursor: "b", Node: one}}, c.Edges); diff != "" {
		t.Errorf("edges (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]*feed.User{two, one}, c.Nodes()); diff != "" {
		t.Errorf("nodes (-want +got):\n%s", diff)
	}
	first, last := "a", "b"
	if diff := cmp.Diff(graph.PageInfo{HasPreviousPage: true, StartCursor: &first, EndCursor: &last}, c.PageInfo); diff != "" {
		t.Errorf("page info (-want +got):\n%s", diff)
	}
}

func TestAnEmptyPageHasNoCursors(t *testing.T) {
	feeds := graph.NewFeedConnection(0, feed.HomeRef(), nil, &feed.Page{})
	users := graph.NewUserConnection(&feed.UserPage{})
	for _, info := range []graph.PageInfo{feeds.PageInfo, users.PageInfo} {
		if diff := cmp.Diff(graph.PageInfo{}, info); diff != "" {
			t.Errorf("page info (-want +got):\n%s", diff)
		}
	}
	if feeds.Edges == nil || feeds.Nodes() == nil || users.Edges == nil || users.Nodes() == nil {
		t.Error("an empty list is nil, which the schema does not allow")
	}
}
