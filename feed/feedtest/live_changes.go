package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// liveChangesSuite checks the promises of [live.Changes].
func liveChangesSuite(t *testing.T, open func(t *testing.T) (Stores, LiveStores)) {
	keepLive(t, open, []livePromise{
		{"a standing has the moment and the viewer's relations version", standingNumbers},
		{"an unknown user has a version too", standingOfNobody},
		{"the deletion of a followed user shows at once, and then in the version", standingLeaving},
		{"the deletion of the viewer shows permanently", standingLeft},
		{"the transitions later than a number come by their numbers, at most the limit", changesSince},
		{"a context that is over is an error", changesOver},
	})
}

func (w *liveWorld) standing(viewer feed.UserID) live.FeedVersion {
	w.t.Helper()
	s, err := w.Changes.FeedVersion(w.ctx, viewer)
	w.must(err)
	return s
}

func standingNumbers(w *liveWorld) {
	w.four()
	before := w.standing(ann)
	w.same("the number before all", before.Number, int64(0))
	w.schedule(1, bob, noon)
	w.follow(ann, bob)
	w.must(w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: cem, CreatedAt: noon}))
	last := w.start(1, noon).Number
	s, stamp, now := w.standing(ann), w.stamp(ann), w.now()
	w.same("the version", s.Version, stamp.Version)
	w.same("the version since", s.Version > before.Version, true)
	w.same("the number", s.Number, last)
	w.same("the generation", s.Generation, now.Generation)
	w.same("the time is between those of two other looks", before.At <= s.At && s.At <= now.At, true)
	w.same("a user is being deleted", s.Leaving, false)
	w.same("the version of another", w.standing(dee).Version, w.stamp(dee).Version)
}

func standingOfNobody(w *liveWorld) {
	w.user(ann)
	last := w.schedule(1, ann, noon).Number
	s := w.standing(dee)
	w.same("the number", s.Number, last)
	w.same("the version", s.Version, int64(0))
	w.same("a user is being deleted", s.Leaving, false)
}

func standingLeaving(w *liveWorld) {
	w.four()
	w.follow(ann, bob)
	w.follow(dee, cem)
	w.schedule(1, bob, noon)
	before, others := w.standing(ann), w.standing(dee)
	w.must(w.Profiles.DeleteAccount(w.ctx, bob, noon))
	s := w.standing(ann)
	w.same("what changed at once for who followed", s.Leaving || s.Version > before.Version, true)
	w.same("a user followed by another is being deleted", w.standing(dee).Leaving, false)
	for more := true; more; {
		var err error
		more, err = w.Profiles.PurgeDeleted(w.ctx, 1)
		w.must(err)
		s = w.standing(ann)
		w.same("what changed while it was purged", s.Leaving || s.Version > before.Version, true)
	}
	w.same("a user is being deleted, at the end", s.Leaving, false)
	w.same("the version at the end", s.Version > before.Version, true)
	w.same("the version of another at the end", w.standing(dee).Version, others.Version)
}

func standingLeft(w *liveWorld) {
	w.four()
	w.follow(ann, bob)
	w.must(w.Profiles.DeleteAccount(w.ctx, ann, noon))
	w.same("the viewer leaves", w.standing(ann).Leaving, true)
	for more := true; more; {
		var err error
		more, err = w.Profiles.PurgeDeleted(w.ctx, many)
		w.must(err)
	}
	w.same("the viewer has left", w.standing(ann).Leaving, true)
}

func changesSince(w *liveWorld) {
	w.four()
	var want []live.HostTransition
	note := func(s *live.Session) { want = append(want, live.HostTransition{Host: s.Host, Number: s.Number}) }
	note(w.schedule(1, ann, noon))
	note(w.schedule(2, bob, noon))
	note(w.start(1, noon))
	note(w.cancel(2, noon))
	note(w.end(1, noon+1))
	for i := range want {
		for limit := 1; limit <= len(want); limit++ {
			got, err := w.Changes.Since(w.ctx, want[i].Number, limit)
			w.must(err)
			rest := want[i+1:]
			w.same("the transitions", got, append([]live.HostTransition(nil), rest[:min(limit, len(rest))]...))
		}
	}
}

func changesOver(w *liveWorld) {
	w.refuses(map[string]func(ctx context.Context) error{
		"Standing": func(ctx context.Context) error { _, err := w.Changes.FeedVersion(ctx, ann); return err },
		"Since":    func(ctx context.Context) error { _, err := w.Changes.Since(ctx, 0, 1); return err },
	})
}
