package feedtest

import (
	"github.com/tideline-feeds/tideline/feed"
)

// relaterPromises checks the promises of [feed.Relater]. [Relations] checks the effects on edges and
// versions.
func relaterPromises(s storeSuite) {
	s.promise("a relation set twice keeps its first time until it ends", func(w *world) {
		for _, kind := range relationKinds() {
			w.relateAt(kind, ann, bob, noon)
			before := w.viewerVersion(bob)
			w.relateAt(kind, ann, bob, noon+1)
			w.same("ann's list", w.related(kind, ann), []feed.Key{{TS: noon, ID: int64(bob)}})
			w.same("bob's viewer version", w.viewerVersion(bob), before)
			check(w.Relater.Unrelate(w.ctx, kind, ann, bob))
			w.same("ann's list afterwards", w.related(kind, ann), []feed.Key(nil))
		}
	})
	s.promise("a relation ends alone and can be made again", func(w *world) {
		for _, kind := range relationKinds() {
			w.relateAt(kind, ann, bob, noon)
		}
		check(w.Relater.Unrelate(w.ctx, feed.RelationHide, ann, bob))
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, Blocks: true}})
		w.relateAt(feed.RelationHide, ann, bob, noon+1)
		w.same("ann's edge", w.edges(ann, bob), []feed.Edge{{Mutes: true, HidesFrom: true, Blocks: true}})
		w.same("the users ann hides from", w.related(feed.RelationHide, ann), []feed.Key{{TS: noon + 1, ID: int64(bob)}})
	})
	s.promise("ending a missing relation changes nothing", func(w *world) {
		for _, kind := range relationKinds() {
			w.rises("ending a missing "+string(kind), func() { check(w.Relater.Unrelate(w.ctx, kind, ann, bob)) }, false, false)
			check(w.Relater.Unrelate(w.ctx, kind, ann, 12345))
			check(w.Relater.Unrelate(w.ctx, kind, 12345, ann))
		}
	})
	s.promise("a relation with an unknown user is NOT_FOUND, and one of an unknown kind INVALID", func(w *world) {
		for _, kind := range relationKinds() {
			for _, pair := range [][2]feed.UserID{{ann, 12345}, {12345, ann}} {
				err := w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: pair[0], Target: pair[1], CreatedAt: noon})
				w.mustHaveCode(feed.CodeNotFound, err)
			}
			w.same("ann's list", w.related(kind, ann), []feed.Key(nil))
			w.same("the unknown user's list", w.related(kind, 12345), []feed.Key(nil))
		}
		w.same("ann's version", w.relationsVersion(ann), int64(0))
		unknown := feed.RelationRecord{Kind: "poke", User: ann, Target: bob, CreatedAt: noon}
		w.mustHaveCode(feed.CodeInvalid, w.Relater.Relate(w.ctx, unknown))
		check(w.Relater.Unrelate(w.ctx, unknown.Kind, ann, bob))
		w.same("the list of an unknown kind", w.related(unknown.Kind, ann), []feed.Key(nil))
	})
	s.empty("relations are listed by time, then id, whatever the bounds, limit and direction", func(w *world) {
		for _, kind := range relationKinds() {
			w.eachTrickyUser(func(id feed.UserID, at int64) error {
				return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: cem, Target: id, CreatedAt: at})
			})
		}
		w.relateAt(feed.RelationBlock, dee, cem, noon)
		w.everyRange(trickyKeys(), func(r feed.Range) ([]feed.Key, error) { return w.Relater.Related(w.ctx, feed.RelationBlock, cem, r) })
	})
	s.promise("a list has the relations of one kind and one user", func(w *world) {
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
	})
	s.promise("concurrent changes of one relation raise the version once per change", func(w *world) {
		together(16, func(i int) error {
			if i%2 == 0 {
				return w.Relater.Unrelate(w.ctx, feed.RelationMute, ann, bob)
			}
			return w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: ann, Target: bob, CreatedAt: noon})
		})
		// The relation did not exist at first, so it exists after an odd number of changes.
		exists := len(w.related(feed.RelationMute, ann)) == 1
		w.same("whether the number of changes is odd", w.relationsVersion(ann)%2 == 1, exists)
		w.same("bob's version", w.relationsVersion(bob), int64(0))
	})
}

func relationKinds() []feed.RelationKind {
	return []feed.RelationKind{feed.RelationMute, feed.RelationHide, feed.RelationBlock}
}

// related returns all users with a relation to the user.
func (w *world) related(kind feed.RelationKind, user feed.UserID) []feed.Key {
	return must(w.Relater.Related(w.ctx, kind, user, all()))
}

func (w *world) relateAt(kind feed.RelationKind, user, target feed.UserID, at int64) {
	check(w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: kind, User: user, Target: target, CreatedAt: at}))
}
