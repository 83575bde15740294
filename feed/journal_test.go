package feed_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

// looks is an actor that has the journal look.
func (v town) looks() feedtest.Actor {
	return func() { v.must(v.Journal.Look(v.Context())) }
}

// leases has a journal look until it has a lease. The first look only finds out where it is.
func (v town) leases(j *feed.Journal) {
	v.Helper()
	v.must(j.Look(v.Context()))
	v.must(j.Look(v.Context()))
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

func (a answering) Stamp(ctx context.Context, viewer feed.UserID) (feed.Stamp, error) {
	stamp, err := a.Relations.Stamp(ctx, viewer)
	a.v.Turn()
	return stamp, err
}

// journalled is a town whose journal has looked before everything that is known of ann.
func journalled(v town) {
	v.Timeline.Relations = answering{v.Timeline.Relations, v}
	atHome(v)
	v.leases(v.Journal)
	v.home(ann)
}

// Looks are under way, and what is read goes by the last one, while somebody changes
// something. When he returns, everybody sees it.
func TestInEveryOrderOfLooksReadsAndAChangeWhoeverReadsBehindItSeesIt(t *testing.T) {
	for name, c := range changesOfAnns() {
		t.Run(name, func(t *testing.T) {
			scene{mode: feed.FanoutHybrid, before: journalled, actors: func(v town) []feedtest.Actor {
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
	scene{mode: feed.FanoutHybrid, before: ended, actors: func(v town) []feedtest.Actor {
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
			scene{mode: feed.FanoutPush, before: journalled, actors: func(v town) []feedtest.Actor {
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
	v := newTown(t)
	journalled(v)
	v.Publisher.Contents = settling{v.Publisher.Contents, v}
	v.must(v.Backend.Contents.Delete(t.Context(), 2, 1))
	same(t, "the feed by a lease", v.home(ann), 2, 1)
	v.delete(ann, 2)
	same(t, "the feed behind the deletion", v.home(ann), 1)
}

func TestAReadOfSomebodyWhoHasNotChangedAsksForNoStampUntilTheLeaseEnds(t *testing.T) {
	v := newTown(t)
	journalled(v)
	v.asks()
	v.wants("under a lease")
	v.Timeline.Memory = feedtest.NewMemory()
	v.Timeline.Journal = nil
	v.asks()
	v.Timeline.Journal = v.Journal
	v.wants("when nobody had looked before she was got to know", "stamp")
	v.wants("when somebody has")
	v.relate(feed.RelationMute, bob, star)
	v.must(v.Journal.Look(t.Context()))
	v.wants("when another has changed")
	v.Settle()
	v.wants("when the lease has ended", "stamp")
	v.must(v.Journal.Look(t.Context()))
	v.wants("under another lease")
	v.relate(feed.RelationMute, ann, bob)
	v.must(v.Journal.Look(t.Context()))
	v.wants("when she has changed", "stamp", "edges", "pulled")
	v.wants("when that is known")
	v.must(v.Audience.Mark(t.Context(), moon, feed.MarkSelective))
	v.must(v.Journal.Look(t.Context()))
	v.wants("after a mark", "pulled")
	v.must(v.PulseLog.RaiseGeneration(t.Context()))
	v.inbox(ann)
	v.must(v.Journal.Look(t.Context()))
	v.wants("under a new generation", "stamp", "edges", "pulled", "outbox", "own contents", "profile")
	v.wants("when that is known")
}

// script is a [feed.ChangeLog] whose answers a test gives.
type script struct {
	look  feed.Look
	err   error
	since []string
	holds int
	// holding and looking are what happens while writers are told to wait, and while a look is
	// under way.
	holding, looking func()
}

func (s *script) Look(_ context.Context, since string) (feed.Look, error) {
	s.since = append(s.since, since)
	s.looking()
	return s.look, s.err
}

func (s *script) Hold(context.Context) error {
	s.holds++
	s.holding()
	return s.err
}

// desk is a journal with a log and a clock of the test's.
type desk struct {
	*testing.T
	*script
	j     *feed.Journal
	at    time.Duration
	later []func(context.Context)
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, script: &script{look: feed.Look{Position: "1", Whole: true}, holding: func() {}, looking: func() {}}}
	d.j = &feed.Journal{
		Log: d.script, Clock: func() time.Time { return time.Unix(1, 0).Add(d.at) },
		Later: func(do func(context.Context)) { d.later = append(d.later, do) },
	}
	return d
}

func (d *desk) looks() {
	if err := d.j.Look(d.Context()); err != nil {
		d.Helper()
		d.Fatal(err)
	}
}

// knows fails the test unless the journal knows of ann, as of where seen says, that nothing
// has changed, or does not.
func (d *desk) knows(when string, seen int64, want bool) {
	if _, known := d.j.Unchanged(ann, seen); known != want {
		d.Helper()
		d.Errorf("%s the journal knows that nothing has changed: %v", when, known)
	}
}

func TestAJournalKnowsNothingOfWhatWasReadBeforeItsFirstLook(t *testing.T) {
	d := newDesk(t)
	d.knows("before the first look", d.j.Seen(), false)
	before := d.j.Seen()
	d.looks()
	d.knows("of what was read before it", before, false)
	d.knows("of what was read behind it", d.j.Seen(), true)
	var none *feed.Journal
	if _, known := none.Unchanged(ann, none.Seen()); known {
		t.Error("no journal knows something")
	}
}

func TestALeaseLastsFromTheBeginningOfALook(t *testing.T) {
	d := newDesk(t)
	d.looks()
	d.look.Now = 7000
	d.looks()
	seen := d.j.Seen()
	d.at += feed.StampLease - time.Nanosecond
	if sight, known := d.j.Unchanged(ann, seen); !known || sight.Now != 7000+feed.StampLease.Milliseconds()-1 {
		t.Errorf("before its end the lease has %+v, %v", sight, known)
	}
	d.at++
	d.knows("when the lease has ended", seen, false)
	d.looks()
	d.knows("with another", seen, true)
}

func TestAJournalBeginsAnewWhenItMayHaveMissedSomething(t *testing.T) {
	for name, happens := range map[string]func(d *desk){
		"a look that is not whole": func(d *desk) { d.look.Whole = false },
		"a new generation":         func(d *desk) { d.look.Generation++ },
		"a hundred thousand changes": func(d *desk) {
			for id := feed.UserID(10); len(d.look.Changed) <= 100_000; id++ {
				d.look.Changed = append(d.look.Changed, id)
			}
			d.looks()
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.looks()
			seen := d.j.Seen()
			happens(d)
			d.looks()
			d.knows("of what was read before", seen, false)
			seen = d.j.Seen()
			d.look.Whole = true
			d.looks()
			d.knows("of what was read behind it", seen, true)
		})
	}
}

func TestAJournalGoesOnFromItsLastLookUnlessThatWasLongAgo(t *testing.T) {
	d := newDesk(t)
	d.looks()
	d.look.Position = "2"
	d.looks()
	d.err = errors.New("away")
	if d.j.Look(t.Context()) == nil {
		t.Error("a look succeeds when the log fails")
	}
	d.err = nil
	d.looks()
	d.at += feed.ChangesKeptFor / 2
	d.looks()
	d.at += feed.ChangesKeptFor/2 + 1
	d.looks()
	same(t, "the positions", d.since, "", "1", "2", "2", "2", "")
}

func TestAJournalGoesByLeasesNoLongerThanWritersWaitForThem(t *testing.T) {
	d := newDesk(t)
	d.looks()
	d.looks()
	if d.holds != 1 {
		t.Errorf("two looks one behind the other told writers %d times to wait", d.holds)
	}
	d.at += feed.HoldFor/2 + 1
	d.looks()
	d.looks()
	if d.holds != 2 {
		t.Errorf("when half of their time was over, writers were told %d times to wait", d.holds)
	}
	d.at += feed.HoldFor/2 + 1
	looks := len(d.since)
	d.err = errors.New("away")
	if d.j.Look(t.Context()) == nil || len(d.since) != looks {
		t.Error("the journal looks when writers cannot be told to wait")
	}
	d.knows("then", d.j.Seen(), false)
}

// A replica that has taken over may lack the row by which writers wait. It shows in a look
// that is not whole.
func TestAJournalHasWritersWaitAnewWhereItsLookMayBeTheFirst(t *testing.T) {
	d := newDesk(t)
	d.look.Whole = false
	d.looks()
	d.knows("by a first look, though writers wait on some server", d.j.Seen(), false)
	d.look.Whole = true
	d.looks()
	d.knows("by a second one", d.j.Seen(), true)
	d.looks()
	if d.holds != 2 {
		t.Errorf("for three looks at a server writers were told %d times to wait, want before each of the first two", d.holds)
	}
	d.look.Whole = false
	d.looks()
	seen := d.j.Seen()
	d.knows("by a look at another server", seen, false)
	d.err = errors.New("away")
	if looks := len(d.since); d.j.Look(t.Context()) == nil || len(d.since) != looks {
		t.Error("the journal looks when writers cannot be told to wait on the other server")
	}
	d.err, d.look.Whole = nil, true
	d.looking = func() { d.knows("by the look from before writers wait", seen, false) }
	d.looks()
	d.knows("when they do", seen, true)
}

func TestALookThatIsBegunWhenWritersWaitNoLongerGivesNoLease(t *testing.T) {
	for halts, leases := range map[time.Duration]bool{feed.HoldFor - 1: true, feed.HoldFor: false, time.Hour: false} {
		d := newDesk(t)
		d.holding = func() { d.at += halts }
		d.looks()
		d.knows("a process that halts for "+halts.String()+" before it looks", d.j.Seen(), leases)
		d.holding = func() {}
		d.looks()
		d.knows("by its next look", d.j.Seen(), true)
	}
}

// asks asks n times in a second.
func (d *desk) asks(n int) {
	for range n {
		d.at += time.Second / time.Duration(n)
		d.j.Unchanged(ann, 1)
	}
}

// While a transaction lasts for minutes, each look would pass over everything since.
func TestAJournalRestsWhenTooMuchHasChanged(t *testing.T) {
	d := newDesk(t)
	d.look.Whole = false
	d.looks() // the first look never is
	d.asks(1000)
	if len(d.later) != 1 {
		t.Fatalf("behind the first look %d are to be done", len(d.later))
	}
	d.later[0](t.Context())
	d.asks(999)
	if len(d.later) != 1 {
		t.Error("the journal looks again at once when too much has changed")
	}
	d.asks(999)
	if len(d.later) != 2 {
		t.Errorf("a second later %d looks are to be done in all", len(d.later))
	}
}

func TestAJournalLooksByItselfWhileManyAsk(t *testing.T) {
	d := newDesk(t)
	d.asks(300)
	if len(d.later) > 0 {
		t.Fatal("a journal that is asked three hundred times a second looks")
	}
	d.asks(1000)
	if len(d.later) != 1 {
		t.Fatalf("there are %d looks to be done at once", len(d.later))
	}
	d.later[0](t.Context())
	d.knows("behind the look", d.j.Seen(), true)
	d.at += feed.StampLease / 2
	d.knows("in the middle of the lease", d.j.Seen(), true)
	if len(d.later) != 2 {
		t.Fatalf("in the middle of a lease there were %d looks", len(d.later))
	}
	d.err = errors.New("away")
	failed := 0
	d.j.Trace.LookFailed = func(error) { failed++ }
	d.later[1](t.Context())
	d.asks(1000)
	if failed != 1 || len(d.later) != 3 {
		t.Errorf("%d looks failed, and %d were begun", failed, len(d.later))
	}
	d.err = nil
	d.later[2](t.Context())
	d.asks(300)
	if len(d.later) == 3 {
		t.Error("a journal that is asked a little less often gives up")
	}
	d.later[3](t.Context())
	d.asks(10)
	n := len(d.later)
	d.asks(10)
	if len(d.later) != n {
		t.Error("a journal that is hardly asked looks")
	}
}
