package feedtest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// audiencePromises checks the promises of [feed.Audience].
func audiencePromises(s storeSuite) {
	s.empty("follower ids ascend as numbers, from above After up to UpTo, at most Limit of them", func(w *world) {
		const last = feed.UserID(math.MaxInt64)
		w.user(1, 9, 10, 100, last)
		w.followedBy(1, 100, last, 9, 10)
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
		w.followedBy(1, 100, last, 9, 2, 10)
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
		w.followedBy(bob, ann, cem)
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
		w.followedBy(bob, ann, cem)
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
		w.followedBy(bob, ann, cem)
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

// activeFollowers checks the promises of [feed.FollowerRange] about active followers.
func activeFollowers(s storeSuite) {
	s.promise("only users with a current lease are active", func(w *world) {
		w.followedBy(bob, ann, cem, dee)
		w.renew(ann, time.Hour)
		w.renew(cem, -time.Hour)
		w.renew(dee, 30*24*time.Hour)
		w.renew(bob, time.Hour)
		w.activeFollowersIs(bob, 0, ann, dee)
		w.renew(cem, time.Hour)
		w.activeFollowersIs(bob, 0, ann, cem, dee)
		w.unfollow(ann, bob)
		w.activeFollowersIs(bob, 0, cem, dee)
		w.activeFollowersIs(ann, 0)
	})
	s.promise("a user counts as active for the grace after the lease ends; without Active, the grace has no effect", func(w *world) {
		w.followedBy(bob, ann, cem)
		w.renew(ann, -2*time.Hour)
		w.renew(cem, -4*time.Hour)
		w.activeFollowersIs(bob, 0)
		w.activeFollowersIs(bob, time.Hour)
		w.activeFollowersIs(bob, 3*time.Hour, ann)
		w.activeFollowersIs(bob, 5*time.Hour, ann, cem)
		w.followersIn(bob, feed.FollowerRange{UpTo: math.MaxInt64, Limit: 9, Grace: time.Hour}, ann, cem)
	})
	s.promise("a follower who was never seen is not active, whatever the grace", func(w *world) {
		w.follow(ann, bob)
		w.imports(records(seenRecord(5, 0), followRecord(5, bob)))
		w.activeFollowersIs(bob, 365*24*time.Hour)
		w.renew(5, time.Hour)
		w.activeFollowersIs(bob, 0, 5)
	})
	s.empty("active followers ascend as numbers, from above After up to UpTo", func(w *world) {
		const last = feed.UserID(math.MaxInt64)
		w.same("the active followers", w.audience(), []feed.UserID{8, 10, 99, 1000, last})
		for _, c := range []struct {
			after, upTo feed.UserID
			want        []feed.UserID
		}{
			{0, last, []feed.UserID{8, 10, 99, 1000, last}},
			{8, last, []feed.UserID{10, 99, 1000, last}},
			{9, 99, []feed.UserID{10, 99}},
			{10, 98, nil},
			{1000, last - 1, nil},
			{last, last, nil},
		} {
			w.followersIn(1, feed.FollowerRange{After: c.after, UpTo: c.upTo, Limit: 9, Active: true, Grace: time.Hour}, c.want...)
		}
	})
	s.empty("the limit counts active followers only", func(w *world) {
		active := w.audience()
		for limit := 1; limit <= len(active)+1; limit++ {
			var all []feed.UserID
			for after := feed.UserID(0); ; after = all[len(all)-1] {
				ids := must(w.Audience.FollowerIDs(w.ctx, 1, feed.FollowerRange{After: after, UpTo: math.MaxInt64, Limit: limit, Active: true}))
				w.same("the number of followers in one call", len(ids), min(limit, len(active)-len(all)))
				all = append(all, ids...)
				if len(ids) < limit {
					break
				}
			}
			w.same("the active followers", all, active)
		}
	})
}

// activeFollowersIs compares the active followers of the author with want, in order.
func (w *world) activeFollowersIs(author feed.UserID, grace time.Duration, want ...feed.UserID) {
	w.followersIn(author, feed.FollowerRange{UpTo: math.MaxInt64, Limit: many, Active: true, Grace: grace}, want...)
}

func (w *world) followersIn(author feed.UserID, r feed.FollowerRange, want ...feed.UserID) {
	w.same("the followers", must(w.Audience.FollowerIDs(w.ctx, author, r)), want)
}

// audience makes followers of user 1. Every other follower is active.
func (w *world) audience() (active []feed.UserID) {
	const last = feed.UserID(math.MaxInt64)
	w.user(1)
	for i, follower := range []feed.UserID{8, 9, 10, 11, 99, 100, 1000, last - 1, last} {
		w.user(follower)
		w.follow(follower, 1)
		if i%2 == 0 {
			w.renew(follower, time.Hour)
			active = append(active, follower)
			continue
		}
		w.renew(follower, -2*time.Hour)
	}
	return active
}

// countersPromises checks the promises of [feed.Counters], and that every change keeps the
// counters exact.
func countersPromises(s storeSuite) {
	s.promise("counters have the order of the ids, and are zero for unknown ids", func(w *world) {
		w.follow(ann, bob, cem)
		w.post(9, ann, noon)
		w.post(10, ann, noon)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 10, noon))
		posts := must(w.Counters.PostCounters(w.ctx, []feed.PostID{10, 7, 9, 10}))
		w.same("the posts' counters", posts, []feed.PostCounters{{Likes: 1}, {}, {}, {Likes: 1}})
		users := must(w.Counters.UserCounters(w.ctx, []feed.UserID{cem, 12345, ann, cem}))
		w.same("the users' counters", users,
			[]feed.UserCounters{{Followers: 1}, {}, {Following: 2, Posts: 2}, {Followers: 1}})
		posts = must(w.Counters.PostCounters(w.ctx, nil))
		w.same("the counters of no posts", posts, []feed.PostCounters(nil))
		users = must(w.Counters.UserCounters(w.ctx, nil))
		w.same("the counters of no users", users, []feed.UserCounters(nil))
	})
	s.promise("only direct comments and reposts count, and posts of every kind for their author", func(w *world) {
		w.post(1, ann, noon)
		w.comment(2, bob, noon+1, 1)
		w.comment(3, bob, noon+2, 2)
		w.repost(4, cem, noon+3, 1)
		w.repost(5, cem, noon+4, 4)
		w.repost(6, dee, noon+5, 1)
		w.same("the post's counters", w.postCounters(1), feed.PostCounters{Comments: 1, Reposts: 2})
		w.same("the comment's counters", w.postCounters(2), feed.PostCounters{Comments: 1})
		w.same("the repost's counters", w.postCounters(4), feed.PostCounters{Reposts: 1})
		posts := []int64{w.userCounters(ann).Posts, w.userCounters(bob).Posts, w.userCounters(cem).Posts}
		w.same("the posts of the users", posts, []int64{1, 2, 2})
	})
	s.promise("a deletion counts for the author, the parent and the original, once", func(w *world) {
		w.post(1, ann, noon)
		w.comment(2, bob, noon+1, 1)
		w.comment(3, bob, noon+2, 1)
		w.repost(4, cem, noon+3, 1)
		w.delete(2, 4, 2, 4)
		w.same("the post's counters", w.postCounters(1), feed.PostCounters{Comments: 1})
		w.same("bob's post count", w.userCounters(bob).Posts, int64(1))
		w.same("cem's post count", w.userCounters(cem).Posts, int64(0))
		w.same("ann's post count", w.userCounters(ann).Posts, int64(1))
	})
	s.promise("reactions have the order of the ids, and are the viewer's only", func(w *world) {
		w.post(9, ann, noon)
		w.post(10, ann, noon)
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, ann, 10, noon))
		check(w.PostWriter.React(w.ctx, feed.ReactionFavorite, ann, 9, noon))
		check(w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 9, noon))
		for _, c := range []struct {
			viewer feed.UserID
			want   []feed.ViewerReactions
		}{
			{ann, []feed.ViewerReactions{{Liked: true}, {}, {Favorited: true}, {Liked: true}}},
			{bob, []feed.ViewerReactions{{}, {}, {Liked: true}, {}}},
			{0, []feed.ViewerReactions{{}, {}, {}, {}}},
		} {
			got := must(w.Counters.Reactions(w.ctx, c.viewer, []feed.PostID{10, 7, 9, 10}))
			w.same("the reactions of "+c.viewer.String(), got, c.want)
		}
		w.same("the reactions to no posts", must(w.Counters.Reactions(w.ctx, ann, nil)), []feed.ViewerReactions(nil))
	})
	s.promise("concurrent likes of one post are all counted", func(w *world) {
		w.post(1, ann, noon)
		users := w.makeUsers(12)
		together(2*len(users), func(i int) error {
			r := []feed.Reaction{feed.ReactionLike, feed.ReactionFavorite}[i%2]
			return w.PostWriter.React(w.ctx, r, users[i/2], 1, noon)
		})
		n := int64(len(users))
		w.same("the counters", w.postCounters(1), feed.PostCounters{Likes: n, Favorites: n})
	})
	s.promise("concurrent comments and reposts are all counted", func(w *world) {
		w.post(1, ann, noon)
		users := w.makeUsers(6)
		together(2*len(users), func(i int) error {
			p := newPost(feed.PostID(100+i), users[i/2], noon)
			if i%2 == 0 {
				p.Kind, p.ReplyTo = feed.KindComment, 1
			} else {
				p.Kind, p.RepostOf = feed.KindRepost, 1
			}
			return errorOf(w.PostWriter.Publish(w.ctx, p, feed.Idempotency{}, eventAt(noon)))
		})
		n := int64(len(users))
		w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: n, Reposts: n})
		for _, user := range users {
			w.same("the post count of each user", w.userCounters(user).Posts, int64(2))
		}
	})
	s.promise("concurrent deletions of one post delete it once", func(w *world) {
		w.post(1, ann, noon)
		w.comment(2, bob, noon, 1)
		w.comment(3, bob, noon, 1)
		together(8, func(int) error { return w.PostWriter.Delete(w.ctx, 2, noon+1) })
		w.same("the counters", w.postCounters(1), feed.PostCounters{Comments: 1})
		w.same("bob's post count", w.userCounters(bob).Posts, int64(1))
	})
	s.promise("concurrent likes and unlikes of one user leave a matching count", func(w *world) {
		w.post(1, ann, noon)
		together(16, func(i int) error {
			if i%2 == 0 {
				return w.PostWriter.React(w.ctx, feed.ReactionLike, bob, 1, noon)
			}
			return w.PostWriter.Unreact(w.ctx, feed.ReactionLike, bob, 1)
		})
		var want feed.PostCounters
		if w.reactionsOf(bob, 1).Liked {
			want.Likes = 1
		}
		w.same("the counters", w.postCounters(1), want)
	})
}
