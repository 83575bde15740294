package delta_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// record changes language and media of a post by a record.
func (w *town) record(id feed.PostID, language string, media feed.OtherMedia) {
	w.t.Helper()
	p := *fixture.Got(w.Posts(w.t.Context(), []feed.PostID{id})).Must(w.t)[0]
	p.Language, p.OtherMedia = language, media
	b := feed.SourceBatch{Source: "other", Batch: feed.Batch{Records: []feed.Record{{Post: &p}}, Owned: feed.OwnedTypes(), Ordered: true}}
	if got := fixture.Got(w.Ingest(w.t.Context(), b)).Must(w.t); len(got.Updated) != 1 {
		w.t.Fatalf("the record of post %d: %+v", id, got)
	}
}

func TestChanges_EditsEnterAndLeaveFilters(t *testing.T) {
	for name, filter := range map[string]feed.Filter{
		"media": feed.Filter{}.WithMedia(true), "a language": feed.Filter{}.InLanguages("en"),
	} {
		t.Run(name, func(t *testing.T) {
			w := newTown(t)
			for id := feed.PostID(1); id <= 6; id++ {
				w.publish(bob, id, 0)
				w.record(id, "de", feed.NoOtherMedia)
			}
			for _, matching := range []feed.PostID{2, 3, 4, 5} {
				w.record(matching, "en", feed.SomeOtherMedia)
			}
			token := w.token(filter)
			w.record(1, "en", feed.SomeOtherMedia)
			w.record(2, "de", feed.NoOtherMedia)
			w.edit(3, "other")
			w.edit(6, "other")
			w.record(4, "de", feed.NoOtherMedia)
			w.delete(4)
			w.record(5, "de", feed.NoOtherMedia)
			w.record(5, "en", feed.SomeOtherMedia)
			w.publish(cem, 7, 0)
			w.publish(cem, 8, 6)
			got, page := w.changes(feed.HomeChangeQuery{Since: token, Filter: filter})
			want := "ADDED 1, REMOVED 2, ADDED 3, REMOVED 6, REMOVED 4, ADDED 5"
			if name == "a language" { // posts without one pass
				want += ", ADDED 7, ADDED 8"
			}
			fixture.Is(t, "the changes", got, want)
			got, _ = w.changes(feed.HomeChangeQuery{Since: page.Token.String(), Filter: filter})
			fixture.Is(t, "further changes", got, "")
		})
	}
}

// A relation that ends takes away posts that have left the filter, too: the client may not know yet.
func TestChanges_RelationRemovesPostsOutsideFilter(t *testing.T) {
	w := newTown(t)
	filter := feed.Filter{}.WithMedia(true)
	w.publish(bob, 1, 0)
	w.record(1, "", feed.SomeOtherMedia)
	w.publish(bob, 2, 0)
	token := w.token(filter)
	w.record(1, "", feed.NoOtherMedia)
	w.must(w.Unfollow(t.Context(), ann, bob))
	got, _ := w.changes(feed.HomeChangeQuery{Since: token, Filter: filter})
	fixture.Is(t, "the changes", got, "REMOVED 2, REMOVED 1")
	token = w.token(filter)
	w.follow(bob)
	got, _ = w.changes(feed.HomeChangeQuery{Since: token, Filter: filter})
	fixture.Is(t, "the changes by a follow", got, "")
}

func TestChanges_TokenBelongsToFilter(t *testing.T) {
	w := newTown(t)
	filters := []feed.Filter{
		{},
		feed.OfKinds(feed.KindPost),
		feed.Filter{}.WithMedia(true),
		feed.Filter{}.WithMedia(false),
		feed.Filter{}.InLanguages("en"),
		feed.Filter{}.InLanguages("en", "de"),
		feed.OfKinds(feed.KindPost).InLanguages("en"),
	}
	for i, of := range filters {
		for j, asked := range filters {
			_, err := w.reader.Changes(t.Context(), ann, feed.HomeChangeQuery{Since: w.token(of), Filter: asked})
			if refused := feed.CodeOf(err) == feed.CodeBadCursor; refused != (i != j) {
				t.Errorf("a token of filter %v, used with %v: %v", of, asked, err)
			}
		}
	}
}
