package fanout_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func monitor(v fixture.Service, waits feed.Waits) *fanout.Monitor {
	return &fanout.Monitor{
		Fanouts: v.Fanouts, Audience: v.Audience, Posts: v.Posts, Clock: v.Clock.Now,
		Waits: func(context.Context) (feed.Waits, error) { return waits, nil },
	}
}

func TestMonitor_FollowsOneFanout(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = 1, 1 })
	for _, viewer := range []feed.UserID{fixture.Ann, fixture.Bob, fixture.Cem} {
		v.Follow(viewer, fixture.Star)
	}
	v.WorkAll()
	v.Post(fixture.Star, 7)
	m := monitor(v, feed.Waits{Dispatch: time.Second, Push: 2 * time.Second})
	read := func(want string) *fanout.Progress {
		t.Helper()
		p, err := m.Progress(t.Context(), 7)
		v.Must(err)
		if p.State != want || p.Followers != 3 || p.Author != fixture.Star {
			t.Errorf("the progress is %+v, want the state %q", p, want)
		}
		return p
	}
	read("waits for its plan: the oldest dispatch has waited for 1s")
	v.Must(v.Fanout.Dispatch(t.Context(), 7))
	p := read("waits for workers: the oldest push task has waited for 2s")
	if p.Slices != 3 || p.Done != 0 || len(p.Open) != 3 || p.Percent() != 0 {
		t.Errorf("the progress is %+v, want 3 open slices", p)
	}
	if why := p.Why(p.Open[0]); why != "in its queue; a sweep dispatches it in 2s if it is lost" {
		t.Errorf("the slice waits: %q", why)
	}
	v.Clock.Advance(time.Second)
	done, err := v.Fanout.PushCounted(t.Context(), feed.SliceRef{Post: 7, Task: p.Open[0].Task})
	v.Must(err)
	if done != (fanout.Pushed{Served: 1, Listed: 1, Posts: 1}) {
		t.Errorf("the push did %+v", done)
	}
	v.Clock.Advance(time.Second)
	p = read("waits for workers: the oldest push task has waited for 2s")
	if p.Done != 1 || p.Rate != 0.5 || p.Left != 4*time.Second || p.Took != 2*time.Second || p.Percent() != 33 {
		t.Errorf("the progress is %+v, want half a slice a second and four seconds left", p)
	}
	v.WorkAll()
	p = read("done")
	if !p.Ended() || p.Left != 0 || p.Reached != p.Last {
		t.Errorf("the progress is %+v, want an ended one", p)
	}
	list, err := m.Slowest(t.Context())
	v.Must(err)
	if len(list) != 1 || list[0].Post != 7 || list[0].Done != 3 {
		t.Errorf("the slowest fan-outs are %+v", list)
	}
}

func TestMonitor_KnowsNoFanoutOfUnknownPosts(t *testing.T) {
	v := fixture.New(t)
	_, err := monitor(v, feed.Waits{}).Progress(t.Context(), 99)
	v.Refused(err, feed.CodeNotFound)
}

// slowPushes calls wait in each push.
type slowPushes struct {
	feed.Inboxes
	wait func()
}

func (s slowPushes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	s.wait()
	return s.Inboxes.Push(ctx, viewers, keys...)
}

func TestPushCounted_CountsLateFollowers(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.SliceSize, p.PushBatch = 3, 1 })
	for _, viewer := range []feed.UserID{fixture.Ann, fixture.Bob, fixture.Cem} {
		v.Follow(viewer, fixture.Star)
	}
	v.WorkAll()
	v.Post(fixture.Star, 7)
	v.Must(v.Fanout.Dispatch(t.Context(), 7))
	// The followers are served four, eight and twelve seconds after the publish.
	v.Fanout.Inboxes = slowPushes{v.Fanout.Inboxes, func() { v.Clock.Advance(4 * time.Second) }}
	done, err := v.Fanout.PushCounted(t.Context(), feed.SliceRef{Post: 7, Task: 0})
	v.Must(err)
	if want := (fanout.Pushed{Served: 3, Listed: 3, Posts: 1, Late: 2}); done != want {
		t.Errorf("the push did %+v, want %+v", done, want)
	}
}
