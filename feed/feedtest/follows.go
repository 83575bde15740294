package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// followsPromises checks the promises of [feed.Follows].
func followsPromises(s storeSuite) {
	s.promise("a follow stores an edge with the given time, and counts for both users, once", func(w *world) {
		check(w.Follows.Follow(w.ctx, ann, bob, noon+7, many))
		version := w.relationsVersion(ann)
		for range 2 {
			w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + 7, ID: int64(bob)}})
			w.same("ann's version", w.relationsVersion(ann), version)
			w.graphIs(ann, 0, 1)
			w.graphIs(bob, 1, 0)
			check(w.Follows.Follow(w.ctx, ann, bob, noon+hour, many))
		}
	})
	s.promise("following an unknown user is NOT_FOUND and changes nothing", func(w *world) {
		w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, ann, 12345, noon, many))
		w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, 12345, ann, noon, many))
		w.same("ann's followees", w.following(ann), []feed.Key(nil))
		w.same("ann's version", w.relationsVersion(ann), int64(0))
		w.graphIs(ann, 0, 0)
	})
	s.promise("following more than the limit is FOLLOW_LIMIT and changes nothing; an unfollow makes room", func(w *world) {
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 1))
		before := w.relationsVersion(ann)
		w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, cem, noon, 1))
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(bob)}})
		w.same("ann's version", w.relationsVersion(ann), before)
		w.graphIs(ann, 0, 1)
		w.graphIs(cem, 0, 0)
		check(w.Follows.Follow(w.ctx, dee, bob, noon, 1))
		check(w.Follows.Follow(w.ctx, ann, bob, noon, 1)) // Following a followee again succeeds.
		w.graphIs(ann, 0, 1)
		w.unfollow(ann, bob)
		check(w.Follows.Follow(w.ctx, ann, cem, noon, 1))
		w.graphIs(ann, 0, 1)
	})
	s.promise("an unfollow removes the edge, once, and following again is a new follow at its own time", func(w *world) {
		w.follow(ann, bob)
		w.unfollow(ann, bob)
		w.unfollow(ann, bob)
		w.unfollow(ann, cem)
		w.unfollow(ann, 12345)
		w.same("ann's followees", w.following(ann), []feed.Key(nil))
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{}})
		for _, user := range []feed.UserID{ann, bob, cem} {
			w.graphIs(user, 0, 0)
		}
		check(w.Follows.Follow(w.ctx, ann, bob, noon+hour, many))
		w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + hour, ID: int64(bob)}})
		w.graphIs(ann, 0, 1)
		w.graphIs(bob, 1, 0)
	})
	s.promise("concurrent follows reach the limit exactly", func(w *world) {
		const limit = 5
		users := w.makeUsers(3 * limit)
		followed := 0
		for _, err := range concurrently(len(users), func(i int) error {
			return w.Follows.Follow(w.ctx, ann, users[i], noon, limit)
		}) {
			if err == nil {
				followed++
				continue
			}
			w.mustHaveCode(feed.CodeFollowLimit, err)
		}
		w.same("the number of follows that succeeded", followed, limit)
		w.same("ann's followees", len(w.following(ann)), limit)
		w.graphIs(ann, 0, limit)
	})
	s.promise("concurrent follows of one user are all counted", func(w *world) {
		users := w.makeUsers(12)
		together(len(users), func(i int) error { return w.Follows.Follow(w.ctx, users[i], ann, noon, many) })
		w.graphIs(ann, int64(len(users)), 0)
		w.same("ann's followers", len(w.followerIDs(ann)), len(users))
	})
	s.promise("concurrent calls of one follow store one edge", func(w *world) {
		together(8, func(int) error { return w.Follows.Follow(w.ctx, ann, bob, noon, many) })
		w.graphIs(ann, 0, 1)
		w.graphIs(bob, 1, 0)
	})
	s.empty("users who follow each other concurrently all succeed", func(w *world) {
		users := w.makeUsers(5)
		n := len(users)
		together(n*n, func(i int) error {
			if i/n == i%n {
				return nil
			}
			return w.Follows.Follow(w.ctx, users[i/n], users[i%n], noon, many)
		})
		for _, user := range users {
			w.graphIs(user, int64(n-1), int64(n-1))
		}
	})
	s.promise("concurrent follows and unfollows of one edge leave matching counters", func(w *world) {
		together(16, func(i int) error {
			if i%2 == 0 {
				return w.Follows.Unfollow(w.ctx, ann, bob)
			}
			return w.Follows.Follow(w.ctx, ann, bob, noon, many)
		})
		n := int64(len(w.following(ann)))
		w.graphIs(ann, 0, n)
		w.graphIs(bob, n, 0)
	})
}

// following returns the keys of the user's followees, newest first.
func (w *world) following(user feed.UserID) []feed.Key {
	return must(w.Relations.Following(w.ctx, user, all()))
}

// graphIs compares a user's follower and followee counts.
func (w *world) graphIs(user feed.UserID, followers, following int64) {
	c := w.userCounters(user)
	c.Posts = 0
	w.same("the counters of "+user.String(), c, feed.UserCounters{Followers: followers, Following: following})
}

// makeUsers makes n users and returns their ids.
func (w *world) makeUsers(n int) []feed.UserID {
	ids := make([]feed.UserID, n)
	for i := range ids {
		ids[i] = feed.UserID(5000 + i)
	}
	w.user(ids...)
	return ids
}
