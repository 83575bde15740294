package feedtest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// LiveSource checks [live.Sessions], [live.History], [live.Changes] and [ReplayLists]. open returns
// new, empty stores as in [Source]. Of the live stores, it must set only Sessions, History, Changes
// and Replays.
func LiveSource(t *testing.T, open func(t *testing.T) (Stores, LiveStores)) {
	t.Run("Sessions", func(t *testing.T) {
		testLivePromises(t, open, []livePromise{
			{"a scheduled session is stored as upcoming, with a number", sessionScheduled},
			{"an id that is taken is refused, and nothing changes", sessionIDTaken},
			{"an unknown host cannot schedule", sessionNoHost},
			{"concurrent schedules reach the limit of open sessions exactly", sessionOpenMax},
			{"a change is stored as one transition", sessionChanged},
			{"a change that changes nothing is no transition", sessionUnchanged},
			{"the error of a change function is returned, and nothing changes", sessionRefused},
			{"a session that is not stored cannot be changed", sessionMissing},
			{"concurrent changes of one session run one after the other", sessionAtOnce},
			{"numbers rise with every transition and become visible in order", sessionNumbers},
			{"the end of a session stores one event, for its replay", sessionEvent},
			{"sessions and posts have separate ids", sessionIDs},
			{"own sessions are named by their number where ids are text", nameOwnSessions},
			{"the sessions of a deleted account are gone", sessionGone},
			{"an ended context is an error and changes nothing", sessionEndedContext},
		})
	})
	t.Run("History", func(t *testing.T) { liveHistorySuite(t, open) })
	t.Run("Changes", func(t *testing.T) { liveChangesSuite(t, open) })
	t.Run("Log", func(t *testing.T) { liveLogSuite(t, open) })
	t.Run("Replays", func(t *testing.T) { replaysSuite(t, open) })
	t.Run("Records", func(t *testing.T) { liveRecordsSuite(t, open) })
}

// livePromise is a [promise] about live sessions.
type livePromise struct {
	name  string
	check func(w *liveWorld)
}

// liveWorld is a backend with live sessions and helpers for tests.
type liveWorld struct {
	*world
	LiveStores
}

func testLivePromises(t *testing.T, open func(t *testing.T) (Stores, LiveStores), promises []livePromise) {
	for _, p := range promises {
		t.Run(p.name, func(t *testing.T) {
			stores, lives := open(t)
			p.check(&liveWorld{&world{t: t, ctx: t.Context(), Stores: stores}, lives})
		})
	}
}

// upcoming returns a session that is not stored yet.
func upcoming(id live.ID, host feed.UserID, at int64) live.Session {
	return live.Session{ID: id, Host: host, Title: "title", State: live.Upcoming, ScheduledAt: at}
}

func (w *liveWorld) schedule(id live.ID, host feed.UserID, at int64) *live.Session {
	w.t.Helper()
	s, err := w.Sessions.Schedule(w.ctx, upcoming(id, host, at), many)
	w.must(err)
	return s
}

// change changes a session and returns its new state.
func (w *liveWorld) change(id live.ID, do func(s *live.Session)) *live.Session {
	w.t.Helper()
	s, err := w.Sessions.Change(w.ctx, id, noon, func(s live.Session) (live.Session, error) {
		do(&s)
		return s, nil
	})
	w.must(err)
	return s
}

func (w *liveWorld) reschedule(id live.ID, at int64) *live.Session {
	w.t.Helper()
	return w.change(id, func(s *live.Session) { s.ScheduledAt = at })
}

func (w *liveWorld) start(id live.ID, at int64) *live.Session {
	w.t.Helper()
	return w.change(id, func(s *live.Session) { s.State, s.StartedAt = live.Live, at })
}

func (w *liveWorld) end(id live.ID, at int64) *live.Session {
	w.t.Helper()
	return w.change(id, func(s *live.Session) { s.State, s.EndedAt, s.ReplayURL = live.Replay, at, "https://tideline.example/r" })
}

func (w *liveWorld) cancel(id live.ID, at int64) *live.Session {
	w.t.Helper()
	return w.change(id, func(s *live.Session) { s.State, s.CancelledAt = live.Cancelled, at })
}

// replay schedules, starts and ends a session.
func (w *liveWorld) replay(id live.ID, host feed.UserID, at int64) *live.Session {
	w.t.Helper()
	w.schedule(id, host, at-2)
	w.start(id, at-1)
	return w.end(id, at)
}

