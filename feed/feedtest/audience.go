package feedtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Audience checks the promises of [feed.Audience].
func Audience(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"follower ids ascend as numbers, from above After up to UpTo, at most Limit of them", followerSlices},
		{"the bounds are the last followers of runs of the given size", followerBounds},
		{"only follow edges decide who is a follower", followersByEdges},
		{"authors without followers, and unknown authors, have no followers", followersNone},
		{"the followers among some users are returned, each once", followersAmong},
		{"the number of followers matches the edges", followerCount},
		{"an ended context is an error", audienceEndedContext},
	})
	t.Run("RaiseFlag", func(t *testing.T) {
		testPromises(t, open, []promise{
			{"a raised flag stays, and raising it twice changes nothing", flagStays},
			{"a flag only rises", flagRises},
			{"the highest of concurrent flags wins", flagAtOnce},
			{"raising the flag of an unknown user changes nothing, even if the user is stored later", flagUnknownUser},
		})
	})
	t.Run("Active", func(t *testing.T) { activeFollowers(t, open) })
}

// followerIDs returns the ids of all followers.
func (w *world) followerIDs(author feed.UserID) []feed.UserID {
	w.t.Helper()
	return w.followersBetween(author, 0, math.MaxInt64, many)
}

func (w *world) followersBetween(author, after, upTo feed.UserID, limit int) []feed.UserID {
	w.t.Helper()
	ids, err := w.Audience.FollowerIDs(w.ctx, author, feed.FollowerRange{After: after, UpTo: upTo, Limit: limit})
	w.must(err)
	return ids
}

func followerSlices(w *world) {
	const last = feed.UserID(math.MaxInt64)
	w.user(1, 9, 10, 100, last)
	for _, follower := range []feed.UserID{100, last, 9, 10} {
		w.follow(follower, 1)
	}
	for _, c := range []struct {
		after, upTo feed.UserID
		limit       int
		want        []feed.UserID
	}{
		{0, last, 9, []feed.UserID{9, 10, 100, last}},
		{0, last, 2, []feed.UserID{9, 10}},
		{10, last, 9, []feed.UserID{100, last}},
		{9, 100, 9, []feed.UserID{10, 100}},
		{8, 9, 9, []feed.UserID{9}},
		{9, 9, 9, nil},
		{11, 99, 9, nil},
		{last, last, 9, nil},
	} {
		w.same("a range of followers", w.followersBetween(1, c.after, c.upTo, c.limit), c.want)
	}
}

func followerBounds(w *world) {
	const last = feed.UserID(math.MaxInt64)
	w.user(1, 2, 9, 10, 100, last)
	for _, follower := range []feed.UserID{100, last, 9, 2, 10} {
		w.follow(follower, 1)
	}
	w.unfollow(2, 1)
	for _, c := range []struct {
		after      feed.UserID
		size, most int
		want       []feed.UserID
	}{
		{0, 1, 9, []feed.UserID{9, 10, 100, last}},
		{0, 2, 9, []feed.UserID{10, last}},
		{0, 3, 9, []feed.UserID{100, last}},
		{0, 4, 9, []feed.UserID{last}},
		{0, 5, 9, []feed.UserID{last}},
		{0, 1, 2, []feed.UserID{9, 10}},
		{10, 3, 2, []feed.UserID{last}},
		{9, 2, 1, []feed.UserID{100}},
		{last, 2, 9, nil},
	} {
		bounds, err := w.Audience.FollowerBounds(w.ctx, 1, c.after, c.size, c.most)
		w.must(err)
		w.same(fmt.Sprintf("the bounds of at most %d runs of %d followers after %d", c.most, c.size, c.after), bounds, c.want)
	}
	for _, author := range []feed.UserID{9, 77} {
		bounds, err := w.Audience.FollowerBounds(w.ctx, author, 0, 1, 1)
		w.must(err)
		w.same("the bounds without followers", bounds, []feed.UserID(nil))
	}
}

func followersByEdges(w *world) {
	w.fourUsers()
	w.follow(ann, bob)
	w.follow(cem, bob)
	w.follow(bob, dee)
	for _, kind := range []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock} {
		w.relate(kind, ann, bob, true)
		w.relate(kind, bob, ann, true)
	}
	w.same("the followers", w.followerIDs(bob), []feed.UserID{ann, cem})
	w.unfollow(cem, bob)
	w.same("the followers", w.followerIDs(bob), []feed.UserID{ann})
}

