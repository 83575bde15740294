package sqlstore_test

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// Two users who block each other concurrently lock the same two rows. In different orders they
// would deadlock.
func TestRelate_ConcurrentBlocksAndFollowsSucceed(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}})
		const rounds = 10
		var calls sync.WaitGroup
		for _, pair := range [][2]feed.UserID{{1, 2}, {2, 1}} {
			calls.Go(func() { blockAndUnblock(t, s, pair[0], pair[1], rounds) })
			calls.Go(func() { followAndUnfollow(t, s, pair[0], pair[1], rounds) })
		}
		calls.Wait()
		for _, user := range []feed.UserID{1, 2} {
			// Each block and unblock raises both versions, each follow and unfollow the follower's.
			version, err := s.ViewerVersion(t.Context(), user)
			if want := int64(2*2*rounds + 2*rounds); err != nil || version.Version != want {
				t.Errorf("user %d has version %d, want %d (%v)", user, version.Version, want, err)
			}
		}
	})
}

func blockAndUnblock(t *testing.T, s *sqlstore.Store, user, target feed.UserID, rounds int) {
	r := feed.RelationRecord{Kind: feed.RelationBlock, User: user, Target: target, CreatedAt: townStart}
	for range rounds {
		if err := s.Relate(t.Context(), r); err != nil {
			t.Error(err)
		}
		if err := s.Unrelate(t.Context(), r.Kind, user, target); err != nil {
			t.Error(err)
		}
	}
}

func followAndUnfollow(t *testing.T, s *sqlstore.Store, follower, followee feed.UserID, rounds int) {
	for range rounds {
		if err := s.Follow(t.Context(), follower, followee, townStart, 10, feed.FollowChoice{}); err != nil {
			t.Error(err)
		}
		if err := s.Unfollow(t.Context(), follower, followee); err != nil {
			t.Error(err)
		}
	}
}

// PostgreSQL refuses such text in a parameter, but clients can send it.
func TestUserByHandle_IgnoresInvalidText(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for _, handle := range []string{"a\x00b", "\xff"} {
			if u, err := s.UserByHandle(t.Context(), handle); u != nil || err != nil {
				t.Errorf("got %v and %v for %q, want no user", u, err, handle)
			}
		}
	})
}

// importAll imports records, none of which may be refused.
func importAll(t testing.TB, s *sqlstore.Store, batch []feed.Record) {
	t.Helper()
	result, err := s.Apply(t.Context(), feed.Batch{Records: batch})
	if err != nil || len(result.Bad) > 0 {
		t.Fatal(err, result.Bad)
	}
}

func mustBe(t *testing.T, code feed.Code, err error) {
	t.Helper()
	if feed.CodeOf(err) != code {
		t.Errorf("got error %v, want code %q", err, code)
	}
}

func same(t *testing.T, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// mustTakeStatements checks how many statements a change takes, with those that begin and end its
// transaction.
func mustTakeStatements(t *testing.T, o *observed, want int, change func() error) {
	t.Helper()
	o.statements = nil
	must(t, change())
	if got := o.count(); got != want {
		t.Errorf("the change takes %d statements, want %d:\n%s", got, want, strings.Join(o.statements, ";\n"))
	}
}

func TestFollow_TakesOneStatement(t *testing.T) {
	s, o := openObserved(t, postgresBackend(t))
	buildStar(t, s)
	mustTakeStatements(t, o, 1, func() error { return s.Follow(t.Context(), 2, star, townStart, 1, feed.FollowChoice{}) })
	mustStand(t, s, 1, 2)
	must(t, s.Unfollow(t.Context(), 2, star))
	mustTakeStatements(t, o, 1, func() error { return s.Follow(t.Context(), 2, star, townStart, 1, feed.FollowChoice{}) })
	mustStand(t, s, 1, 2)
}

func TestReact_TakesOneStatement(t *testing.T) {
	s, o := openObserved(t, postgresBackend(t))
	buildStar(t, s)
	mustTakeStatements(t, o, 1, func() error { return s.React(t.Context(), feed.ReactionLike, 2, starPost, townStart) })
	mustTakeStatements(t, o, 1, func() error {
		_, err := s.ReactTogether(t.Context(), feed.ReactionLike, starPost, true, []feed.UserID{5, 3, 4}, townStart)
		return err
	})
	mustTakeStatements(t, o, 1, func() error { return s.React(t.Context(), feed.ReactionFavorite, 2, starPost, townStart) })
	got, err := s.PostCounters(t.Context(), []feed.PostID{starPost})
	if want := (feed.PostCounters{Likes: 4, Favorites: 1}); err != nil || got[0] != want {
		t.Errorf("the counters are %+v (%v), want %+v", got[0], err, want)
	}
}

// A follow that waits for another one of its follower judges by what the other has committed.
func TestFollow_SeesFollowThatItWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		followee feed.UserID
		limit    int
		want     feed.Code
		version  int64
	}{
		"of another user, at the limit":     {8, 1, feed.CodeFollowLimit, 1},
		"of another user, within the limit": {8, 2, "", 2},
		"of the same user":                  {star, 1, "", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{})
			buildStar(t, s)
			ctx := eventually.Context(t)
			done := make(chan error, 1)
			err := s.FollowWhile(ctx, 2, star, func() error {
				go func() { done <- s.Follow(ctx, 2, c.followee, townStart, c.limit, feed.FollowChoice{}) }()
				return waitsForLock(ctx, s)
			})
			must(t, err)
			err = <-done
			mustBeCodes(t, "the follow that waited", []error{err}, nil, c.want)
			v, err := s.ViewerVersion(ctx, 2)
			got, countErr := s.UserCounters(ctx, []feed.UserID{2})
			if err := errors.Join(err, countErr); err != nil || v.Version != c.version || got[0].Following != c.version {
				t.Errorf("the follower has version %d and follows %d (%v), want %d", v.Version, got[0].Following, err, c.version)
			}
		})
	}
}

