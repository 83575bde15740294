package lrucache_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// tallies is a store whose counters all equal the number of changes so far. It records the calls.
type tallies struct {
	feed.PostWriter
	feed.Follows
	changes int64
	asked   int
}

func (s *tallies) PostCounters(_ context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	s.asked++
	out := make([]feed.PostCounters, len(ids))
	for i := range out {
		out[i].Likes = s.changes
	}
	return out, nil
}

func (s *tallies) UserCounters(_ context.Context, ids []feed.UserID) ([]feed.UserCounters, error) {
	s.asked++
	out := make([]feed.UserCounters, len(ids))
	for i := range out {
		out[i].Posts = s.changes
	}
	return out, nil
}

func (s *tallies) Reactions(_ context.Context, _ feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	s.asked++
	return make([]feed.ViewerReactions, len(ids)), nil
}

func (s *tallies) change() error {
	s.changes++
	return nil
}

// Posts has post 2 only, a comment by user 1 on post 1.
func (s *tallies) Posts(_ context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	if ids[0] != 2 {
		return []*feed.Post{nil}, nil
	}
	return []*feed.Post{{ID: 2, Author: 1, Kind: feed.KindComment, ReplyTo: 1}}, nil
}

func (s *tallies) Publish(_ context.Context, p *feed.Post, _ feed.Idempotency, _ feed.FirstDispatch) (feed.Publication, error) {
	return feed.Publication{Post: p}, s.change()
}

func (s *tallies) Delete(context.Context, feed.PostID, int64) error { return s.change() }

func (s *tallies) React(context.Context, feed.Reaction, feed.UserID, feed.PostID, int64) error {
	return s.change()
}

func (s *tallies) Unreact(context.Context, feed.Reaction, feed.UserID, feed.PostID) error {
	return s.change()
}

func (s *tallies) Follow(context.Context, feed.UserID, feed.UserID, int64, int) error {
	return s.change()
}

func (s *tallies) Unfollow(context.Context, feed.UserID, feed.UserID) error { return s.change() }

// counterReader reads the counters of post 1 and user 1.
func counterReader(t *testing.T, c *lrucache.Counters) func() [2]int64 {
	return func() [2]int64 {
		t.Helper()
		posts, err := c.PostCounters(t.Context(), []feed.PostID{1})
		users, err2 := c.UserCounters(t.Context(), []feed.UserID{1})
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		return [2]int64{posts[0].Likes, users[0].Posts}
	}
}

// Changes by other processes arrive only through the database.
func TestCounters_AreAtMostASecondOld(t *testing.T) {
	store, clock := &tallies{}, newClock()
	read := counterReader(t, lrucache.NewCounters(store, roomy(), clock.Now))
	read()
	store.changes = 5
	clock.advance(time.Second - 1)
	if got := read(); got != [2]int64{0, 0} || store.asked != 2 {
		t.Errorf("within the second they are %v, after %d reads", got, store.asked)
	}
	clock.advance(1)
	fixture.Is(t, "the counters when it is over", read(), [2]int64{5, 5})
}

func TestCounters_ShowOwnChangesAtOnce(t *testing.T) {
	publish := func(p feed.Post) func(ctx context.Context, w feed.PostWriter, _ feed.Follows) error {
		return func(ctx context.Context, w feed.PostWriter, _ feed.Follows) error {
			_, err := w.Publish(ctx, &p, feed.Idempotency{}, feed.FirstDispatch{})
			return err
		}
	}
	for name, c := range map[string]struct {
		change       func(ctx context.Context, w feed.PostWriter, f feed.Follows) error
		posts, users int64
	}{
		"a like": {func(ctx context.Context, w feed.PostWriter, _ feed.Follows) error {
			return w.React(ctx, feed.ReactionLike, 9, 1, 0)
		}, 1, 0},
		"the end of a like": {func(ctx context.Context, w feed.PostWriter, _ feed.Follows) error {
			return w.Unreact(ctx, feed.ReactionLike, 9, 1)
		}, 1, 0},
		"a comment":                          {publish(feed.Post{ID: 2, Author: 1, ReplyTo: 1}), 1, 1},
		"a repost by another":                {publish(feed.Post{ID: 3, Author: 9, RepostOf: 1}), 1, 0},
		"the deletion of a comment":          {func(ctx context.Context, w feed.PostWriter, _ feed.Follows) error { return w.Delete(ctx, 2, 0) }, 1, 1},
		"the deletion of what is not stored": {func(ctx context.Context, w feed.PostWriter, _ feed.Follows) error { return w.Delete(ctx, 7, 0) }, 0, 0},
		"a follow":                           {func(ctx context.Context, _ feed.PostWriter, f feed.Follows) error { return f.Follow(ctx, 9, 1, 0, 10) }, 0, 1},
		"an unfollow":                        {func(ctx context.Context, _ feed.PostWriter, f feed.Follows) error { return f.Unfollow(ctx, 1, 9) }, 0, 1},
	} {
		store := &tallies{}
		counters := lrucache.NewCounters(store, roomy(), newClock().Now)
		read := counterReader(t, counters)
		read()
		if err := c.change(t.Context(), counters.PostWriter(store, store), counters.Follows(store)); err != nil {
			t.Fatal(err)
		}
		fixture.Is(t, "the counters after "+name, read(), [2]int64{c.posts, c.users})
	}
}

// The reactions of a viewer are private and always current.
func TestCounters_DoNotCacheReactions(t *testing.T) {
	store := &tallies{}
	c := lrucache.NewCounters(store, roomy(), newClock().Now)
	for range 3 {
		if _, err := c.Reactions(t.Context(), 1, []feed.PostID{1}); err != nil {
			t.Fatal(err)
		}
	}
	fixture.Is(t, "the calls of the store", store.asked, 3)
}
