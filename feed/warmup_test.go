package feed_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

// newSquare is a town in hybrid mode in which ann and bob follow star, who is
// selective, and have inboxes.
func newSquare(t *testing.T) town {
	t.Helper()
	v := newTown(t, func(p *feed.Policy) { p.Fanout = feed.FanoutHybrid })
	v.must(v.Audience.Mark(t.Context(), star, feed.MarkSelective))
	for _, viewer := range []feed.UserID{ann, bob} {
		v.follow(viewer, star)
		v.inbox(viewer)
	}
	v.work()
	return v
}

// lapse lets the leases of everybody end, with the grace that pushes grant.
func (v town) lapse() { v.Clock.Advance(v.Policy.ActiveFor + v.Policy.LeaseGrace) }

func (v town) warmUp(viewer feed.UserID) {
	v.Helper()
	v.must(v.Builder.WarmUp(v.Context(), viewer))
}

func TestASelectiveAuthorIsPushedToActiveFollowersOnly(t *testing.T) {
	v := newSquare(t)
	v.lapse()
	v.warmUp(bob)
	v.post(star, 1)
	v.work()
	same(t, "the inbox of the active", v.entries(bob), 1)
	same(t, "the inbox of the other", v.entries(ann))
	same(t, "the feed of the active", v.home(bob), 1)
	v.source(bob, feed.SourceInbox)
	same(t, "the feed of the other", v.home(ann), 1)
}

// Who reads by a lease reads until its end; who pushes goes on for a grace.
func TestPushesOutlastTheLease(t *testing.T) {
	v := newSquare(t)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.LeaseGrace - time.Second)
	v.post(star, 1)
	v.work()
	same(t, "the inbox just before the grace ends", v.entries(ann), 1)
	v.Clock.Advance(time.Second)
	v.post(star, 2)
	v.work()
	same(t, "the inbox just after", v.entries(ann), 1)
}

func TestAReadFindsAColdInboxAndHasItWarmedUp(t *testing.T) {
	v := newSquare(t)
	v.lapse()
	v.post(star, 1, 2)
	v.work()
	same(t, "the feed of a cold inbox", v.home(ann), 2, 1)
	same(t, "the queue", v.Queue.Tasks(), feedtest.Task{WarmUp: ann})
	v.work()
	same(t, "the inbox", v.entries(ann), 2, 1)
	same(t, "the feed of a warm inbox", v.home(ann), 2, 1)
	v.Queue.Lose()
	v.home(ann)
	if v.Queue.Len() > 0 {
		t.Errorf("a read of a warm inbox asks for %v", v.Queue.Tasks())
	}
}

// The commit of a lease says nothing of what was not pushed before it.
func TestActivityAloneDoesNotWarm(t *testing.T) {
	v := newSquare(t)
	v.lapse()
	v.post(star, 1)
	v.work()
	_, err := v.Backend.Activity.Renew(t.Context(), ann, v.Policy.ActiveFor)
	v.must(err)
	same(t, "the feed", v.home(ann), 1)
	if in := v.header(ann); in.WarmUntil > v.Clock.Millis() {
		t.Errorf("the inbox is warm: %+v", in)
	}
}

// A lease that is renewed while it lasts has no gap, so nothing needs to be read.
func TestALeaseIsRenewedBeforeItEnds(t *testing.T) {
	v := newSquare(t)
	v.Clock.Advance(v.Policy.RenewAfter)
	v.home(ann)
	if v.Queue.Len() > 0 {
		t.Errorf("a day after it was renewed a read asks for %v", v.Queue.Tasks())
	}
	v.Clock.Advance(time.Millisecond)
	v.home(ann)
	same(t, "the queue", v.Queue.Tasks(), feedtest.Task{WarmUp: ann})
	calls := 0
	v.Meanwhile = func() { calls++ }
	v.work()
	if want := v.Clock.Millis() + v.Policy.ActiveFor.Milliseconds(); v.header(ann).WarmUntil != want {
		t.Errorf("the inbox is warm until %d, want %d", v.header(ann).WarmUntil, want)
	}
	// Inbox, stamp, lease and amendment, but no outbox.
	if calls != 4 {
		t.Errorf("it took %d calls", calls)
	}
}

// Between two of its steps a worker may stand still for longer than lease and grace last.
func TestALeaseThatEndsWhileItIsBeingRenewedLeavesAGapThatIsFilled(t *testing.T) {
	// Calls 0 to 3: inbox, stamp, lease, amendment.
	for n := range 4 {
		v := newSquare(t)
		happened := v.At(n, func() {
			v.lapse()
			v.post(star, 1)
			v.work()
		})
		v.warmUp(ann)
		if !happened() {
			t.Fatalf("the warm-up made fewer than %d calls", n+1)
		}
		same(t, "the feed", v.home(ann), 1)
	}
}

