package feedtest

import (
	"math"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// endedContexts checks that every call of a port with an ended context fails and changes nothing.
func endedContexts(s storeSuite) {
	s.promise("reads are errors", func(w *world) {
		ctx, anns, users, posts := w.endedContext(), []feed.UserID{ann}, []feed.UserID{bob}, []feed.PostID{1}
		w.fail(map[string]error{
			"Active":           errorOf(w.Activity.Active(ctx, 0, 9)),
			"Backlog":          errorOf(w.Progress.Backlog(ctx, 1)),
			"Changes":          errorOf2(w.Changes.Changes(ctx, w.numberAll(), 9)),
			"ChangesOf":        errorOf2(w.Changes.ChangesOf(ctx, anns, w.numberAll(), 9)),
			"CountFlags":       errorOf(w.Flags.CountFlags(ctx)),
			"Covered":          errorOf(w.Coverage.Covered(ctx, ann, feed.FolloweeFilter{}, all())),
			"DeadLetters":      errorOf(w.DeadLetters.DeadLetters(ctx, "", 0, 1)),
			"Dormant":          errorOf(w.Activity.Dormant(ctx, anns, 0)),
			"Edges":            errorOf(w.Relations.Edges(ctx, ann, users)),
			"Export":           errorOf(exported(ctx, w.Exporter)),
			"ExternalIDs":      errorOf(w.IDs.ExternalIDs(ctx, feed.UserIDs, []int64{1})),
			"Feed":             errorOf(w.Reference.Feed(ctx, ann, all())),
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
			"Outbox":           errorOf(w.Outboxes.Outbox(ctx, anns, all())),
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
			"AdvanceSlice":      errorOf(w.Plans.AdvanceSlice(ctx, held, true, noon+20)),
			"CheckEpoch":        errorOf(w.Numberer.CheckEpoch(ctx)),
			"ClaimSlice":        errorOf(w.Plans.ClaimSlice(ctx, ref(1, 0), noon+11, noon+20)),
			"ClaimTogether":     errorOf(w.Plans.ClaimTogether(ctx, held, noon+10, many)),
			"Cleanup":           errorOf(w.Cleaner.Cleanup(ctx, old, old, 9)),
			"Delete":            w.PostWriter.Delete(ctx, 1, noon),
			"DeleteAccount":     w.Profiles.DeleteAccount(ctx, bob, noon),
			"DrawIDs":           errorOf(w.IDs.DrawIDs(ctx, feed.UserIDs, []feed.NumberedID{{ID: "a"}})),
			"DropEndedVersions": errorOf(w.Cleaner.DropEndedVersions(ctx, 1, 1)),
			"DropFreedHandles":  errorOf(w.Cleaner.DropFreedHandles(ctx, old, 9)),
			"Due":               errorOf(w.Plans.Due(ctx, by(noon), 9, never)),
			"Edit":              errorOf(w.PostWriter.Edit(ctx, 1, "new", noon)),
			"EnsureUser":        errorOf(w.Users.EnsureUser(ctx, newUser(1))),
			"Follow":            w.Follows.Follow(ctx, ann, bob, noon, many),
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
	var plans []feed.PlanState
	for id := range feed.PostID(6) {
		plans = append(plans, must(w.Plans.PlanOf(w.ctx, id+1)))
	}
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
		"Feed":           errorOf(w.Replays.Feed(ctx, ann, all())),
		"FeedVersion":    errorOf(w.Changes.FeedVersion(ctx, ann)),
		"Followed":       errorOf(w.History.Followed(ctx, ann, 1, anns)),
		"Hosts":          errorOf2(w.History.Hosts(ctx, ann, 1, 1)),
		"LiveChanges":    errorOf2(w.Stores.Changes.LiveChanges(ctx, ann, feed.ChangePlace{}, 9)),
		"Now":            errorOf(w.History.Now(ctx)),
		"OfHost":         errorOf(w.Sessions.OfHost(ctx, ann, feed.Top, 9)),
		"Open":           errorOf(w.History.Open(ctx, anns, 1, live.Position{}, 1)),
		"Outbox":         errorOf(w.Replays.Outbox(ctx, anns, all())),
		"PendingAuthors": errorOf(w.Replays.PendingAuthors(ctx, ann)),
		"Schedule":       errorOf(w.Sessions.Schedule(ctx, upcoming(8, ann, noon), many)),
		"Sessions":       errorOf(w.Sessions.Sessions(ctx, []live.ID{7})),
		"Sets":           errorOf(w.History.Sets(ctx, anns)),
		"Since":          errorOf(w.Changes.Since(ctx, 0, 1)),
		"Unfollowed":     errorOf(w.Replays.Unfollowed(ctx, ann, 0)),
	})
	w.same("the stored sessions", w.sessionsOf(7, 8), []*live.Session{s, nil})
}
