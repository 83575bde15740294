package loaders_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// wantAll wants everything that takes a read, also of what a content answers.
func wantAll() *loaders.PostWant {
	user := &loaders.UserWant{Counters: true, Edge: true}
	return &loaders.PostWant{
		Counters: true, Reactions: true, Author: user, ReplyTo: &loaders.PostWant{Counters: true, Author: user},
	}
}

func TestWhatWasReadAheadIsNotReadAgain(t *testing.T) {
	b := &backend{posts: map[feed.ContentID]*feed.Post{9: {ID: 9, Author: 30}}}
	l := loaders.New(t.Context(), new(b.deps()), 1)
	first, second, third := &feed.Post{ID: 1, Author: 10}, &feed.Post{ID: 2, Author: 20, ReplyTo: 9}, &feed.Post{ID: 3, Author: 10}
	ahead := l.Ahead(wantAll())
	ahead.Read(t.Context(), []*feed.Post{first, nil, second, third})
	ahead.Wait()
	// The second is not for this viewer to see.
	if err := l.HydratePosts(t.Context(), []*feed.Post{first, third}, wantAll()); err != nil {
		t.Fatal(err)
	}
	want := map[string][][]int64{
		"posts": {{9}}, "users": {{10, 20, 30}}, "user counters": {{10, 20, 30}}, "edges": {{10, 20, 30}},
		"post counters": {{1, 2, 3, 9}}, "reactions": {{1, 2, 3}},
	}
	if diff := cmp.Diff(want, b.calls); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

// That a content was read about does not make it one that the viewer may see.
func TestWhatWasReadAheadIsNotShownToWhomItIsNotFor(t *testing.T) {
	b := &backend{}
	l := loaders.New(t.Context(), new(b.deps()), 1)
	ahead := l.Ahead(wantAll())
	ahead.Read(t.Context(), []*feed.Post{{ID: 1, Author: 10}})
	ahead.Wait()
	if got, err := l.Post(t.Context(), 1); got != nil || err != nil {
		t.Errorf("the content is %v, %v", got, err)
	}
}

func TestWhatCouldNotBeReadAheadIsReadAgain(t *testing.T) {
	for name, failing := range map[string]func() error{
		"fails":  func() error { return errors.New("away") },
		"panics": func() error { panic("a mistake") },
	} {
		t.Run(name, func(t *testing.T) {
			b := &backend{fail: func(context.Context, string) error { return failing() }}
			l := loaders.New(t.Context(), new(b.deps()), 1)
			posts, want := []*feed.Post{{ID: 1, Author: 10}}, &loaders.PostWant{Counters: true}
			ahead := l.Ahead(want)
			ahead.Read(t.Context(), posts)
			ahead.Wait()
			if err := l.HydratePosts(t.Context(), posts, want); err == nil {
				t.Error("what cannot be read is there")
			}
			b.fail = nil
			if err := l.HydratePosts(t.Context(), posts, want); err != nil {
				t.Error(err)
			}
			if got, err := l.PostCounters(t.Context(), 1); got.Likes != 1 || err != nil {
				t.Errorf("the counters are %+v, %v", got, err)
			}
		})
	}
}

func TestNothingIsReadAheadThatNobodyWants(t *testing.T) {
	b := &backend{}
	ahead := loaders.New(t.Context(), new(b.deps()), 1).Ahead(nil)
	ahead.Read(t.Context(), []*feed.Post{{ID: 1, Author: 10}})
	ahead.Wait()
	if len(b.calls) > 0 {
		t.Errorf("%v are read", b.calls)
	}
}

func hydrated() feed.Hydrated {
	return feed.Hydrated{
		Posts:    []*feed.Post{{ID: 1, Author: 10}, nil, {ID: 2, Author: 20}, {ID: 3, Author: 30}},
		Counters: []feed.PostCounters{{Likes: 11}, {}, {Likes: 12}, {Likes: 13}},
		Authors:  []*feed.User{{ID: 30, Name: "third"}, nil, {ID: 10, Name: "first"}},
	}
}

// What was read together with contents is not read again, and the rest is.
func TestWhatWasReadWithContentsIsNotReadAgain(t *testing.T) {
	b := &backend{}
	l := loaders.New(t.Context(), new(b.deps()), 1)
	h := hydrated()
	l.KnowHydrated(h)
	posts := []*feed.Post{h.Posts[0], h.Posts[2], {ID: 4, Author: 10}}
	if err := l.HydratePosts(t.Context(), posts, &loaders.PostWant{Counters: true, Author: &loaders.UserWant{}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][][]int64{"users": {{20}}, "post counters": {{4}}}, b.calls); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
	for id, likes := range map[feed.ContentID]int64{1: 11, 2: 12, 4: 4} {
		if got, err := l.PostCounters(t.Context(), id); err != nil || got.Likes != likes {
			t.Errorf("of content %d the counters are %+v, %v", id, got, err)
		}
	}
	if got, err := l.User(t.Context(), 10); err != nil || got != h.Authors[2] {
		t.Errorf("the first author is %+v, %v", got, err)
	}
}

func TestWhatWasReadWithContentsIsNotShownToWhomItIsNotFor(t *testing.T) {
	b := &backend{}
	l := loaders.New(t.Context(), new(b.deps()), 1)
	l.KnowHydrated(hydrated())
	if got, err := l.Post(t.Context(), 1); got != nil || err != nil {
		t.Errorf("the content is %v, %v", got, err)
	}
}
