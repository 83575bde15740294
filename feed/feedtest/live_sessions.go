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
			w.same("progress is accepted", w.advance(*must(w.Slices.ClaimSlice(w.ctx, ref(-7, 0), noon, noon+1)), 2, true, noon), true)
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
		// As posts are.
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
				w.same("the replays", len(must(w.Replays.Outbox(w.ctx, 0, []feed.UserID{ann, bob}, all()))), 0)
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

// liveLogSuite checks the rows that sessions have in the change log.
func liveLogSuite(s liveSuite) {
	s.promise("each transition is logged once under the host", func(w *liveWorld) {
		log := w.liveLog()
		w.schedule(7, ann, noon)
		log.logs("a schedule", feed.Change{Kind: feed.ChangeScheduled, User: ann, Post: feed.ReplayRef(7)})
		row := feed.Change{Kind: feed.ChangeSession, User: ann, Post: feed.ReplayRef(7)}
		w.reschedule(7, noon+1)
		log.logs("another time", row)
		w.start(7, noon)
		log.logs("a start", row)
		w.end(7, noon)
		log.logs("an end", row)
		w.schedule(8, bob, noon)
		w.cancel(8, noon)
		log.logs("a schedule and its end", ofSession(true, bob, 8), cancelled(false, bob, 8))
	})
	s.promise("refused and repeated transitions are not logged", func(w *liveWorld) {
		log := w.liveLog()
		w.schedule(7, ann, noon)
		log.logs("a schedule", ofSession(true, ann, 7))
		w.change(7, func(*live.Session) {})
		_, err := w.Sessions.Change(w.ctx, 7, noon, func(s live.Session) (live.Session, error) {
			s.State = live.Live
			return s, feed.Errorf(feed.CodeConflict, "no")
		})
		w.mustHaveCode(feed.CodeConflict, err)
		w.mustBe(live.ErrIDTaken, errorOf(w.Sessions.Schedule(w.ctx, upcoming(7, bob, noon), many)))
		w.mustHaveCode(feed.CodeConflict, errorOf(w.Sessions.Schedule(w.ctx, upcoming(8, ann, noon), 1)))
		log.logs("what was refused")
	})
	s.promise("records are logged as transitions, and changes of their texts too", func(w *liveWorld) {
		log := w.liveLog()
		list := make([]feed.Record, len(liveRecords()))
		for i, r := range liveRecords() {
			list[i] = feed.Record{Live: &r}
		}
		w.ingest(list...)
		log.logs("new sessions", ofSession(true, ann, 7), ofSession(true, ann, 30), ofSession(true, bob, 100), cancelled(true, bob, 2000))
		before := w.sessionsOf(100)[0]
		renamed := *list[2].Live
		renamed.Title = "other"
		w.ingest(feed.Record{Live: &renamed})
		log.logs("another title", ofSession(false, bob, 100))
		after := w.sessionsOf(100)[0]
		w.same("the title", after.Title, "other")
		w.same("the number of the session", after.Number, before.Number)
		later := must(w.LiveStores.Changes.Since(w.ctx, before.Number, many))
		w.same("the last transition", later[len(later)-1], live.HostTransition{Host: bob, Number: w.now().Number})
		started := *list[0].Live
		started.StartedAt, started.EndedAt = noon+51, noon+52
		w.ingest(feed.Record{Live: &started})
		log.logs("two transitions", ofSession(false, ann, 7))
		w.ingest(feed.Record{Live: &started})
		log.logs("a repeated record")
	})
	s.promise("an import resets the log and has no rows of sessions", func(w *liveWorld) {
		log := w.liveLog()
		w.importLive(liveRecords()...)
		log.logs("an import", feed.Change{Kind: feed.ChangeReset})
	})
	s.promise("a live feed has the changes of its viewer, of the hosts they follow, and all resets", func(w *liveWorld) {
		w.liveLog()
		w.follow(ann, bob, cem)
		w.relate(feed.RelationMute, ann, cem, true)
		start := w.numberAll()
		w.schedule(1, bob, noon)
		w.schedule(2, dee, noon)
		w.schedule(3, ann, noon)
		w.start(1, noon)
		w.schedule(4, cem, noon)
		w.post(5, bob, noon)
		w.storePlan(planOf(5, 0), noon)
		w.follow(bob, cem)
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{cem}, true))
		w.relate(feed.RelationMute, ann, cem, false)
		check(w.PulseLog.RaiseGeneration(w.ctx))
		last := w.numberAll()
		want := []feed.Change{
			ofSession(true, bob, 1), ofSession(true, ann, 3), ofSession(false, bob, 1), ofSession(true, cem, 4),
			feed.AbsenceChange(cem, true),
			muteOf(cem),
			{Kind: feed.ChangeReset},
		}
		log := w.Stores.Changes
		list, next := must2(log.LiveChanges(w.ctx, ann, start, 9))
		w.same("the changes of ann's live feed", withoutNumbers(list), want)
		w.same("where they end", next, last)
		list, next = must2(log.LiveChanges(w.ctx, ann, start, 2))
		w.same("the first of them", withoutNumbers(list), want[:2])
		w.same("where they end", next, feed.ChangePlace{Epoch: start.Epoch, Number: list[1].Number})
		w.mustBe(feed.ErrChangesGone, errorOf2(log.LiveChanges(w.ctx, ann, feed.ChangePlace{Epoch: last.Epoch + 1}, 2)))
	})
	s.promise("the sessions of a host include cancelled ones and those of users who have gone", func(w *liveWorld) {
		w.liveLog()
		w.schedule(1, ann, noon)
		w.schedule(9, ann, noon)
		w.schedule(5, ann, noon)
		w.schedule(6, bob, noon)
		w.cancel(1, noon)
		read := func(below live.ID, limit int) []live.PublicID {
			return must(w.Sessions.OfHost(w.ctx, ann, below, limit))
		}
		want := each(w.sessionsOf(9, 5, 1), (*live.Session).PublicID)
		w.same("all sessions", read(math.MaxInt64, 9), want)
		w.same("the first", read(math.MaxInt64, 2), want[:2])
		w.same("those below", read(9, 9), want[1:])
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, true))
		w.same("those of an absent host", read(math.MaxInt64, 9), want)
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, false))
		w.deleteAccounts(ann)
		w.same("those of a deleted account", read(math.MaxInt64, 9), want)
		w.purge(1)
		w.same("those of a purged account", read(math.MaxInt64, 9), want)
	})
}

