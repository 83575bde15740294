package feedtest

import (
	"fmt"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// audiencePromises checks the promises of [feed.Audience].
func audiencePromises(s storeSuite) {
	s.empty("follower ids ascend as numbers, from above After up to UpTo, at most Limit of them", func(w *world) {
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
	})
	s.empty("the bounds are the last followers of runs of the given size", func(w *world) {
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
			bounds := must(w.Audience.FollowerBounds(w.ctx, 1, c.after, c.size, c.most))
			w.same(fmt.Sprintf("the bounds of at most %d runs of %d followers after %d", c.most, c.size, c.after), bounds, c.want)
		}
		for _, author := range []feed.UserID{9, 77} {
			bounds := must(w.Audience.FollowerBounds(w.ctx, author, 0, 1, 1))
			w.same("the bounds without followers", bounds, []feed.UserID(nil))
		}
	})
	s.promise("only follow edges decide who is a follower", func(w *world) {
		w.follow(ann, bob)
		w.follow(cem, bob)
		w.follow(bob, dee)
		for _, kind := range relationKinds() {
			w.relate(kind, ann, bob, true)
			w.relate(kind, bob, ann, true)
		}
		w.same("the followers", w.followerIDs(bob), []feed.UserID{ann, cem})
		w.unfollow(cem, bob)
		w.same("the followers", w.followerIDs(bob), []feed.UserID{ann})
	})
	s.promise("authors without followers, and unknown authors, have no followers", func(w *world) {
		for _, author := range []feed.UserID{ann, 12345} {
			w.same("the followers", w.followerIDs(author), []feed.UserID(nil))
			n, flag := w.reach(author)
			w.same("the number of followers", n, int64(0))
			w.same("the coverage flag", flag, feed.FlagNone)
		}
	})
	s.promise("the followers among some users are returned, each once", func(w *world) {
		w.follow(ann, bob)
		w.follow(cem, bob)
		w.follow(bob, dee)
		w.relate(feed.RelationBlock, bob, ann, true)
		among := func(users ...feed.UserID) []feed.UserID {
			ids := must(w.Audience.FollowersAmong(w.ctx, bob, users))
			slices.Sort(ids)
			return ids
		}
		w.same("all followers among the users", among(dee, cem, ann, bob, 77), []feed.UserID{ann, cem})
		w.same("one follower", among(cem), []feed.UserID{cem})
		w.same("a user who does not follow", among(dee), []feed.UserID{})
		w.same("no users", among(), []feed.UserID{})
		w.unfollow(cem, bob)
		w.same("the remaining followers among the users", among(ann, cem), []feed.UserID{ann})
	})
	s.promise("the number of followers matches the edges", func(w *world) {
		count := func(want int64) {
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
	})
	s.group("RaiseFlag", func(s storeSuite) {
		s.promise("a raised flag stays, and raising it twice changes nothing", func(w *world) {
			w.follow(ann, bob)
			before := w.viewerVersion(ann)
			check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagBacklog))
			check(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed, feed.FlagBacklog))
			flagged := newUser(bob)
			flagged.Flag = feed.FlagUnpushed
			w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), flagged})
			w.user(bob)
			w.same("the user after a second EnsureUser", w.usersOf(bob), []*feed.User{flagged})
			w.same("the user by handle", must(w.Users.UserByHandle(w.ctx, flagged.Handle)), flagged)
			before.Flags = w.viewerVersion(ann).Flags
			w.same("ann's viewer version without the flag count", w.viewerVersion(ann), before)
		})
		s.promise("a flag only rises", func(w *world) {
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
		})
		s.promise("the highest of concurrent flags wins", func(w *world) {
			together(9, func(i int) error { return w.Audience.RaiseFlag(w.ctx, bob, feed.CoverageFlag(i%3), feed.FlagMode) })
			w.same("the coverage flag", w.usersOf(bob)[0].Flag, feed.FlagUnpushed)
		})
		s.empty("raising the flag of an unknown user changes nothing, even if the user is stored later", func(w *world) {
			w.raiseFlag(feed.FlagUnpushed, 0, ann)
			w.same("the users", w.usersOf(ann), []*feed.User{nil})
			w.user(ann)
			w.same("the coverage flag", w.usersOf(ann)[0].Flag, feed.FlagNone)
		})
	})
	s.group("Active", activeFollowers)
}

// followerIDs returns the ids of all followers.
func (w *world) followerIDs(author feed.UserID) []feed.UserID {
	return w.followersBetween(author, 0, math.MaxInt64, many)
}

func (w *world) followersBetween(author, after, upTo feed.UserID, limit int) []feed.UserID {
	return must(w.Audience.FollowerIDs(w.ctx, author, feed.FollowerRange{After: after, UpTo: upTo, Limit: limit}))
}

func (w *world) reach(author feed.UserID) (int64, feed.CoverageFlag) {
	n, flag := must2(w.Audience.Reach(w.ctx, author))
	return n, flag
}
