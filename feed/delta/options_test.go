package delta_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// Changed options name only the posts that they show or hide. Whether a follow is special concerns the
// special feed alone.
func TestChanges_OptionsNameWhatTheyConcern(t *testing.T) {
	w := newTown(t)
	w.publish(dee, 1, 0)
	w.publish(bob, 2, 0)
	w.publish(bob, 3, 1)
	w.answer(4, 1, feed.AudiencePublic)
	w.publish(cem, 5, 0)
	w.publish(cem, 6, 1)
	choose := func(author feed.UserID, o feed.FollowOptions, on bool) {
		var choice feed.FollowChoice
		choice.Choose(o, &on)
		w.must(w.UpdateFollow(t.Context(), ann, author, choice))
	}
	mute := func() { w.relate(feed.RelationMute, ann, cem) }
	for _, step := range []struct {
		what          string
		do            func()
		home, special string
	}{
		{"special", func() { choose(bob, feed.FollowSpecial, true) }, "", "ADDED 4, ADDED 3, ADDED 2"},
		{"hide reposts", func() { choose(bob, feed.FollowHidesReposts, true) }, "REMOVED 3", "REMOVED 3"},
		{"hide comments", func() { choose(bob, feed.FollowHidesReplies, true) }, "REMOVED 4", "REMOVED 4"},
		{"what is hidden arrives", func() { w.publish(bob, 7, 1) }, "", ""},
		{"what others publish", func() { w.publish(cem, 8, 0); w.publish(ann, 9, 1); w.delete(5) }, "ADDED 8, ADDED 9, REMOVED 5", ""},
		{"hide comments no longer", func() { choose(bob, feed.FollowHidesReplies, false) }, "ADDED 4", "ADDED 4"},
		{"not special, and with reposts", func() {
			choose(bob, feed.FollowSpecial, false)
			choose(bob, feed.FollowHidesReposts, false)
		}, "ADDED 7, ADDED 3", "REMOVED 7, REMOVED 4, REMOVED 3, REMOVED 2"},
		{"options of a muted author", func() { mute(); choose(cem, feed.FollowHidesReposts, true) }, "REMOVED 8, REMOVED 6, REMOVED 5", "REMOVED 8, REMOVED 6, REMOVED 5"},
	} {
		home, special := w.token(), w.specialToken()
		step.do()
		t.Run(step.what, func(t *testing.T) {
			w.since(home, step.home)
			got, _ := w.changes(feed.HomeChangeQuery{Since: special, Of: feed.SpecialAuthors})
			fixture.Is(t, "the changes of the special feed", got, step.special)
			n, _, err := w.reader.NewCount(t.Context(), ann, feed.HomeChangeQuery{Since: special, Of: feed.SpecialAuthors}, 0)
			w.must(err)
			fixture.Is(t, "the number of new posts of special follows", n, strings.Count(got, "ADDED"))
		})
	}
}

func (w *town) specialToken() string {
	w.t.Helper()
	token := fixture.Got(feed.ParseSyncToken(w.token(), ann, feed.HomeAuthors, feed.Filter{})).Must(w.t)
	token.Of = feed.SpecialAuthors
	return token.String()
}

func TestChanges_OptionsHonourTheFilter(t *testing.T) {
	w := newTown(t)
	w.publish(bob, 1, 0)
	w.publish(bob, 2, 1)
	filter := feed.OfKinds(feed.KindPost, feed.KindComment)
	token := w.token(filter)
	w.must(w.UpdateFollow(t.Context(), ann, bob, feed.FollowChoice{Named: feed.FollowHidesReposts, On: feed.FollowHidesReposts}))
	got, _ := w.changes(feed.HomeChangeQuery{Since: token, Filter: filter})
	fixture.Is(t, "the changes", got, "")
}

func TestChanges_TokenBelongsToAuthors(t *testing.T) {
	w := newTown(t)
	for _, q := range []feed.HomeChangeQuery{{Since: w.specialToken()}, {Since: w.token(), Of: feed.SpecialAuthors}} {
		if _, err := w.reader.Changes(t.Context(), ann, q); feed.CodeOf(err) != feed.CodeBadCursor {
			t.Errorf("the token of the other feed: %v", err)
		}
	}
}
