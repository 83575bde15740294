package inbox_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func TestReconcile_AddsFollowedAndDropsUnfollowed(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star, bob)
	v.Post(star, 1)
	v.Post(bob, 2)
	v.Post(moon, 3)
	v.BuildInbox(ann)
	v.Unfollow(ann, star)
	v.Follow(ann, moon)
	token := v.Header(ann).Token
	v.Reconcile(ann)
	fixture.Same(t, "the inbox", v.Entries(ann), 3, 2)
	stamp := fixture.Got(v.Backend.Relations.ViewerVersion(t.Context(), ann)).Must(v)
	if in := v.Header(ann); in.Token != token || in.Version != stamp.Version {
		t.Errorf("the inbox is %+v, want version %d", in, stamp.Version)
	}
}

// An amendment computed before its author was followed again must not leave that author covered
// and missing.
func TestReconcile_LateOneKeepsNewFollow(t *testing.T) {
	for n, happened := 0, true; happened; n++ {
		v := fixture.NewFollowing(t)
		v.Post(star, 1)
		v.BuildInbox(ann)
		v.Unfollow(ann, star)
		was := v.At(n, func() { v.Follow(ann, star) })
		v.Reconcile(ann)
		happened = was()
		if !happened {
			v.Follow(ann, star)
		}
		fixture.Same(t, "the feed", v.Home(ann), 1)
		v.Must(v.Rest(t.Context()))
		fixture.Same(t, "the inbox at rest", v.Entries(ann), 1)
	}
}

// What a late reconciliation has found out does not apply to the inbox that another has amended.
func TestReconcile_LateOneKeepsNewerVersion(t *testing.T) {
	for n, happened := 0, true; happened; n++ {
		v := fixture.NewFollowing(t)
		v.BuildInbox(ann)
		v.Follow(ann, bob)
		was := v.At(n, func() {
			v.Follow(ann, moon)
			v.Reconcile(ann)
		})
		v.Reconcile(ann)
		happened = was()
		want := fixture.Got(v.Relations.ViewerVersion(t.Context(), ann)).Must(t).Version
		fixture.Is(t, fmt.Sprint("the version after a change before call ", n), v.Header(ann).Version, want)
	}
}

// A change enqueues no task, and a task may be lost. Without the request, reads would pull forever.
func TestReconcile_RequestedByRead(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.BuildInbox(ann)
	v.Follow(ann, star)
	for range 2 {
		v.Queue.Lose()
		fixture.Same(t, "the feed", v.Home(ann), 1)
		fixture.Same(t, "the queue", v.Queue.Tasks(), feedtest.Task{Reconcile: ann})
	}
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
}

func TestReconcile_LargeBackfillRaisesFloor(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1, 2, 3, 4, 5, 6, 7)
	v.BuildInbox(ann)
	v.Follow(ann, star)
	v.Reconcile(ann)
	fixture.Same(t, "the inbox", v.Entries(ann), 7, 6, 5, 4, 3)
	fixture.Is(t, "the floor", v.Header(ann).Floor.ID, 2)
	fixture.Same(t, "the feed", v.Home(ann), 7, 6, 5, 4, 3, 2, 1)
}

// Changes that touch no follow edge leave the entries alone: they are judged at read.
func TestReconcile_MuteChangesNoEntry(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1)
	v.BuildInbox(ann)
	v.WorkAll()
	v.Relate(feed.RelationMute, ann, star)
	fixture.Same(t, "the feed", v.Home(ann))
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
	v.Queue.Lose()
	v.Home(ann)
	fixture.Same(t, "what a read after the reconciliation asks for", v.Queue.Tasks())
}

func TestReconcile_BuildsMissingInbox(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1)
	v.Reconcile(ann)
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
}

// Who reads by a lease reads until its end; who pushes goes on for a grace.
func TestWarmUp_PushesOutlastLease(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.LeaseGrace - time.Second)
	v.Deliver(star, 1)
	fixture.Same(t, "the inbox just before the grace ends", v.Entries(ann), 1)
	v.Clock.Advance(time.Second)
	v.Deliver(star, 2)
	fixture.Same(t, "the inbox just after", v.Entries(ann), 1)
}

func TestWarmUp_RequestedByReadOfColdInbox(t *testing.T) {
	v := fixture.NewSelective(t)
	v.EndLeases()
	v.Deliver(star, 1, 2)
	fixture.Same(t, "the feed of a cold inbox", v.Home(ann), 2, 1)
	fixture.Same(t, "the queue", v.Queue.Tasks(), feedtest.Task{WarmUp: ann})
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann), 2, 1)
	fixture.Same(t, "the feed of a warm inbox", v.Home(ann), 2, 1)
	v.Queue.Lose()
	v.Home(ann)
	fixture.Same(t, "what a read of a warm inbox asks for", v.Queue.Tasks())
}

// Otherwise a viewer who follows a user before each read would lose their lease.
func TestWarmUp_PrecedesReconciliation(t *testing.T) {
	v := fixture.NewSelective(t)
	v.EndLeases()
	v.Follow(ann, moon)
	v.Home(ann)
	fixture.Same(t, "the queue", v.Queue.Tasks(), feedtest.Task{WarmUp: ann})
	v.WorkAll()
	v.Home(ann)
	fixture.Same(t, "the queue of a warm inbox", v.Queue.Tasks(), feedtest.Task{Reconcile: ann})
}

// The commit of a lease says nothing of what was not pushed before it.
func TestWarmUp_ActivityAloneDoesNotWarm(t *testing.T) {
	v := fixture.NewSelective(t)
	v.EndLeases()
	v.Deliver(star, 1)
	fixture.Got(v.Backend.Activity.Renew(t.Context(), ann, v.Policy.ActiveFor)).Must(v)
	fixture.Same(t, "the feed", v.Home(ann), 1)
	if in := v.Header(ann); in.WarmUntil > v.Clock.Millis() {
		t.Errorf("the inbox is warm: %+v", in)
	}
}

