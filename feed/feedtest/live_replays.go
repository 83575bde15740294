package feedtest

import (
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// replaysSuite checks [ReplayLists]. Its promises for replays are those for lists of posts.
func replaysSuite(s liveSuite) {
	s.promise("only ended sessions are replays, at the time of their end", func(w *liveWorld) {
		w.schedule(1, ann, noon)
		w.schedule(2, ann, noon)
		w.start(2, noon+1)
		w.schedule(3, ann, noon)
		w.cancel(3, noon+2)
		w.post(4, ann, noon)
		s := w.replay(5, ann, noon+3)
		w.replay(6, bob, noon+4)
		w.same("the replays", w.replayKeys(ann), []feed.Key{replayKey(s)})
		w.same("the keys without hosts", w.replayKeys(), []feed.Key{})
		w.same("the posts", len(w.outbox([]feed.UserID{ann})), 1)
	})
	s.promise("replays are read in feed order, whatever the bounds, limit and direction", func(w *liveWorld) {
		w.follow(cem, ann, bob)
		var keys []feed.Key
		for id := range live.ID(9) {
			host := ann
			if id%2 == 0 {
				host = bob
			}
			keys = append(keys, replayKey(w.replay(id+1, host, noon+int64(id/3))))
		}
		slices.SortFunc(keys, func(a, b feed.Key) int { return b.Compare(a) })
		w.everyRange(keys, func(r feed.Range) ([]feed.Key, error) {
			return w.Replays.Outbox(w.ctx, 0, []feed.UserID{bob, ann, bob}, r)
		})
		w.everyRange(keys, func(r feed.Range) ([]feed.Key, error) { return w.Replays.Feed(w.ctx, cem, feed.HomeAuthors, r) })
		w.everyRange(keys, func(r feed.Range) ([]feed.Key, error) { return w.Replays.Covered(w.ctx, cem, feed.FolloweeFilter{}, r) })
	})
	s.promise("the reference query judges hosts as it judges authors", func(w *liveWorld) {
		w.follow(ann, bob)
		mine, bobs := replayKey(w.replay(1, ann, noon)), replayKey(w.replay(2, bob, noon+1))
		w.replay(3, cem, noon+2)
		w.same("the feed", w.replayFeed(ann), []feed.Key{bobs, mine})
		w.same("the anonymous viewer's", w.replayFeed(0), []feed.Key{})
		for _, r := range []feed.RelationRecord{
			{Kind: feed.RelationMute, User: ann, Target: bob},
			{Kind: feed.RelationBlock, User: ann, Target: bob},
			{Kind: feed.RelationBlock, User: bob, Target: ann},
			{Kind: feed.RelationHide, User: bob, Target: ann},
		} {
			w.relate(r.Kind, r.User, r.Target, true)
			w.same("the feed with a "+string(r.Kind), w.replayFeed(ann), []feed.Key{mine})
			w.relate(r.Kind, r.User, r.Target, false)
		}
		w.relate(feed.RelationHide, ann, bob, true)
		w.same("the feed of a viewer who hides from the host", w.replayFeed(ann), []feed.Key{bobs, mine})
		w.unfollow(ann, bob)
		w.same("the feed without the follow", w.replayFeed(ann), []feed.Key{mine})
	})
	s.promise("the posts are those of replays, without deleted accounts", func(w *liveWorld) {
		s := w.replay(1, ann, noon)
		w.schedule(2, ann, noon)
		w.replay(3, bob, noon)
		check(w.Profiles.DeleteAccount(w.ctx, bob, noon))
		w.absent(ann)
		posts := must(w.Replays.Posts(w.ctx, []feed.PostID{4, 3, 2, 1}))
		for i, id := range []feed.PostID{4, 3, 2} {
			w.same("another session", posts[i], &feed.Post{ID: id, Kind: feed.KindPost, DeletedAt: 1})
		}
		w.same("the replay", posts[3], &feed.Post{ID: 1, Author: ann, Kind: feed.KindPost, PublishedAt: s.EndedAt, Replay: true})
	})
	s.promise("absent hosts have no sessions, until they return", func(w *liveWorld) {
		w.follow(ann, bob)
		w.schedule(1, bob, noon)
		w.start(1, noon)
		replay := replayKey(w.replay(2, bob, noon+1))
		bobs := []feed.UserID{bob}
		type shown struct {
			Sessions []*live.Session
			Hosts    []live.HostTransition
			Followed []feed.UserID
			Open     []live.Entry
			Sets     []live.Set
			Replays  []feed.Key
			Feed     []feed.Key
		}
		read := func() (s shown) {
			var errs [4]error
			s.Sessions = w.sessionsOf(1, 2)
			_, s.Hosts, errs[0] = w.History.Hosts(w.ctx, ann, math.MaxInt64, math.MaxInt64)
			s.Followed, errs[1] = w.History.Followed(w.ctx, ann, math.MaxInt64, bobs)
			s.Open, errs[2] = w.History.Open(w.ctx, bobs, math.MaxInt64, live.Position{}, many)
			s.Sets, errs[3] = w.History.Sets(w.ctx, bobs)
			check(errors.Join(errs[:]...))
			s.Replays, s.Feed = w.replayKeys(bob), w.replayFeed(ann)
			return s
		}
		before, version := read(), w.feedVersion(ann)
		w.same("the feed", before.Feed, []feed.Key{replay})
		w.absent(bob)
		w.same("what is shown of an absent host", read(), shown{Sessions: make([]*live.Session, 2), Sets: make([]live.Set, 1)})
		covered := must(w.Replays.Covered(w.ctx, ann, feed.FolloweeFilter{}, all()))
		w.same("the covered replays", covered, []feed.Key{replay})
		w.same("whether the feed version changed", w.feedVersion(ann).Absences > version.Absences, true)
		version = w.feedVersion(ann)
		w.mustHaveCode(feed.CodeNotFound, errorOf(w.Sessions.Change(w.ctx, 1, noon, func(s live.Session) (live.Session, error) { return s, nil })))
		w.mustHaveCode(feed.CodeNotFound, errorOf(w.Sessions.Schedule(w.ctx, live.Session{ID: 3, Host: bob, Title: "a", ScheduledAt: noon}, many)))
		w.absent(cem)
		w.same("the version after another user went", w.feedVersion(ann).Absences, version.Absences)
		w.present(bob)
		w.same("what is shown after the return", read(), before)
		w.same("whether the feed version changed again", w.feedVersion(ann).Absences > version.Absences, true)

		// A followee who has no sessions yet may have some after the return.
		w.follow(ann, dee)
		w.absent(dee)
		version = w.feedVersion(ann)
		w.present(dee)
		w.same("whether the feed version changed by the return of a followee", w.feedVersion(ann).Absences > version.Absences, true)
	})
	s.promise("an inbox covers replays by follow edges and coverage flags only", func(w *liveWorld) {
		w.follow(ann, bob)
		since := w.viewerVersion(ann).Version
		w.follow(ann, cem, dee)
		w.replay(1, ann, noon)
		b, c := replayKey(w.replay(2, bob, noon+1)), replayKey(w.replay(3, cem, noon+2))
		w.replay(4, dee, noon+3)
		w.raiseFlag(feed.FlagSelective, cem)
		w.raiseFlag(feed.FlagUnpushed, dee)
		w.relate(feed.RelationMute, ann, bob, true)
		for _, s := range []struct {
			what   string
			filter feed.FolloweeFilter
			want   []feed.Key
		}{
			{"all followed users", feed.FolloweeFilter{}, []feed.Key{c, b}},
			{"users followed since a version", feed.FolloweeFilter{Since: since}, []feed.Key{c}},
			{"selective users", feed.FolloweeFilter{Selective: true}, []feed.Key{c}},
		} {
			w.same("the covered replays of "+s.what, must(w.Replays.Covered(w.ctx, ann, s.filter, all())), s.want)
		}
	})
	s.promise("unfollowed users are returned", func(w *liveWorld) {
		w.follow(ann, bob, cem)
		since := w.viewerVersion(ann).Version
		w.unfollow(ann, bob)
		w.same("the unfollowed users", must(w.Replays.Unfollowed(w.ctx, ann, since)), []feed.UserID{bob})
	})
	s.promise("a host is pending until all their replays are pushed", func(w *liveWorld) {
		w.follow(ann, bob, cem)
		w.post(9, bob, noon)
		w.pendingAuthorsAre(ann)
		w.replay(1, bob, noon)
		w.replay(2, bob, noon)
		w.replay(3, cem, noon)
		w.replay(4, dee, noon)
		w.pendingAuthorsAre(ann, bob, cem)
		w.pendingAuthorsAre(dee)
		w.storePlan(feed.Plan{Post: -1}, noon)
		w.storePlan(feed.Plan{Post: -3}, noon)
		w.pendingAuthorsAre(ann, bob)
		w.storePlan(feed.Plan{Post: -2, Slices: []feed.Slice{
			{SliceRef: ref(-2, 0), First: 1, Last: 2}, {SliceRef: ref(-2, 1), First: 3, Last: 4},
		}}, noon)
		for task := range 2 {
			w.pendingAuthorsAre(ann, bob)
			w.completeSlice(ref(-2, task))
		}
		w.pendingAuthorsAre(ann)
		// A replay and a post may share an id. The replay must not get the post's plan.
		w.storePlan(planOf(4, 0), noon)
		w.follow(ann, dee)
		w.pendingAuthorsAre(ann, dee)
	})
}

func (w *liveWorld) replayKeys(hosts ...feed.UserID) []feed.Key {
	return must(w.Replays.Outbox(w.ctx, 0, hosts, all()))
}

func replayKey(s *live.Session) feed.Key { return feed.Key{TS: s.EndedAt, ID: int64(s.ID)} }

func (w *liveWorld) replayFeed(viewer feed.UserID) []feed.Key {
	return must(w.Replays.Feed(w.ctx, viewer, feed.HomeAuthors, all()))
}

func (w *liveWorld) pendingAuthorsAre(viewer feed.UserID, want ...feed.UserID) {
	got := must(w.Replays.PendingAuthors(w.ctx, viewer))
	slices.Sort(got)
	w.same("the pending authors", slices.Compact(got), append([]feed.UserID(nil), want...))
}

// liveRecordsSuite checks how [feed.Applier] and [feed.Exporter] handle live sessions.
func liveRecordsSuite(s liveSuite) {
	s.promise("the times of an imported session set its state, and it has all transitions up to it", func(w *liveWorld) {
		w.same("the result", w.importLive(liveRecords()...), feed.Applied{Stored: 4})
		states := []live.State{live.Upcoming, live.Live, live.Replay, live.Cancelled}
		for i, s := range w.sessionsOf(7, 30, 100, 2000) {
			w.same("the record", live.Record(*s), liveRecords()[i])
			w.same("the state", s.State, states[i])
		}
		w.openIs(1, live.Position{State: live.Upcoming, At: noon + 50, ID: 7})
		w.openIs(w.now().Number,
			live.Position{State: live.Live, At: noon + 1, ID: 30}, live.Position{State: live.Upcoming, At: noon + 50, ID: 7})
		w.same("the replays", w.replayKeys(ann, bob), []feed.Key{{TS: noon + 3, ID: 100}})
		w.start(7, noon+60)
		w.same("the set", len(must(w.History.Sets(w.ctx, []feed.UserID{ann}))[0].Open), 2)
	})
	s.promise("importing a session again changes nothing", func(w *liveWorld) {
		w.importLive(liveRecords()...)
		w.start(7, noon+60)
		number, generation := w.now().Number, w.viewerVersion(ann).Generation
		before := w.sessionsOf(7, 30, 100, 2000)
		w.same("the result", w.importLive(liveRecords()...),
			feed.Applied{Unchanged: 3, Different: []feed.Difference{{Line: 1, Object: "live 7", Fields: []string{"startedAt"}}}})
		w.same("the sessions", w.sessionsOf(7, 30, 100, 2000), before)
		w.same("the number", w.now().Number, number)
		w.same("the generation", w.viewerVersion(ann).Generation, generation)
	})
	s.promise("an update adds transitions to a session and removes none", func(w *liveWorld) {
		w.importLive(liveRecords()...)
		updated := func(r feed.LiveRecord, fields ...string) {
			before := w.viewerVersion(ann).Generation
			w.same("the result", w.updateLive(r), feed.Applied{
				Updated: []feed.Difference{{Line: 1, Object: (&feed.Record{Live: &r}).Object().String(), Fields: fields}},
			})
			w.same("the record", live.Record(*w.sessionsOf(live.ID(r.ID))[0]), r)
			w.same("the result of the same record", w.updateLive(r), feed.Applied{Unchanged: 1})
			w.rose("the generation by an update", before, w.viewerVersion(ann).Generation)
		}
		number := w.now().Number
		for _, r := range liveRecords() {
			r.Title = "other"
			updated(r, "title")
		}
		w.same("the number after other titles", w.now().Number, number+4)
		w.same("the number of the last session", w.sessionsOf(2000)[0].Number, number)
		number += 4
		upcoming := liveRecords()[0]
		upcoming.ScheduledAt += 10
		updated(upcoming, "title", "scheduledAt")
		w.openIs(w.now().Number,
			live.Position{State: live.Live, At: noon + 1, ID: 30}, live.Position{State: live.Upcoming, At: noon + 60, ID: 7})
		upcoming.StartedAt, upcoming.EndedAt = noon+61, noon+62
		updated(upcoming, "startedAt", "endedAt")
		w.same("the number", w.now().Number, number+3)
		w.same("ann's replays", w.replayKeys(ann), []feed.Key{{TS: noon + 62, ID: 7}})
		w.openIs(w.now().Number, live.Position{State: live.Live, At: noon + 1, ID: 30})
		for i, field := range []string{"endedAt", "startedAt", "endedAt", "cancelledAt"} {
			r := liveRecords()[i]
			if i == 0 {
				r.StartedAt = noon + 61
			} else {
				r.StartedAt, r.EndedAt, r.CancelledAt, r.ReplayURL = 0, 0, 0, ""
			}
			if i == 2 {
				r.StartedAt = noon + 2
			}
			got := w.updateLive(r)
			w.failIf(len(got.Bad) != 1 || !strings.Contains(got.Bad[0].Reason, field),
				"session %d: an update without %s: got %+v, want one refusal that names the field", r.ID, field, got)
		}
	})
	s.empty("a session with an unknown host, or with the id of another host's session, is refused", func(w *liveWorld) {
		w.user(ann)
		r := w.importLive(liveRecords()...)
		w.same("the number of stored sessions", r.Stored, 2)
		lines := each(r.Bad, func(refused feed.BadRecord) int { return refused.Line })
		w.same("the refused lines", lines, []int{3, 4})
		w.user(bob)
		other := liveRecords()[0]
		other.Host = bob
		w.same("the number of refused sessions", len(w.importLive(other).Bad), 1)
	})
	s.promise("an import limits a host's open sessions like Schedule", func(w *liveWorld) {
		most := feed.RecordRules().OpenMax
		w.same("the limit of schedules", live.DefaultPolicy().OpenMax, most)
		for i := range most - 2 {
			w.schedule(live.ID(1000+i), ann, noon)
		}
		w.replay(999, ann, noon)
		session := func(id int64, host feed.UserID, startedAt, endedAt, cancelledAt int64) feed.LiveRecord {
			return feed.LiveRecord{
				ID: id, Host: host, Title: "title", ScheduledAt: noon, StartedAt: startedAt, EndedAt: endedAt, CancelledAt: cancelledAt,
			}
		}
		batch := []feed.LiveRecord{
			session(1, ann, noon, noon, 0), session(2, ann, 0, 0, noon),
			session(3, ann, 0, 0, 0), session(4, ann, noon, 0, 0),
			session(5, ann, 0, 0, 0), session(6, ann, noon, 0, 0),
			session(7, ann, noon, noon, 0), session(8, bob, 0, 0, 0),
		}
		reason := "at most 100 sessions may be upcoming or live at once"
		bad := []feed.BadRecord{{Line: 5, Reason: reason}, {Line: 6, Reason: reason}}
		w.same("the result", w.importLive(batch...), feed.Applied{Stored: 6, Bad: bad})
		w.same("the result of the same file", w.importLive(batch...), feed.Applied{Unchanged: 6, Bad: bad})
		w.same("the refused sessions", w.sessionsOf(5, 6), []*live.Session{nil, nil})
		w.end(4, noon+1)
		bad = []feed.BadRecord{{Line: 6, Reason: reason}}
		w.same("the result when one has ended", w.importLive(batch...), feed.Applied{
			Stored: 1, Unchanged: 5, Bad: bad,
			Different: []feed.Difference{{Line: 4, Object: "live 4", Fields: []string{"endedAt", "replayUrl"}}},
		})
	})
	s.promise("an import makes every inbox absent and enqueues no pushes", func(w *liveWorld) {
		generation := w.viewerVersion(ann).Generation
		w.importLive(liveRecords()...)
		w.same("whether the generation rose", w.viewerVersion(ann).Generation > generation, true)
		w.follow(ann, bob)
		w.pendingAuthorsAre(ann)
		w.same("the due work", w.due(noon+hour, 9), feed.Due{})
	})
	s.promise("an export ends with the sessions, by id, as import records", func(w *liveWorld) {
		w.relate(feed.RelationMute, ann, bob, true)
		w.importLive(liveRecords()...)
		w.schedule(1, cem, noon)
		check(w.Profiles.DeleteAccount(w.ctx, cem, noon))
		var got []feed.LiveRecord
		last := false
		for _, r := range w.exports() {
			if r.Live == nil {
				w.same("whether another record follows the sessions", last, false)
				continue
			}
			last = true
			got = append(got, *r.Live)
		}
		w.same("the sessions", got, liveRecords())
	})
}

// liveRecords returns sessions in every state.
func liveRecords() []feed.LiveRecord {
	return []feed.LiveRecord{
		{ID: 7, Host: ann, Title: "upcoming", ScheduledAt: noon + 50},
		{ID: 30, Host: ann, Title: "live", ScheduledAt: noon, StartedAt: noon + 1},
		{ID: 100, Host: bob, Title: "replay", ScheduledAt: noon, StartedAt: noon + 2, EndedAt: noon + 3, ReplayURL: "https://tideline.example/r"},
		{ID: 2000, Host: bob, Title: "cancelled", ScheduledAt: noon, CancelledAt: noon + 4},
	}
}

func (w *liveWorld) importLive(rs ...feed.LiveRecord) feed.Applied {
	var batch []feed.Record
	for i, r := range rs {
		batch = append(batch, feed.Record{Line: i + 1, Live: &r})
	}
	return w.imports(batch)
}

func (w *liveWorld) updateLive(r feed.LiveRecord) feed.Applied {
	return w.updates(feed.Record{Line: 1, Live: &r})
}
