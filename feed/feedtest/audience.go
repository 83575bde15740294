package feedtest

import (
	"context"
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Audience checks the promises of [feed.Audience].
func Audience(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"follower ids ascend as numbers, above after, up to upTo, at most limit", followerSlices},
		{"followers are listed by follow edges alone", followersByEdges},
		{"an author without followers, or not stored, has none", followersNone},
		{"the number of followers follows the edges", followerCount},
		{"a mark is kept, and marking twice changes nothing", markSticks},
		{"marking many times at once marks once", markAtOnce},
		{"a context that is over is an error", audienceOver},
	})
}

// followerIDs returns the ids of all followers.
func (w *world) followerIDs(author feed.UserID) []feed.UserID {
	w.t.Helper()
	return w.followersBetween(author, 0, math.MaxInt64, many)
}

func (w *world) followersBetween(author, after, upTo feed.UserID, limit int) []feed.UserID {
	w.t.Helper()
	ids, err := w.Audience.FollowerIDs(w.ctx, author, after, upTo, limit)
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
		w.same("a slice", w.followersBetween(1, c.after, c.upTo, c.limit), c.want)
	}
}

func followersByEdges(w *world) {
	w.four()
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

func followersNone(w *world) {
	w.four()
	for _, author := range []feed.UserID{ann, 12345} {
		w.same("the followers", w.followerIDs(author), []feed.UserID(nil))
		n, err := w.Audience.FollowerCount(w.ctx, author)
		w.must(err)
		w.same("their number", n, int64(0))
	}
}

func followerCount(w *world) {
	w.four()
	count := func(want int64) {
		w.t.Helper()
		n, err := w.Audience.FollowerCount(w.ctx, bob)
		w.must(err)
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

func markSticks(w *world) {
	w.four()
	w.follow(ann, bob)
	before := w.stamp(ann)
	w.must(w.Audience.MarkPulled(w.ctx, bob))
	w.must(w.Audience.MarkPulled(w.ctx, bob))
	marked := newUser(bob)
	marked.Pulled = true
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), marked})
	w.user(bob)
	w.same("the user ensured again", w.usersOf(bob), []*feed.User{marked})
	found, err := w.Users.UserByHandle(w.ctx, marked.Handle)
	w.must(err)
	w.same("the user by handle", found, marked)
	w.same("ann's stamp", w.stamp(ann), before)
}

func markAtOnce(w *world) {
	w.four()
	for _, err := range together(8, func(int) error { return w.Audience.MarkPulled(w.ctx, bob) }) {
		w.must(err)
	}
	w.same("the mark", w.usersOf(bob)[0].Pulled, true)
}

func audienceOver(w *world) {
	w.four()
	w.refuses(map[string]func(ctx context.Context) error{
		"FollowerIDs": func(ctx context.Context) error {
			_, err := w.Audience.FollowerIDs(ctx, ann, 0, math.MaxInt64, 1)
			return err
		},
		"FollowerCount": func(ctx context.Context) error {
			_, err := w.Audience.FollowerCount(ctx, ann)
			return err
		},
		"MarkPulled": func(ctx context.Context) error { return w.Audience.MarkPulled(ctx, ann) },
	})
	w.same("the user", w.usersOf(ann), []*feed.User{newUser(ann)})
}
