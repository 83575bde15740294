package inbox_test

import (
	"context"
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
	fixture.Same(t, "their inbox", v.Entries(ann), 1)
}

func TestTrimInboxes_RemovesOldGenerations(t *testing.T) {
	v := fixture.New(t)
	v.BuildInbox(ann)
	v.ImportPost(1, star)
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
	m := v.Maintenance
	other := &inbox.Maintenance{
		Inboxes: m.Inboxes, Trimmer: m.Trimmer, Relations: m.Relations, Activity: m.Activity,
		Leaders: m.Leaders, Holder: "the other one", Clock: m.Clock, Policy: v.Policy,
	}
	v.BuildInbox(ann)
	v.Clock.Advance(v.Policy.ActiveFor + v.Policy.DormantFor + time.Second)
	v.LoseInbox(ann)
	walk(v, v.Maintenance)
	fixture.Got(v.Backend.Inboxes.BeginBuild(t.Context(), ann, feed.BuildHeader{Token: "of a dormant viewer"}, 0)).Must(t)
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
