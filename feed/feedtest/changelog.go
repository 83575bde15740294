package feedtest

import (
	"context"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeLog checks the promises of [feed.ChangeLog]. open returns stores and their log.
func ChangeLog(t *testing.T, open func(t *testing.T) (Stores, feed.ChangeLog)) {
	for name, check := range map[string]func(l *pollTest){
		"a poll returns every user whose version or own number rose":       pollFindsChanges,
		"a poll after calls without effect returns no user":                pollFindsNoChange,
		"a poll has the common part of all viewer versions":                pollCommonVersion,
		"a poll without a position, or from an unknown one, is incomplete": pollUnknownPosition,
		"two polls from one position both return all changes since":        pollTwice,
		"an ended context is an error":                                     pollEndedContext,
	} {
		t.Run(name, func(t *testing.T) {
			stores, log := open(t)
			w := &world{t: t, ctx: t.Context(), Stores: stores}
			w.fourUsers()
			l := &pollTest{world: w, log: log}
			l.poll()
			check(l)
		})
	}
}

// pollTest polls a log. Each poll continues at the position of the last one.
type pollTest struct {
	*world
	log      feed.ChangeLog
	position string
}

func (l *pollTest) poll() feed.Poll {
	l.t.Helper()
	poll, err := l.log.Poll(l.ctx, l.position)
	l.must(err)
	l.position = poll.Position
	return poll
}

// finds fails the test unless the next poll is complete and has exactly these users.
func (l *pollTest) finds(after string, want ...feed.UserID) {
	l.t.Helper()
	poll := l.poll()
	slices.Sort(poll.Changed)
	l.same("completeness of the poll after "+after, poll.Whole, true)
	l.same("users returned by the poll after "+after, slices.Compact(poll.Changed), want)
}

func pollFindsChanges(l *pollTest) {
	for _, step := range []struct {
		what string
		do   func()
		who  []feed.UserID
	}{
		{"a follow", func() { l.follow(ann, bob) }, []feed.UserID{ann}},
		{"an unfollow", func() { l.unfollow(ann, bob) }, []feed.UserID{ann}},
		{"a mute", func() { l.relate(feed.RelationMute, ann, bob, true) }, []feed.UserID{ann}},
		{"the end of a mute", func() { l.relate(feed.RelationMute, ann, bob, false) }, []feed.UserID{ann}},
		{"a hide", func() { l.relate(feed.RelationHide, bob, ann, true) }, []feed.UserID{ann}},
		{"a block", func() { l.relate(feed.RelationBlock, cem, bob, true) }, []feed.UserID{bob, cem}},
		{"the first publish", func() { l.post(1, ann, noon) }, []feed.UserID{ann}},
		{"another publish", func() { l.post(2, ann, noon) }, []feed.UserID{ann}},
		{"an edit", func() { _, err := l.PostWriter.Edit(l.ctx, 2, "other", noon); l.must(err) }, []feed.UserID{ann}},
		{"a deletion", func() { l.delete(2) }, []feed.UserID{ann}},
		{"a profile", func() {
			_, err := l.Profiles.UpdateProfile(l.ctx, dee, feed.ProfileChange{Name: new("Dee")})
			l.must(err)
		}, []feed.UserID{dee}},
		{"a deleted account", func() { l.deleteAccounts(dee) }, []feed.UserID{dee}},
		{"several things", func() {
			l.follow(bob, ann)
			l.post(3, ann, noon)
			l.follow(ann, cem)
		}, []feed.UserID{ann, bob}},
	} {
		before := map[feed.UserID]feed.ViewerVersion{}
		for _, user := range []feed.UserID{ann, bob, cem, dee} {
			before[user] = l.viewerVersion(user)
		}
		step.do()
		for user, was := range before {
			if is := l.viewerVersion(user); (is != was) != slices.Contains(step.who, user) {
				l.t.Errorf("after %s the version of user %s is %+v, was %+v; this does not match the expected users of the test", step.what, user, is, was)
			}
		}
		l.finds(step.what, step.who...)
	}
}

func pollFindsNoChange(l *pollTest) {
	l.follow(ann, bob)
	l.post(1, bob, noon)
	l.finds("changes", ann, bob)
	l.finds("nothing")
	l.follow(ann, bob)
	l.unfollow(ann, cem)
	l.relate(feed.RelationMute, ann, cem, false)
	l.must(l.PostWriter.React(l.ctx, feed.ReactionLike, ann, 1, noon))
	l.finds("calls without effect")
}

func pollCommonVersion(l *pollTest) {
	before := l.poll()
	l.same("the generation", before.Generation, l.viewerVersion(0).Generation)
	l.raiseFlag(feed.FlagSelective, ann)
	l.must(l.PulseLog.RaiseGeneration(l.ctx))
	poll, version := l.poll(), l.timedViewerVersion(ann)
	l.same("the generation and flag count", []int64{poll.Generation, poll.Flags}, []int64{version.Generation, version.Flags})
	if poll.Flags == before.Flags || poll.Generation == before.Generation {
		l.t.Errorf("a raised flag and generation must change the poll %+v, got %+v", before, poll)
	}
	if poll.Now < before.Now || poll.Now > version.Now {
		l.t.Errorf("the poll has time %d, want a time from %d to %d", poll.Now, before.Now, version.Now)
	}
}

func pollUnknownPosition(l *pollTest) {
	l.follow(ann, bob)
	for _, position := range []string{"", "1:1:@another server"} {
		poll, err := l.log.Poll(l.ctx, position)
		l.must(err)
		l.same("completeness of the poll", poll.Whole, false)
		l.position = poll.Position
		l.finds("an incomplete poll")
	}
}

func pollTwice(l *pollTest) {
	from := l.position
	l.follow(ann, bob)
	l.finds("one change", ann)
	l.follow(bob, ann)
	l.position = from
	l.finds("both changes", ann, bob)
}

func pollEndedContext(l *pollTest) {
	l.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Poll": func(ctx context.Context) error { _, err := l.log.Poll(ctx, l.position); return err },
	})
}
