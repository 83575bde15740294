package feedtest

import (
	"math"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// activeFollowers checks the promises of [feed.FollowerRange] about active followers.
func activeFollowers(s storeSuite) {
	s.promise("only users with a current lease are active", func(w *world) {
		for _, follower := range []feed.UserID{ann, cem, dee} {
			w.follow(follower, bob)
		}
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
	s.promise("a user counts as active for the grace after the lease ends", func(w *world) {
		w.follow(ann, bob)
		w.follow(cem, bob)
		w.renew(ann, -2*time.Hour)
		w.renew(cem, -4*time.Hour)
		w.activeFollowersIs(bob, 0)
		w.activeFollowersIs(bob, time.Hour)
		w.activeFollowersIs(bob, 3*time.Hour, ann)
		w.activeFollowersIs(bob, 5*time.Hour, ann, cem)
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
	s.promise("without Active, the grace has no effect", func(w *world) {
		w.follow(ann, bob)
		w.follow(cem, bob)
		w.renew(cem, -time.Hour)
		w.followersIn(bob, feed.FollowerRange{UpTo: math.MaxInt64, Limit: 9, Grace: time.Hour}, ann, cem)
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
