package fanout_test

import (
	"context"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// burst is a service in which ann, bob and cem have inboxes and follow star, who has published
// posts 1 to n, each with one pending slice.
func burst(t *testing.T, n feed.PostID, change ...func(p *feed.Policy)) fixture.Service {
	change = append(change, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = 3, 3 })
	v := fixture.New(t, change...)
	plansByTask(v)
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		v.Follow(viewer, star)
		v.BuildInbox(viewer)
	}
	for content := feed.PostID(1); content <= n; content++ {
		v.Post(star, content)
		v.Must(v.Fanout.Dispatch(t.Context(), content))
	}
	v.Queue.Lose()
	return v
}

// countedInboxes count the calls of Push.
type countedInboxes struct {
	feed.Inboxes
	pushes int
}

func (c *countedInboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	c.pushes++
	return c.Inboxes.Push(ctx, viewers, keys...)
}

// everyoneHas fails the test unless ann, bob and cem have just these contents in their inboxes.
func everyoneHas(v fixture.Service, want ...feed.PostID) {
	v.Helper()
	for _, viewer := range []feed.UserID{ann, bob, cem} {
		fixture.Same(v.T, "the inbox of "+viewer.String(), v.Entries(viewer), want...)
	}
}

func TestPush_TakesWaitingPostsAlong(t *testing.T) {
	v := burst(t, 3, func(p *feed.Policy) { p.PushBatch = 3 })
	pushed, inboxes := pushes(v), &countedInboxes{Inboxes: v.Fanout.Inboxes}
	v.Fanout.Inboxes = inboxes
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	everyoneHas(v, 3, 2, 1)
	fixture.Same(t, "the followers served by each slice", *pushed, 3, 3, 3)
	if inboxes.pushes != 1 {
		t.Errorf("the inboxes were pushed to %d times", inboxes.pushes)
	}
	for content := range feed.PostID(3) {
		v.Must(v.Fanout.Push(t.Context(), feed.SliceRef{Post: 1 + content}))
	}
	fixture.Same(t, "the followers served after running all slices", *pushed, 3, 3, 3)
}

func TestPush_LimitsPostsPushedTogether(t *testing.T) {
	for together, want := range map[int][]feed.PostID{0: {2}, 1: {2}, 2: {2, 1}, 3: {3, 2, 1}} {
		v := burst(t, 4, func(p *feed.Policy) { p.PushTogether = together })
		v.Must(v.Fanout.Push(t.Context(), feed.SliceRef{Post: 2}))
		everyoneHas(v, want...)
	}
}

func TestPush_ReleasesAllSlicesAfterFailure(t *testing.T) {
	v := burst(t, 2)
	v.Flaky.FailAt = 2
	if err := v.Fanout.Push(t.Context(), slice(0)); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Fatalf("the push returned %v", err)
	}
	fixture.Same(t, "ann's inbox", v.Entries(ann), 2, 1)
	fixture.Same(t, "bob's inbox", v.Entries(bob))
	for content := range feed.PostID(2) {
		if s := claims(v, feed.SliceRef{Post: 1 + content}); s == nil || s.Progress != ann {
			t.Errorf("the slice of post %d was not released with the progress up to ann: %+v", 1+content, s)
		}
	}
	v.Clock.Advance(time.Millisecond)
	// What was given back does not wait, but is another try's to take.
	v.Must(v.Fanout.Push(t.Context(), feed.SliceRef{Post: 2}))
	fixture.Same(t, "bob's inbox", v.Entries(bob), 2)
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	everyoneHas(v, 2, 1)
}

// Whether the progress of some was stored or not, and even when the worker is to stop.
func TestPush_ReleasesAllSlicesWhenCanceled(t *testing.T) {
	// Calls 4 and 5 store progress.
	for call := 4; call <= 5; call++ {
		v := burst(t, 2)
		ctx, cancel := context.WithCancel(t.Context())
		happened := v.At(call, cancel)
		if err := v.Fanout.Push(ctx, slice(0)); err == nil {
			t.Error("the push took no notice")
		}
		if !happened() {
			t.Fatal("the push was over too soon")
		}
		for content := range feed.PostID(2) {
			if s := claims(v, feed.SliceRef{Post: 1 + content}); s == nil || s.Progress != ann {
				t.Errorf("the slice of post %d was not released with the progress up to ann: %+v", 1+content, s)
			}
		}
	}
}

// What is stored as progress has been pushed, at whichever of its steps a worker dies.
func TestPush_ResumesSeveralAfterKill(t *testing.T) {
	for n, died := 0, true; died; n++ {
		v := burst(t, 3)
		died = diesAt(v, n)
		v.Must(v.Rest(t.Context()))
		everyoneHas(v, 3, 2, 1)
	}
}

// Each of the slices has a lease and an attempt of its own.
func TestPush_ContinuesWithoutFencedSlice(t *testing.T) {
	for _, lost := range []feed.PostID{1, 2} {
		v := burst(t, 2)
		pushed := pushes(v)
		// Calls 0 to 3: both claims, followers, inboxes.
		happened := v.At(3, func() {
			v.Clock.Advance(v.Policy.SliceLease)
			if s := claims(v, feed.SliceRef{Post: lost}); s == nil {
				t.Error("the lease is not over")
			}
		})
		v.Must(v.Fanout.Push(t.Context(), slice(0)))
		if !happened() {
			t.Fatal("the push was over too soon")
		}
		fixture.Same(t, "the followers served by finished slices", *pushed, 3)
		if s := claims(v, feed.SliceRef{Post: lost}); s == nil || s.Progress != ann-1 {
			t.Errorf("the slice of post %d was changed: %+v", lost, s)
		}
		if s := claims(v, feed.SliceRef{Post: 3 - lost}); s != nil {
			t.Errorf("the slice of post %d is not done: %+v", 3-lost, s)
		}
		v.Must(v.Rest(t.Context()))
		everyoneHas(v, 2, 1)
	}
}

func TestPush_ContinuesWithoutUnknownPost(t *testing.T) {
	v := burst(t, 1)
	alike := feed.Slice{SliceRef: feed.SliceRef{Post: 99}, First: 1, Last: cem}
	_, err := v.Backend.Plans.StorePlan(t.Context(), feed.Plan{Post: 99, Author: star, Slices: []feed.Slice{alike}}, 0)
	v.Must(err)
	v.Must(v.Fanout.Push(t.Context(), slice(0)))
	everyoneHas(v, 1)
	if s := claims(v, alike.SliceRef); s == nil || s.Attempt != 2 {
		t.Errorf("the other slice was not claimed and given back: %+v", s)
	}
}