// Of a warm-up and a push one sees the other, whatever happens between its steps.
func TestNothingIsMissingFromAFeedWhateverHappensDuringAWarmUp(t *testing.T) {
	for name, happen := range map[string]func(v town){
		"star publishes and it is pushed": func(v town) {
			v.post(star, 3)
			v.work()
		},
		"another author becomes selective": func(v town) {
			v.post(moon, 3)
			v.must(v.Audience.Mark(v.Context(), moon, feed.MarkSelective))
			v.work()
		},
		"somebody selective is followed and the inbox reconciled": func(v town) {
			v.must(v.Audience.Mark(v.Context(), cem, feed.MarkSelective))
			v.post(cem, 3)
			v.follow(ann, cem)
			v.work()
		},
		"another warm-up": func(v town) { v.warmUp(ann) },
		"the new lease ends": func(v town) {
			v.lapse()
			v.post(star, 3)
			v.work()
		},
		"the inbox is lost and built again": func(v town) {
			v.must(v.Backend.Inboxes.Remove(v.Context(), ann))
			v.inbox(ann)
			v.post(star, 3)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for n, happened := 0, true; happened; n++ {
				v := newSquare(t)
				v.follow(ann, moon)
				v.work()
				v.lapse()
				v.post(star, 1, 2)
				v.work()
				was := v.At(n, func() { happen(v) })
				v.warmUp(ann)
				happened = was()
				v.work()
				want, err := v.Reference.Feed(t.Context(), ann, feed.Range{Below: feed.Top, Limit: 100})
				v.must(err)
				if got := v.home(ann); len(got) != len(want) {
					t.Errorf("when it happens before call %d the feed is %v, want %v", n, got, want)
				}
			}
		})
	}
}

// A reconciliation that comes between makes a warm-up begin anew. If it gave up
// instead, the inbox would stay cold until a read asks for another.
func TestAWarmUpThatWasOvertakenIsDoneAnew(t *testing.T) {
	// Calls 0 to 4: inbox, stamp, lease, outboxes, amendment.
	for n := range 5 {
		v := newSquare(t)
		v.lapse()
		v.post(star, 1)
		v.post(moon, 2)
		v.work()
		v.follow(ann, moon)
		happened := v.At(n, func() { v.reconcile(ann) })
		v.warmUp(ann)
		if !happened() {
			t.Fatalf("the warm-up made fewer than %d calls", n+1)
		}
		same(t, "the inbox", v.entries(ann), 2, 1)
		if in := v.header(ann); in.WarmUntil <= v.Clock.Millis() {
			t.Errorf("when it is overtaken before call %d the inbox stays cold: %+v", n, in)
		}
	}
}

func TestWhoCrossedTheThresholdOnceStaysSelective(t *testing.T) {
	v := newTown(t, func(p *feed.Policy) { p.Fanout, p.PushThreshold = feed.FanoutHybrid, 1 })
	v.follow(ann, star)
	v.follow(bob, star)
	v.post(star, 1)
	v.work()
	v.unfollow(bob, star)
	v.inbox(ann)
	v.lapse()
	v.post(star, 2)
	v.work()
	same(t, "the inbox of a follower who is not active", v.entries(ann), 1)
	same(t, "the feed", v.home(ann), 2, 1)
}

func TestAMarkOnlyRises(t *testing.T) {
	v := newSquare(t)
	v.Fanout.Policy.Fanout = feed.FanoutPull
	v.post(star, 1)
	v.work()
	v.Fanout.Policy.Fanout = feed.FanoutPush
	v.post(star, 2)
	v.work()
	same(t, "the inbox", v.entries(ann))
	same(t, "the feed", v.home(ann), 2, 1)
}

// What does not fit is left out at the old end, and the floor says so.
func TestAWarmUpThatDoesNotFitRaisesTheFloor(t *testing.T) {
	v := newSquare(t)
	v.lapse()
	v.post(star, 1, 2, 3, 4, 5, 6)
	v.work()
	v.warmUp(ann)
	same(t, "the inbox", v.entries(ann), 6, 5, 4, 3, 2)
	if in := v.header(ann); in.Floor.ID != 1 {
		t.Errorf("the floor is %v", in.Floor)
	}
	same(t, "the feed", v.home(ann), 6, 5, 4, 3, 2, 1)
}

// Who was active when the plan was made, and is not any more, is not pushed to: his
// inbox is cold, so it would be for nothing.
func TestActivityIsLookedAtWhenASubtaskRuns(t *testing.T) {
	v := newSquare(t)
	v.post(star, 1)
	v.must(v.Fanout.Dispatch(t.Context(), 1))
	v.lapse()
	v.work()
	same(t, "the inbox", v.entries(ann))
	same(t, "the feed", v.home(ann), 1)
}
