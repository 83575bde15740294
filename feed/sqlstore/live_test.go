package sqlstore_test

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// upcoming is a session of ann's that is not stored yet.
func upcoming(id live.ID) live.Session {
	return live.Session{ID: id, Host: ann, Title: "The tide", ScheduledAt: noon}
}

func mustSchedule(t *testing.T, l *sqlstore.Live, s live.Session) {
	t.Helper()
	_, err := l.Schedule(t.Context(), s, 1000)
	must(t, err)
}

// started and ended make a session live, and a replay, a second later each.
func started(s live.Session) (live.Session, error) {
	s.State, s.StartedAt = live.Live, noon+1000
	return s, nil
}

func ended(s live.Session) (live.Session, error) {
	if s.State == live.Live {
		s.State, s.EndedAt, s.ReplayURL = live.Replay, noon+2000, "https://example.org/replay"
	}
	return s, nil
}

func mustChange(t *testing.T, l *sqlstore.Live, id live.ID, steps ...func(live.Session) (live.Session, error)) {
	t.Helper()
	for _, next := range steps {
		_, err := l.Change(t.Context(), id, noon, next)
		must(t, err)
	}
}

// mustReplay stores a replay of ann's.
func mustReplay(t *testing.T, l *sqlstore.Live, id live.ID) {
	t.Helper()
	mustSchedule(t, l, upcoming(id))
	mustChange(t, l, id, started, ended)
}

// atOnce runs a change several times concurrently and returns the results.
func atOnce[T any](n int, change func(i int) (T, error)) (results []T, errs []error) {
	results, errs = make([]T, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { results[i], errs[i] = change(i) })
	}
	all.Wait()
	return results, errs
}

func TestSchedule_StoresOneSessionPerID(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		l := sqlstore.NewLive(withUsers(t, b))
		_, errs := atOnce(6, func(int) (*live.Session, error) { return l.Schedule(t.Context(), upcoming(1), 10) })
		taken := 0
		for _, err := range errs {
			if errors.Is(err, live.ErrIDTaken) {
				taken++
				continue
			}
			mustBe(t, "", err)
		}
		if taken != 5 {
			t.Errorf("%d of 6 calls failed because the id exists, want 5", taken)
		}
	})
}

// Without its event a replay would never be pushed.
func TestChange_FailedEventKeepsSessionLive(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		l := sqlstore.NewLive(s)
		mustSchedule(t, l, upcoming(1))
		mustChange(t, l, 1, started)
		// An event of this id exists already, so that the new one fails.
		must(t, s.Exec(t.Context(), "INSERT INTO events (content_id, due_at, created_at) VALUES (-1, 1, 1)"))
		if _, err := l.Change(t.Context(), 1, noon, ended); err == nil {
			t.Error("the session ended without its event")
		}
		sessions, err := l.Sessions(t.Context(), []live.ID{1})
		mustBe(t, "", err)
		if sessions[0].State != live.Live || sessions[0].Number != 2 {
			t.Errorf("got %+v, want it live as of the second transition", sessions[0])
		}
		mustHave(t, s, "live_transitions", 2)
	})
}

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
