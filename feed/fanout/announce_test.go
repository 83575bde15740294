package fanout_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// announcing is a service that records the posts that it announces.
type announcing struct {
	fixture.Service
	announced *[]feed.PostID
}

func newAnnouncing(t *testing.T) announcing {
	v := announcing{fixture.New(t), &[]feed.PostID{}}
	v.Fanout.Announcer, v.Fanout.Announced = v, v.Backend.Announced
	return v
}

func (v announcing) Announce(_ context.Context, a feed.Announcement) error {
	*v.announced = append(*v.announced, a.Post)
	return nil
}

// announces fails the test unless exactly these posts were announced.
func (v announcing) announces(want ...feed.PostID) {
	v.Helper()
	fixture.Same(v, "announced", *v.announced, want...)
}

func TestAnnounce_OnlyOncePerPost(t *testing.T) {
	f := newAnnouncing(t)
	f.Follow(ann, star)
	f.Post(star, 11)
	f.Queue.Double()
	f.WorkAll()
	if n := fixture.Got(f.Progress.Rerun(f.Context(), 0, feed.Millis(f.Clock.Now()))).Must(t); n == 0 {
		t.Fatal("no slice runs again")
	}
	f.Clock.Advance(time.Hour)
	f.Must(f.Fanout.Sweep(f.Context()))
	f.WorkAll()
	f.announces(11)
}

func TestAnnounce_SkipsDeletedPosts(t *testing.T) {
	f := newAnnouncing(t)
	var announced []feed.PostID
	f.Fanout.Trace.Announced = func(post feed.PostID, err error) {
		f.Must(err)
		announced = append(announced, post)
	}
	f.Post(star, 11, 12)
	f.Delete(star, 11)
	f.WorkAll()
	fixture.Same(t, "traced", announced, 12)
	f.announces(12)
}

// A post may have thousands of slices, and each call costs.
func TestAnnounce_ByLastSliceOnly(t *testing.T) {
	f := newAnnouncing(t)
	f.Fanout.Policy.SliceSize, f.Publisher.Policy.SliceSize = 1, 1
	calls := 0
	f.Fanout.Announced = countedLog{f.Fanout.Announced, &calls}
	f.Follow(ann, star)
	f.Follow(bob, star)
	f.Deliver(star, 11)
	f.announces(11)
	// The end of the last slice marks the post itself.
	fixture.Is(t, "calls of MarkAnnounced", calls, 0)
}

func TestAnnounce_EachOfPostsPushedTogether(t *testing.T) {
	f := newAnnouncing(t)
	f.Follow(ann, star)
	for post := range feed.PostID(3) {
		plan(f.Service, 1+post)
	}
	f.Queue.Lose()
	push(f.Service, 1)
	f.announces(1, 2, 3)
	for post := range feed.PostID(3) {
		push(f.Service, 1+post)
	}
	f.announces(1, 2, 3)
}

// A worker may die after it has stored a plan without slices. Its task is repeated.
func TestAnnounce_RetriedAfterFailure(t *testing.T) {
	f := newAnnouncing(t)
	f.Follow(ann, star)
	f.Must(f.Audience.RaiseFlag(f.Context(), star, feed.FlagUnpushed, feed.FlagBacklog))
	announcer := f.Fanout.Announcer
	f.Fanout.Announcer = nil
	f.Deliver(star, 11)
	f.Fanout.Announcer = announcer
	for range 2 {
		f.Must(f.Fanout.Dispatch(f.Context(), 11))
	}
	f.announces(11)
}

// countedLog counts its calls.
type countedLog struct {
	feed.AnnouncementLog
	calls *int
}

func (l countedLog) MarkAnnounced(ctx context.Context, post feed.PostID) (bool, error) {
	*l.calls++
	return l.AnnouncementLog.MarkAnnounced(ctx, post)
}
