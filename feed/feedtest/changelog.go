package feedtest

import (
	"context"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// ChangeLog checks the promises of [feed.ChangeLog]. open returns stores and their log.
func ChangeLog(t *testing.T, open func(t *testing.T) (Stores, feed.ChangeLog)) {
	for name, check := range map[string]func(l *looking){
		"whatever raises a version or an own number, a look tells of it":      lookChanges,
		"what changes nothing names no user":                                  lookNothing,
		"a look has what all stamps have in common":                           lookSight,
		"a look without a position, or from one that never was, is not whole": lookUnknown,
		"two looks from one position both tell of everything since":           lookTwice,
		"a context that is over is an error":                                  lookOver,
	} {
		t.Run(name, func(t *testing.T) {
			stores, log := open(t)
			w := &world{t: t, ctx: t.Context(), Stores: stores}
			w.four()
			l := &looking{world: w, log: log}
			l.look()
			check(l)
		})
	}
}

// looking polls a log. Each poll continues at the position of the last one.
type looking struct {
	*world
	log      feed.ChangeLog
	position string
}

func (l *looking) look() feed.Poll {
	l.t.Helper()
	look, err := l.log.Poll(l.ctx, l.position)
	l.must(err)
	l.position = look.Position
	return look
}

// tells fails the test unless the next poll is complete and has exactly these users.
func (l *looking) tells(after string, want ...feed.UserID) {
	l.t.Helper()
	look := l.look()
	slices.Sort(look.Changed)
	l.same("that the look is whole after "+after, look.Whole, true)
	l.same("users named by the poll after "+after, slices.Compact(look.Changed), want)
}

func lookChanges(l *looking) {
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
		{"a deleted account", func() { l.leave(dee) }, []feed.UserID{dee}},
		{"several things", func() {
			l.follow(bob, ann)
			l.post(3, ann, noon)
			l.follow(ann, cem)
		}, []feed.UserID{ann, bob}},
	} {
		before := map[feed.UserID]feed.ViewerVersion{}
		for _, user := range []feed.UserID{ann, bob, cem, dee} {
			before[user] = l.stamp(user)
		}
		step.do()
		for user, was := range before {
			if is := l.stamp(user); (is != was) != slices.Contains(step.who, user) {
				l.t.Errorf("after %s the stamp of %s is %+v and was %+v: the test is wrong", step.what, user, is, was)
			}
		}
		l.tells(step.what, step.who...)
	}
}

func lookNothing(l *looking) {
	l.follow(ann, bob)
	l.post(1, bob, noon)
	l.tells("changes", ann, bob)
	l.tells("nothing")
	l.follow(ann, bob)
	l.unfollow(ann, cem)
	l.relate(feed.RelationMute, ann, cem, false)
	l.must(l.PostWriter.React(l.ctx, feed.ReactionLike, ann, 1, noon))
	l.tells("what changes nothing")
}

func lookSight(l *looking) {
	before := l.look()
	l.same("the generation", before.Generation, l.stamp(0).Generation)
	l.mark(feed.FlagSelective, ann)
	l.must(l.PulseLog.RaiseGeneration(l.ctx))
	look, stamp := l.look(), l.dated(ann)
	l.same("what all have in common", []int64{look.Generation, look.Flags}, []int64{stamp.Generation, stamp.Flags})
	if look.Flags == before.Flags || look.Generation == before.Generation {
		l.t.Errorf("neither a mark nor a generation changes what was %+v: %+v", before, look)
	}
	if look.Now < before.Now || look.Now > stamp.Now {
		l.t.Errorf("the look is of %d, between %d and %d", look.Now, before.Now, stamp.Now)
	}
}

func lookUnknown(l *looking) {
	l.follow(ann, bob)
	for _, position := range []string{"", "1:1:@another server"} {
		look, err := l.log.Poll(l.ctx, position)
		l.must(err)
		l.same("that it is whole", look.Whole, false)
		l.position = look.Position
		l.tells("a look that is not whole")
	}
}

func lookTwice(l *looking) {
	from := l.position
	l.follow(ann, bob)
	l.tells("one change", ann)
	l.follow(bob, ann)
	l.position = from
	l.tells("both changes", ann, bob)
}

func lookOver(l *looking) {
	l.refuses(map[string]func(ctx context.Context) error{
		"Poll": func(ctx context.Context) error { _, err := l.log.Poll(ctx, l.position); return err },
	})
}
