package feedtest

import (
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
	s := liveSuite{t, func(t *testing.T) *liveWorld {
		stores, lives := open(t)
		return &liveWorld{worldOf(t, stores), lives}
	}}
	s.group("Sessions", func(s liveSuite) {
		s.promise("every call with an ended context is an error and changes nothing", endedLiveContexts)
		s.promise("a scheduled session is stored as upcoming, with a number", func(w *liveWorld) {
			before := w.now().Number
			s := w.schedule(7, ann, noon)
			want := upcoming(7, ann, noon)
			want.Number = before + 1
			w.same("the session", s, &want)
			w.same("the stored sessions", w.sessionsOf(8, 7, 7), []*live.Session{nil, &want, &want})
			w.same("the current number", w.now().Number, want.Number)
		})
		s.promise("an id that is taken is refused, and nothing changes", func(w *liveWorld) {
			s := w.schedule(7, ann, noon)
			w.mustBe(live.ErrIDTaken, errorOf(w.Sessions.Schedule(w.ctx, upcoming(7, bob, noon+1), many)))
			w.same("the stored sessions", w.sessionsOf(7), []*live.Session{s})
			w.same("the current number", w.now().Number, s.Number)
		})
		s.empty("an unknown host cannot schedule, and what is not stored cannot be changed", func(w *liveWorld) {
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.Sessions.Schedule(w.ctx, upcoming(7, ann, noon), many)))
			w.same("the stored sessions", w.sessionsOf(7), []*live.Session{nil})
			w.mustHaveCode(feed.CodeNotFound, errorOf(w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) { return s, nil })))
		})
		s.promise("concurrent schedules reach the limit of open sessions exactly", func(w *liveWorld) {
			const most = 3
			w.replay(100, ann, noon)
			w.schedule(101, ann, noon)
			w.cancel(101, noon)
			w.schedule(102, bob, noon)
			stored := 0
			for i, err := range concurrently(8, func(i int) error { return errorOf(w.Sessions.Schedule(w.ctx, upcoming(live.ID(i+1), ann, noon), most)) }) {
				if err == nil {
					stored++
					w.start(live.ID(i+1), noon) // what is live is as open as what is upcoming
				} else {
					w.mustHaveCode(feed.CodeConflict, err)
				}
			}
			w.same("the number of stored sessions", stored, most)
		})
		s.promise("a change is stored as one transition, and none if it changes nothing", func(w *liveWorld) {
			first := w.schedule(7, ann, noon)
			w.reschedule(7, noon+5)
			w.start(7, noon+1)
			s := w.end(7, noon+2)
			want := &live.Session{
				ID: 7, Host: ann, Title: "title", State: live.Replay, ScheduledAt: noon + 5, StartedAt: noon + 1, EndedAt: noon + 2,
				ReplayURL: "https://tideline.example/r", Number: first.Number + 3,
			}
			w.same("the session", s, want)
			w.same("the unchanged session", w.change(7, func(*live.Session) {}), want)
			w.same("the stored sessions", w.sessionsOf(7), []*live.Session{want})
			w.same("the current number", w.now().Number, want.Number)
		})
		s.promise("the error of a change function is returned, and nothing changes", func(w *liveWorld) {
			s := w.schedule(7, ann, noon)
			refusal := feed.Errorf(feed.CodeConflict, "no")
			_, err := w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) {
				s.Title = "another"
				return s, refusal
			})
			w.same("whether the error is that of the change function", errors.Is(err, refusal), true)
			w.same("the stored sessions", w.sessionsOf(7), []*live.Session{s})
			w.same("the current number", w.now().Number, s.Number)
		})
		s.promise("concurrent changes of one session run one after the other", func(w *liveWorld) {
			w.schedule(7, ann, noon)
			const n = 8
			together(n, func(int) error {
				_, err := w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) {
					s.ScheduledAt++
					return s, nil
				})
				return err
			})
			w.same("the planned time", w.sessionsOf(7)[0].ScheduledAt, noon+n)
		})
		s.empty("numbers rise with every transition and become visible in order", func(w *liveWorld) {
			const n = 12
			hosts := make([]feed.UserID, n)
			for i := range hosts {
				hosts[i] = feed.UserID(i + 1)
				w.user(hosts[i])
			}
			began := w.now().Number
			together(n, func(i int) error {
				if _, err := w.Sessions.Schedule(w.ctx, upcoming(live.ID(i+1), hosts[i], noon), many); err != nil {
					return err
				}
				// Everything up to the store's present is visible.
				now, err := w.History.Now(w.ctx)
				if err != nil {
					return err
				}
				open, err := w.History.Open(w.ctx, hosts, now.Number, live.Position{}, many)
				w.failIf(err == nil && int64(len(open)) != now.Number-began,
					"as of number %d there are %d open sessions; the first number was %d", now.Number, len(open), began)
				return err
			})
			w.same("the current number", w.now().Number, began+n)
		})
		s.promise("the end of a session stores one event, for its replay", func(w *liveWorld) {
			w.schedule(7, ann, noon)
			w.start(7, noon)
			w.same("the due work before the end", w.due(math.MaxInt64, 9), feed.Due{})
			w.end(7, noon)
			w.end(7, noon)
			w.same("the due work before the due time", w.due(noon-1, 9), feed.Due{})
			w.same("the due work at the due time", w.due(noon, 9), feed.Due{Events: events(1, -7)})
			w.storePlan(feed.Plan{Post: -7, Slices: []feed.Slice{{SliceRef: ref(-7, 0), First: 1, Last: 2}}}, noon)
			w.same("whether the replay and the post are pending", w.isPending(-7, 7), []bool{true, false})
			w.same("progress is accepted", w.advance(*must(w.Plans.ClaimSlice(w.ctx, ref(-7, 0), noon, noon+1)), 2, true, noon), true)
			w.same("whether the replay and the post are pending after the push", w.isPending(-7, 7), []bool{false, false})
		})
		s.promise("sessions and posts have separate ids", func(w *liveWorld) {
			p := w.post(7, ann, noon)
			w.replay(7, ann, noon+1)
			w.same("the post", w.outbox([]feed.UserID{ann}), []feed.Key{p})
			w.same("whether the post and the replay are pending", w.isPending(7, -7), []bool{true, true})
			w.storePlan(planOf(7, 0), noon)
			w.same("whether the post and the replay are pending once the post is pushed", w.isPending(7, -7), []bool{false, true})
		})
		// nameOwnSessions is nameOwnPosts for live sessions.
		s.empty("own sessions are named by their number where ids are text", func(w *liveWorld) {
			w.useIDs(feed.TextIDs)
			w.user(ann)
			w.same("the external id", w.schedule(10, ann, noon).External, feed.ExternalID("10"))
			w.same("the number of the id", w.find(feed.LiveIDs, "10"), []int64{10})
			w.draw(feed.LiveIDs, "11")
			w.mustBe(live.ErrIDTaken, errorOf(w.Sessions.Schedule(w.ctx, upcoming(11, ann, noon), many)))
		})
		s.promise("the sessions of a deleted account are gone", func(w *liveWorld) {
			w.follow(bob, ann)
			w.schedule(1, ann, noon)
			w.replay(2, ann, noon)
			s := w.schedule(3, bob, noon)
			check(w.Profiles.DeleteAccount(w.ctx, ann, noon))
			check := func() {
				w.same("the sessions", w.sessionsOf(1, 2, 3), []*live.Session{nil, nil, s})
				open := must(w.History.Open(w.ctx, []feed.UserID{ann, bob}, math.MaxInt64, live.Position{}, many))
				w.same("the open sessions", open, []live.Entry{{Position: s.Position(), Host: bob}})
				w.same("the replays", len(must(w.Replays.Outbox(w.ctx, []feed.UserID{ann, bob}, all()))), 0)
				w.mustHaveCode(feed.CodeNotFound, errorOf(w.Sessions.Change(w.ctx, 1, noon, func(s live.Session) (live.Session, error) { return s, nil })))
			}
			check()
			for more := true; more; {
				more = must(w.Profiles.PurgeDeleted(w.ctx, 1))
				check()
			}
		})
	})
	s.group("History", liveHistorySuite)
	s.group("Changes", liveChangesSuite)
	s.group("Log", liveLogSuite)
	s.group("Replays", replaysSuite)
	s.group("Records", liveRecordsSuite)
}

