package feed_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// walk tidies as many slices as there are at most.
func (v town) walk(h *feed.Housekeeper) {
	v.Helper()
	for range 10 {
		v.must(h.TidyInboxes(v.Context()))
	}
}

func TestTheInboxesOfTheLongDormantAreRemoved(t *testing.T) {
	v := newTown(t)
	v.post(star, 1)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.follow(viewer, star)
		v.inbox(viewer)
	}
	v.work()
	v.Clock.Advance(v.Policy.ActiveFor)
	v.warmUp(bob)
	v.Clock.Advance(v.Policy.DormantFor)
	v.walk(v.Keeper)
	if v.header(ann).State != feed.InboxReady {
		t.Error("an inbox was removed before its time")
	}
	v.Clock.Advance(time.Millisecond)
	v.walk(v.Keeper)
	for viewer, want := range map[feed.UserID]feed.InboxState{ann: feed.InboxAbsent, bob: feed.InboxReady, cem: feed.InboxAbsent} {
		if got := v.header(viewer).State; got != want {
			t.Errorf("the inbox of user %d is in state %d, want %d", viewer, got, want)
		}
	}
	same(t, "the feed of who comes back", v.home(ann), 1)
	v.work()
	same(t, "his inbox", v.entries(ann), 1)
}

func TestInboxesOfAnOldGenerationAreRemoved(t *testing.T) {
	v := newTown(t)
	v.inbox(ann)
	_, err := v.Import(t.Context(), []feed.Record{{Line: 1, Post: &feed.Post{ID: 1, Author: star, Kind: feed.KindPost, Text: "a"}}})
	v.must(err)
	v.inbox(bob)
	v.walk(v.Keeper)
	if a, b := v.header(ann).State, v.header(bob).State; a != feed.InboxAbsent || b != feed.InboxReady {
		t.Errorf("the states are %d and %d", a, b)
	}
}

// Several processes tidy up, of which one does the work; when it has gone another goes
// on.
func TestOneProcessTidiesUp(t *testing.T) {
	v := newTown(t)
	other := &feed.Housekeeper{
		Inboxes: v.Keeper.Inboxes, Keeper: v.Keeper.Keeper, Relations: v.Keeper.Relations, Activity: v.Keeper.Activity,
		Leaders: v.Keeper.Leaders, Holder: "the other one", Clock: v.Keeper.Clock, Policy: v.Policy,
	}
	v.inbox(ann)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.DormantFor + time.Second)
	v.must(v.Backend.Inboxes.Remove(t.Context(), ann))
	v.walk(v.Keeper)
	_, err := v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildMark{Token: "of somebody dormant"}, 0)
	v.must(err)
	v.walk(other)
	if v.header(ann).State == feed.InboxAbsent {
		t.Error("two processes tidy up")
	}
	v.Clock.Advance(time.Minute)
	v.walk(other)
	if v.header(ann).State != feed.InboxAbsent {
		t.Error("nobody tidies up")
	}
}

func TestWhatIsDoneAndOldIsCleanedUp(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1, 2, 3, 4, 5)
	v.work()
	v.post(star, 6)
	v.must(v.Fanout.Dispatch(t.Context(), 6))
	v.Clock.Advance(v.Policy.PlansKept - time.Second)
	v.must(v.Keeper.CleanUpRows(t.Context()))
	planned := func(id feed.ContentID) bool {
		_, stored, err := v.Backend.Plans.PlanOf(t.Context(), id)
		v.must(err)
		return stored
	}
	if !planned(1) {
		t.Error("a plan was dropped before its time")
	}
	v.Clock.Advance(2 * time.Second)
	v.must(v.Keeper.CleanUpRows(t.Context()))
	if planned(1) || planned(5) {
		t.Error("a plan that is done is kept for ever")
	}
	if !planned(6) {
		t.Error("a plan that is not done was dropped")
	}
	v.must(v.Rest(t.Context()))
	same(t, "the feed", v.home(ann), 6, 5, 4, 3, 2, 1)
}
