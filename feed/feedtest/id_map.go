package feedtest

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// idMapPromises tests [feed.IDMap], and that the objects have their external ids.
func idMapPromises(s storeSuite) {
	s.empty("draws each number once", func(w *world) {
		first := w.draw(feed.UserIDs, "auth0|7", "b5fd1b53-6a3c-4f0e-8b1a-0a9d2b6c7d11", "auth0|7")
		w.failIf(first[0] < 1 || first[1] < 1 || first[0] == first[1] || first[0] != first[2],
			"got numbers %v, want two, of which the first twice", first)
		w.same("the numbers of the same ids", w.draw(feed.UserIDs, "auth0|7", "b5fd1b53-6a3c-4f0e-8b1a-0a9d2b6c7d11", "auth0|7"), first)
	})
	s.empty("keeps kinds apart", func(w *world) {
		n := w.draw(feed.PostIDs, "7")
		w.same("the number of a user and a session", append(w.find(feed.UserIDs, "7"), w.find(feed.LiveIDs, "7")...), []int64{0, 0})
		w.same("the external id of a user", w.external(feed.UserIDs, n...), []feed.ExternalID{""})
		w.same("a session with the number", w.drawAs(feed.LiveIDs, "other", n[0]), n[0])
	})
	s.empty("finds what was drawn", func(w *world) {
		n := w.draw(feed.LiveIDs, "a", "b")
		w.same("the numbers", w.find(feed.LiveIDs, "b", "c", "a", "b"), []int64{n[1], 0, n[0], n[1]})
		w.same("the ids", w.external(feed.LiveIDs, n[1], 5, n[0]), []feed.ExternalID{"b", "", "a"})
		w.same("no ids", len(w.find(feed.LiveIDs)), 0)
	})
	s.empty("compares byte by byte", func(w *world) {
		ids := []feed.ExternalID{"a", "A", "á", "a\u0301", "ａ", " a", "a ", "\u00ad", "a\u200b", "ß", "ss", "007", "7", `"`, `\`, "'", "%", "\U0001f600", "i", "ı"}
		distinct := slices.Compact(slices.Sorted(slices.Values(w.draw(feed.UserIDs, ids...))))
		w.same("the number of numbers", len(distinct), len(ids))
		w.same("the ids read", w.external(feed.UserIDs, w.find(feed.UserIDs, ids...)...), ids)
	})
	s.empty("accepts up to 128 bytes, and refuses malformed ids", func(w *world) {
		long := feed.ExternalID(strings.Repeat("ö", 64))
		w.draw(feed.UserIDs, long, "x")
		w.refuseIDs(long+"x", "")
		w.refuseIDs("a\x00b", "a\nb", "\u0085", "\x7f", "a\xff", "\xed\xa0\x80")
	})
	s.empty("keeps wanted numbers, also among repeated ids", func(w *world) {
		w.same("a wanted number", w.drawAs(feed.PostIDs, "a", 77), int64(77))
		w.same("another wanted number", w.drawAs(feed.PostIDs, "a", 78), int64(77))
		w.same("a taken number", w.drawAs(feed.PostIDs, "b", 77), int64(0))
		w.same("the largest number", w.drawAs(feed.PostIDs, "c", math.MaxInt64), int64(math.MaxInt64))
		w.same("the ids", w.external(feed.PostIDs, 77, 78), []feed.ExternalID{"a", ""})
		n := must(w.IDs.DrawIDs(w.ctx, feed.UserIDs, []feed.NumberedID{{ID: "a"}, {ID: "a", Number: 77}}))
		w.same("the numbers", n, []int64{77, 77})
	})
	s.empty("agrees under concurrency", func(w *world) {
		const processes, each = 8, 40
		ids := func(process int) (list []feed.NumberedID) {
			for i := range each {
				// Neighbors share most of their ids, in opposite orders.
				list = append(list, feed.NumberedID{ID: feed.ExternalID(fmt.Sprint("id ", i+process))})
			}
			if process%2 == 1 {
				slices.Reverse(list)
			}
			return list
		}
		drawn := make([][]int64, processes)
		check(errors.Join(concurrently(processes, func(i int) (err error) {
			drawn[i], err = w.IDs.DrawIDs(w.ctx, feed.UserIDs, ids(i))
			return err
		})...))
		numbers, owners := map[feed.ExternalID]int64{}, map[int64]feed.ExternalID{}
		for p := range processes {
			for i, id := range ids(p) {
				n := drawn[p][i]
				if n < 1 || numbers[id.ID] != 0 && numbers[id.ID] != n || owners[n] != "" && owners[n] != id.ID {
					w.t.Fatalf("%s has number %d in process %d; elsewhere it has %d, or %q has that number", id.ID, n, p, numbers[id.ID], owners[n])
				}
				numbers[id.ID], owners[n] = n, id.ID
			}
		}
	})
	s.empty("stores one mode for ever", func(w *world) {
		w.same("the mode", w.useIDs(feed.TextIDs), feed.TextIDs)
		w.same("the mode for a start without one", w.useIDs(""), feed.TextIDs)
		err := errorOf(w.IDs.UseIDs(w.ctx, feed.NumberIDs))
		w.mustHaveCode(feed.CodeConflict, err)
		w.failIf(!strings.Contains(err.Error(), "--ids=text"), "the error does not name the stored mode: %v", err)
		w.user(ann)
		w.same("the mode of a database with data", w.useIDs(feed.TextIDs), feed.TextIDs)
	})
	s.promise("has no text mode with data from before", func(w *world) {
		w.mustHaveCode(feed.CodeConflict, errorOf(w.IDs.UseIDs(w.ctx, feed.TextIDs)))
		w.same("the mode", w.useIDs(""), feed.NumberIDs)
	})
	// The test checks that each object is returned, changed and exported with its external id.
	s.empty("stores the ids of objects", func(w *world) {
		w.useIDs(feed.TextIDs)
		u, p := newUser(ann), newPost(10, ann, noon)
		u.External, p.External = "auth0|ann", "post/ö"
		w.draw(feed.UserIDs, u.External)
		must(w.Users.EnsureUser(w.ctx, u))
		w.publish(p)
		session := feed.LiveRecord{ID: 5, External: "live:5", Host: ann, Title: "tea", ScheduledAt: noon}
		w.imports([]feed.Record{{Live: &session}})
		w.same("the user", w.usersOf(ann), []*feed.User{u})
		w.same("the external id of an edited post", must(w.PostWriter.Edit(w.ctx, p.ID, feed.PostEdit{Text: new("edited"), At: noon + 1})).External, p.External)
		w.same("the external id after a profile change", w.update(ann, feed.ProfileChange{Name: new("Ann")}).External, u.External)
		imported := userRecord(bob)
		imported.User.External = "auth0|bob"
		w.imports([]feed.Record{imported})
		imported.User.Name = "Robert"
		w.updates(imported)
		w.same("an imported user", w.usersOf(bob)[0].External, imported.User.External)
		ids := map[string]feed.ExternalID{}
		check(w.Exporter.Export(w.ctx, func(r feed.Record) error {
			switch {
			case r.User != nil:
				ids[r.Object().String()] = r.User.External
			case r.Post != nil:
				ids[r.Object().String()] = r.Post.External
			case r.Live != nil:
				ids[r.Object().String()] = r.Live.External
			}
			return nil
		}))
		w.same("the exported ids", ids, map[string]feed.ExternalID{
			"user 9": u.External, "user 10": imported.User.External, "post 10": p.External, "live 5": session.External,
		})
	})
	// The test checks that a post without an external id gets its number as one, and that neither
	// an id nor a number is given to two posts.
	s.empty("names own posts by their number", func(w *world) {
		w.useIDs(feed.TextIDs)
		w.user(ann)
		unnamed := func(id feed.PostID) *feed.Post {
			p := newPost(id, ann, noon)
			p.External = ""
			return p
		}
		made := must(w.PostWriter.Publish(w.ctx, unnamed(10), feed.Idempotency{}, eventAt(noon)))
		w.same("the external id of the result", made.Post.External, feed.ExternalID("10"))
		stored := must(w.Posts.Posts(w.ctx, []feed.PostID{10}))
		w.same("the external id stored", stored[0].External, feed.ExternalID("10"))
		w.same("the number of the id", w.find(feed.PostIDs, "10"), []int64{10})
		w.draw(feed.PostIDs, "11")
		w.drawAs(feed.PostIDs, "other", 12)
		for _, taken := range []feed.PostID{11, 12} {
			w.mustBe(feed.ErrIDTaken, errorOf(w.PostWriter.Publish(w.ctx, unnamed(taken), feed.Idempotency{}, eventAt(noon))))
		}
	})
}

func (w *world) draw(kind feed.IDKind, ids ...feed.ExternalID) []int64 {
	wanted := make([]feed.NumberedID, len(ids))
	for i, id := range ids {
		wanted[i].ID = id
	}
	return must(w.IDs.DrawIDs(w.ctx, kind, wanted))
}

func (w *world) drawAs(kind feed.IDKind, id feed.ExternalID, number int64) int64 {
	return must(w.IDs.DrawIDs(w.ctx, kind, []feed.NumberedID{{ID: id, Number: number}}))[0]
}

func (w *world) find(kind feed.IDKind, ids ...feed.ExternalID) []int64 {
	return must(w.IDs.FindIDs(w.ctx, kind, ids))
}

func (w *world) external(kind feed.IDKind, numbers ...int64) []feed.ExternalID {
	return must(w.IDs.ExternalIDs(w.ctx, kind, numbers))
}

func (w *world) useIDs(mode feed.IDMode) feed.IDMode { return must(w.IDs.UseIDs(w.ctx, mode)) }

// refuseIDs checks that a batch with any of the ids is refused whole, and that none is found.
func (w *world) refuseIDs(ids ...feed.ExternalID) {
	for _, id := range ids {
		_, err := w.IDs.DrawIDs(w.ctx, feed.UserIDs, []feed.NumberedID{{ID: "good"}, {ID: id}})
		w.failIf(feed.CodeOf(err) != feed.CodeInvalid, "drawing %q: got error %v, want %s", id, err, feed.CodeInvalid)
		w.same(fmt.Sprintf("the numbers of %q", id), w.find(feed.UserIDs, id, "good"), []int64{0, 0})
	}
}

// endedContexts checks that every call of a port with an ended context fails and changes nothing.
func endedContexts(s storeSuite) {
	s.promise("reads are errors", func(w *world) {
		ctx, anns, users, posts := w.endedContext(), []feed.UserID{ann}, []feed.UserID{bob}, []feed.PostID{1}
		w.fail(map[string]error{
			"Active":           errorOf(w.Activity.Active(ctx, 0, 9)),
			"Backlog":          errorOf(w.Progress.Backlog(ctx, 1)),
			"Changes":          errorOf2(w.Changes.Changes(ctx, w.numberAll(), 9)),
			"SightChanges":     errorOf(w.Changes.SightChanges(ctx, ann, users, posts, w.numberAll())),
			"CountFlags":       errorOf(w.Flags.CountFlags(ctx)),
			"Covered":          errorOf(w.Coverage.Covered(ctx, ann, feed.FolloweeFilter{}, all())),
			"DeadLetters":      errorOf(w.DeadLetters.DeadLetters(ctx, "", 0, 1)),
			"Dormant":          errorOf(w.Activity.Dormant(ctx, anns, 0)),
			"Edges":            errorOf(w.Relations.Edges(ctx, ann, users)),
			"Export":           errorOf(exported(ctx, w.Exporter)),
			"ExternalIDs":      errorOf(w.IDs.ExternalIDs(ctx, feed.UserIDs, []int64{1})),
			"Feed":             errorOf(w.Reference.Feed(ctx, ann, feed.HomeAuthors, all())),
			"FindIDs":          errorOf(w.IDs.FindIDs(ctx, feed.UserIDs, []feed.ExternalID{"a"})),
			"FlaggedAuthors":   errorOf(w.Flags.FlaggedAuthors(ctx, 0, 1)),
			"FollowerBounds":   errorOf(w.Audience.FollowerBounds(ctx, ann, 0, 1, 1)),
			"FollowerIDs":      errorOf(w.Audience.FollowerIDs(ctx, ann, feed.FollowerRange{UpTo: math.MaxInt64, Limit: 1})),
			"Followers":        errorOf(w.Relations.Followers(ctx, ann, all())),
			"Following":        errorOf(w.Relations.Following(ctx, ann, all())),
			"HomeChanges":      errorOf2(w.Changes.HomeChanges(ctx, ann, w.numberAll(), 9)),
			"IsAnyDue":         errorOf(w.Progress.IsAnyDue(ctx, noon)),
			"IsPending":        errorOf(w.Progress.IsPending(ctx, posts)),
			"LastChange":       errorOf(w.Changes.LastChange(ctx)),
			"LastCommit":       errorOf(w.Commits.LastCommit(ctx)),
			"Outbox":           errorOf(w.Outboxes.Outbox(ctx, 0, anns, all())),
			"Pending":          errorOf(w.Progress.Pending(ctx, noon, by(noon))),
			"PendingAuthors":   errorOf(w.Pending.PendingAuthors(ctx, ann)),
			"PlanOf":           errorOf(w.Plans.PlanOf(ctx, 1)),
			"Positions":        errorOf(w.Ingester.Positions(ctx, theSource)),
			"PostCounters":     errorOf(w.Counters.PostCounters(ctx, posts)),
			"Posts":            errorOf(w.Posts.Posts(ctx, posts)),
			"PostsOf":          errorOf(w.Changes.PostsOf(ctx, ann, all())),
			"Pulled":           errorOf(w.Relations.Pulled(ctx, ann, feed.Completeness{})),
			"Pulled when cold": errorOf(w.Relations.Pulled(ctx, ann, feed.Completeness{Cold: true})),
			"Reach":            errorOf2(w.Audience.Reach(ctx, ann)),
			"Reactions":        errorOf(w.Counters.Reactions(ctx, ann, posts)),
			"ReadLists":        errorOf(w.readList(ctx, feed.OutboxRef(ann), all())),
			"Related":          errorOf(w.Relater.Related(ctx, feed.RelationMute, ann, all())),
			"ReportSources":    errorOf(w.Sources.ReportSources(ctx)),
			"SearchUsers":      errorOf(w.Profiles.SearchUsers(ctx, []string{"a"}, all())),
			"StoredPulses":     errorOf(w.PulseLog.StoredPulses(ctx)),
			"Survey":           errorOf(w.Surveyor.Survey(ctx, ann, 0, false, 10)),
			"Unfollowed":       errorOf(w.Coverage.Unfollowed(ctx, ann, 0)),
			"UserByHandle":     errorOf(w.Users.UserByHandle(ctx, "u1")),
			"UserCounters":     errorOf(w.Counters.UserCounters(ctx, users)),
			"Users":            errorOf(w.Users.Users(ctx, users)),
			"ViewerVersion":    errorOf(w.Relations.ViewerVersion(ctx, ann)),
			"WaitingChanges":   errorOf(w.Numberer.WaitingChanges(ctx, 9)),
		})
	})
	s.promise("changes are errors and change nothing", func(w *world) {
		w.follow(ann, cem)
		w.relate(feed.RelationMute, ann, bob, true)
		w.acknowledge(feed.Pulse{Server: "a", Number: 5, Run: "one"})
		w.storePlans(planBy(1), planBy(2))
		w.completedPlans(1, 3)
		w.plan(4, 0)
		w.post(5, ann, noon)
		must(w.publishWithKey(newPostNow(6), "f", earlier()))
		held := w.mustClaim(noon, noon+10)
		before := w.everything()
		ctx, old := w.endedContext(), feed.Millis(later())
		w.fail(map[string]error{
			"Acknowledge":       w.PulseLog.Acknowledge(ctx, feed.Pulse{Server: "a", Number: 6}),
			"AdvanceSlice":      errorOf(w.Slices.AdvanceSlice(ctx, held, true, noon+20)),
			"CheckEpoch":        errorOf(w.Numberer.CheckEpoch(ctx)),
			"ClaimSlice":        errorOf(w.Slices.ClaimSlice(ctx, ref(1, 0), noon+11, noon+20)),
			"ClaimTogether":     errorOf(w.Slices.ClaimTogether(ctx, held, noon+10, many)),
			"Cleanup":           errorOf(w.Cleaner.Cleanup(ctx, old, old, 9)),
			"Delete":            w.PostWriter.Delete(ctx, 1, noon),
			"DeleteAccount":     w.Profiles.DeleteAccount(ctx, bob, noon),
			"DrawIDs":           errorOf(w.IDs.DrawIDs(ctx, feed.UserIDs, []feed.NumberedID{{ID: "a"}})),
			"DropEndedVersions": errorOf(w.Cleaner.DropEndedVersions(ctx, 1, 1)),
			"DropFreedHandles":  errorOf(w.Cleaner.DropFreedHandles(ctx, old, 9)),
			"Due":               errorOf(w.Plans.Due(ctx, by(noon), 9, never)),
			"Edit":              errorOf(w.PostWriter.Edit(ctx, 1, feed.PostEdit{Text: new("new"), At: noon})),
			"EnsureUser":        errorOf(w.Users.EnsureUser(ctx, newUser(1))),
			"Follow":            w.Follows.Follow(ctx, ann, bob, noon, many, feed.FollowChoice{}),
			"Import":            errorOf(w.Import(ctx, sampleRecords())),
			"Ingest":            errorOf(w.Ingester.Ingest(ctx, batchOf(sampleRecords()))),
			"Lead":              errorOf(w.Leaders.Lead(ctx, "work", "one", time.Hour)),
			"LogPushed":         w.Announced.LogPushed(ctx, newPost(5, ann, noon), []feed.UserID{bob}),
			"LowerFlag":         errorOf(w.Flags.LowerFlag(ctx, ann, feed.FlagNone)),
			"LowerFlags":        errorOf(w.Flags.LowerFlags(ctx, 0)),
			"MarkAnnounced":     errorOf(w.Announced.MarkAnnounced(ctx, 4)),
			"NewEpoch":          w.Numberer.NewEpoch(ctx),
			"NoteLow":           w.Flags.NoteLow(ctx, []feed.UserID{ann}, true),
			"NumberChanges":     errorOf2(w.Numberer.NumberChanges(ctx, 9)),
			"PostponeEvent":     w.Plans.PostponeEvent(ctx, 5, noon+9),
			"Promise":           w.PulseLog.Promise(ctx, "a", 9),
			"Publish":           errorOf(w.PostWriter.Publish(ctx, newPost(7, ann, noon), feed.Idempotency{}, eventAt(noon))),
			"PurgeDeleted":      errorOf(w.Profiles.PurgeDeleted(ctx, 1)),
			"RaiseFlag":         w.Audience.RaiseFlag(ctx, ann, feed.FlagUnpushed, feed.FlagBacklog),
			"RaiseGeneration":   w.PulseLog.RaiseGeneration(ctx),
			"React":             w.PostWriter.React(ctx, feed.ReactionLike, ann, 1, noon),
			"Relate":            w.Relater.Relate(ctx, *relationRecord(feed.RelationMute, ann, cem).Relation),
			"Renew":             errorOf(w.Activity.Renew(ctx, ann, time.Hour)),
			"Requeue":           w.Plans.Requeue(ctx, noon),
			"Rerun":             errorOf(w.Progress.Rerun(ctx, longAgo(), noon)),
			"SetAbsent":         w.Presence.SetAbsent(ctx, []feed.UserID{ann}, true),
			"StorePlan":         errorOf(w.Plans.StorePlan(ctx, planOf(5, 1), noon)),
			"TrimChanges":       errorOf(w.Numberer.TrimChanges(ctx, old, 9)),
			"Unfollow":          w.Follows.Unfollow(ctx, ann, cem),
			"Unreact":           w.PostWriter.Unreact(ctx, feed.ReactionLike, ann, 1),
			"Unrelate":          w.Relater.Unrelate(ctx, feed.RelationMute, ann, bob),
			"UpdateProfile":     errorOf(w.Profiles.UpdateProfile(ctx, ann, feed.ProfileChange{Name: new("Other")})),
			"UseIDs":            errorOf(w.IDs.UseIDs(ctx, "")),
			"UseUsers":          errorOf2(w.Presence.UseUsers(ctx, feed.UserModeChange{Want: feed.UsersImplicit})),
		})
		w.same("all data", w.everything(), before)
		w.dormantIs([]feed.UserID{ann}, 0, ann)
		w.leads("work", "two", time.Hour, true)
		w.same("whether the first call marks a post", w.announces(4), true)
		w.same("the slices claimed together", postsOfSlices(w.claimTogether(held, many)), []feed.PostID{2})
		w.same("whether the claim holds", w.advance(held, 110, true, noon), true)
		w.same("the due work", w.due(noon, 9).Events, events(1, 5))
	})
}

// everything returns what a call with an ended context might have changed.
func (w *world) everything() []any {
	plans := each(upTo(feed.PostID(6)), func(id feed.PostID) feed.PlanState { return must(w.Plans.PlanOf(w.ctx, id)) })
	return []any{
		w.exports(), w.viewerVersion(0), w.viewerVersion(ann), w.viewerVersion(bob), w.postCounters(1), plans, w.pending(noon), w.letters(),
		w.storedPulses(), w.flagged(), w.keyIsStored(ann), w.numberAll(), must(w.Users.Users(w.ctx, []feed.UserID{1, ann, bob, cem, dee})),
	}
}

// endedLiveContexts is [endedContexts] for live sessions.
func endedLiveContexts(w *liveWorld) {
	s := w.schedule(7, ann, noon)
	ctx, anns := w.endedContext(), []feed.UserID{ann}
	w.fail(map[string]error{
		"Change": errorOf(w.Sessions.Change(ctx, 7, noon, func(s live.Session) (live.Session, error) {
			s.Title = "another"
			return s, nil
		})),
		"Covered":        errorOf(w.Replays.Covered(ctx, ann, feed.FolloweeFilter{}, all())),
		"Feed":           errorOf(w.Replays.Feed(ctx, ann, feed.HomeAuthors, all())),
		"FeedVersion":    errorOf(w.Changes.FeedVersion(ctx, ann)),
		"Followed":       errorOf(w.History.Followed(ctx, ann, 1, anns)),
		"Hosts":          errorOf2(w.History.Hosts(ctx, ann, 1, 1)),
		"LiveChanges":    errorOf2(w.Stores.Changes.LiveChanges(ctx, ann, feed.ChangePlace{}, 9)),
		"Now":            errorOf(w.History.Now(ctx)),
		"OfHost":         errorOf(w.Sessions.OfHost(ctx, ann, math.MaxInt64, 9)),
		"Open":           errorOf(w.History.Open(ctx, anns, 1, live.Position{}, 1)),
		"Outbox":         errorOf(w.Replays.Outbox(ctx, 0, anns, all())),
		"PendingAuthors": errorOf(w.Replays.PendingAuthors(ctx, ann)),
		"Schedule":       errorOf(w.Sessions.Schedule(ctx, upcoming(8, ann, noon), many)),
		"Sessions":       errorOf(w.Sessions.Sessions(ctx, []live.ID{7})),
		"Sets":           errorOf(w.History.Sets(ctx, anns)),
		"Since":          errorOf(w.Changes.Since(ctx, 0, 1)),
		"Unfollowed":     errorOf(w.Replays.Unfollowed(ctx, ann, 0)),
	})
	w.same("the stored sessions", w.sessionsOf(7, 8), []*live.Session{s, nil})
}
