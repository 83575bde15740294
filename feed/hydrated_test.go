package feed_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
)

// hydrating is what a read asks for where nothing is cached: contents by themselves, and with
// authors.
type hydrating struct {
	feed.Hydrator
	posts feed.Posts
	asked []string
	err   error
}

func (h *hydrating) Posts(ctx context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
	h.asked = append(h.asked, fmt.Sprint(ids))
	return h.posts.Posts(ctx, ids)
}

func (h *hydrating) Hydrated(ctx context.Context, ids []feed.ContentID, authors []feed.UserID) (feed.Hydrated, error) {
	h.asked = append(h.asked, fmt.Sprint(ids, " with ", authors))
	found, err := h.Hydrator.Hydrated(ctx, ids, authors)
	return found, errors.Join(err, h.err)
}

// hydrates makes a page of ann's feed by a process that caches nothing, and returns what it asked for
// and what it was told of.
func (v town) hydrates(q feed.PageQuery, change ...func(*hydrating)) (asked []string, told []feed.Hydrated, err error) {
	h := &hydrating{Hydrator: v.Hydrator, posts: v.Backend.Posts}
	for _, c := range change {
		c(h)
	}
	timeline, filter := *v.Elsewhere, *v.Elsewhere.Filter
	filter.Posts, filter.Fresh, filter.Hydrator = h, true, h
	timeline.Filter = &filter
	if q.Hydrated != nil {
		q.Hydrated = func(found feed.Hydrated) { told = append(told, found) }
	}
	_, err = timeline.Page(v.Context(), ann, feed.HomeRef(), q)
	return h.asked, told, err
}

// showing is who shows contents with their authors and counters.
func showing(first int) feed.PageQuery {
	return feed.PageQuery{First: &first, Hydrated: func(feed.Hydrated) {}}
}

// Whoever shows authors and counters has them read with the contents: with those that the note
// names, before it is known whether it holds, the authors whom it names.
func TestContentsAreReadWithWhatIsShownWithThem(t *testing.T) {
	v := newNotingTown(t)
	v.follow(ann, star, moon)
	v.inbox(ann)
	v.post(star, 1)
	v.post(ann, 2)
	v.post(moon, 3, 4)
	v.work()
	asks := func(when string, q feed.PageQuery, want ...string) {
		t.Helper()
		asked, _, err := v.hydrates(q)
		v.must(err)
		if !slices.Equal(asked, want) {
			t.Errorf("%s the read asks for %q, want %q", when, asked, want)
		}
	}
	asks("of whom nothing is known", showing(3), "[4 3 2 1] with []")
	asks("when that is noted", showing(3), fmt.Sprint("[4 3 2 1] with ", []feed.UserID{star, moon, ann}))
	asks("without her own contents", showing(1), fmt.Sprint("[4 3] with ", []feed.UserID{star, moon}))
	asks("for who shows no authors", feed.PageQuery{First: new(3)}, "[4 3 2 1]")
	v.post(ann, 5)
	asks("behind a publish", showing(3), fmt.Sprint("[4 3 2 1] with ", []feed.UserID{star, moon, ann}), "[5 4 3 2] with []")
}

// A viewer who has read on for pages has been shown many more than there are at the top.
func TestAuthorsAreNotReadForNothing(t *testing.T) {
	v := newNotingTown(t)
	authors := []feed.UserID{1001, 1002, 1003, 1004, 1005}
	for n, author := range authors {
		v.make(&feed.User{ID: author, Handle: "user" + author.String()})
		v.follow(ann, author)
		v.post(author, 1+feed.ContentID(n))
	}
	v.inbox(ann)
	v.work()
	v.homeElsewhere()
	for first, want := range map[int]string{1: "[5 4] with []", 2: fmt.Sprint("[5 4 3] with ", authors)} {
		if asked, _, err := v.hydrates(showing(first)); err != nil || !slices.Equal(asked, []string{want}) {
			t.Errorf("of the first %d the read asks for %q, %v, want %q", first, asked, err, want)
		}
	}
}

func TestWhoeverShowsThemIsToldOfWhatWasReadWithContents(t *testing.T) {
	v := withOneOfStars(t)
	v.must(v.Backend.Contents.React(v.Context(), feed.ReactionLike, ann, 1, 1))
	_, first, err := v.hydrates(showing(10))
	v.must(err)
	_, noted, err := v.hydrates(showing(10))
	v.must(err)
	posts, err := v.Backend.Posts.Posts(v.Context(), []feed.ContentID{1})
	v.must(err)
	users, err := v.Backend.Users.Users(v.Context(), []feed.UserID{star})
	v.must(err)
	want := feed.Hydrated{Posts: posts, Counters: []feed.PostCounters{{Likes: 1}}}
	if diff := cmp.Diff([]feed.Hydrated{want}, first, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the first read tells (-want +got):\n%s", diff)
	}
	want.Authors = users
	if diff := cmp.Diff([]feed.Hydrated{want}, noted); diff != "" {
		t.Errorf("the read by the note tells (-want +got):\n%s", diff)
	}
}

func TestWhatCannotBeReadWithContentsIsAnErrorOfThePage(t *testing.T) {
	v := withOneOfStars(t)
	away := errors.New("away")
	for _, when := range []string{"without a note", "with a note"} {
		if _, told, err := v.hydrates(showing(10), func(h *hydrating) { h.err = away }); !errors.Is(err, away) || len(told) > 0 {
			t.Errorf("%s the page is made with the error %v, and tells of %v", when, err, told)
		}
		v.homeElsewhere()
	}
}
