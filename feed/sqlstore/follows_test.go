package sqlstore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
)

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
	mustTakeStatements(t, o, 1, func() error { return s.Follow(t.Context(), 2, star, townStart, 1) })
	mustStand(t, s, 1, 2)
	must(t, s.Unfollow(t.Context(), 2, star))
	mustTakeStatements(t, o, 1, func() error { return s.Follow(t.Context(), 2, star, townStart, 1) })
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
				go func() { done <- s.Follow(ctx, 2, c.followee, townStart, c.limit) }()
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
