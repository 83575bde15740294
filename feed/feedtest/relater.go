package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Relater checks the promises of [feed.Relater]. [Relations] checks the effects on edges and
// versions.
func Relater(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, open, []promise{
		{"a relation set twice keeps its first time until it ends", relateTwice},
		{"a relation ends alone and can be made again", relateAgain},
		{"ending a missing relation changes nothing", unrelateMissing},
		{"a relation with an unknown user is NOT_FOUND", relateUnknown},
		{"a relation of an unknown kind is INVALID", relateUnknownKind},
		{"relations are listed by time, then id, whatever the bounds, limit and direction", relatedRanges},
		{"a list has the relations of one kind and one user", relatedApart},
		{"concurrent changes of one relation raise the version once per change", relateAtOnce},
		{"an ended context is an error and changes nothing", relaterEndedContext},
	})
}

func relationKinds() []feed.RelationKind {
	return []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
}

// related returns all users with a relation to the user.
func (w *world) related(kind feed.RelationKind, user feed.UserID) []feed.Key {
	w.t.Helper()
	keys, err := w.Relater.Related(w.ctx, kind, user, all())
	w.must(err)
	return keys
}

func (w *world) relateAt(kind feed.RelationKind, user, target feed.UserID, at int64) {
	w.t.Helper()
	w.must(w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: at}))
}

func relateTwice(w *world) {
	w.fourUsers()
	for _, kind := range relationKinds() {
		w.relateAt(kind, ann, bob, noon)
		before := w.viewerVersion(bob)
		w.relateAt(kind, ann, bob, noon+1)
		w.same("ann's list", w.related(kind, ann), []feed.Key{{TS: noon, ID: int64(bob)}})
		w.same("bob's viewer version", w.viewerVersion(bob), before)
		w.must(w.Relater.Unrelate(w.ctx, kind, ann, bob))
		w.same("ann's list afterwards", w.related(kind, ann), []feed.Key(nil))
	}
}

func relateAgain(w *world) {
	w.fourUsers()
	for _, kind := range relationKinds() {
		w.relateAt(kind, ann, bob, noon)
	}
	w.must(w.Relater.Unrelate(w.ctx, feed.RelationHide, ann, bob))
	w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, Blocks: true}})
	w.relateAt(feed.RelationHide, ann, bob, noon+1)
	w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, HidesFrom: true, Blocks: true}})
	w.same("the users ann hides from", w.related(feed.RelationHide, ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}})
}

func unrelateMissing(w *world) {
	w.fourUsers()
	for _, kind := range relationKinds() {
		w.rises("ending a missing "+string(kind), func() { w.must(w.Relater.Unrelate(w.ctx, kind, ann, bob)) }, false, false)
		w.must(w.Relater.Unrelate(w.ctx, kind, ann, 12345))
		w.must(w.Relater.Unrelate(w.ctx, kind, 12345, ann))
	}
}

func relateUnknown(w *world) {
	w.fourUsers()
	for _, kind := range relationKinds() {
		for _, pair := range [][2]feed.UserID{{ann, 12345}, {12345, ann}} {
			err := w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: pair[0], Target: pair[1], CreatedAt: noon})
			w.mustHaveCode(feed.CodeNotFound, err)
		}
		w.same("ann's list", w.related(kind, ann), []feed.Key(nil))
		w.same("the unknown user's list", w.related(kind, 12345), []feed.Key(nil))
	}
	w.same("ann's version", w.relationsVersion(ann), int64(0))
}

func relateUnknownKind(w *world) {
	w.fourUsers()
	unknown := feed.RelationRecord{Kind: "poke", User: ann, Target: bob, CreatedAt: noon}
	w.mustHaveCode(feed.CodeInvalid, w.Relater.Relate(w.ctx, unknown))
	w.must(w.Relater.Unrelate(w.ctx, unknown.Kind, ann, bob))
	w.same("the list of an unknown kind", w.related(unknown.Kind, ann), []feed.Key(nil))
}

func relatedRanges(w *world) {
	for _, kind := range relationKinds() {
		w.eachTrickyUser(func(id feed.UserID, at int64) error {
			return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: cem, Target: id, CreatedAt: at})
		})
	}
	w.relateAt(feed.RelationBlock, dee, cem, noon)
	w.everyRange(trickyKeys(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Relater.Related(ctx, feed.RelationBlock, cem, r)
	})
}

func relatedApart(w *world) {
	w.fourUsers()
	w.follow(ann, dee)
	for i, kind := range relationKinds() {
		w.relateAt(kind, ann, []feed.UserID{bob, cem, dee}[i], noon)
		w.relateAt(kind, bob, ann, noon)
	}
	for i, kind := range relationKinds() {
		w.same("ann's list", w.related(kind, ann), []feed.Key{{TS: noon, ID: int64([]feed.UserID{bob, cem, dee}[i])}})
		w.same("bob's list", w.related(kind, bob), []feed.Key{{TS: noon, ID: int64(ann)}})
		w.same("cem's list", w.related(kind, cem), []feed.Key(nil))
	}
}

func relateAtOnce(w *world) {
	w.fourUsers()
	for _, err := range concurrently(16, func(i int) error {
		if i%2 == 0 {
			return w.Relater.Unrelate(w.ctx, feed.RelationMute, ann, bob)
		}
		return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: bob, CreatedAt: noon})
	}) {
		w.must(err)
	}
	// The relation did not exist at first, so it exists after an odd number of changes.
	exists := len(w.related(feed.RelationMute, ann)) == 1
	w.same("whether the number of changes is odd", w.relationsVersion(ann)%2 == 1, exists)
	w.same("bob's version", w.relationsVersion(bob), int64(0))
}

func relaterEndedContext(w *world) {
	w.fourUsers()
	w.relateAt(feed.RelationMute, ann, bob, noon)
	w.refusesEndedContext(map[string]func(ctx context.Context) error{
		"Relate": func(ctx context.Context) error {
			return w.Relater.Relate(ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: cem, CreatedAt: noon})
		},
		"Unrelate": func(ctx context.Context) error { return w.Relater.Unrelate(ctx, feed.RelationMute, ann, bob) },
		"Related": func(ctx context.Context) error {
			_, err := w.Relater.Related(ctx, feed.RelationMute, ann, all())
			return err
		},
	})
	w.same("ann's list", w.related(feed.RelationMute, ann), []feed.Key{{TS: noon, ID: int64(bob)}})
}
