package sqlstore_test

import (
	"errors"
	"sync"
	"testing"

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