// liveWorld is a backend with live sessions and helpers for tests.
type liveWorld struct {
	*world
	LiveStores
}

type liveSuite = suite[*liveWorld]

// upcoming returns a session that is not stored yet.
func upcoming(id live.ID, host feed.UserID, at int64) live.Session {
	return live.Session{ID: id, Host: host, Title: "title", State: live.Upcoming, ScheduledAt: at}
}

func (w *liveWorld) schedule(id live.ID, host feed.UserID, at int64) *live.Session {
	return must(w.Sessions.Schedule(w.ctx, upcoming(id, host, at), many))
}

// change changes a session and returns its new state.
func (w *liveWorld) change(id live.ID, do func(s *live.Session)) *live.Session {
	s := must(w.Sessions.Change(w.ctx, id, noon, func(s live.Session) (live.Session, error) {
		do(&s)
		return s, nil
	}))
	return s
}

func (w *liveWorld) reschedule(id live.ID, at int64) *live.Session {
	return w.change(id, func(s *live.Session) { s.ScheduledAt = at })
}

func (w *liveWorld) start(id live.ID, at int64) *live.Session {
	return w.change(id, func(s *live.Session) { s.State, s.StartedAt = live.Live, at })
}

func (w *liveWorld) end(id live.ID, at int64) *live.Session {
	return w.change(id, func(s *live.Session) { s.State, s.EndedAt, s.ReplayURL = live.Replay, at, "https://tideline.example/r" })
}

func (w *liveWorld) cancel(id live.ID, at int64) *live.Session {
	return w.change(id, func(s *live.Session) { s.State, s.CancelledAt = live.Cancelled, at })
}

// replay schedules, starts and ends a session.
func (w *liveWorld) replay(id live.ID, host feed.UserID, at int64) *live.Session {
	w.schedule(id, host, at-2)
	w.start(id, at-1)
	return w.end(id, at)
}

func (w *liveWorld) sessionsOf(ids ...live.ID) []*live.Session {
	return must(w.Sessions.Sessions(w.ctx, ids))
}

func (w *liveWorld) now() live.Moment { return must(w.History.Now(w.ctx)) }