// A popular author with two posts, and an id of no user.
const (
	star      feed.UserID = 1
	unknown   feed.UserID = 99
	starPost              = feed.PostID(500)
	otherPost             = feed.PostID(501)
)

// buildStar stores an author with two posts, and users 2 to 9.
func buildStar(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	var batch []feed.Record
	for id := star; id < 10; id++ {
		batch = append(batch, feed.Record{User: townUser(id)})
	}
	importAll(t, s, batch)
	for _, id := range []feed.PostID{starPost, otherPost} {
		post := &feed.Post{ID: id, Author: star, Kind: feed.KindPost, Text: "hello", PublishedAt: townStart}
		_, err := s.Publish(t.Context(), post, feed.Idempotency{}, eventAt(townStart))
		must(t, err)
	}
}

// codesOf returns the code of each error, empty for none.
func codesOf(each []error, n int) []feed.Code {
	codes := make([]feed.Code, n)
	for i, err := range each {
		if err != nil {
			codes[i] = feed.CodeOf(err)
		}
	}
	return codes
}

func mustBeCodes(t *testing.T, what string, each []error, err error, want ...feed.Code) {
	t.Helper()
	if got := codesOf(each, len(want)); err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: %q (%v), want %q", what, got, err, want)
	}
}

func mustHaveLikes(t *testing.T, s *sqlstore.Store, want int64) {
	t.Helper()
	got, err := s.PostCounters(t.Context(), []feed.PostID{starPost})
	if err != nil || got[0].Likes != want {
		t.Errorf("%+v (%v), want %d likes", got, err, want)
	}
}

func TestReact_GroupReportsEachError(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		buildStar(t, s)
		like := func(on bool, users ...feed.UserID) ([]error, error) {
			return s.ReactTogether(t.Context(), feed.ReactionLike, starPost, on, users, townStart)
		}
		each, err := like(true, 4, 2, unknown, 4, 3)
		mustBeCodes(t, "three like it, one of them twice", each, err, "", "", feed.CodeNotFound, "", "")
		mustHaveLikes(t, s, 3)
		each, err = like(true, 3, 5)
		mustBeCodes(t, "one likes it again", each, err, "", "")
		mustHaveLikes(t, s, 4)
		each, err = like(false, 5, 2, 6, 2, unknown)
		mustBeCodes(t, "two take it back, one of them twice", each, err, "", "", "", "", "")
		mustHaveLikes(t, s, 2)
		did, err := s.Reactions(t.Context(), 4, []feed.PostID{starPost})
		if err != nil || !did[0].Liked || did[0].Favorited {
			t.Errorf("the user who likes it has the reactions %+v (%v)", did, err)
		}
		must(t, s.Delete(t.Context(), starPost, townStart+1))
		each, err = like(true, 6, 3)
		mustBeCodes(t, "a deleted post is liked", each, err, feed.CodeNotFound, feed.CodeNotFound)
		each, err = like(false, 3)
		mustBeCodes(t, "a like of it is taken back", each, err, "")
		mustHaveLikes(t, s, 1)
	})
}

