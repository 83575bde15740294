package timeline_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

func choose(v fixture.Service, author feed.UserID, o feed.FollowOptions, on bool) {
	v.Helper()
	var choice feed.FollowChoice
	choice.Choose(o, &on)
	v.Must(v.Backend.Follows.UpdateFollow(v.Context(), ann, author, choice))
}

// The next read honours an option or an exclusive list, from the inbox and from pulled outboxes alike. Inboxes keep what is
// hidden, so that it is back at once.
func TestPage_HonoursOptionsAtOnce(t *testing.T) {
	for name, prepare := range map[string]func(v fixture.Service){
		"inbox":  func(v fixture.Service) { v.BuildInbox(ann); v.WorkAll() },
		"pulled": func(v fixture.Service) { v.Flag(star, feed.FlagUnpushed); v.BuildInbox(ann); v.WorkAll() },
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.NewFollowing(t)
			v.Post(star, 1, 2)
			v.Publish(star, 3, publish.Draft{RepostOf: 1})
			prepare(v)
			fixture.Same(t, "the page", fixture.IDsOf(v.Page(ann, 9, "")), 3, 2, 1)
			before := fixture.Got(v.Inboxes.Read(t.Context(), ann, feed.Range{Below: feed.Top, Limit: 9})).Must(t).Keys
			choose(v, star, feed.FollowHidesReposts, true)
			fixture.Same(t, "the page without reposts", fixture.IDsOf(v.Page(ann, 9, "")), 2, 1)
			v.WorkAll()
			after := fixture.Got(v.Inboxes.Read(t.Context(), ann, feed.Range{Below: feed.Top, Limit: 9})).Must(t).Keys
			fixture.Same(t, "the inbox", after, before...)
			choose(v, star, feed.FollowHidesReposts, false)
			fixture.Same(t, "the page with reposts", fixture.IDsOf(v.Page(ann, 9, "")), 3, 2, 1)
			v.Must(v.Backend.AuthorLists.CreateList(t.Context(), &feed.AuthorList{ID: 1, Owner: ann, Name: "x", Exclusive: true}))
			fixture.Got(v.Backend.AuthorLists.AddMembers(t.Context(), ann, 1, []feed.UserID{star}, 1)).Must(t)
			fixture.Same(t, "the page without members of an exclusive list", fixture.IDsOf(v.Page(ann, 9, "")))
			v.Must(v.Backend.AuthorLists.DeleteList(t.Context(), ann, 1))
			fixture.Same(t, "the page after its end", fixture.IDsOf(v.Page(ann, 9, "")), 3, 2, 1)
		})
	}
}

// Below the floor of an inbox in which all is hidden, a page goes on in the outboxes.
func TestPage_GoesOnBelowHiddenEntries(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1, 2)
	for id := range feed.PostID(v.Timeline.Policy.InboxCap) {
		v.Publish(star, 10+id, publish.Draft{RepostOf: 1})
	}
	v.BuildInbox(ann)
	v.WorkAll()
	choose(v, star, feed.FollowHidesReposts, true)
	page := v.Page(ann, 1, "")
	fixture.Same(t, "the page", fixture.IDsOf(page), 2)
	fixture.Is(t, "whether more follow", page.HasNext, true)
	fixture.Is(t, "what served the page", v.LastSource(ann), feed.SourceBoth)
}

// A special feed has no inbox: it shows posts as soon as they are published, and a cursor of it continues the
// home feed, and the reverse.
func TestPage_OfSpecialFollows(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1, 2)
	v.Follow(ann, moon)
	v.Post(moon, 3)
	v.Post(ann, 4)
	choose(v, star, feed.FollowSpecial, true)
	v.Queue.Lose()
	v.Post(star, 5)
	first := 2
	page := fixture.Got(v.Timeline.Page(t.Context(), ann, feed.PageQuery{First: &first, Of: feed.SpecialAuthors})).Must(t)
	fixture.Same(t, "the first page", fixture.IDsOf(page), 5, 2)
	after := page.Entries[1].Cursor
	page = fixture.Got(v.Timeline.Page(t.Context(), ann, feed.PageQuery{After: after, Of: feed.SpecialAuthors})).Must(t)
	fixture.Same(t, "the second page", fixture.IDsOf(page), 1)
	fixture.Same(t, "the home feed below", fixture.IDsOf(v.Page(ann, 9, after)), 1)
	n := fixture.Got(v.Timeline.NewCount(t.Context(), ann, after, feed.SpecialAuthors, feed.Filter{})).Must(t)
	fixture.Is(t, "the new posts", n, 1)
}