// A lease that is renewed while it lasts has no gap, so nothing needs to be read.
func TestWarmUp_RenewsLeaseInTime(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Clock.Advance(v.Policy.RenewAfter)
	v.Home(ann)
	fixture.Same(t, "what a read asks for a day after it was renewed", v.Queue.Tasks())
	v.Clock.Advance(time.Millisecond)
	v.Home(ann)
	fixture.Same(t, "the queue", v.Queue.Tasks(), feedtest.Task{WarmUp: ann})
	calls := 0
	v.BeforeCall = func() { calls++ }
	v.WorkAll()
	fixture.Is(t, "until when the inbox is warm", v.Header(ann).WarmUntil, v.Clock.Millis()+v.Policy.ActiveFor.Milliseconds())
	// Inbox, stamp, lease and amendment, but no outbox.
	fixture.Is(t, "the calls", calls, 4)
}

// Between two of its steps a worker may stand still for longer than lease and grace last.
func TestWarmUp_FillsGapAfterExpiredLease(t *testing.T) {
	// Calls 0 to 3: inbox, stamp, lease, amendment.
	for n := range 4 {
		v := fixture.NewSelective(t)
		happened := v.At(n, func() {
			v.EndLeases()
			v.Deliver(star, 1)
		})
		v.WarmUp(ann)
		v.Happened(happened)
		fixture.Same(t, "the feed", v.Home(ann), 1)
	}
}

// Of a warm-up and a push one sees the other, whatever happens between its steps.
func TestWarmUp_FeedStaysExact(t *testing.T) {
	for name, happen := range map[string]func(v fixture.Service){
		"star publishes and it is pushed": func(v fixture.Service) { v.Deliver(star, 3) },
		"another author becomes selective": func(v fixture.Service) {
			v.Post(moon, 3)
			v.Flag(moon, feed.FlagSelective)
			v.WorkAll()
		},
		"a selective author is followed and the inbox reconciled": func(v fixture.Service) {
			v.Flag(cem, feed.FlagSelective)
			v.Post(cem, 3)
			v.Follow(ann, cem)
			v.WorkAll()
		},
		"another warm-up": func(v fixture.Service) { v.WarmUp(ann) },
		"the new lease ends": func(v fixture.Service) {
			v.EndLeases()
			v.Deliver(star, 3)
		},
		"the inbox is lost and built again": func(v fixture.Service) {
			v.LoseInbox(ann)
			v.BuildInbox(ann)
			v.Post(star, 3)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for n, happened := 0, true; happened; n++ {
				v := fixture.NewSelective(t)
				v.Follow(ann, moon)
				v.WorkAll()
				v.EndLeases()
				v.Deliver(star, 1, 2)
				was := v.At(n, func() { happen(v) })
				v.WarmUp(ann)
				happened = was()
				v.WorkAll()
				want := fixture.Got(v.Reference.Feed(t.Context(), ann, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: 100})).Must(v)
				if got := v.Home(ann); len(got) != len(want) {
					t.Errorf("when it happens before call %d the feed is %v, want %v", n, got, want)
				}
			}
		})
	}
}

// A reconciliation in between makes a warm-up start again. If it gave up instead, the inbox would
// stay cold until the next read.
func TestWarmUp_RetriesWhenOvertaken(t *testing.T) {
	// Calls 0 to 4: inbox, stamp, lease, outboxes, amendment.
	for n := range 5 {
		v := fixture.NewSelective(t)
		v.EndLeases()
		v.Post(star, 1)
		v.Deliver(moon, 2)
		v.Follow(ann, moon)
		happened := v.At(n, func() { v.Reconcile(ann) })
		v.WarmUp(ann)
		v.Happened(happened)
		fixture.Same(t, "the inbox", v.Entries(ann), 2, 1)
		if in := v.Header(ann); in.WarmUntil <= v.Clock.Millis() {
			t.Errorf("when it is overtaken before call %d the inbox stays cold: %+v", n, in)
		}
	}
}

func TestCoverageFlag_OnlyRises(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Fanout.Policy.Fanout = feed.FanoutPull
	v.Deliver(star, 1)
	v.Fanout.Policy.Fanout = feed.FanoutPush
	v.Deliver(star, 2)
	fixture.Same(t, "the inbox", v.Entries(ann))
	fixture.Same(t, "the feed", v.Home(ann), 2, 1)
}

// What does not fit is left out at the old end, and the floor says so.
func TestWarmUp_LargeOneRaisesFloor(t *testing.T) {
	v := fixture.NewSelective(t)
	v.EndLeases()
	v.Deliver(star, 1, 2, 3, 4, 5, 6)
	v.WarmUp(ann)
	fixture.Same(t, "the inbox", v.Entries(ann), 6, 5, 4, 3, 2)
	fixture.Is(t, "the floor", v.Header(ann).Floor.ID, 1)
	fixture.Same(t, "the feed", v.Home(ann), 6, 5, 4, 3, 2, 1)
}

// A follower who became dormant after planning is not pushed to, because their inbox is cold.
func TestPush_ReadsActivityWhenItRuns(t *testing.T) {
	v := fixture.NewSelective(t)
	v.Post(star, 1)
	v.Must(v.Fanout.Dispatch(t.Context(), 1))
	v.EndLeases()
	v.WorkAll()
	fixture.Same(t, "the inbox", v.Entries(ann))
	fixture.Same(t, "the feed", v.Home(ann), 1)
}
