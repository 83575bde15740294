package viewercache_test

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// looks is an actor that has the journal look.
func looks(v fixture.Service) feedtest.Actor {
	return func() { v.Must(v.Poller.Poll(v.Context())) }
}

// leases has a journal look until it has a lease. The first look only finds out where it is.
func leases(v fixture.Service, j *viewercache.Poller) {
	v.Helper()
	v.Must(j.Poll(v.Context()))
	v.Must(j.Poll(v.Context()))
}

// waits is an actor that changes something in one step, waits for leases as writers do in
// another, and then reads: a content is there, or is not, as it must be from now on.
func waits(v fixture.Service, change func(), id feed.ContentID, shown bool) feedtest.Actor {
	return v.Changes(func() {
		v.Atomically(change)
		v.Turn()
		v.Settle()
	}, id, shown)
}

// answering lets others have their turn while the answer about a stamp is on its way.
type answering struct {
	feed.Relations
	v fixture.Service
}

func (a answering) ViewerVersion(ctx context.Context, viewer feed.UserID) (feed.ViewerVersion, error) {
	stamp, err := a.Relations.ViewerVersion(ctx, viewer)
	a.v.Turn()
	return stamp, err
}

// journalled is a service whose journal has looked before everything that is known of ann.
func journalled(v fixture.Service) {
	v.Cache.Direct.Relations = answering{v.Cache.Direct.Relations, v}
	atHome(v)
	leases(v, v.Poller)
	v.Home(ann)
}

// Looks are under way, and what is read goes by the last one, while somebody changes
// something. When he returns, everybody sees it.
func TestInEveryOrderOfLooksReadsAndAChangeWhoeverReadsBehindItSeesIt(t *testing.T) {
	for name, c := range changesOfAnns() {
		t.Run(name, func(t *testing.T) {
			fixture.Scene{Mode: feed.FanoutHybrid, Cached: true, Before: journalled, Actors: func(v fixture.Service) []feedtest.Actor {
				return []feedtest.Actor{looks(v), v.Reads(), waits(v, func() { c.change(v) }, c.id, c.shown)}
			}}.Run(t, 100_000)
		})
	}
}

// A stamp that is on its way while a look tells of its change is none that later looks find
// unchanged.
func TestInEveryOrderOfTwoLooksAndAReadThatAsksTheSecondLookIsNotMisled(t *testing.T) {
	ended := func(v fixture.Service) {
		journalled(v)
		v.Settle()
	}
	fixture.Scene{Mode: feed.FanoutHybrid, Cached: true, Before: ended, Actors: func(v fixture.Service) []feedtest.Actor {
		return []feedtest.Actor{v.Reads(), func() {
			v.Atomically(func() { v.Relate(feed.RelationMute, ann, star) })
			v.Turn()
			v.Atomically(looks(v))
			v.Turn()
			v.Settle()
			v.Atomically(func() {
				looks(v)()
				fixture.Same(t, "the feed behind a mute", v.Home(ann), 2)
			})
		}}
	}}.Run(t, 100_000)
}

// The mark is committed before anybody is left out, and whoever sets it, or finds it set,
// waits: what is not pushed for it is pulled by every read from then on.
func TestInEveryOrderOfLooksReadsAndAPublishThatIsNotPushedTheNextReadShowsIt(t *testing.T) {
	for name, marked := range map[string]bool{"the first": false, "one while another sets the mark": true} {
		t.Run(name, func(t *testing.T) {
			fixture.Scene{Mode: feed.FanoutPush, Cached: true, Before: journalled, Actors: func(v fixture.Service) []feedtest.Actor {
				v.Fanout.Policy.Fanout = feed.FanoutPull
				actors := []feedtest.Actor{looks(v), func() {
					v.Publishes(star, 3)()
					v.Atomically(func() { fixture.Same(t, "the feed behind the fan-out", v.Home(ann), 3, 2, 1) })
				}}
				if marked {
					// It is killed before it has waited.
					actors = append(actors, func() { v.Must(v.Audience.Mark(v.Context(), star, feed.MarkUnpushed)) })
				} else {
					actors = append(actors, v.Reads())
				}
				return actors
			}}.Run(t, 100_000)
		})
	}
}

// settling is a store of contents whose deletions return when nobody goes by the stamps from
// before any more.
type settling struct {
	feed.Contents
	v fixture.Service
}

func (s settling) Delete(ctx context.Context, id feed.ContentID, at int64) error {
	err := s.Contents.Delete(ctx, id, at)
	s.v.Settle()
	return err
}

// A deletion is committed and has not returned, as when its process is killed, and is asked
// for again.
func TestADeletionThatIsFoundDoneReturnsWhenEverybodyKnowsOfIt(t *testing.T) {
	v := fixture.NewCaching(t)
	journalled(v)
	v.Publisher.Contents = settling{v.Publisher.Contents, v}
	v.Must(v.Backend.Contents.Delete(t.Context(), 2, 1))
	fixture.Same(t, "the feed by a lease", v.Home(ann), 2, 1)
	v.Delete(ann, 2)
	fixture.Same(t, "the feed behind the deletion", v.Home(ann), 1)
}

func TestAReadOfSomebodyWhoHasNotChangedAsksForNoStampUntilTheLeaseEnds(t *testing.T) {
	v := fixture.NewCaching(t)
	journalled(v)
	asks(v)
	wants(v, "under a lease")
	v.Cache.Local = feedtest.NewLocal()
	v.Cache.Poller = nil
	asks(v)
	v.Cache.Poller = v.Poller
	wants(v, "when nobody had looked before she was got to know", "stamp")
	wants(v, "when somebody has")
	v.Relate(feed.RelationMute, bob, star)
	v.Must(v.Poller.Poll(t.Context()))
	wants(v, "when another has changed")
	v.Settle()
	wants(v, "when the lease has ended", "stamp")
	v.Must(v.Poller.Poll(t.Context()))
	wants(v, "under another lease")
	v.Relate(feed.RelationMute, ann, bob)
	v.Must(v.Poller.Poll(t.Context()))
	wants(v, "when she has changed", "stamp", "edges", "pulled")
	wants(v, "when that is known")
	v.Must(v.Audience.Mark(t.Context(), moon, feed.MarkSelective))
	v.Must(v.Poller.Poll(t.Context()))
	wants(v, "after a mark", "pulled")
	v.Must(v.PulseLog.RaiseGeneration(t.Context()))
	v.BuildInbox(ann)
	v.Must(v.Poller.Poll(t.Context()))
	wants(v, "under a new generation", "stamp", "edges", "pulled", "outbox", "own contents")
	wants(v, "when that is known")
}
