package timeline_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// The reference query shows posts with pending pushes. A scroll that moved to an inbox would skip
// them, unless the build of the inbox read all of them.
func TestScroll_LeavesReferenceQueryForLaterBuildOnly(t *testing.T) {
	t.Run("it was built since", func(t *testing.T) {
		v := fixture.NewFollowing(t)
		v.Post(star, 1, 2, 3)
		v.Queue.Lose()
		first := v.Page(ann, 1, "")
		v.ReadFrom(ann, feed.SourceReference)
		v.BuildInbox(ann)
		fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
		v.ReadFrom(ann, feed.SourceInbox)
	})
	t.Run("its build began before, and ended since", func(t *testing.T) {
		v := fixture.NewFollowing(t)
		v.Post(star, 1)
		var first *feed.Page
		// Calls 0 to 4 read inbox, version, lease, flag and outboxes. The first page shows what
		// is published after them, and its push stays pending.
		happened := v.At(5, func() {
			v.Post(star, 2, 3)
			first = v.Page(ann, 1, "")
			v.Queue.Lose()
		})
		v.BuildInbox(ann)
		if !happened() || v.Header(ann).Count != 1 {
			t.Fatalf("the build did not run as intended: %+v", v.Header(ann))
		}
		fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
		v.ReadFrom(ann, feed.SourceReference)
	})
	t.Run("inboxes were unreachable, and it existed all the time", func(t *testing.T) {
		v := fixture.New(t)
		v.Cover(ann, star)
		v.Post(star, 1, 2, 3)
		v.Queue.Lose()
		v.Flaky.Down = true
		first := v.Page(ann, 1, "")
		v.Flaky.Down = false
		fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
		v.ReadFrom(ann, feed.SourceReference)
	})
}

// A read requests the build last. Otherwise the build would usually begin before the first page
// is read, and the scroll could never leave the reference query.
func TestScroll_RequestsBuildAfterFirstPage(t *testing.T) {
	v := fixture.NewCaching(t)
	v.Follow(ann, star)
	v.Post(star, 1)
	v.Queue.Lose()
	v.BeforeCall = func() {
		if v.Queue.Len() > 0 {
			t.Error("the build was requested before the read ended")
		}
	}
	v.Page(ann, 1, "")
	if v.BeforeCall = nil; v.Queue.Len() != 1 {
		t.Errorf("the queue is %v", v.Queue.Tasks())
	}
}

// The second page may find an inbox that covers an author that the first page pulled. Coverage is
// about pushes that are done, and the first page has shown more.
func TestScroll_KeepsPulledAuthorsOfFirstPage(t *testing.T) {
	for name, c := range map[string]struct{ before, cover func(v fixture.Service) }{
		"a reconciliation covers the author": {
			before: func(v fixture.Service) {},
			cover:  func(v fixture.Service) { v.Reconcile(ann) },
		},
		"a warm-up covers the author": {
			before: func(v fixture.Service) {
				v.Reconcile(ann)
				v.Flag(star, feed.FlagSelective)
				v.Clock.Advance(v.Policy.ActiveFor)
			},
			cover: func(v fixture.Service) { v.WarmUp(ann) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := fixture.New(t)
			v.BuildInbox(ann)
			v.Follow(ann, star)
			c.before(v)
			var first *feed.Page
			// Before the fifth and last call, which writes the header, the build has read the
			// outboxes. Pushes of later posts stay pending.
			happened := v.At(4, func() {
				v.Post(star, 1, 2, 3)
				v.Queue.Lose()
				first = v.Page(ann, 1, "")
			})
			c.cover(v)
			v.Happened(happened)
			v.ReadFrom(ann, feed.SourceInbox)
			fixture.Same(t, "the rest", v.Scroll(ann, first), 2, 1)
			fixture.Same(t, "another scroll, without the push", v.Home(ann))
		})
	}
}

