package delta_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func TestNewCount_CountsAddedPosts(t *testing.T) {
	w := newTown(t)
	w.publish(bob, 9, 0)
	token := w.token()
	w.publish(bob, 1, 0)
	w.publish(cem, 2, 0)
	w.edit(9, "other")
	count := func(except feed.UserID) int {
		t.Helper()
		n, known, err := w.reader.NewCount(t.Context(), ann, feed.HomeChangeQuery{Since: token}, except)
		w.must(err)
		fixture.Is(t, "whether the count is known", known, true)
		return n
	}
	fixture.Is(t, "the new posts", count(0), 2)
	fixture.Is(t, "the new posts by others than bob", count(bob), 1)
	w.reader.Policy.CountMax = 1
	fixture.Is(t, "the new posts, of one at most", count(0), 1)
}

// reading is a town whose ann has a cursor and a token.
type reading struct {
	*town
	*delta.Positions
	read feed.ReadPosition
}

func newReading(t *testing.T) reading {
	w := newTown(t)
	w.publish(bob, 9, 0)
	return reading{w, &delta.Positions{Store: w.Store, Changes: w.reader}, feed.ReadPosition{
		Cursor: feed.HomeCursor(&feed.Post{ID: 9, PublishedAt: noon + 9}), SyncToken: w.token(),
	}}
}

// unread marks where ann has stopped, and returns a function that checks what is unread since.
func (r reading) unread() func(what string, want int, wantKnown bool) {
	r.t.Helper()
	fixture.Got(r.Mark(r.t.Context(), ann, "", r.read)).Must(r.t)
	return func(what string, want int, wantKnown bool) {
		r.t.Helper()
		stored := fixture.Got(r.Of(r.t.Context(), ann, "")).Must(r.t)
		n, known, err := r.Unread(r.t.Context(), ann, stored)
		r.must(err)
		fixture.Is(r.t, what, n, want)
		fixture.Is(r.t, "whether that is known "+what, known, wantKnown)
	}
}

func TestUnread_CountsPostsOfOthersOnce(t *testing.T) {
	r := newReading(t)
	unread := r.unread()
	unread("at once", 0, true)
	r.publish(ann, 20, 0)
	unread("after an own post", 0, true)
	r.publish(cem, 21, 9)
	unread("after a repost", 1, true)
	r.publish(bob, 1, 0)
	unread("after a post that arrives below the position", 2, true)
	r.edit(9, "other")
	unread("after an edit", 2, true)
	r.delete(21)
	unread("after a deletion", 1, true)
	r.delete(9)
	unread("without the post of the position", 1, true)
	r.follow(dee)
	r.publish(dee, 22, 0)
	unread("after a follow", 2, true)
}

func TestUnread_EndsAtTheMaximum(t *testing.T) {
	r := newReading(t)
	unread := r.unread()
	r.reader.Policy.CountMax = 2
	for id := feed.PostID(21); id <= 24; id++ {
		r.publish(bob, id, 0)
	}
	unread("after four posts", 2, true)
}

func TestUnread_IsUnknownUntilTheNextMark(t *testing.T) {
	r := newReading(t)
	for what, lose := range map[string]func(context.Context) error{
		"in a new epoch":          r.NewEpoch,
		"after a loss of inboxes": r.RaiseGeneration,
	} {
		unread := r.unread()
		unread("before", 0, true)
		r.must(lose(t.Context()))
		unread(what, r.reader.Policy.CountMax, false)
		r.read.SyncToken = r.token()
	}
	unread := r.unread()
	r.publish(bob, 21, 0)
	unread("since the next mark", 1, true)
}

func TestMark_TakesTokensOfTheWholeHomeFeedOnly(t *testing.T) {
	r := newReading(t)
	token, cursor := r.read.SyncToken, r.read.Cursor
	outbox := feed.Cursor{Kind: feed.FeedOutbox, Key: feed.Key{TS: noon, ID: 9}}.String()
	live := feed.SyncToken{Viewer: ann, Live: true}.String()
	special := feed.SyncToken{Viewer: ann, Of: feed.SpecialAuthors}.String()
	for _, c := range []struct {
		name                  string
		viewer                feed.UserID
		device, cursor, token string
		want                  feed.Code
	}{
		{"what a page has", ann, "", cursor, token, ""},
		{"a long name", ann, strings.Repeat("é", 64), cursor, token, ""},
		{"a name that is too long", ann, strings.Repeat("x", 65), cursor, token, feed.CodeTooLong},
		{"a name that no one sees", ann, " ", cursor, token, feed.CodeInvalid},
		{"a name that no store has", ann, "a\x00", cursor, token, feed.CodeInvalid},
		{"no cursor", ann, "", "", token, feed.CodeBadCursor},
		{"a cursor of an outbox", ann, "", outbox, token, feed.CodeBadCursor},
		{"a token as cursor", ann, "", token, token, feed.CodeBadCursor},
		{"no token", ann, "", cursor, "", feed.CodeBadCursor},
		{"a cursor as token", ann, "", cursor, cursor, feed.CodeBadCursor},
		{"a token of a filter", ann, "", cursor, r.town.token(feed.OfKinds(feed.KindPost)), feed.CodeBadCursor},
		{"a token of special follows", ann, "", cursor, special, feed.CodeBadCursor},
		{"a token of the live feed", ann, "", cursor, live, feed.CodeBadCursor},
		{"a token of another viewer", bob, "", cursor, token, feed.CodeBadCursor},
	} {
		_, err := r.Mark(t.Context(), c.viewer, c.device, feed.ReadPosition{Cursor: c.cursor, SyncToken: c.token})
		fixture.Is(t, "the code for "+c.name, feed.CodeOf(err), c.want)
		if c.cursor == cursor && c.token == token && c.viewer == ann {
			_, err := r.Of(t.Context(), ann, c.device)
			fixture.Is(t, "the code of a read for "+c.name, feed.CodeOf(err), c.want)
		}
	}
	fixture.Is(t, "bob's position", fixture.Got(r.Of(t.Context(), bob, "")).Must(t), nil)
}

func TestMark_KeepsTwentyDevices(t *testing.T) {
	r := newReading(t)
	for i := range 21 {
		fixture.Got(r.Mark(t.Context(), ann, strings.Repeat("x", i), r.read)).Must(t)
	}
	for i := range 21 {
		stored := fixture.Got(r.Of(t.Context(), ann, strings.Repeat("x", i))).Must(t)
		fixture.Is(t, "whether a device is dropped", stored == nil, i == 0)
	}
}
