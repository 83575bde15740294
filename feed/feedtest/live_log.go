package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
		log.logs("a schedule and its end", ofSession(true, bob, 8), ofSession(false, bob, 8))
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
		log.logs("new sessions", ofSession(true, ann, 7), ofSession(true, ann, 30), ofSession(true, bob, 100), ofSession(true, bob, 2000))
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
			{Kind: feed.ChangeAccount, User: cem},
			relationOf(ann, cem),
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
		read := func(below feed.Key, limit int) []live.HostSession {
			return must(w.Sessions.OfHost(w.ctx, ann, below, limit))
		}
		var want []live.HostSession
		for _, s := range w.sessionsOf(1, 5, 9) {
			want = append(want, live.HostSession{Key: feed.Key{TS: s.Number, ID: int64(s.ID)}, ID: s.PublicID()})
		}
		w.same("all sessions", read(feed.Top, 9), want)
		w.same("the first", read(feed.Top, 2), want[:2])
		w.same("those below", read(want[0].Key, 9), want[1:])
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, true))
		w.same("those of an absent host", read(feed.Top, 9), want)
		check(w.Presence.SetAbsent(w.ctx, []feed.UserID{ann}, false))
		w.deleteAccounts(ann)
		w.same("those of a deleted account", read(feed.Top, 9), want)
		w.purge(1)
		ids := map[live.PublicID]bool{}
		for _, s := range read(feed.Top, 9) {
			ids[s.ID] = true
		}
		for _, s := range want {
			w.same("whether a purged session has its id", ids[s.ID], true)
		}
	})
}

// ofSession is the row for a session; isNew if it was scheduled.
func ofSession(isNew bool, host feed.UserID, id live.ID) feed.Change {
	return (&live.Session{ID: id, Host: host}).Changed(isNew)
}

func (w *liveWorld) liveLog() *logReader {
	must(w.Numberer.CheckEpoch(w.ctx))
	return w.logReader()
}
