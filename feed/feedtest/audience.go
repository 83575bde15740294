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
	keep(t, open, []promise{
		{"follower ids ascend as numbers, above after, up to upTo, at most limit", followerSlices},
		{"followers are cut into runs, each told by its last one", followerBounds},
		{"followers are listed by follow edges alone", followersByEdges},
		{"an author without followers, or not stored, has none", followersNone},
		{"of some users those who follow are named, each once", followersAmong},
		{"the number of followers follows the edges", followerCount},
		{"a context that is over is an error", audienceOver},
	})
	t.Run("RaiseFlag", func(t *testing.T) {
		keep(t, open, []promise{
			{"a mark is kept, and marking twice changes nothing", markSticks},
			{"a mark only rises", markRises},
			{"of concurrent marks the highest wins", markAtOnce},
			{"marking an unknown user changes nothing, even if the user is stored later", markNobody},
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
		w.same("a slice", w.followersBetween(1, c.after, c.upTo, c.limit), c.want)
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
		w.same(fmt.Sprintf("the ends of %d runs of %d behind %d", c.most, c.size, c.after), bounds, c.want)
	}
	for _, author := range []feed.UserID{9, 77} {
		bounds, err := w.Audience.FollowerBounds(w.ctx, author, 0, 1, 1)
		w.must(err)
		w.same("the bounds without followers", bounds, []feed.UserID(nil))
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

func followersAmong(w *world) {
	w.four()
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
	w.same("all who follow", among(dee, cem, ann, bob, 77), []feed.UserID{ann, cem})
	w.same("one of them", among(cem), []feed.UserID{cem})
	w.same("who does not", among(dee), []feed.UserID{})
	w.same("no users", among(), []feed.UserID{})
	w.unfollow(cem, bob)
	w.same("who still does", among(ann, cem), []feed.UserID{ann})
}

func followersNone(w *world) {
	w.four()
	for _, author := range []feed.UserID{ann, 12345} {
		w.same("the followers", w.followerIDs(author), []feed.UserID(nil))
		n, mark := w.reach(author)
		w.same("their number", n, int64(0))
		w.same("the mark", mark, feed.FlagNone)
	}
}

func (w *world) reach(author feed.UserID) (int64, feed.CoverageFlag) {
	w.t.Helper()
	n, mark, err := w.Audience.Reach(w.ctx, author)
	w.must(err)
	return n, mark
}

func followerCount(w *world) {
	w.four()
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

func markSticks(w *world) {
	w.four()
	w.follow(ann, bob)
	before := w.stamp(ann)
	w.must(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed))
	w.must(w.Audience.RaiseFlag(w.ctx, bob, feed.FlagUnpushed))
	marked := newUser(bob)
	marked.Flag = feed.FlagUnpushed
	w.same("the users", w.usersOf(ann, bob), []*feed.User{newUser(ann), marked})
	w.user(bob)
	w.same("the user ensured again", w.usersOf(bob), []*feed.User{marked})
	found, err := w.Users.UserByHandle(w.ctx, marked.Handle)
	w.must(err)
	w.same("the user by handle", found, marked)
	before.Flags = w.stamp(ann).Flags
	w.same("ann's stamp but for the marks", w.stamp(ann), before)
}

func markRises(w *world) {
	w.user(ann, bob)
	for _, c := range []struct{ set, want feed.CoverageFlag }{
		{feed.FlagNone, feed.FlagNone},
		{feed.FlagSelective, feed.FlagSelective},
		{feed.FlagNone, feed.FlagSelective},
		{feed.FlagUnpushed, feed.FlagUnpushed},
		{feed.FlagSelective, feed.FlagUnpushed},
		{feed.FlagNone, feed.FlagUnpushed},
	} {
		w.mark(c.set, ann)
		w.same("the mark", w.usersOf(ann)[0].Flag, c.want)
		_, mark := w.reach(ann)
		w.same("the mark that comes with the number of followers", mark, c.want)
	}
	w.mark(feed.FlagUnpushed, bob)
	w.same("a mark that rises past a level", w.usersOf(bob)[0].Flag, feed.FlagUnpushed)
}

func markAtOnce(w *world) {
	w.four()
	for _, err := range together(9, func(i int) error { return w.Audience.RaiseFlag(w.ctx, bob, feed.CoverageFlag(i%3)) }) {
		w.must(err)
	}
	w.same("the mark", w.usersOf(bob)[0].Flag, feed.FlagUnpushed)
}

func markNobody(w *world) {
	w.mark(feed.FlagUnpushed, 0, ann)
	w.same("the users", w.usersOf(ann), []*feed.User{nil})
	w.user(ann)
	w.same("the mark", w.usersOf(ann)[0].Flag, feed.FlagNone)
}

func audienceOver(w *world) {
	w.four()
	w.refuses(map[string]func(ctx context.Context) error{
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
		"RaiseFlag": func(ctx context.Context) error { return w.Audience.RaiseFlag(ctx, ann, feed.FlagUnpushed) },
	})
	w.same("the user", w.usersOf(ann), []*feed.User{newUser(ann)})
}