func TestFollow_GroupReportsEachError(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		buildStar(t, s)
		const limit = 1
		follow := func(followee feed.UserID, followers ...feed.UserID) ([]error, error) {
			return s.FollowTogether(t.Context(), followee, followers, townStart, limit)
		}
		each, err := follow(8, 3)
		mustBeCodes(t, "one follows another", each, err, "")
		each, err = follow(star, 5, 2, 3, unknown, 2)
		mustBeCodes(t, "two follow the star, one of them twice", each, err, "", "", feed.CodeFollowLimit, feed.CodeNotFound, "")
		each, err = follow(star, 2, 6)
		mustBeCodes(t, "one follows the star again", each, err, "", "")
		each, err = follow(unknown, 2, 7)
		mustBeCodes(t, "an unknown user is followed", each, err, feed.CodeNotFound, feed.CodeNotFound)
		mustStand(t, s, 3, 2, 5, 6)
		if err := s.UnfollowTogether(t.Context(), star, []feed.UserID{6, 7, 2, unknown, 6}); err != nil {
			t.Error(err)
		}
		mustStand(t, s, 1, 5)
		each, err = follow(star, 6)
		mustBeCodes(t, "one follows the star once more", each, err, "")
		mustStand(t, s, 2, 5, 6)
		for user, version := range map[feed.UserID]int64{2: 2, 3: 1, 5: 1, 6: 3, 7: 0, star: 0} {
			if v, err := s.ViewerVersion(t.Context(), user); err != nil || v.Version != version {
				t.Errorf("the version of %d is %d (%v), want %d", user, v.Version, err, version)
			}
		}
	})
}

// mustStand checks the number of followers of the star, and that these follow, each with the
// version of their edge.
func mustStand(t *testing.T, s *sqlstore.Store, followers int64, who ...feed.UserID) {
	t.Helper()
	got, err := s.UserCounters(t.Context(), append([]feed.UserID{star}, who...))
	if err != nil || got[0].Followers != followers {
		t.Errorf("the star has the counters %+v (%v), want %d followers", got[0], err, followers)
	}
	for i, user := range who {
		edges, err := s.Edges(t.Context(), user, []feed.UserID{star})
		if err != nil || !edges[0].Follows || got[i+1].Following != 1 {
			t.Errorf("%d has the edge %+v and follows %d (%v), want the star alone", user, edges, got[i+1].Following, err)
		}
		v, err := s.ViewerVersion(t.Context(), user)
		must(t, err)
		since, err := s.Pulled(t.Context(), user, feed.Completeness{Generation: v.Generation, Version: v.Version - 1})
		if err != nil || !slices.Equal(since, []feed.UserID{star}) {
			t.Errorf("since the version before, %d follows %v (%v), want the star", user, since, err)
		}
	}
}

// A transaction that waits for a row holds one of few connections. Without group commits a
// popular post would leave none.
func TestGroupCommit_LeavesConnectionsToOthers(t *testing.T) {
	const (
		users = 50
		// One transaction counts reactions, and one a comment.
		waits = 2
	)
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{Conns: 9})
	buildStar(t, s)
	ctx := eventually.Context(t)
	done := make(chan error, 2*users)
	err := s.ReactWhile(ctx, feed.ReactionLike, 2, starPost, func() error {
		for i := range users {
			user := feed.UserID(3 + i%7)
			go func() { done <- s.React(ctx, feed.ReactionLike, user, starPost, townStart) }()
			go func() {
				answer := &feed.Post{ID: feed.PostID(600 + i), Author: user, Kind: feed.KindComment, ReplyTo: starPost, AudienceAuthor: star, Text: "so do I", PublishedAt: townStart}
				_, err := s.Publish(ctx, answer, feed.Idempotency{}, eventAt(townStart))
				done <- err
			}()
		}
		for waiting := 0; waiting < waits; runtime.Gosched() {
			var err error
			if waiting, err = s.Waiting(ctx); err != nil {
				return err
			}
		}
		for user := feed.UserID(2); user < 10; user++ {
			if err := s.React(ctx, feed.ReactionLike, user, otherPost, townStart); err != nil {
				t.Errorf("while a group waits, another post cannot be liked: %v", err)
			}
		}
		waiting, err := s.Waiting(ctx)
		if waiting != waits {
			t.Errorf("%d connections wait for the row, want %d", waiting, waits)
		}
		return err
	})
	must(t, err)
	for range 2 * users {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	mustHaveLikes(t, s, 8)
	if got, err := s.PostCounters(ctx, []feed.PostID{starPost}); err != nil || got[0].Comments != users {
		t.Errorf("%+v (%v), want %d comments", got, err, users)
	}
}
