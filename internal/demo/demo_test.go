package demo_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/demo"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// store also records how the demo data was marked.
type store struct {
	*sqlstore.Store
	isDemo bool
}

func (s *store) MarkDemo(context.Context) error {
	s.isDemo = true
	return nil
}

var small = demo.Size{Users: 40, Stars: 2, Follows: 5, Posts: 200, Likes: 300, Replays: 20, Span: 48 * time.Hour}

// activeFor is the lease of activity of demo users in tests.
const activeFor = 24 * time.Hour

func made(t *testing.T) *store {
	t.Helper()
	s := &store{Store: sqlitetest.New(t, time.Now)}
	check(t, demo.Make(t.Context(), s, small, time.UnixMilli(1_790_000_000_000), activeFor, 1))
	return s
}

// feedOf returns a viewer's whole feed.
func feedOf(t *testing.T, s *store, viewer feed.UserID) []feed.Key {
	t.Helper()
	keys, err := s.Feed(t.Context(), viewer, feed.HomeAuthors, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1000})
	check(t, err)
	return keys
}

func TestDemo_UsersHaveFeeds(t *testing.T) {
	s := made(t)
	if !s.isDemo {
		t.Error("the data was not marked as demo data")
	}
	for _, viewer := range demo.Users(small) {
		keys := feedOf(t, s, viewer)
		if len(keys) < 20 {
			t.Errorf("user %d has a feed of %d entries", viewer, len(keys))
		}
		if len(keys) > 0 && keys[0].TS > 1_790_000_000_000 {
			t.Errorf("user %d has an entry from the future", viewer)
		}
	}
}

func TestDemo_StarsArePopularAndPulled(t *testing.T) {
	s := made(t)
	users, err := s.Users(t.Context(), []feed.UserID{1, 2, 3})
	check(t, err)
	if users[0].Flag != feed.FlagSelective || users[1].Flag != feed.FlagSelective || users[2].Flag != feed.FlagNone {
		t.Errorf("the marks are %v %v %v, want those of two stars", users[0].Flag, users[1].Flag, users[2].Flag)
	}
	if n, _, err := s.Reach(t.Context(), 1); err != nil || n < 25 {
		t.Errorf("the first star has %d followers of %d, %v", n, small.Users, err)
	}
}

func TestDemo_UsersAreActive(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	present := now
	s := &store{Store: sqlitetest.New(t, func() time.Time { return present })}
	check(t, demo.Make(t.Context(), s, small, now, activeFor, 1))
	all, _, err := s.Reach(t.Context(), 1)
	if err != nil || all == 0 {
		t.Fatalf("a star has %d followers, %v", all, err)
	}
	for after, want := range map[time.Duration]int64{0: all, activeFor - time.Millisecond: all, activeFor + time.Millisecond: 0} {
		present = now.Add(after)
		active, err := s.FollowerIDs(t.Context(), 1, feed.FollowerRange{UpTo: feed.UserID(small.Users), Limit: small.Users, Active: true})
		if err != nil || int64(len(active)) != want {
			t.Errorf("after %v the posts of a star are pushed to %d followers, %v, want %d", after, len(active), err, want)
		}
	}
}

func TestDemo_IsDeterministic(t *testing.T) {
	if diff := cmp.Diff(feedOf(t, made(t), 5), feedOf(t, made(t), 5)); diff != "" {
		t.Error(diff)
	}
}

// sessions returns all sessions by id.
func sessions(t *testing.T, s *sqlstore.Store) map[int64]feed.LiveRecord {
	t.Helper()
	out := map[int64]feed.LiveRecord{}
	err := s.Export(t.Context(), func(r feed.Record) error {
		if r.Live != nil {
			out[r.Live.ID] = *r.Live
		}
		return nil
	})
	check(t, err)
	return out
}

// state returns the state that a record describes.
func state(r feed.LiveRecord) live.State {
	steps := live.Steps(r)
	return steps[len(steps)-1].State
}

