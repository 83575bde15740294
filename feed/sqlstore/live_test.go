package sqlstore_test

import (
	"context"
	"errors"
	"sync"
	"testing"

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
	if _, err := l.Schedule(t.Context(), s, 1000); err != nil {
		t.Fatal(err)
	}
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
		if _, err := l.Change(t.Context(), id, noon, next); err != nil {
			t.Fatal(err)
		}
	}
}

// mustReplay stores a replay of ann's.
func mustReplay(t *testing.T, l *sqlstore.Live, id live.ID) {
	t.Helper()
	mustSchedule(t, l, upcoming(id))
	mustChange(t, l, id, started, ended)
}

func TestLive_VisibleNumberIncludesEarlierTransitions(t *testing.T) {
	const hosts, each = 4, 8
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		l := sqlstore.NewLive(s)
		writing, cancel := context.WithCancel(t.Context())
		var writers sync.WaitGroup
		for host := range hosts {
			importAll(t, s, []feed.Record{{User: townUser(feed.UserID(host + 1))}})
			writers.Go(func() {
				for i := range each {
					session := live.Session{ID: live.ID(100*host + i + 1), Host: feed.UserID(host + 1), ScheduledAt: noon}
					_, err := l.Schedule(t.Context(), session, each)
					mustBe(t, "", err)
					_, err = l.Change(t.Context(), session.ID, noon, started)
					mustBe(t, "", err)
				}
			})
		}
		go func() { writers.Wait(); cancel() }()
		for writing.Err() == nil {
			now, err := l.Now(t.Context())
			mustBe(t, "", err)
			if n, err := s.TransitionsUpTo(t.Context(), now.Number); int64(n) != now.Number || err != nil {
				t.Fatalf("got %d transitions up to number %d (%v)", n, now.Number, err)
			}
		}
		if now, err := l.Now(t.Context()); now.Number != 2*hosts*each || err != nil {
			t.Errorf("the last number is %d (%v), want %d", now.Number, err, 2*hosts*each)
		}
	})
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

func TestChange_ConcurrentEndsMakeOneTransition(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		l := sqlstore.NewLive(s)
		mustSchedule(t, l, upcoming(1))
		mustChange(t, l, 1, started)
		results, errs := atOnce(8, func(int) (*live.Session, error) { return l.Change(t.Context(), 1, noon, ended) })
		for i := range results {
			mustBe(t, "", errs[i])
			same(t, results[i], results[0])
		}
		mustHave(t, s, "live_transitions", 3)
		mustHave(t, s, "events", 1)
		due, err := s.Due(t.Context(), feed.Waits{}.DueBy(noon), 9, func(int) int64 { return noon + 1 })
		mustBe(t, "", err)
		same(t, due.Events, []feed.Dispatchable[feed.PostID]{{Ref: feed.ReplayRef(1), Dispatches: 1}})
	})
}

func TestSchedule_ConcurrentCallsKeepTheLimit(t *testing.T) {
	const openMax = 3
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		l := sqlstore.NewLive(s)
		_, errs := atOnce(10, func(i int) (*live.Session, error) { return l.Schedule(t.Context(), upcoming(live.ID(i+1)), openMax) })
		stored := 0
		for _, err := range errs {
			if err == nil {
				stored++
				continue
			}
			mustBe(t, feed.CodeConflict, err)
		}
		if stored != openMax {
			t.Errorf("%d sessions were stored, want %d", stored, openMax)
		}
		mustHave(t, s, "live_sessions", openMax)
	})
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
		if err := s.Exec(t.Context(), "INSERT INTO events (content_id, due_at, created_at) VALUES (-1, 1, 1)"); err != nil {
			t.Fatal(err)
		}
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

func TestPlans_SeparateReplayAndPostOfOneID(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := withUsers(t, b)
		mustReplay(t, sqlstore.NewLive(s), 7)
		mustPublish(t, s, textBy(ann, 7))
		names := []feed.PostID{7, feed.ReplayRef(7)}
		for i, name := range names {
			plan := feed.Plan{Post: name, Slices: []feed.Slice{{SliceRef: feed.SliceRef{Post: name}, First: 1, Last: 9}}}
			open, err := s.StorePlan(t.Context(), plan, noon)
			mustBe(t, "", err)
			same(t, open, []feed.Dispatchable[feed.SliceRef]{{Ref: feed.SliceRef{Post: name}}})
			sl, err := s.ClaimSlice(t.Context(), open[0].Ref, noon, noon+10)
			mustBe(t, "", err)
			sl.Progress = 9
			_, err = s.AdvanceSlice(t.Context(), *sl, true, noon+10)
			mustBe(t, "", err)
			pending, err := s.IsPending(t.Context(), names)
			mustBe(t, "", err)
			same(t, pending, []bool{false, i == 0})
		}
		if n, err := s.Rerun(t.Context(), 0, noon); n != 2 || err != nil {
			t.Errorf("%d slices run again (%v), want both", n, err)
		}
	})
}

// A transition that reads its host before a concurrent deletion commits must not rely on what it
// read: a purge would miss its rows. SQLite has one writer at a time, so nothing waits there.
func TestDeleteAccount_RefusesTransitionsThatWaited(t *testing.T) {
	b := postgresBackend(t)
	for name, change := range map[string]func(ctx context.Context, l *sqlstore.Live) error{
		"a new session": func(ctx context.Context, l *sqlstore.Live) error {
			_, err := l.Schedule(ctx, upcoming(2), 10)
			return err
		},
		"a start": func(ctx context.Context, l *sqlstore.Live) error {
			_, err := l.Change(ctx, 1, noon, started)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := withUsers(t, b)
			l := sqlstore.NewLive(s)
			mustSchedule(t, l, upcoming(1))
			outcome := make(chan error, 1)
			err := s.DeleteAccountWhile(t.Context(), ann, noon, func() error {
				go func() { outcome <- change(t.Context(), l) }()
				return waitsForLock(t.Context(), s)
			})
			mustBe(t, "", err)
			mustBe(t, feed.CodeNotFound, <-outcome)
			mustHave(t, s, "live_transitions", 1)
		})
	}
}
