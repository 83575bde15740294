package fanout_test

import (
	"context"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

// The users of the tests.
const (
	ann  = fixture.Ann
	bob  = fixture.Bob
	cem  = fixture.Cem
	star = fixture.Star
	moon = fixture.Moon
)

// followers are the followers of star.
func followers() []feed.UserID { return []feed.UserID{ann, bob, cem} }

// followed is a service in which the followers of star have inboxes.
func followed(t *testing.T, change ...func(p *feed.Policy)) fixture.Service {
	t.Helper()
	v := fixture.New(t, change...)
	for _, viewer := range followers() {
		v.Cover(viewer, star)
	}
	v.Queue.Lose()
	return v
}

// plansByTask makes workers plan all fan-outs, as those of large audiences.
func plansByTask(v fixture.Service) { v.Publisher.Policy.Fanout = feed.FanoutPull }

// published is a followed service in which star has published post 1. Its stored plan has slices of
// size followers, whose tasks are queued.
func published(t *testing.T, size int) fixture.Service {
	t.Helper()
	v := followed(t, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = size, size })
	plansByTask(v)
	plan(v, 1)
	return v
}

// burst is a followed service in which star has published posts 1 to n, each with one pending slice
// without a task.
func burst(t *testing.T, n feed.PostID, change ...func(p *feed.Policy)) fixture.Service {
	t.Helper()
	v := followed(t, append(change, func(p *feed.Policy) { p.SliceSize, p.PlanBatch = 3, 3 })...)
	plansByTask(v)
	for id := range n {
		plan(v, 1+id)
	}
	v.Queue.Lose()
	return v
}

// small is a followed service in which the audience of star is small.
func small(t *testing.T) fixture.Service {
	t.Helper()
	return followed(t, func(p *feed.Policy) { p.SliceSize, p.PushBatch = 3, 1 })
}

// plan publishes a post by star and dispatches it.
func plan(v fixture.Service, id feed.PostID) {
	v.Helper()
	v.Post(star, id)
	v.Queue.Lose()
	v.Must(v.Fanout.Dispatch(v.Context(), id))
}

// slice is a slice of post 1.
func slice(task int) feed.SliceRef { return feed.SliceRef{Post: 1, Task: task} }

// push pushes the first slice of a post.
func push(v fixture.Service, id feed.PostID) {
	v.Helper()
	v.Must(v.Fanout.Push(v.Context(), feed.SliceRef{Post: id}))
}

// served returns the followers who have post 1 in their inbox.
func served(v fixture.Service) []feed.UserID {
	v.Helper()
	return slices.DeleteFunc(followers(), func(id feed.UserID) bool { return !slices.Contains(v.Entries(id), 1) })
}

// everyoneHas fails the test unless the followers have just these posts in their inboxes.
func everyoneHas(v fixture.Service, want ...feed.PostID) {
	v.Helper()
	for _, viewer := range followers() {
		fixture.Same(v.T, "the inbox of "+viewer.String(), v.Entries(viewer), want...)
	}
}

// pushes records how many followers each finished slice has served.
func pushes(v fixture.Service) *[]int {
	var n []int
	v.Fanout.Trace.SlicePushed = func(_ feed.SliceRef, served int) { n = append(n, served) }
	return &n
}

// claims claims a slice for a moment. It returns nil if the slice is done or claimed.
func claims(v fixture.Service, ref feed.SliceRef) *feed.Slice {
	v.Helper()
	now := v.Clock.Millis()
	return fixture.Got(v.Backend.Slices.ClaimSlice(v.Context(), ref, now, now)).Must(v)
}

// released fails the test unless the first slices of the posts can be claimed, and have the progress.
func released(v fixture.Service, progress feed.UserID, posts ...feed.PostID) {
	v.Helper()
	for _, id := range posts {
		if s := claims(v, feed.SliceRef{Post: id}); s == nil || s.Progress != progress {
			v.Errorf("the slice of post %d was not released with the progress up to %d: %+v", id, progress, s)
		}
	}
}

// finished fails the test unless the first slice of a post is done.
func finished(v fixture.Service, id feed.PostID) {
	v.Helper()
	if s := claims(v, feed.SliceRef{Post: id}); s != nil {
		v.Errorf("the slice of post %d is not done: %+v", id, s)
	}
}

// diesAt has a worker push the first slice and die at step n. It says whether there was one.
func diesAt(v fixture.Service, n int) bool {
	v.Helper()
	happened := v.At(n, func() { panic("the worker dies") })
	func() {
		defer func() { _ = recover() }()
		push(v, 1)
	}()
	return happened()
}

// walkedAudience calls a function before it walks along followers.
type walkedAudience struct {
	feed.Audience
	walks func()
}

func (a walkedAudience) FollowerBounds(ctx context.Context, author, after feed.UserID, size, limit int) ([]feed.UserID, error) {
	a.walks()
	return a.Audience.FollowerBounds(ctx, author, after, size, limit)
}

// watchedInboxes call a function before each push.
type watchedInboxes struct {
	feed.Inboxes
	pushed func()
}

func (c watchedInboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	c.pushed()
	return c.Inboxes.Push(ctx, viewers, keys...)
}

// pushCalls counts the pushes to inboxes.
func pushCalls(v fixture.Service) *int {
	n := new(int)
	v.Fanout.Inboxes = watchedInboxes{v.Fanout.Inboxes, func() { *n++ }}
	return n
}
