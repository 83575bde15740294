package people_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
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
		fixture.Got(v.Follower.Follow(t.Context(), ann, target, feed.FollowChoice{})).Refused(v, want.code, want.field...)
	}
	fixture.Same(t, "what refusals ask for", v.Queue.Tasks())
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
	fixture.Is(t, "the tasks of 41 changes without a read", tasks, 0)
	for range 2 {
		fixture.Same(t, "ann's home feed", v.Home(ann), 1)
		work()
	}
	fixture.Same(t, "the inbox", v.Entries(ann), 1)
	fixture.Is(t, "the tasks of 41 changes and two reads", tasks, 1)
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
	v := fixture.NewFollowing(t)
	v.Relate(feed.RelationBlock, star, ann)
	v.Unfollow(ann, star)
	fixture.Got(v.Follower.Unfollow(t.Context(), ann, star)).Refused(v, feed.CodeNotFound, "userId")
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
	fixture.Is(t, "the failures reported", failures, 1)
}

func relationKinds() []feed.RelationKind {
	return []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
}

// moderate begins or ends a relation and returns the target.
func moderate(v fixture.Service, viewer feed.UserID, kind feed.RelationKind, target feed.UserID, on bool) (*feed.User, error) {
	m := &people.Relations{Relater: v.Relater, Directory: v.Directory, Clock: v.Clock.Now}
	return m.Relate(v.Context(), viewer, kind, target, on)
}

// related returns the viewer's list, latest first.
func related(v fixture.Service, viewer feed.UserID, kind feed.RelationKind) []feed.UserID {
	v.Helper()
	return usersOf(fixture.Got(v.Directory.Related(v.Context(), viewer, kind, feed.PageQuery{First: new(10)})).Must(v))
}

func usersOf(p *feed.UserPage) []feed.UserID {
	var ids []feed.UserID
	for _, e := range p.Entries {
		ids = append(ids, e.User.ID)
	}
	return ids
}

func TestRelate_RefusesInvalidTargets(t *testing.T) {
	v := fixture.New(t)
	v.Relate(feed.RelationBlock, star, ann)
	v.Must(v.Profiles.DeleteAccount(t.Context(), moon, 1))
	for target, code := range map[feed.UserID]feed.Code{
		ann: feed.CodeInvalid, star: feed.CodeNotFound, moon: feed.CodeNotFound, 99: feed.CodeNotFound,
	} {
		for _, kind := range relationKinds() {
			for _, on := range []bool{true, false} {
				fixture.Got(moderate(v, ann, kind, target, on)).Refused(v, code, "userId")
			}
		}
	}
	fixture.Got(moderate(v, ann, "poke", bob, true)).Refused(v, feed.CodeInvalid)
	fixture.Got(v.Directory.Related(t.Context(), ann, "poke", feed.PageQuery{})).Refused(v, feed.CodeBadInput)
}

func TestRelate_EndsRelationToBlockingUser(t *testing.T) {
	v := fixture.New(t)
	for _, kind := range relationKinds() {
		v.Relate(kind, ann, star)
	}
	v.Relate(feed.RelationBlock, star, ann)
	for _, kind := range relationKinds() {
		fixture.Same(t, "ann's list", related(v, ann, kind), star)
		u := fixture.Got(moderate(v, ann, kind, star, false)).Must(t)
		fixture.Same(t, "whom it was done to", []feed.UserID{u.ID}, star)
		fixture.Same(t, "ann's list afterwards", related(v, ann, kind))
		fixture.Got(moderate(v, ann, kind, star, false)).Refused(v, feed.CodeNotFound, "userId")
	}
}

func TestRelated_ListsLatestFirst(t *testing.T) {
	v := fixture.New(t)
	for _, target := range []feed.UserID{moon, bob, star, cem} {
		v.Clock.Advance(1e6)
		fixture.Got(moderate(v, ann, feed.RelationMute, target, true)).Must(t)
	}
	v.Relate(feed.RelationBlock, bob, ann)
	v.Must(v.Profiles.DeleteAccount(t.Context(), star, 1))
	page := fixture.Got(v.Directory.Related(t.Context(), ann, feed.RelationMute, feed.PageQuery{First: new(2)})).Must(t)
	fixture.Same(t, "the first page", usersOf(page), cem, bob)
	fixture.Same(t, "more follow", []bool{page.HasNext}, true)
	after := feed.PageQuery{After: page.Entries[1].Cursor, LookBack: true}
	rest := fixture.Got(v.Directory.Related(t.Context(), ann, feed.RelationMute, after)).Must(t)
	fixture.Same(t, "the second page", usersOf(rest), moon)
	fixture.Same(t, "more follow, and more stand before", []bool{rest.HasNext, rest.HasPrevious}, false, true)
	fixture.Got(v.Directory.Related(t.Context(), ann, feed.RelationBlock, after)).Refused(v, feed.CodeBadCursor)
	fixture.Same(t, "bob's list", related(v, bob, feed.RelationMute))
}
