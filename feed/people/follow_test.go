package people_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
)

func TestFollow_RefusesInvalidTargets(t *testing.T) {
	v := fixture.New(t, func(p *feed.Policy) { p.FollowLimit = 1 })
	v.Relate(feed.RelationBlock, star, ann)
	v.Follow(ann, bob)
	v.Queue.Lose()
	for target, want := range map[feed.UserID]struct {
		code  feed.Code
		field []string
	}{
		ann:  {feed.CodeInvalid, []string{"userId"}},
		99:   {feed.CodeNotFound, []string{"userId"}},
		star: {feed.CodeNotFound, []string{"userId"}},
		cem:  {feed.CodeFollowLimit, nil},
	} {
		_, err := v.Follower.Follow(t.Context(), ann, target)
		v.Refused(err, want.code, want.field...)
	}
	if n := v.Queue.Len(); n > 0 {
		t.Errorf("for nothing %v was asked for", v.Queue.Tasks())
	}
}

// The worker is idle: it runs each task before the next change.
func TestFollow_ManyTogglesMakeOneTask(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.BuildInbox(ann)
	v.WorkAll()
	tasks := 0
	work := func() {
		tasks += v.Queue.Len()
		v.WorkAll()
	}
	for n := range 41 {
		if n%2 == 0 {
			v.Follow(ann, star)
		} else {
			v.Unfollow(ann, star)
		}
		work()
	}
	if tasks > 0 {
		t.Errorf("41 changes without a read made %d tasks", tasks)
	}
	for range 2 {
		fixture.Same(t, "ann's home feed", v.Home(ann), 1)
		work()
	}
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
	if tasks != 1 {
		t.Errorf("41 changes and two reads made %d tasks, want 1", tasks)
	}
}

// A viewer may follow and unfollow users they block: the block hides those users anyway.
func TestFollow_IgnoresOwnBlock(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.Relate(feed.RelationBlock, ann, star)
	v.Follow(ann, star)
	fixture.Same(t, "ann's home feed", v.Home(ann))
	v.Unfollow(ann, star)
}

// A user who blocks the viewer does not exist for them, except that they can unfollow.
func TestUnfollow_WorksWhenBlockedByTarget(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.Relate(feed.RelationBlock, star, ann)
	v.Unfollow(ann, star)
	_, err := v.Follower.Unfollow(t.Context(), ann, star)
	v.Refused(err, feed.CodeNotFound, "userId")
}

func TestFollow_WorksWithoutQueue(t *testing.T) {
	v := fixture.New(t)
	v.Deliver(star, 1)
	v.BuildInbox(ann)
	failures := 0
	v.Timeline.Trace.EnqueueFailed = func(error) { failures++ }
	v.Queue.Err = errors.New("the queue is down")
	v.Follow(ann, star)
	fixture.Same(t, "ann's home feed", v.Home(ann), 1)
	if failures != 1 {
		t.Errorf("%d failures were reported, want 1", failures)
	}
}
