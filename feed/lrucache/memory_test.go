package lrucache_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/viewercache"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

func TestViewers_EvictLeastRecentlyUsed(t *testing.T) {
	cost := costOfOne()
	for name, o := range map[string]lrucache.Options{
		"too many viewers": {Size: 2, Bytes: 1 << 20, TTL: time.Hour},
		"too many bytes":   {Size: 100, Bytes: 2*cost + 1, TTL: time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			m := lrucache.NewViewers(o)
			m.Put(1, &viewercache.Entry{})
			m.Put(2, &viewercache.Entry{})
			m.Get(1)
			m.Put(3, &viewercache.Entry{})
			if m.Get(2) != nil || m.Get(1) == nil || m.Get(3) == nil {
				t.Error("another entry was evicted")
			}
			if s := m.Stats(); s.Evictions != 1 || s.Entries != 2 || s.Bytes != 2*cost {
				t.Errorf("stats are %+v", s)
			}
		})
	}
}

// costOfOne returns the memory of an empty entry.
func costOfOne() int64 {
	m := lrucache.NewViewers(roomy())
	m.Put(1, &viewercache.Entry{})
	return m.Stats().Bytes
}

// If the entry of a viewer does not fit, the old one must be gone too.
func TestViewers_KeepNothingWithoutRoom(t *testing.T) {
	for _, o := range []lrucache.Options{{Bytes: 1 << 20, TTL: time.Hour}, {Size: 10, TTL: time.Hour}, {Size: 10, Bytes: 1 << 20}} {
		m := lrucache.NewViewers(o)
		m.Put(1, &viewercache.Entry{})
		if m.Get(1) != nil || m.Stats().Bytes != 0 || m.Keeps() {
			t.Errorf("with %+v something is kept, or Keeps is true", o)
		}
	}
	if !lrucache.NewViewers(roomy()).Keeps() {
		t.Error("Keeps is false for a cache with room")
	}
}

type countedIDs struct {
	feed.IDMap
	asked []feed.ExternalID
}

func (c *countedIDs) FindIDs(ctx context.Context, kind feed.IDKind, ids []feed.ExternalID) ([]int64, error) {
	c.asked = append(c.asked, ids...)
	return c.IDMap.FindIDs(ctx, kind, ids)
}

func TestIDs_AreReadOnce(t *testing.T) {
	inner := &countedIDs{IDMap: sqlitetest.New(t, time.Now)}
	ids := lrucache.NewIDs(inner, 10, time.Now)
	drawn, err := ids.DrawIDs(t.Context(), feed.UserIDs, []feed.NumberedID{{ID: "a", Number: 5}})
	if err != nil || drawn[0] != 5 {
		t.Fatal(drawn, err)
	}
	for range 2 {
		found, err := ids.FindIDs(t.Context(), feed.UserIDs, []feed.ExternalID{"a", "b"})
		if err != nil || !slices.Equal(found, []int64{5, 0}) {
			t.Errorf("got %v, %v, want 5 and 0", found, err)
		}
		if found, err := ids.FindIDs(t.Context(), feed.PostIDs, []feed.ExternalID{"a"}); err != nil || found[0] != 0 {
			t.Errorf("the post a has number %v, %v, want 0", found, err)
		}
	}
	fixture.Same(t, "the ids asked for; only ids that exist are cached", inner.asked, "a", "a", "b", "a", "b", "a")
}

func object(id int) feed.Object { return feed.Object{Type: feed.RecordUser, A: int64(id)} }

// A value expires, but may be used until keep is over, if that is later.
func TestContents_AgesFromTheRead(t *testing.T) {
	const ttl, day = time.Minute, 24 * time.Hour
	readAt := time.Unix(1, 0)
	for _, c := range []struct {
		keep, age    time.Duration
		fresh, found bool
	}{
		{time.Hour, ttl - 1, true, true},
		{time.Hour, ttl, false, true},
		{time.Hour, time.Hour - 1, false, true},
		{time.Hour, time.Hour, false, false},
		{0, ttl - 1, true, true},
		{0, ttl, false, false},
		{day, time.Hour, false, true},
	} {
		l := lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 9, Bytes: math.MaxInt64, TTL: ttl}, c.keep)
		l.Put(object(1), feed.Profile{Name: "one"}, readAt)
		value, fresh, found := l.Get(object(1), readAt.Add(c.age))
		if fresh != c.fresh || found != c.found || found != (value.Name == "one") {
			t.Errorf("kept for %s, after %s: %+v, fresh %t, found %t", c.keep, c.age, value, fresh, found)
		}
	}
}

func TestContents_KeepsNothingIfOff(t *testing.T) {
	now := time.Unix(1, 0)
	for _, o := range []lrucache.Options{{}, {Size: 9, TTL: time.Hour}, {Size: 9, Bytes: math.MaxInt64}, {Bytes: math.MaxInt64, TTL: time.Hour}} {
		l := lrucache.NewContents[feed.Object, feed.Profile](o, time.Hour)
		l.Put(object(1), feed.Profile{Name: "one"}, now)
		if _, _, found := l.Get(object(1), now); found {
			t.Errorf("with %+v a value is kept", o)
		}
	}
}

func TestContents_ExpireAndRemove(t *testing.T) {
	now := time.Unix(1, 0)
	l := lrucache.NewContents[feed.Object, feed.Profile](lrucache.Options{Size: 3, Bytes: math.MaxInt64, TTL: time.Minute}, time.Hour)
	for key := range 4 { // the first is pushed out
		l.Put(object(key), feed.Profile{}, now)
	}
	l.Expire(object(1), object(99))
	l.Remove(object(2))
	for key, want := range [][2]bool{{false, false}, {false, true}, {false, false}, {true, true}} {
		if _, fresh, found := l.Get(object(key), now); [2]bool{fresh, found} != want {
			t.Errorf("key %d: fresh %t, found %t", key, fresh, found)
		}
	}
	l.ExpireAll()
	if _, fresh, found := l.Get(object(3), now); fresh || !found {
		t.Errorf("after all: fresh %t, found %t", fresh, found)
	}
}

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

func (s *tallies) Follow(context.Context, feed.UserID, feed.UserID, int64, int, feed.FollowChoice) error {
	return s.change()
}

func (s *tallies) Unfollow(context.Context, feed.UserID, feed.UserID) error { return s.change() }

// counterReader reads the counters of post 1 and user 1.
func counterReader(t *testing.T, c *lrucache.Counters) func() [2]int64 {
	return func() [2]int64 {
		t.Helper()
		posts := fixture.Got(c.PostCounters(t.Context(), []feed.PostID{1})).Must(t)
		users := fixture.Got(c.UserCounters(t.Context(), []feed.UserID{1})).Must(t)
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
		"a follow": {func(ctx context.Context, _ feed.PostWriter, f feed.Follows) error {
			return f.Follow(ctx, 9, 1, 0, 10, feed.FollowChoice{})
		}, 0, 1},
		"an unfollow": {func(ctx context.Context, _ feed.PostWriter, f feed.Follows) error { return f.Unfollow(ctx, 1, 9) }, 0, 1},
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
		fixture.Got(c.Reactions(t.Context(), 1, []feed.PostID{1})).Must(t)
	}
	fixture.Is(t, "the calls of the store", store.asked, 3)
}
