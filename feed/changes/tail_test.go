package changes_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// keptFollowees are never dropped.
type keptFollowees map[feed.UserID]*changes.Followees

func (k keptFollowees) Get(viewer feed.UserID) *changes.Followees    { return k[viewer] }
func (k keptFollowees) Put(viewer feed.UserID, f *changes.Followees) { k[viewer] = f }

// countedRelations counts reads of followees.
type countedRelations struct {
	feed.Relations
	reads int
}

func (l *countedRelations) Followees(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	l.reads++
	return l.Relations.Followees(ctx, viewer)
}

// tailed is a world with a tail of its log.
type tailed struct {
	world
	relations *countedRelations
	follower  *changes.Follower
	tail      *changes.Tail
}

func newTailed(t *testing.T, rowsMax int) *tailed {
	w := newWorld(t)
	relations := &countedRelations{Relations: w}
	x := &tailed{
		world: w, relations: relations, follower: &changes.Follower{Log: w, Cache: &cache{}},
		tail: &changes.Tail{Log: w, Relations: relations, Followees: keptFollowees{}, RowsMax: rowsMax},
	}
	x.follower.Observe(x.tail)
	return x
}

func (x *tailed) last() feed.ChangePlace {
	x.t.Helper()
	return fixture.Got(x.LastChange(x.t.Context())).Must(x.t)
}

// reads returns how many rows the tail has for user 2 since a place; -1 if it may lack some. It fails
// the test unless they are those of the log.
func (x *tailed) reads(since feed.ChangePlace, limit int) int {
	x.t.Helper()
	rows, next, ok, err := x.tail.HomeChanges(x.t.Context(), 2, since, limit)
	x.must(err)
	if !ok {
		return -1
	}
	want, wantNext, err := x.HomeChanges(x.t.Context(), 2, since, limit)
	x.must(err)
	// After a full page, the place may be that of its last row, or one later.
	if !slices.Equal(rows, want) || next != wantNext && (len(want) < limit || !slices.Equal(x.after(next), x.after(wantNext))) {
		x.t.Errorf("since %v the tail has %v up to %v, want %v up to %v", since, rows, next, want, wantNext)
	}
	return len(rows)
}

// after returns the rows of the log for user 2 after a place.
func (x *tailed) after(place feed.ChangePlace) []feed.Change {
	x.t.Helper()
	rows, _, err := x.HomeChanges(x.t.Context(), 2, place, 1000)
	x.must(err)
	return rows
}

// has fails the test unless the tail has n rows for user 2 since a place.
func (x *tailed) has(n int, since feed.ChangePlace, when string) {
	x.t.Helper()
	fixture.Is(x.t, "rows "+when, x.reads(since, 9), n)
}

func TestTail_HasRowsOfFollowees(t *testing.T) {
	x := newTailed(t, 100)
	x.must(x.Follow(t.Context(), 2, 1, 1, 9, feed.FollowChoice{}))
	x.publish(7)
	catchUp(t, x.follower)
	since := x.last()
	x.has(0, since, "in the beginning")
	x.edit(7)
	x.has(-1, since, "before the follower has read the edit")
	catchUp(t, x.follower)
	x.has(1, since, "after an edit")
	x.must(x.Unfollow(t.Context(), 2, 1))
	x.edit(7)
	catchUp(t, x.follower)
	x.has(1, since, "after an unfollow")
	fixture.Is(t, "reads of followees, before and after the unfollow", x.relations.reads, 2)
}

func TestTail_LacksRowsBeforeTheOldest(t *testing.T) {
	x := newTailed(t, 2)
	x.publish(7)
	catchUp(t, x.follower)
	since := x.last()
	for range 2 {
		x.edit(7)
		catchUp(t, x.follower)
	}
	x.has(0, since, "since the first")
	x.edit(7)
	catchUp(t, x.follower)
	x.has(-1, since, "although one was dropped")
	since = x.last()
	x.must(x.RaiseGeneration(t.Context()))
	catchUp(t, x.follower)
	x.has(-1, since, "before a reset")
	since = x.last()
	x.must(x.NewEpoch(t.Context()))
	catchUp(t, x.follower)
	x.has(-1, since, "of another epoch")
}

// In random histories, what the tail has is what the log has.
func TestTail_EqualsLog(t *testing.T) {
	answered, found := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		x := newTailed(t, rapid.IntRange(1, 30).Draw(rt, "rows"))
		places := []feed.ChangePlace{x.last()}
		note := func(n int) {
			if n >= 0 {
				answered++
				found += n
			}
		}
		next := feed.PostID(0)
		user := func() feed.UserID { return feed.UserID(rapid.IntRange(1, 2).Draw(rt, "user")) }
		rt.Repeat(map[string]func(*rapid.T){
			"publish":  func(*rapid.T) { next++; x.publish(next) },
			"edit":     func(*rapid.T) { next++; x.publish(next); x.edit(next) },
			"rename":   func(*rapid.T) { x.rename(user()) },
			"follow":   func(*rapid.T) { x.must(x.Follow(t.Context(), 2, 1, 1, 9, feed.FollowChoice{})) },
			"unfollow": func(*rapid.T) { x.must(x.Unfollow(t.Context(), 2, 1)) },
			"absence": func(*rapid.T) {
				for _, absent := range []bool{true, false} {
					x.must(x.SetAbsent(t.Context(), []feed.UserID{1}, absent))
				}
			},
			"catch up": func(*rapid.T) { catchUp(t, x.follower) },
			"place":    func(*rapid.T) { places = append(places, x.last()) },
			"read": func(rt *rapid.T) {
				note(x.reads(rapid.SampledFrom(places).Draw(rt, "since"), rapid.IntRange(1, 9).Draw(rt, "limit")))
			},
		})
	})
	if !testing.Short() && (answered == 0 || found == 0) {
		t.Errorf("the tail answered %d reads with %d rows", answered, found)
	}
}

// Another process may have the post as deleted.
func TestCatchUp_EvictsRestoredPosts(t *testing.T) {
	w, c := newWorld(t), &cache{}
	f := &changes.Follower{Log: w, Cache: c}
	catchUp(t, f)
	for _, state := range []struct {
		name      string
		deletedAt int64
	}{{"arrival", 0}, {"deletion", 2}, {"return", 0}} {
		c.done = nil
		post := &feed.Post{ID: 7, Author: 1, Kind: feed.KindPost, Text: "x", PublishedAt: 1, DeletedAt: state.deletedAt}
		fixture.Got(w.Ingest(t.Context(), feed.SourceBatch{Source: "shop", Batch: feed.Batch{
			Records: []feed.Record{{Line: 1, Post: post}}, Owned: feed.OwnedTypes(), Ordered: true,
		}})).Must(t)
		catchUp(t, f)
		c.takes(t, "the "+state.name, "posts [7] users []")
	}
}
