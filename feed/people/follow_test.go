package people_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
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

func TestFollow_ReturnsTargetAndRequestsReconciliation(t *testing.T) {
	v := fixture.New(t)
	for _, change := range []func() (*feed.User, error){
		func() (*feed.User, error) { return v.Follower.Follow(t.Context(), ann, star) },
		func() (*feed.User, error) { return v.Follower.Follow(t.Context(), ann, star) },
		func() (*feed.User, error) { return v.Follower.Unfollow(t.Context(), ann, star) },
		func() (*feed.User, error) { return v.Follower.Unfollow(t.Context(), ann, star) },
	} {
		v.Queue.Lose()
		u, err := change()
		if v.Must(err); u == nil || u.ID != star {
			t.Errorf("it returned %+v", u)
		}
		fixture.Same(t, "the queue", v.Queue.Tasks(), feedtest.Task{Reconcile: ann})
	}
}

// A viewer may follow and unfollow users they block: the block hides those users anyway.
func TestFollow_IgnoresOwnBlock(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.Relate(feed.RelationBlock, ann, star)
	v.Follow(ann, star)
	fixture.Same(t, "ann's home feed", v.Home(ann))
	_, err := v.Follower.Unfollow(t.Context(), ann, star)
	v.Must(err)
}

// A user who blocks the viewer does not exist for them, except that they can unfollow.
func TestUnfollow_WorksWhenBlockedByTarget(t *testing.T) {
	v := fixture.New(t)
	v.Follow(ann, star)
	v.Relate(feed.RelationBlock, star, ann)
	_, err := v.Follower.Unfollow(t.Context(), ann, star)
	v.Must(err)
	if _, err = v.Follower.Unfollow(t.Context(), ann, star); feed.CodeOf(err) != feed.CodeNotFound {
		t.Errorf("once it has ended, ending it again is %v, want NOT_FOUND", err)
	}
}

func TestFollow_WorksWithoutQueue(t *testing.T) {
	v := fixture.New(t)
	v.Post(star, 1)
	v.WorkAll()
	v.BuildInbox(ann)
	failures := 0
	v.Follower.Trace.EnqueueFailed = func(error) { failures++ }
	v.Queue.Err = errors.New("the queue is down")
	v.Follow(ann, star)
	fixture.Same(t, "ann's home feed", v.Home(ann), 1)
	if failures != 1 {
		t.Errorf("%d failures were reported, want 1", failures)
	}
}
