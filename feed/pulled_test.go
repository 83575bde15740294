package feed_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

// unseen are the relations that keep star out of ann's feed.
func unseen() map[string]feed.RelationRecord {
	return map[string]feed.RelationRecord{
		"she mutes him":     {Kind: feed.RelationMute, User: ann, Target: star},
		"she blocks him":    {Kind: feed.RelationBlock, User: ann, Target: star},
		"he hides from her": {Kind: feed.RelationHide, User: star, Target: ann},
		"he blocks her":     {Kind: feed.RelationBlock, User: star, Target: ann},
	}
}

// uncovering are ways in which star comes to be pulled by ann, who has an inbox and follows
// him since.
func uncovering() map[string]func(v town) {
	return map[string]func(v town){
		"he was followed since": func(town) {},
		"he is unpushed":        func(v town) { v.must(v.Audience.Mark(v.Context(), star, feed.MarkUnpushed)); v.reconcile(ann) },
		"he is selective, and the inbox cold": func(v town) {
			v.reconcile(ann)
			v.must(v.Audience.Mark(v.Context(), star, feed.MarkSelective))
			v.lapse()
		},
	}
}

// starIsPulled lets ann, who has an inbox with 1 by bob, follow star, who publishes so many
// contents from 100 on that are never pushed.
func starIsPulled(v town, uncover func(v town), contents int) {
	v.follow(ann, bob)
	v.post(bob, 1)
	v.inbox(ann)
	v.follow(ann, star)
	uncover(v)
	for id := range feed.ContentID(contents) {
		v.post(star, 100+id)
	}
	v.Queue.Lose()
}

// readsOf is what reads take of outboxes and contents.
type readsOf struct {
	feed.Outboxes
	posts    feed.Posts
	outboxes map[feed.UserID]int
	contents int
}

func (r *readsOf) Outbox(ctx context.Context, authors []feed.UserID, rg feed.Range) ([]feed.Key, error) {
	for _, a := range authors {
		r.outboxes[a]++
	}
	return r.Outboxes.Outbox(ctx, authors, rg)
}

func (r *readsOf) Posts(ctx context.Context, ids []feed.ContentID) ([]*feed.Post, error) {
	r.contents += len(ids)
	return r.posts.Posts(ctx, ids)
}

// An outbox may be endless, and where a feed ends all that is pulled is read to its end.
func TestWhoIsPulledAndNotToBeSeenIsNotRead(t *testing.T) {
	for why, uncover := range uncovering() {
		for how, relation := range unseen() {
			t.Run(why+", and "+how, func(t *testing.T) {
				v := newTown(t)
				starIsPulled(v, uncover, 100)
				same(t, "her feed before", v.home(ann)[:2], 199, 198)
				v.must(v.SetRelation(t.Context(), relation, true))
				cache, direct, tl := *v.Cache, *v.Cache.Direct, *v.Timeline
				reads := &readsOf{Outboxes: direct.Outboxes, posts: direct.Posts, outboxes: map[feed.UserID]int{}}
				direct.Posts, direct.Outboxes, cache.Direct = reads, reads, &direct
				if tl.Outboxes, tl.Viewers = reads, &cache; feedtest.ViewerCacheOff() {
					tl.Viewers = &direct
				}
				page, err := tl.Page(t.Context(), ann, feed.HomeRef(), feed.PageQuery{})
				v.must(err)
				same(t, "her feed meanwhile", idsOf(page), 1)
				n, err := tl.NewCount(t.Context(), ann, feed.HomeRef(), page.Entries[0].Cursor, nil)
				v.must(err)
				if n != 0 || reads.outboxes[star] != 0 || reads.contents > 1 {
					t.Errorf("%d are new; his outbox is read %d times, and %d contents for a feed of one", n, reads.outboxes[star], reads.contents)
				}
				v.source(ann, feed.SourceInbox)
				v.post(star, 2)
				v.Queue.Lose()
				v.must(v.SetRelation(t.Context(), relation, false))
				same(t, "her feed afterwards", v.home(ann)[:3], 2, 199, 198)
			})
		}
	}
}

// Whatever is remembered of whom to pull, it is read anew.
func TestInEveryOrderOfReadsAndTheEndOfAMuteTheNextReadPulls(t *testing.T) {
	for how, relation := range unseen() {
		for when, reads := range map[string]int{"nothing is known": 0, "all is known": 1} {
			t.Run(how+" no more, "+when, func(t *testing.T) {
				scene{
					mode: feed.FanoutHybrid,
					before: func(v town) {
						starIsPulled(v, uncovering()["he is unpushed"], 1)
						v.must(v.SetRelation(v.Context(), relation, true))
						for range reads {
							v.home(ann)
						}
					},
					actors: func(v town) []feedtest.Actor {
						ends := func() { v.must(v.SetRelation(v.Context(), relation, false)) }
						return []feedtest.Actor{v.reads(), v.changes(ends, 100, true)}
					},
				}.runs(t, 100_000)
			})
		}
	}
}

// A scroll shows, below its cursor, what those have published who may be seen by then, and
// who was pulled at its first page is pulled again.
func TestAScrollPullsWhomItMaySeeAtEachOfItsPages(t *testing.T) {
	for why, uncover := range uncovering() {
		for how, relation := range unseen() {
			t.Run(why+", and "+how, func(t *testing.T) {
				v := newTown(t)
				starIsPulled(v, uncover, 4)
				v.post(ann, 200)
				set := func(on bool) { v.must(v.SetRelation(t.Context(), relation, on)) }
				first := v.page(ann, 2, "")
				same(t, "the first page", idsOf(first), 200, 103)
				second := first.Entries[1].Cursor
				set(true)
				same(t, "what is left meanwhile", idsOf(v.page(ann, 5, second)), 1)
				fromHere := v.page(ann, 1, "")
				same(t, "a scroll that begins meanwhile", idsOf(fromHere), 200)
				set(false)
				v.reconcile(ann)
				same(t, "the second page", idsOf(v.page(ann, 2, second)), 102, 101)
				same(t, "the rest of the other scroll", v.scroll(ann, fromHere), 103, 102, 101, 100, 1)
			})
		}
	}
}
