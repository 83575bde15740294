package feedtest

import (
	"context"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// Relater checks the promises of [feed.Relater]. [Relations] checks the effects on edges and
// versions.
func Relater(t *testing.T, open func(t *testing.T) Stores) {
	keep(t, open, []promise{
		{"a relation made twice exists since the first time, until it ends", relateTwice},
		{"a relation ends alone and can be made again", relateAgain},
		{"ending a missing relation changes nothing", unrelateNothing},
		{"a relation with an unknown user is NOT_FOUND", relateUnknown},
		{"a relation of no known kind is INVALID", relateOddly},
		{"relations are listed by time, then id, whatever the bounds, limit and direction", relatedRanges},
		{"a list is of one kind and of one user", relatedApart},
		{"one relation made and ended by many at once raises versions as often as it changed", relateAtOnce},
		{"a context that is over is an error and changes nothing", relaterOver},
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
	w.four()
	for _, kind := range relationKinds() {
		w.relateAt(kind, ann, bob, noon)
		before := w.stamp(bob)
		w.relateAt(kind, ann, bob, noon+1)
		w.same("ann's list", w.related(kind, ann), []feed.Key{{TS: noon, ID: int64(bob)}})
		w.same("bob's stamp", w.stamp(bob), before)
		w.must(w.Relater.Unrelate(w.ctx, kind, ann, bob))
		w.same("ann's list afterwards", w.related(kind, ann), []feed.Key(nil))
	}
}

func relateAgain(w *world) {
	w.four()
	for _, kind := range relationKinds() {
		w.relateAt(kind, ann, bob, noon)
	}
	w.must(w.Relater.Unrelate(w.ctx, feed.RelationHide, ann, bob))
	w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, Blocks: true}})
	w.relateAt(feed.RelationHide, ann, bob, noon+1)
	w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, HidesFrom: true, Blocks: true}})
	w.same("those she hides from", w.related(feed.RelationHide, ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}})
}

func unrelateNothing(w *world) {
	w.four()
	for _, kind := range relationKinds() {
		w.rises("the end of no "+string(kind), func() { w.must(w.Relater.Unrelate(w.ctx, kind, ann, bob)) }, false, false)
		w.must(w.Relater.Unrelate(w.ctx, kind, ann, 12345))
		w.must(w.Relater.Unrelate(w.ctx, kind, 12345, ann))
	}
}

func relateUnknown(w *world) {
	w.four()
	for _, kind := range relationKinds() {
		for _, pair := range [][2]feed.UserID{{ann, 12345}, {12345, ann}} {
			err := w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: pair[0], Target: pair[1], CreatedAt: noon})
			w.mustBe(feed.CodeNotFound, err)
		}
		w.same("ann's list", w.related(kind, ann), []feed.Key(nil))
		w.same("the stranger's list", w.related(kind, 12345), []feed.Key(nil))
	}
	w.same("ann's version", w.version(ann), int64(0))
}

func relateOddly(w *world) {
	w.four()
	odd := feed.RelationRecord{Kind: "poke", User: ann, Target: bob, CreatedAt: noon}
	w.mustBe(feed.CodeInvalid, w.Relater.Relate(w.ctx, odd))
	w.must(w.Relater.Unrelate(w.ctx, odd.Kind, ann, bob))
	w.same("the list of such", w.related(odd.Kind, ann), []feed.Key(nil))
}

func relatedRanges(w *world) {
	for _, kind := range relationKinds() {
		w.followTangle(func(id feed.UserID, at int64) error {
			return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: cem, Target: id, CreatedAt: at})
		})
	}
	w.relateAt(feed.RelationBlock, dee, cem, noon)
	w.everyRange(tangled(), func(ctx context.Context, r feed.Range) ([]feed.Key, error) {
		return w.Relater.Related(ctx, feed.RelationBlock, cem, r)
	})
}

func relatedApart(w *world) {
	w.four()
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
	w.four()
	for _, err := range together(16, func(i int) error {
		if i%2 == 0 {
			return w.Relater.Unrelate(w.ctx, feed.RelationMute, ann, bob)
		}
		return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: bob, CreatedAt: noon})
	}) {
		w.must(err)
	}
	// The relation did not exist at first, so it exists after an odd number of changes.
	stands := len(w.related(feed.RelationMute, ann)) == 1
	w.same("the number of changes is odd", w.version(ann)%2 == 1, stands)
	w.same("bob's version", w.version(bob), int64(0))
}

func relaterOver(w *world) {
	w.four()
	w.relateAt(feed.RelationMute, ann, bob, noon)
	w.refuses(map[string]func(ctx context.Context) error{
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
