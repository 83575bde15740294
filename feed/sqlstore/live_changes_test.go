package sqlstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// Readers at different positions share a statement, and each gets the result of a single read.
func TestSince_SharedStatementReturnsOwnResults(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(ann)}})
		l := sqlstore.NewLive(s)
		for id := range live.ID(12) {
			mustSchedule(t, l, upcoming(id+1))
		}
		asked := [][2]int{{11, 3}, {0, 2}, {7, 2}, {3, 100}, {12, 5}, {2, 1}}
		got, err := l.SinceAtOnce(t.Context(), asked)
		must(t, err)
		for i, a := range asked {
			alone, err := l.Since(t.Context(), int64(a[0]), a[1])
			must(t, err)
			if want := min(a[1], 12-a[0]); len(alone) != want || len(got[i]) != want || want > 0 && cmp.Diff(alone, got[i]) != "" {
				t.Errorf("of %d transitions after %d a shared read returns %v, and a single one %v", a[1], a[0], got[i], alone)
			}
		}
	})
}

// So do readers who ask about the same host.
func TestFollowed_SharedStatementReturnsOwnResults(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}, {User: townUser(3)}})
		must(t, s.Follow(t.Context(), 1, 3, noon, 10))
		version, err := s.ViewerVersion(t.Context(), 1)
		must(t, err)
		l := sqlstore.NewLive(s)
		got, err := l.FollowedAtOnce(t.Context(), 3, [][2]int64{{1, version.Version}, {1, version.Version - 1}, {2, 9}, {3, 0}})
		if want := []bool{true, false, false, true}; err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("Followed returned %v, %v, want %v", got, err, want)
		}
	})
}
