package feed_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
)

func (v town) unfollow(viewer, author feed.UserID) {
	v.Helper()
	_, err := v.Follower.Unfollow(v.Context(), viewer, author)
	v.must(err)
}

func (v town) reconcile(viewer feed.UserID) {
	v.Helper()
	v.must(v.Builder.Reconcile(v.Context(), viewer))
}

func TestAReconciliationAddsWhatTheNewlyFollowedHavePublishedAndDropsTheUnfollowed(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star, bob)
	v.post(star, 1)
	v.post(bob, 2)
	v.post(moon, 3)
	v.inbox(ann)
	v.unfollow(ann, star)
	v.follow(ann, moon)
	token := v.header(ann).Token
	v.reconcile(ann)
	same(t, "the inbox", v.entries(ann), 3, 2)
	stamp, err := v.Backend.Relations.ViewerVersion(t.Context(), ann)
	v.must(err)
	if in := v.header(ann); in.Token != token || in.Version != stamp.Version {
		t.Errorf("the inbox is %+v, want version %d", in, stamp.Version)
	}
}

// The last state of an edge is what counts, however often it changed.
func TestManyChangesMergeIntoOneReconciliation(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1)
	v.post(moon, 2)
	v.inbox(ann)
	v.Queue.Lose()
	for range 3 {
		v.unfollow(ann, star)
		v.follow(ann, star, moon)
		v.unfollow(ann, moon)
	}
	same(t, "the queue", v.Queue.Tasks(), feedtest.Task{Reconcile: ann})
	v.reconcile(ann)
	same(t, "the inbox", v.entries(ann), 1)
}

// A purge that was worked out before its author was followed again must not leave him
// covered and missing.
func TestALatePurgeDoesNotUndoAFollow(t *testing.T) {
	for n, happened := 0, true; happened; n++ {
		v := newTown(t)
		v.follow(ann, star)
		v.post(star, 1)
		v.inbox(ann)
		v.unfollow(ann, star)
		was := v.At(n, func() { v.follow(ann, star) })
		v.reconcile(ann)
		happened = was()
		if !happened {
			v.follow(ann, star)
		}
		same(t, "the feed", v.home(ann), 1)
		v.must(v.Rest(t.Context()))
		same(t, "the inbox at rest", v.entries(ann), 1)
	}
}

// A reconciliation that was worked out for an inbox or a version that is no more is
// worked out again.
func TestAReconciliationThatWasOvertakenIsDoneAnew(t *testing.T) {
	for name, overtake := range map[string]func(v town){
		"by another": func(v town) { v.reconcile(ann) },
		"by a build": func(v town) {
			v.must(v.Backend.Inboxes.Remove(v.Context(), ann))
			v.inbox(ann)
		},
		"by a follow and another": func(v town) {
			v.follow(ann, moon)
			v.reconcile(ann)
		},
	} {
		for n := range 5 {
			v := newTown(t)
			v.post(star, 1)
			v.post(moon, 2)
			v.inbox(ann)
			v.follow(ann, star)
			happened := v.At(n, func() { overtake(v) })
			v.reconcile(ann)
			if !happened() {
				t.Fatalf("%s: the reconciliation made fewer than %d calls", name, n+1)
			}
			v.must(v.Rest(t.Context()))
			want := []feed.ContentID{1}
			if name == "by a follow and another" {
				want = []feed.ContentID{2, 1}
			}
			same(t, name, v.entries(ann), want...)
			same(t, name, v.home(ann), want...)
		}
	}
}

// The task that a change asked for may be lost. Whoever reads next asks for another,
// since reads would otherwise pull for ever whom the inbox could cover.
func TestAReadFindsThatRelationsHaveChangedAndHasTheInboxReconciled(t *testing.T) {
	v := newTown(t)
	v.post(star, 1)
	v.inbox(ann)
	v.follow(ann, star)
	v.Queue.Lose()
	same(t, "the feed", v.home(ann), 1)
	same(t, "the queue", v.Queue.Tasks(), feedtest.Task{Reconcile: ann})
	v.work()
	same(t, "the inbox", v.entries(ann), 1)
}

func TestABackfillThatDoesNotFitRaisesTheFloor(t *testing.T) {
	v := newTown(t)
	v.post(star, 1, 2, 3, 4, 5, 6, 7)
	v.inbox(ann)
	v.follow(ann, star)
	v.reconcile(ann)
	same(t, "the inbox", v.entries(ann), 7, 6, 5, 4, 3)
	if in := v.header(ann); in.Floor.ID != 2 {
		t.Errorf("the floor is %v", in.Floor)
	}
	same(t, "the feed", v.home(ann), 7, 6, 5, 4, 3, 2, 1)
}

// Changes that touch no follow edge leave the entries alone: they are judged at read.
func TestAMuteIsReconciledWithoutTouchingAnEntry(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1)
	v.inbox(ann)
	v.work()
	v.relate(feed.RelationMute, ann, star)
	same(t, "the feed", v.home(ann))
	v.work()
	same(t, "the inbox", v.entries(ann), 1)
	v.Queue.Lose()
	v.home(ann)
	if v.Queue.Len() > 0 {
		t.Errorf("a read after the reconciliation asks for %v", v.Queue.Tasks())
	}
}

func TestWithoutAnInboxThereIsNothingToReconcileSoItIsBuilt(t *testing.T) {
	v := newTown(t)
	v.follow(ann, star)
	v.post(star, 1)
	v.reconcile(ann)
	same(t, "the inbox", v.entries(ann), 1)
}
