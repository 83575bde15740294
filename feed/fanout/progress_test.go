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
	v := followed(t, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = 1, 1 })
	v.Post(star, 7)
	m := monitor(v, feed.Waits{Dispatch: time.Second, Push: 2 * time.Second})
	read := func(want string) *fanout.Progress {
		t.Helper()
		p := fixture.Got(m.Progress(t.Context(), 7)).Must(t)
		if p.State != want || p.Followers != 3 || p.Author != star {
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
	done := fixture.Got(v.Fanout.PushCounted(t.Context(), feed.SliceRef{Post: 7, Task: p.Open[0].Task})).Must(t)
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
	list := fixture.Got(m.Slowest(t.Context())).Must(t)
	if len(list) != 1 || list[0].Post != 7 || list[0].Done != 3 {
		t.Errorf("the slowest fan-outs are %+v", list)
	}
	_, err := m.Progress(t.Context(), 99)
	v.Refused(err, feed.CodeNotFound)
}
