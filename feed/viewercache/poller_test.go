package viewercache_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// script is a [feed.ChangeLog] whose answers a test gives.
type script struct {
	look  feed.Poll
	err   error
	since []string
	holds int
	// holding and looking are what happens while writers are told to wait, and while a look is
	// under way.
	holding, looking func()
}

func (s *script) Poll(_ context.Context, since string) (feed.Poll, error) {
	s.since = append(s.since, since)
	s.looking()
	return s.look, s.err
}

func (s *script) HoldWriters(context.Context) error {
	s.holds++
	s.holding()
	return s.err
}

// desk is a journal with a log and a clock of the test's.
type desk struct {
	*testing.T
	*script
	j     *viewercache.Poller
	at    time.Duration
	later []func(context.Context)
}

func newDesk(t *testing.T) *desk {
	d := &desk{T: t, script: &script{look: feed.Poll{Position: "1", Whole: true}, holding: func() {}, looking: func() {}}}
	d.j = &viewercache.Poller{
		Log: d.script, Clock: func() time.Time { return time.Unix(1, 0).Add(d.at) },
		Async: func(do func(context.Context)) { d.later = append(d.later, do) },
	}
	return d
}

func (d *desk) looks() {
	if err := d.j.Poll(d.Context()); err != nil {
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
	d.knows("before the first look", d.j.Round(), false)
	before := d.j.Round()
	d.looks()
	d.knows("of what was read before it", before, false)
	d.knows("of what was read behind it", d.j.Round(), true)
	var none *viewercache.Poller
	if _, known := none.Unchanged(ann, none.Round()); known {
		t.Error("no journal knows something")
	}
}

func TestALeaseLastsFromTheBeginningOfALook(t *testing.T) {
	d := newDesk(t)
	d.looks()
	d.look.Now = 7000
	d.looks()
	seen := d.j.Round()
	d.at += feed.VersionLease - time.Nanosecond
	if sight, known := d.j.Unchanged(ann, seen); !known || sight.Now != 7000+feed.VersionLease.Milliseconds()-1 {
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
			seen := d.j.Round()
			happens(d)
			d.looks()
			d.knows("of what was read before", seen, false)
			seen = d.j.Round()
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
	if d.j.Poll(t.Context()) == nil {
		t.Error("a look succeeds when the log fails")
	}
	d.err = nil
	d.looks()
	d.at += feed.ChangesKeptFor / 2
	d.looks()
	d.at += feed.ChangesKeptFor/2 + 1
	d.looks()
	if want := []string{"", "1", "2", "2", "2", ""}; !slices.Equal(d.since, want) {
		t.Errorf("the positions are %q, want %q", d.since, want)
	}
}

func TestAJournalGoesByLeasesNoLongerThanWritersWaitForThem(t *testing.T) {
	d := newDesk(t)
	d.looks()
	d.looks()
	if d.holds != 1 {
		t.Errorf("two looks one behind the other told writers %d times to wait", d.holds)
	}
	d.at += feed.LeasesHoldFor/2 + 1
	d.looks()
	d.looks()
	if d.holds != 2 {
		t.Errorf("when half of their time was over, writers were told %d times to wait", d.holds)
	}
	d.at += feed.LeasesHoldFor/2 + 1
	looks := len(d.since)
	d.err = errors.New("away")
	if d.j.Poll(t.Context()) == nil || len(d.since) != looks {
		t.Error("the journal looks when writers cannot be told to wait")
	}
	d.knows("then", d.j.Round(), false)
}

// A replica that has taken over may lack the row by which writers wait. It shows in a look
// that is not whole.
func TestAJournalHasWritersWaitAnewWhereItsLookMayBeTheFirst(t *testing.T) {
	d := newDesk(t)
	d.look.Whole = false
	d.looks()
	d.knows("by a first look, though writers wait on some server", d.j.Round(), false)
	d.look.Whole = true
	d.looks()
	d.knows("by a second one", d.j.Round(), true)
	d.looks()
	if d.holds != 2 {
		t.Errorf("for three looks at a server writers were told %d times to wait, want before each of the first two", d.holds)
	}
	d.look.Whole = false
	d.looks()
	seen := d.j.Round()
	d.knows("by a look at another server", seen, false)
	d.err = errors.New("away")
	if looks := len(d.since); d.j.Poll(t.Context()) == nil || len(d.since) != looks {
		t.Error("the journal looks when writers cannot be told to wait on the other server")
	}
	d.err, d.look.Whole = nil, true
	d.looking = func() { d.knows("by the look from before writers wait", seen, false) }
	d.looks()
	d.knows("when they do", seen, true)
}

func TestALookThatIsBegunWhenWritersWaitNoLongerGivesNoLease(t *testing.T) {
	for halts, leases := range map[time.Duration]bool{feed.LeasesHoldFor - 1: true, feed.LeasesHoldFor: false, time.Hour: false} {
		d := newDesk(t)
		d.holding = func() { d.at += halts }
		d.looks()
		d.knows("a process that halts for "+halts.String()+" before it looks", d.j.Round(), leases)
		d.holding = func() {}
		d.looks()
		d.knows("by its next look", d.j.Round(), true)
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
	d.knows("behind the look", d.j.Round(), true)
	d.at += feed.VersionLease / 2
	d.knows("in the middle of the lease", d.j.Round(), true)
	if len(d.later) != 2 {
		t.Fatalf("in the middle of a lease there were %d looks", len(d.later))
	}
	d.err = errors.New("away")
	failed := 0
	d.j.Trace.PollFailed = func(error) { failed++ }
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