// ofSession is the row for a session; isNew if it was scheduled.
func ofSession(isNew bool, host feed.UserID, id live.ID) feed.Change {
	return (&live.Session{ID: id, Host: host}).Changed(isNew)
}

func cancelled(isNew bool, host feed.UserID, id live.ID) feed.Change {
	return (&live.Session{ID: id, Host: host, State: live.Cancelled}).Changed(isNew)
}

func (w *liveWorld) liveLog() *logReader {
	must(w.Numberer.CheckEpoch(w.ctx))
	return w.logReader()
}

// liveChangesSuite checks the promises of [live.Changes].
func liveChangesSuite(s liveSuite) {
	s.promise("a feed version has the moment and the viewer's relations version", func(w *liveWorld) {
		before := w.feedVersion(ann)
		w.same("the number before the first transition", before.Number, int64(0))
		w.schedule(1, bob, noon)
		w.follow(ann, bob)
		check(w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: cem, CreatedAt: noon}))
		last := w.start(1, noon).Number
		s, version, now := w.feedVersion(ann), w.viewerVersion(ann), w.now()
		w.same("the version", s.Version, version.Version)
		w.same("whether the version rose", s.Version > before.Version, true)
		w.same("the number", s.Number, last)
		w.same("the generation", s.Generation, now.Generation)
		w.same("whether the time lies between those of two other reads", before.At <= s.At && s.At <= now.At, true)
		w.same("whether a followed user is being deleted", s.Leaving, false)
		w.same("another viewer's version", w.feedVersion(dee).Version, w.viewerVersion(dee).Version)
	})
	s.empty("an unknown user has a version too", func(w *liveWorld) {
		w.user(ann)
		last := w.schedule(1, ann, noon).Number
		s := w.feedVersion(dee)
		w.same("the number", s.Number, last)
		w.same("the version", s.Version, int64(0))
		w.same("whether a followed user is being deleted", s.Leaving, false)
	})
	s.promise("the deletion of a followed user shows at once, and then in the version", func(w *liveWorld) {
		w.follow(ann, bob)
		w.follow(dee, cem)
		w.schedule(1, bob, noon)
		before, others := w.feedVersion(ann), w.feedVersion(dee)
		check(w.Profiles.DeleteAccount(w.ctx, bob, noon))
		s := w.feedVersion(ann)
		w.same("whether the follower's feed version changed at once", s.Leaving || s.Version > before.Version, true)
		w.same("whether a user followed by another viewer is being deleted", w.feedVersion(dee).Leaving, false)
		for more := true; more; {
			more = must(w.Profiles.PurgeDeleted(w.ctx, 1))
			s = w.feedVersion(ann)
			w.same("whether the feed version differs during the purge", s.Leaving || s.Version > before.Version, true)
		}
		w.same("whether a followed user is being deleted, after the purge", s.Leaving, false)
		w.same("whether the version rose after the purge", s.Version > before.Version, true)
		w.same("another viewer's version after the purge", w.feedVersion(dee).Version, others.Version)
	})
	s.promise("the deletion of the viewer shows permanently", func(w *liveWorld) {
		w.follow(ann, bob)
		check(w.Profiles.DeleteAccount(w.ctx, ann, noon))
		w.same("whether the viewer is being deleted", w.feedVersion(ann).Leaving, true)
		w.purge(many)
		w.same("whether the viewer is deleted", w.feedVersion(ann).Leaving, true)
	})
	s.promise("transitions after a number are returned in order, at most the limit", func(w *liveWorld) {
		var want []live.HostTransition
		record := func(s *live.Session) { want = append(want, live.HostTransition{Host: s.Host, Number: s.Number}) }
		record(w.schedule(1, ann, noon))
		record(w.schedule(2, bob, noon))
		record(w.start(1, noon))
		record(w.cancel(2, noon))
		record(w.end(1, noon+1))
		for i := range want {
			for limit := 1; limit <= len(want); limit++ {
				got := must(w.Changes.Since(w.ctx, want[i].Number, limit))
				rest := want[i+1:]
				w.same("the transitions", got, append([]live.HostTransition(nil), rest[:min(limit, len(rest))]...))
			}
		}
	})
}

func (w *liveWorld) feedVersion(viewer feed.UserID) live.FeedVersion {
	return must(w.Changes.FeedVersion(w.ctx, viewer))
}