func (w *liveWorld) sessionsOf(ids ...live.ID) []*live.Session {
	w.t.Helper()
	s, err := w.Sessions.Sessions(w.ctx, ids)
	w.must(err)
	return s
}

func (w *liveWorld) now() live.Moment {
	w.t.Helper()
	m, err := w.History.Now(w.ctx)
	w.must(err)
	return m
}

func sessionScheduled(w *liveWorld) {
	w.user(ann)
	before := w.now().Number
	s := w.schedule(7, ann, noon)
	want := upcoming(7, ann, noon)
	want.Number = before + 1
	w.same("the session", s, &want)
	w.same("the stored sessions", w.sessionsOf(8, 7, 7), []*live.Session{nil, &want, &want})
	w.same("the current number", w.now().Number, want.Number)
}

func sessionIDTaken(w *liveWorld) {
	w.user(ann)
	w.user(bob)
	s := w.schedule(7, ann, noon)
	_, err := w.Sessions.Schedule(w.ctx, upcoming(7, bob, noon+1), many)
	w.same("whether the error is ErrIDTaken", errors.Is(err, live.ErrIDTaken), true)
	w.same("the stored sessions", w.sessionsOf(7), []*live.Session{s})
	w.same("the current number", w.now().Number, s.Number)
}

func sessionNoHost(w *liveWorld) {
	_, err := w.Sessions.Schedule(w.ctx, upcoming(7, ann, noon), many)
	w.mustHaveCode(feed.CodeNotFound, err)
	w.same("the stored sessions", w.sessionsOf(7), []*live.Session{nil})
}

func sessionOpenMax(w *liveWorld) {
	w.user(ann)
	w.user(bob)
	const most = 3
	w.replay(100, ann, noon)
	w.schedule(101, ann, noon)
	w.cancel(101, noon)
	w.schedule(102, bob, noon)
	stored := 0
	for i, err := range concurrently(8, func(i int) error {
		_, err := w.Sessions.Schedule(w.ctx, upcoming(live.ID(i+1), ann, noon), most)
		return err
	}) {
		if err == nil {
			stored++
			w.start(live.ID(i+1), noon) // what is live is as open as what is upcoming
		} else {
			w.mustHaveCode(feed.CodeConflict, err)
		}
	}
	w.same("the number of stored sessions", stored, most)
}

func sessionChanged(w *liveWorld) {
	w.user(ann)
	first := w.schedule(7, ann, noon)
	w.reschedule(7, noon+5)
	w.start(7, noon+1)
	s := w.end(7, noon+2)
	want := &live.Session{
		ID: 7, Host: ann, Title: "title", State: live.Replay, ScheduledAt: noon + 5, StartedAt: noon + 1, EndedAt: noon + 2,
		ReplayURL: "https://tideline.example/r", Number: first.Number + 3,
	}
	w.same("the session", s, want)
	w.same("the stored sessions", w.sessionsOf(7), []*live.Session{want})
}

func sessionUnchanged(w *liveWorld) {
	w.user(ann)
	s := w.schedule(7, ann, noon)
	w.same("the session", w.change(7, func(*live.Session) {}), s)
	w.same("the current number", w.now().Number, s.Number)
}

func sessionRefused(w *liveWorld) {
	w.user(ann)
	s := w.schedule(7, ann, noon)
	refusal := feed.Errorf(feed.CodeConflict, "no")
	_, err := w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) {
		s.Title = "another"
		return s, refusal
	})
	w.same("whether the error is that of the change function", errors.Is(err, refusal), true)
	w.same("the stored sessions", w.sessionsOf(7), []*live.Session{s})
	w.same("the current number", w.now().Number, s.Number)
}

func sessionMissing(w *liveWorld) {
	_, err := w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) { return s, nil })
	w.mustHaveCode(feed.CodeNotFound, err)
}

func sessionAtOnce(w *liveWorld) {
	w.user(ann)
	w.schedule(7, ann, noon)
	const n = 8
	for _, err := range concurrently(n, func(int) error {
		_, err := w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) {
			s.ScheduledAt++
			return s, nil
		})
		return err
	}) {
		w.must(err)
	}
	w.same("the planned time", w.sessionsOf(7)[0].ScheduledAt, noon+n)
}