func followersAmong(w *world) {
	w.fourUsers()
	w.follow(ann, bob)
	w.follow(cem, bob)
	w.follow(bob, dee)
	w.relate(feed.RelationBlock, bob, ann, true)
	among := func(users ...feed.UserID) []feed.UserID {
		ids, err := w.Audience.FollowersAmong(w.ctx, bob, users)
		w.must(err)
		slices.Sort(ids)
		return ids
	}
	w.same("all followers among the users", among(dee, cem, ann, bob, 77), []feed.UserID{ann, cem})
	w.same("one follower", among(cem), []feed.UserID{cem})
	w.same("a user who does not follow", among(dee), []feed.UserID{})
	w.same("no users", among(), []feed.UserID{})
	w.unfollow(cem, bob)
	w.same("the remaining followers among the users", among(ann, cem), []feed.UserID{ann})
}

func followersNone(w *world) {
	w.fourUsers()
	for _, author := range []feed.UserID{ann, 12345} {
		w.same("the followers", w.followerIDs(author), []feed.UserID(nil))
		n, flag := w.reach(author)
		w.same("the number of followers", n, int64(0))
		w.same("the coverage flag", flag, feed.FlagNone)
	}
}

func (w *world) reach(author feed.UserID) (int64, feed.CoverageFlag) {
	w.t.Helper()
	n, flag, err := w.Audience.Reach(w.ctx, author)
	w.must(err)
	return n, flag
}

func followerCount(w *world) {
	w.fourUsers()
	count := func(want int64) {
		w.t.Helper()
		n, _ := w.reach(bob)
		w.same("the number of followers", n, want)
	}
	w.follow(ann, bob)
	w.follow(cem, bob)
	count(2)
	w.follow(cem, bob)
	w.relate(feed.RelationBlock, cem, bob, true)
	count(2)
	w.unfollow(cem, bob)
	count(1)
}

func flagStays(w *world) {
	w.fourUsers()
	w.follow(ann, bob)
	before := w.viewerVersion(ann)
	w.must(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagBacklog))
	w.must(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagBacklog))
	flagged := newUser(bob)
	flagged.Flag = feed.FlagUnpushed
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), flagged})
	w.user(bob)
	w.same("the user after a second EnsureUser", w.usersOf(bob), []*feed.User{flagged})
	found, err := w.Users.UserByHandle(w.ctx, flagged.Handle)
	w.must(err)
	w.same("the user by handle", found, flagged)
	before.Flags = w.viewerVersion(ann).Flags
	w.same("ann's viewer version without the flag count", w.viewerVersion(ann), before)
}

func flagRises(w *world) {
	w.user(ann, bob)
	for _, c := range []struct{ set, want feed.CoverageFlag }{
		{feed.FlagNone, feed.FlagNone},
		{feed.FlagSelective, feed.FlagSelective},
		{feed.FlagNone, feed.FlagSelective},
		{feed.FlagUnpushed, feed.FlagUnpushed},
		{feed.FlagSelective, feed.FlagUnpushed},
		{feed.FlagNone, feed.FlagUnpushed},
	} {
		w.raiseFlag(c.set, ann)
		w.same("the coverage flag", w.usersOf(ann)[0].Flag, c.want)
		_, flag := w.reach(ann)
		w.same("the flag that Reach returns", flag, c.want)
	}
	w.raiseFlag(feed.FlagUnpushed, bob)
	w.same("a flag that skips a level", w.usersOf(bob)[0].Flag, feed.FlagUnpushed)
}

func flagAtOnce(w *world) {
	w.fourUsers()
	for _, err := range concurrently(9, func(i int) error { return w.Audience.RaiseFlag(w.ctx, bob, feed.CoverageFlag(i%3), feed.FlagMode) }) {
		w.must(err)
	}
	w.same("the coverage flag", w.usersOf(bob)[0].Flag, feed.FlagUnpushed)
}

func flagUnknownUser(w *world) {
	w.raiseFlag(feed.FlagUnpushed, 0, ann)
	w.same("the users", w.usersOf(ann), []*feed.User{nil})
	w.user(ann)
	w.same("the coverage flag", w.usersOf(ann)[0].Flag, feed.FlagNone)
}

func audienceEndedContext(w *world) {
	w.fourUsers()
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"FollowerIDs": func(ctx context.Context) error {
			_, err := w.Audience.FollowerIDs(ctx, ann, feed.FollowerRange{UpTo: math.MaxInt64, Limit: 1})
			return err
		},
		"FollowerBounds": func(ctx context.Context) error {
			_, err := w.Audience.FollowerBounds(ctx, ann, 0, 1, 1)
			return err
		},
		"Reach": func(ctx context.Context) error {
			_, _, err := w.Audience.Reach(ctx, ann)
			return err
		},
		"RaiseFlag": func(ctx context.Context) error {
			return w.Audience.RaiseFlag(ctx, ann, feed.FlagUnpushed, feed.FlagBacklog)
		},
	})
	w.same("the user", w.usersOf(ann), []*feed.User{newUser(ann)})
}
