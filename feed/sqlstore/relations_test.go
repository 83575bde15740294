package sqlstore_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
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
		if err := s.Follow(t.Context(), follower, followee, townStart, 10); err != nil {
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
