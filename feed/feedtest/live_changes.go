package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

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