// Below the floor of its first page, a scroll uses the reference query even if a new build has a
// lower floor.
func TestScroll_KeepsFloorOfFirstPage(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1, 2, 3, 4, 5, 6, 7, 8)
	v.BuildInbox(ann)
	v.WorkAll()
	first := v.Page(ann, 2, "")
	v.Delete(star, 4, 5, 6)
	v.LoseInbox(ann)
	happened := v.At(5, func() {
		past := v.Clock.Millis() - 6
		v.Publish(star, 9, publish.Draft{Text: "back-dated", PublishedAt: &past})
		v.Queue.Lose()
	})
	v.BuildInbox(ann)
	if in := v.Header(ann); !happened() || in.Floor != feed.Bottom {
		t.Fatalf("the new floor is not lower: %+v", in)
	}
	fixture.Same(t, "the rest", v.Scroll(ann, first), 3, 9, 2, 1)
	v.ReadFrom(ann, feed.SourceReference)
}

// unseen are the relations that keep star out of ann's feed.
func unseen() map[string]feed.RelationRecord {
	return map[string]feed.RelationRecord{
		"she mutes the author":      {Kind: feed.RelationMute, User: ann, Target: star},
		"she blocks the author":     {Kind: feed.RelationBlock, User: ann, Target: star},
		"the author hides from her": {Kind: feed.RelationHide, User: star, Target: ann},
		"the author blocks her":     {Kind: feed.RelationBlock, User: star, Target: ann},
	}
}

// uncovering are ways in which ann, who has an inbox and then follows star, comes to pull star.
func uncovering() map[string]func(v fixture.Service) {
	return map[string]func(v fixture.Service){
		"the author was followed since": func(fixture.Service) {},
		"the author is unpushed": func(v fixture.Service) {
			v.Flag(star, feed.FlagUnpushed)
			v.Reconcile(ann)
		},
		"the author is selective, and the inbox cold": func(v fixture.Service) {
			v.Reconcile(ann)
			v.Flag(star, feed.FlagSelective)
			v.EndLeases()
		},
	}
}

// starIsPulled lets ann, who has an inbox with 1 by bob, follow star, who publishes that many
// posts from 100 on, which are never pushed.
func starIsPulled(v fixture.Service, uncover func(v fixture.Service), posts int) {
	v.Follow(ann, bob)
	v.Post(bob, 1)
	v.BuildInbox(ann)
	v.Follow(ann, star)
	uncover(v)
	for id := range feed.PostID(posts) {
		v.Post(star, 100+id)
	}
	v.Queue.Lose()
}

// readsOf counts the reads of outboxes and posts.
type readsOf struct {
	feed.Outboxes
	posts    feed.Posts
	outboxes map[feed.UserID]int
	loaded   int
}

func (r *readsOf) Outbox(ctx context.Context, viewer feed.UserID, authors []feed.UserID, rg feed.Range) ([]feed.Key, error) {
	for _, a := range authors {
		r.outboxes[a]++
	}
	return r.Outboxes.Outbox(ctx, viewer, authors, rg)
}

func (r *readsOf) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	r.loaded += len(ids)
	return r.posts.Posts(ctx, ids)
}

// An outbox may be endless, and at the end of a feed all pulled outboxes are read to their end.
func TestPulled_LeavesOutHiddenAuthors(t *testing.T) {
	for why, uncover := range uncovering() {
		for how, relation := range unseen() {
			t.Run(why+", and "+how, func(t *testing.T) {
				v := fixture.New(t)
				starIsPulled(v, uncover, 100)
				fixture.Same(t, "her feed before", v.Home(ann)[:2], 199, 198)
				v.Must(v.SetRelation(t.Context(), relation, true))
				cache, direct, tl := *v.Cache, *v.Cache.Direct, *v.Timeline
				reads := &readsOf{Outboxes: direct.Outboxes, posts: direct.Posts, outboxes: map[feed.UserID]int{}}
				direct.Posts, direct.Outboxes, cache.Direct = reads, reads, &direct
				if tl.Outboxes, tl.Viewers = reads, &cache; feedtest.ViewerCacheOff() {
					tl.Viewers = &direct
				}
				page := fixture.Got(tl.Page(t.Context(), ann, feed.PageQuery{})).Must(t)
				fixture.Same(t, "her feed meanwhile", fixture.IDsOf(page), 1)
				n := fixture.Got(tl.NewCount(t.Context(), ann, page.Entries[0].Cursor, feed.HomeAuthors, feed.Filter{})).Must(t)
				if n != 0 || reads.outboxes[star] != 0 || reads.loaded > 1 {
					t.Errorf("NewCount is %d; the outbox was read %d times, and %d posts for a feed of one", n, reads.outboxes[star], reads.loaded)
				}
				v.ReadFrom(ann, feed.SourceInbox)
				v.Post(star, 2)
				v.Queue.Lose()
				v.Must(v.SetRelation(t.Context(), relation, false))
				fixture.Same(t, "her feed afterwards", v.Home(ann)[:3], 2, 199, 198)
			})
		}
	}
}