func TestDemo_SessionsHaveEveryState(t *testing.T) {
	count := map[live.State]int{}
	for id, r := range sessions(t, made(t).Store) {
		count[state(r)]++
		if slices.Contains(demo.Users(small), r.Host) || !slices.Contains(demo.Hosts(small), r.Host) {
			t.Errorf("session %d is by user %d", id, r.Host)
		}
		if r.StartedAt > 1_790_000_000_000 || r.EndedAt > 1_790_000_000_000 {
			t.Errorf("session %d begins or ends in the future: %+v", id, r)
		}
		if state(r) == live.Upcoming && r.ScheduledAt <= 1_790_000_000_000 {
			t.Errorf("session %d is upcoming and planned for the past", id)
		}
	}
	if count[live.Live] == 0 || count[live.Upcoming] == 0 || count[live.Replay] != small.Replays {
		t.Errorf("there are, by state, %v sessions", count)
	}
}

// noQueue drops tasks.
type noQueue struct{}

func (noQueue) Refresh(context.Context, []feed.UserID) error                     { return nil }
func (noQueue) Dispatch(context.Context, []feed.Dispatchable[feed.PostID]) error { return nil }

// animator returns an animator as of a new process.
func animator(s *sqlstore.Store, now *time.Time, holder string) *demo.Animator {
	clock := func() time.Time { return *now }
	newID := feed.NewPostIDs(clock, nil)
	return &demo.Animator{
		Hosting: &live.Hosting{
			Sessions: sqlstore.NewLive(s), Relations: s, Users: s, Queue: noQueue{}, Clock: clock, Policy: live.DefaultPolicy(),
			NewID: func() (live.ID, error) { id, err := newID(); return live.ID(id), err },
		},
		History: sqlstore.NewLive(s), Leaders: s, Holder: holder, Size: small, Clock: clock,
		Rand: rand.New(rand.NewPCG(1, 2)),
	}
}

// Ten minutes of steps, with a restart at every tenth.
func TestAnimator_StartsAndEndsSessions(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	s := &store{Store: sqlitetest.New(t, func() time.Time { return now })}
	check(t, demo.Make(t.Context(), s, small, now, activeFor, 1))
	history := sqlstore.NewLive(s.Store)
	a := animator(s.Store, &now, "1")
	for step := range 120 {
		now = now.Add(demo.StepInterval)
		if step%10 == 0 {
			a = animator(s.Store, &now, "1")
		}
		before, err := history.Now(t.Context())
		check(t, err)
		if err := a.Step(t.Context()); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		if after, err := history.Now(t.Context()); err != nil || after.Number != before.Number+1 {
			t.Fatalf("step %d went from number %d to %d, %v", step, before.Number, after.Number, err)
		}
	}
	count := map[live.State]int{}
	for _, r := range sessions(t, s.Store) {
		count[state(r)]++
	}
	if count[live.Replay] < small.Replays+20 || count[live.Live] < 2 || count[live.Live] > 30 || count[live.Upcoming] < 2 || count[live.Upcoming] > 30 {
		t.Errorf("after ten minutes there are, by state, %v sessions", count)
	}
}

func TestAnimator_LeavesVisitorsSessionsAlone(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	s := &store{Store: sqlitetest.New(t, func() time.Time { return now })}
	check(t, demo.Make(t.Context(), s, small, now, activeFor, 1))
	a := animator(s.Store, &now, "1")
	own, err := a.Hosting.Schedule(t.Context(), demo.Users(small)[1], "my own", feed.Millis(now))
	check(t, err)
	for range 60 {
		now = now.Add(demo.StepInterval)
		check(t, a.Step(t.Context()))
	}
	if got := sessions(t, s.Store)[int64(own.ID)]; state(got) != live.Upcoming {
		t.Errorf("the session is now %+v", got)
	}
}

func TestAnimator_OnlyLeaderActs(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	s := sqlitetest.New(t, func() time.Time { return now })
	check(t, demo.Make(t.Context(), &store{Store: s}, small, now, activeFor, 1))
	history := sqlstore.NewLive(s)
	before, err := history.Now(t.Context())
	check(t, err)
	for _, holder := range []string{"1", "2", "3"} {
		check(t, animator(s, &now, holder).Step(t.Context()))
	}
	if after, err := history.Now(t.Context()); err != nil || after.Number != before.Number+1 {
		t.Errorf("the number went from %d to %d, %v", before.Number, after.Number, err)
	}
}

func TestAnimator_SkipsDeletedHosts(t *testing.T) {
	now := time.UnixMilli(1_790_000_000_000)
	a := animator(sqlitetest.New(t, func() time.Time { return now }), &now, "1")
	if err := a.Step(t.Context()); err != nil {
		t.Errorf("a step without any user: %v", err)
	}
}

// check ends the test if there is an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
