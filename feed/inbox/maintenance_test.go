package inbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

// walk tidies as many slices as there are at most.
func walk(v fixture.Service, h *inbox.Maintenance) {
	v.Helper()
	for range 10 {
		v.Must(h.TrimInboxes(v.Context()))
	}
}

func TestTrimInboxes_RemovesThoseOfDormantViewers(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Cover(viewer, star)
	}
	v.WorkAll()
	v.Clock.Advance(v.Policy.ActiveFor)
	v.WarmUp(bob)
	v.Clock.Advance(v.Policy.DormantFor)
	walk(v, v.Maintenance)
	if v.Header(ann).State != feed.InboxReady {
		t.Error("an inbox was removed before its time")
	}
	v.Clock.Advance(time.Millisecond)
	walk(v, v.Maintenance)
	for viewer, want := range map[feed.UserID]feed.InboxState{ann: feed.InboxAbsent, bob: feed.InboxReady, cem: feed.InboxAbsent} {
		if got := v.Header(viewer).State; got != want {
			t.Errorf("the inbox of user %d is in state %d, want %d", viewer, got, want)
		}
	}
	fixture.Same(t, "the feed of who comes back", v.Home(ann), 1)
	v.WorkAll()
	fixture.Same(t, "his inbox", v.Entries(ann), 1)
}

func TestTrimInboxes_RemovesOldGenerations(t *testing.T) {
	v := fixture.New(t)
	v.BuildInbox(ann)
	_, err := v.Import(t.Context(), []feed.Record{{Line: 1, Post: &feed.Post{ID: 1, Author: star, Kind: feed.KindPost, Text: "a"}}})
	v.Must(err)
	v.BuildInbox(bob)
	walk(v, v.Maintenance)
	if a, b := v.Header(ann).State, v.Header(bob).State; a != feed.InboxAbsent || b != feed.InboxReady {
		t.Errorf("the states are %d and %d", a, b)
	}
}

// Several processes tidy up, of which one does the work; when it has gone another goes
// on.
func TestMaintenance_RunsInOneProcess(t *testing.T) {
	v := fixture.New(t)
	other := &inbox.Maintenance{
		Inboxes: v.Maintenance.Inboxes, Trimmer: v.Maintenance.Trimmer, Relations: v.Maintenance.Relations, Activity: v.Maintenance.Activity,
		Leaders: v.Maintenance.Leaders, Holder: "the other one", Clock: v.Maintenance.Clock, Policy: v.Policy,
	}
	v.BuildInbox(ann)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.DormantFor + time.Second)
	v.LoseInbox(ann)
	walk(v, v.Maintenance)
	_, err := v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildHeader{Token: "of somebody dormant"}, 0)
	v.Must(err)
	walk(v, other)
	if v.Header(ann).State == feed.InboxAbsent {
		t.Error("two processes tidy up")
	}
	v.Clock.Advance(time.Minute)
	walk(v, other)
	if v.Header(ann).State != feed.InboxAbsent {
		t.Error("no process does the maintenance")
	}
}

func TestPurgeRows_DropsOldRows(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.Deliver(star, 1, 2, 3, 4, 5)
	v.Post(star, 6)
	v.Must(v.Fanout.Dispatch(t.Context(), 6))
	v.Clock.Advance(v.Policy.PlansKept - time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	planned := func(id feed.PostID) bool {
		plan, err := v.Backend.Plans.PlanOf(t.Context(), id)
		v.Must(err)
		return plan.Stored
	}
	if !planned(1) {
		t.Error("a plan was dropped before its time")
	}
	v.Clock.Advance(2 * time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	if planned(1) || planned(5) {
		t.Error("a plan that is done is kept for ever")
	}
	if !planned(6) {
		t.Error("a plan that is not done was dropped")
	}
	v.Must(v.Rest(t.Context()))
	fixture.Same(t, "the feed", v.Home(ann), 6, 5, 4, 3, 2, 1)
}

func TestPurgeRows_DropsEndedVersionsAfterWindow(t *testing.T) {
	v := fixture.New(t)
	outdated := func() int {
		r := feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob, CreatedAt: 1}, Version: feed.ObjectVersion{Number: 1}, EndedAt: 1}
		got, err := v.Backend.Ingester.Ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{r}, Owned: feed.OwnedTypes()}})
		v.Must(err)
		return got.Outdated
	}
	newer := feed.Record{Follow: &feed.FollowRecord{Follower: ann, Followee: bob}, Version: feed.ObjectVersion{Number: 2}, EndedAt: 1}
	_, err := v.Backend.Ingester.Ingest(t.Context(), feed.SourceBatch{Batch: feed.Batch{Records: []feed.Record{newer}, Owned: feed.OwnedTypes()}})
	v.Must(err)
	v.Clock.Advance(v.Policy.ReorderWindow - time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	if outdated() != 1 {
		t.Error("the version was dropped before its time")
	}
	v.Clock.Advance(2 * time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	if outdated() != 0 {
		t.Error("the version is kept after the window")
	}
}

func TestPurgeRows_TrimsOldChanges(t *testing.T) {
	v := fixture.New(t)
	last, err := v.Backend.Changes.LastChange(t.Context())
	v.Must(err)
	v.Post(star, 1)
	read := func() error {
		_, _, err := v.Backend.Changes.Changes(t.Context(), last, 9)
		return err
	}
	v.Clock.Advance(v.Policy.ChangesKept - time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	if err := read(); err != nil {
		t.Errorf("before their time the changes are read with %v", err)
	}
	v.Clock.Advance(2 * time.Second)
	v.Must(v.Maintenance.PurgeRows(t.Context()))
	if err := read(); !errors.Is(err, feed.ErrChangesGone) {
		t.Errorf("old changes are read with %v", err)
	}
}

// countedTrimmer counts the slices of walks.
type countedTrimmer struct {
	feed.InboxTrimmer
	walks int
}

func (c *countedTrimmer) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	c.walks++
	return c.InboxTrimmer.Walk(ctx, cursor, limit)
}

func TestTrimInboxes_PausesAfterLastInbox(t *testing.T) {
	v := fixture.New(t)
	for _, viewer := range []feed.UserID{ann, bob, cem} { // more than a slice has
		v.BuildInbox(viewer)
	}
	trimmer := &countedTrimmer{InboxTrimmer: v.Maintenance.Trimmer}
	v.Maintenance.Trimmer, v.Maintenance.Pause = trimmer, time.Minute
	walk(v, v.Maintenance)
	slices := trimmer.walks
	if slices < 2 {
		t.Fatalf("a walk has %d slices, want several", slices)
	}
	v.Clock.Advance(time.Minute - time.Millisecond)
	walk(v, v.Maintenance)
	v.Clock.Advance(time.Millisecond)
	walk(v, v.Maintenance)
	if trimmer.walks != 2*slices {
		t.Errorf("two walks and a pause have %d slices, want %d", trimmer.walks, 2*slices)
	}
}
