package inbox_test

import (
	"testing"

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
	if v.Queue.Len() > 0 {
		t.Errorf("a read after the reconciliation asks for %v", v.Queue.Tasks())
	}
}

func TestReconcile_BuildsMissingInbox(t *testing.T) {
	v := fixture.NewFollowing(t)
	v.Post(star, 1)
	v.Reconcile(ann)
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
}