func sessionNumbers(w *liveWorld) {
	const n = 12
	hosts := make([]feed.UserID, n)
	for i := range hosts {
		hosts[i] = feed.UserID(i + 1)
		w.user(hosts[i])
	}
	began := w.now().Number
	for _, err := range concurrently(n, func(i int) error {
		if _, err := w.Sessions.Schedule(w.ctx, upcoming(live.ID(i+1), hosts[i], noon), many); err != nil {
			return err
		}
		// Everything up to the store's present is visible.
		now, err := w.History.Now(w.ctx)
		if err != nil {
			return err
		}
		open, err := w.History.Open(w.ctx, hosts, now.Number, live.Position{}, many)
		if err == nil && int64(len(open)) != now.Number-began {
			w.t.Errorf("as of number %d there are %d open sessions; the first number was %d", now.Number, len(open), began)
		}
		return err
	}) {
		w.must(err)
	}
	w.same("the current number", w.now().Number, began+n)
}

func sessionEvent(w *liveWorld) {
	w.user(ann)
	w.schedule(7, ann, noon)
	w.start(7, noon)
	w.same("the due work before the end", w.due(math.MaxInt64, 9), feed.Due{})
	w.end(7, noon)
	w.end(7, noon)
	w.same("the due work before the due time", w.due(noon-1, 9), feed.Due{})
	w.same("the due work at the due time", w.due(noon, 9), feed.Due{Events: events(1, -7)})
	w.storePlan(feed.Plan{Post: -7, Slices: []feed.Slice{{SliceRef: ref(-7, 0), First: 1, Last: 2}}}, noon)
	w.same("whether the replay and the post are pending", w.isPending(-7, 7), []bool{true, false})
	slice, err := w.Plans.ClaimSlice(w.ctx, ref(-7, 0), noon, noon+1)
	w.must(err)
	w.same("progress is accepted", w.advance(*slice, 2, true, noon), true)
	w.same("whether the replay and the post are pending after the push", w.isPending(-7, 7), []bool{false, false})
}

func sessionIDs(w *liveWorld) {
	w.user(ann)
	p := w.post(7, ann, noon)
	w.replay(7, ann, noon+1)
	w.same("the post", w.outbox([]feed.UserID{ann}), []feed.Key{p})
	w.same("whether the post and the replay are pending", w.isPending(7, -7), []bool{true, true})
	w.storePlan(planOf(7, 0), noon)
	w.same("whether the post and the replay are pending once the post is pushed", w.isPending(7, -7), []bool{false, true})
}

func sessionGone(w *liveWorld) {
	w.user(ann)
	w.user(bob)
	w.follow(bob, ann)
	w.schedule(1, ann, noon)
	w.replay(2, ann, noon)
	s := w.schedule(3, bob, noon)
	w.must(w.Profiles.DeleteAccount(w.ctx, ann, noon))
	check := func() {
		w.same("the sessions", w.sessionsOf(1, 2, 3), []*live.Session{nil, nil, s})
		open, err := w.History.Open(w.ctx, []feed.UserID{ann, bob}, math.MaxInt64, live.Position{}, many)
		w.must(err)
		w.same("the open sessions", open, []live.Entry{{Position: s.Position(), Host: bob}})
		keys, err := w.Replays.Outbox(w.ctx, []feed.UserID{ann, bob}, all())
		w.must(err)
		w.same("the replays", len(keys), 0)
		_, err = w.Sessions.Change(w.ctx, 1, noon, func(s live.Session) (live.Session, error) { return s, nil })
		w.mustHaveCode(feed.CodeNotFound, err)
	}
	check()
	for more := true; more; {
		var err error
		more, err = w.Profiles.PurgeDeleted(w.ctx, 1)
		w.must(err)
		check()
	}
}

func sessionEndedContext(w *liveWorld) {
	w.user(ann)
	s := w.schedule(7, ann, noon)
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Schedule": func(ctx context.Context) error {
			_, err := w.Sessions.Schedule(ctx, upcoming(8, ann, noon), many)
			return err
		},
		"Change": func(ctx context.Context) error {
			_, err := w.Sessions.Change(ctx, 7, noon, func(s live.Session) (live.Session, error) {
				s.Title = "another"
				return s, nil
			})
			return err
		},
		"Sessions": func(ctx context.Context) error { _, err := w.Sessions.Sessions(ctx, []live.ID{7}); return err },
	})
	w.same("the stored sessions", w.sessionsOf(7, 8), []*live.Session{s, nil})
}
