package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Follows checks the promises of [feed.Follows].
func Follows(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"a follow stores an edge with the given time, and counts for both users", followCounts},
		{"following twice changes nothing, not even the time", followTwice},
		{"following an unknown user is NOT_FOUND and changes nothing", followUnknownUser},
		{"following more than the limit is FOLLOW_LIMIT and changes nothing", followLimit},
		{"at the limit, following a followee again succeeds", followAgainAtLimit},
		{"an unfollow makes room within the limit", followRoom},
		{"an unfollow removes the edge, and unfollowing a user who is not followed changes nothing", unfollowEnds},
		{"following again is a new follow at its own time", followAgain},
		{"concurrent follows reach the limit exactly", followLimitAtOnce},
		{"concurrent follows of one user are all counted", followedAtOnce},
		{"concurrent calls of one follow store one edge", followSameAtOnce},
		{"users who follow each other concurrently all succeed", followMutualAtOnce},
		{"concurrent follows and unfollows of one edge leave matching counters", followUnfollowAtOnce},
		{"an ended context is an error and changes nothing", followsEndedContext},
	})
}

// following returns the keys of the user's followees, newest first.
func (w *world) following(user feed.UserID) []feed.Key {
	w.t.Helper()
	keys, err := w.Relations.Following(w.ctx, user, all())
	w.must(err)
	return keys
}

// graphIs compares a user's follower and followee counts.
func (w *world) graphIs(user feed.UserID, followers, following int64) {
	w.t.Helper()
	c := w.userCounters(user)
	c.Posts = 0
	w.same("the counters of "+user.String(), c, feed.UserCounters{Followers: followers, Following: following})
}

func followCounts(w *world) {
	w.fourUsers()
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon+7, many))
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + 7, ID: int64(bob)}})
	w.graphIs(ann, 0, 1)
	w.graphIs(bob, 1, 0)
}

func followTwice(w *world) {
	w.fourUsers()
	w.follow(ann, bob)
	before := w.relationsVersion(ann)
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon+hour, many))
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(bob)}})
	w.same("ann's version", w.relationsVersion(ann), before)
	w.graphIs(ann, 0, 1)
	w.graphIs(bob, 1, 0)
}

func followUnknownUser(w *world) {
	w.fourUsers()
	w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, ann, 12345, noon, many))
	w.mustHaveCode(feed.CodeNotFound, w.Follows.Follow(w.ctx, 12345, ann, noon, many))
	w.same("ann's followees", w.following(ann), []feed.Key(nil))
	w.same("ann's version", w.relationsVersion(ann), int64(0))
	w.graphIs(ann, 0, 0)
}

func followLimit(w *world) {
	w.fourUsers()
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon, 1))
	before := w.relationsVersion(ann)
	w.mustHaveCode(feed.CodeFollowLimit, w.Follows.Follow(w.ctx, ann, cem, noon, 1))
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(bob)}})
	w.same("ann's version", w.relationsVersion(ann), before)
	w.graphIs(ann, 0, 1)
	w.graphIs(cem, 0, 0)
	w.must(w.Follows.Follow(w.ctx, dee, bob, noon, 1))
}

func followAgainAtLimit(w *world) {
	w.fourUsers()
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon, 1))
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon, 1))
	w.graphIs(ann, 0, 1)
}

func followRoom(w *world) {
	w.fourUsers()
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon, 1))
	w.unfollow(ann, bob)
	w.must(w.Follows.Follow(w.ctx, ann, cem, noon, 1))
	w.graphIs(ann, 0, 1)
}

func unfollowEnds(w *world) {
	w.fourUsers()
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
}

func followAgain(w *world) {
	w.fourUsers()
	w.follow(ann, bob)
	w.unfollow(ann, bob)
	w.must(w.Follows.Follow(w.ctx, ann, bob, noon+hour, many))
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon + hour, ID: int64(bob)}})
	w.graphIs(ann, 0, 1)
	w.graphIs(bob, 1, 0)
}

// makeUsers makes n users and returns their ids.
func (w *world) makeUsers(n int) []feed.UserID {
	w.t.Helper()
	ids := make([]feed.UserID, n)
	for i := range ids {
		ids[i] = feed.UserID(5000 + i)
	}
	w.user(ids...)
	return ids
}

func followLimitAtOnce(w *world) {
	const limit = 5
	w.fourUsers()
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
}

func followedAtOnce(w *world) {
	w.fourUsers()
	users := w.makeUsers(12)
	for _, err := range concurrently(len(users), func(i int) error {
		return w.Follows.Follow(w.ctx, users[i], ann, noon, many)
	}) {
		w.must(err)
	}
	w.graphIs(ann, int64(len(users)), 0)
	w.same("ann's followers", len(w.followerIDs(ann)), len(users))
}

func followSameAtOnce(w *world) {
	w.fourUsers()
	for _, err := range concurrently(8, func(int) error {
		return w.Follows.Follow(w.ctx, ann, bob, noon, many)
	}) {
		w.must(err)
	}
	w.graphIs(ann, 0, 1)
	w.graphIs(bob, 1, 0)
}

func followMutualAtOnce(w *world) {
	users := w.makeUsers(5)
	n := len(users)
	for _, err := range concurrently(n*n, func(i int) error {
		if i/n == i%n {
			return nil
		}
		return w.Follows.Follow(w.ctx, users[i/n], users[i%n], noon, many)
	}) {
		w.must(err)
	}
	for _, user := range users {
		w.graphIs(user, int64(n-1), int64(n-1))
	}
}

func followUnfollowAtOnce(w *world) {
	w.fourUsers()
	for _, err := range concurrently(16, func(i int) error {
		if i%2 == 0 {
			return w.Follows.Unfollow(w.ctx, ann, bob)
		}
		return w.Follows.Follow(w.ctx, ann, bob, noon, many)
	}) {
		w.must(err)
	}
	n := int64(len(w.following(ann)))
	w.graphIs(ann, 0, n)
	w.graphIs(bob, n, 0)
}

func followsEndedContext(w *world) {
	w.fourUsers()
	w.follow(ann, cem)
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Follow":   func(ctx context.Context) error { return w.Follows.Follow(ctx, ann, bob, noon, many) },
		"Unfollow": func(ctx context.Context) error { return w.Follows.Unfollow(ctx, ann, cem) },
	})
	w.same("ann's followees", w.following(ann), []feed.Key{{TS: noon, ID: int64(cem)}})
}
