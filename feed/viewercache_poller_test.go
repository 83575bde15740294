package feed_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// looks is an actor that has the journal look.
func (v town) looks() feedtest.Actor {
	return func() { v.must(v.Poller.Poll(v.Context())) }
}

// leases has a journal look until it has a lease. The first look only finds out where it is.
func (v town) leases(j *viewercache.Poller) {
	v.Helper()
	v.must(j.Poll(v.Context()))
	v.must(j.Poll(v.Context()))
}

// waits is an actor that changes something in one step, waits for leases as writers do in
// another, and then reads: a content is there, or is not, as it must be from now on.
func (v town) waits(change func(), id feed.ContentID, shown bool) feedtest.Actor {
	return v.changes(func() {
		v.Atomically(change)
		v.Turn()
		v.Settle()
	}, id, shown)
}

// answering lets others have their turn while the answer about a stamp is on its way.
type answering struct {
	feed.Relations
	v town
}

func (a answering) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	stamp, err := a.Relations.ViewerVersion(ctx, viewer)
	a.v.Turn()
	return stamp, err
}

// journalled is a town whose journal has looked before everything that is known of ann.
func journalled(v town) {
	v.Cache.Direct.Relations = answering{v.Cache.Direct.Relations, v}
	atHome(v)
	v.leases(v.Poller)
	v.home(ann)
}

// Looks are under way, and what is read goes by the last one, while somebody changes
// something. When he returns, everybody sees it.
func TestInEveryOrderOfLooksReadsAndAChangeWhoeverReadsBehindItSeesIt(t *testing.T) {
	for name, c := range changesOfAnns() {
		t.Run(name, func(t *testing.T) {
			scene{mode: feed.FanoutHybrid, cached: true, before: journalled, actors: func(v town) []feedtest.Actor {
				return []feedtest.Actor{v.looks(), v.reads(), v.waits(func() { c.change(v) }, c.id, c.shown)}
			}}.runs(t, 100_000)
		})
	}
}

// A stamp that is on its way while a look tells of its change is none that later looks find
// unchanged.
func TestInEveryOrderOfTwoLooksAndAReadThatAsksTheSecondLookIsNotMisled(t *testing.T) {
	ended := func(v town) {
		journalled(v)
		v.Settle()
	}
	scene{mode: feed.FanoutHybrid, cached: true, before: ended, actors: func(v town) []feedtest.Actor {
		return []feedtest.Actor{v.reads(), func() {
			v.Atomically(func() { v.relate(feed.RelationMute, ann, star) })
			v.Turn()
			v.Atomically(v.looks())
			v.Turn()
			v.Settle()
			v.Atomically(func() {
				v.looks()()
				same(t, "the feed behind a mute", v.home(ann), 2)
			})
		}}
	}}.runs(t, 100_000)
}

// The mark is committed before anybody is left out, and whoever sets it, or finds it set,
// waits: what is not pushed for it is pulled by every read from then on.
func TestInEveryOrderOfLooksReadsAndAPublishThatIsNotPushedTheNextReadShowsIt(t *testing.T) {
	for name, marked := range map[string]bool{"the first": false, "one while another sets the mark": true} {
		t.Run(name, func(t *testing.T) {
			scene{mode: feed.FanoutPush, cached: true, before: journalled, actors: func(v town) []feedtest.Actor {
				v.Fanout.Policy.Fanout = feed.FanoutPull
				actors := []feedtest.Actor{v.looks(), func() {
					v.publishes(star, 3)()
					v.Atomically(func() { same(t, "the feed behind the fan-out", v.home(ann), 3, 2, 1) })
				}}
				if marked {
					// It is killed before it has waited.
					actors = append(actors, func() { v.must(v.Audience.Mark(v.Context(), star, feed.MarkUnpushed)) })
				} else {
					actors = append(actors, v.reads())
				}
				return actors
			}}.runs(t, 100_000)
		})
	}
}

// settling is a store of contents whose deletions return when nobody goes by the stamps from
// before any more.
type settling struct {
	feed.Contents
	v town
}

func (s settling) Delete(ctx context.Context, id feed.ContentID, at int64) error {
	err := s.Contents.Delete(ctx, id, at)
	s.v.Settle()
	return err
}

// A deletion is committed and has not returned, as when its process is killed, and is asked
// for again.
func TestADeletionThatIsFoundDoneReturnsWhenEverybodyKnowsOfIt(t *testing.T) {
	v := newCachingTown(t)
	journalled(v)
	v.Publisher.Contents = settling{v.Publisher.Contents, v}
	v.must(v.Backend.Contents.Delete(t.Context(), 2, 1))
	same(t, "the feed by a lease", v.home(ann), 2, 1)
	v.delete(ann, 2)
	same(t, "the feed behind the deletion", v.home(ann), 1)
}

func TestAReadOfSomebodyWhoHasNotChangedAsksForNoStampUntilTheLeaseEnds(t *testing.T) {
	v := newCachingTown(t)
	journalled(v)
	v.asks()
	v.wants("under a lease")
	v.Cache.Local = feedtest.NewLocal()
	v.Cache.Poller = nil
	v.asks()
	v.Cache.Poller = v.Poller
	v.wants("when nobody had looked before she was got to know", "stamp")
	v.wants("when somebody has")
	v.relate(feed.RelationMute, bob, star)
	v.must(v.Poller.Poll(t.Context()))
	v.wants("when another has changed")
	v.Settle()
	v.wants("when the lease has ended", "stamp")
	v.must(v.Poller.Poll(t.Context()))
	v.wants("under another lease")
	v.relate(feed.RelationMute, ann, bob)
	v.must(v.Poller.Poll(t.Context()))
	v.wants("when she has changed", "stamp", "edges", "pulled")
	v.wants("when that is known")
	v.must(v.Audience.Mark(t.Context(), moon, feed.MarkSelective))
	v.must(v.Poller.Poll(t.Context()))
	v.wants("after a mark", "pulled")
	v.must(v.PulseLog.RaiseGeneration(t.Context()))
	v.inbox(ann)
	v.must(v.Poller.Poll(t.Context()))
	v.wants("under a new generation", "stamp", "edges", "pulled", "outbox", "own contents")
	v.wants("when that is known")
}