// interleaves runs actors in possible orders, when nothing is cached and when all is.
func interleaves(t *testing.T, name string, before func(v fixture.Service), actors func(v fixture.Service) []feedtest.Actor) {
	for when, reads := range map[string]int{"nothing is cached": 0, "all is cached": 1} {
		t.Run(name+", "+when, func(t *testing.T) {
			fixture.Interleaving{Mode: feed.FanoutHybrid, Actors: actors, Before: func(v fixture.Service) {
				before(v)
				for range reads {
					v.Home(ann)
				}
			}}.Run(t)
		})
	}
}

// Pulled authors are read again even if they were cached.
func TestInterleavings_PulledIncludesUnmutedAuthor(t *testing.T) {
	for how, relation := range unseen() {
		interleaves(t, how+" no more", func(v fixture.Service) {
			starIsPulled(v, uncovering()["the author is unpushed"], 1)
			v.Must(v.SetRelation(v.Context(), relation, true))
		}, func(v fixture.Service) []feedtest.Actor {
			ends := func() { v.Must(v.SetRelation(v.Context(), relation, false)) }
			return []feedtest.Actor{v.Reads(), v.Changes(ends, 100, true)}
		})
	}
}

// Flags that fall during a read raise the generation, so the inbox that the read began with no longer
// covers their authors.
func TestInterleavings_PulledKeepsAuthorsWhoseFlagsFall(t *testing.T) {
	for why, uncover := range uncovering() {
		interleaves(t, why, func(v fixture.Service) { starIsPulled(v, uncover, 1) }, func(v fixture.Service) []feedtest.Actor {
			read := func() {
				if got := v.Home(ann); !slices.Contains(got, 100) {
					v.Errorf("the feed is %v, want it with 100", got)
				}
			}
			fall := func() { fixture.Got(v.Flags.LowerFlags(v.Context(), math.MaxInt64)).Must(v) }
			return []feedtest.Actor{read, fall}
		})
	}
}

// Below its cursor, a scroll shows posts by the authors that are visible by then. Authors pulled
// by its first page are pulled again.
func TestScroll_PullsVisibleAuthorsOnEachPage(t *testing.T) {
	for why, uncover := range uncovering() {
		for how, relation := range unseen() {
			t.Run(why+", and "+how, func(t *testing.T) {
				v := fixture.New(t)
				starIsPulled(v, uncover, 4)
				v.Post(ann, 200)
				set := func(on bool) { v.Must(v.SetRelation(t.Context(), relation, on)) }
				first := v.Page(ann, 2, "")
				fixture.Same(t, "the first page", fixture.IDsOf(first), 200, 103)
				second := first.Entries[1].Cursor
				set(true)
				fixture.Same(t, "what is left meanwhile", fixture.IDsOf(v.Page(ann, 5, second)), 1)
				fromHere := v.Page(ann, 1, "")
				fixture.Same(t, "a scroll that begins meanwhile", fixture.IDsOf(fromHere), 200)
				set(false)
				v.Reconcile(ann)
				fixture.Same(t, "the second page", fixture.IDsOf(v.Page(ann, 2, second)), 102, 101)
				fixture.Same(t, "the rest of the other scroll", v.Scroll(ann, fromHere), 103, 102, 101, 100, 1)
			})
		}
	}
}
