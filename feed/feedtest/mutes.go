package feedtest

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// century is later than the clock of any store. Its unit is milliseconds.
const century = 100 * 365 * 24 * hour

// muteUntil describes a mute of bob by ann that ends by itself.
func muteUntil(until int64) feed.Record {
	r := relationRecord(feed.RelationMute, ann, bob)
	r.Relation.Until = until
	return r
}

func (w *world) endMutes(now int64) {
	for more := true; more; {
		more = must(w.Relater.EndMutes(w.ctx, now, 1))
	}
}

func (w *world) mutes(what string, want bool) {
	w.same("whether ann mutes bob "+what, w.edges(ann, bob)[0].Mutes, want)
}

// mutePromises checks mutes that end by themselves, by [feed.Relater], an import and a source.
func mutePromises(s storeSuite) {
	s.promise("a mute ends by itself at the last time that it was given", func(w *world) {
		mute := func(until int64) { check(w.Relater.Relate(w.ctx, *muteUntil(until).Relation)) }
		w.relate(feed.RelationMute, bob, ann, true)
		mute(noon + 10)
		w.rises("another end", func() { mute(noon + 20) }, false, false)
		w.rises("another mute's end", func() { w.endMutes(noon + 19) }, false, false)
		w.mutes("before its end", true)
		before := w.numberAll()
		w.rises("the end", func() { w.endMutes(noon + 20) }, true, false)
		w.mutes("after its end", false)
		w.same("what is logged", withoutNumbers(w.loggedAfter(before)), muteUntil(0).Relation.Logged(false))
		w.same("whether ann took it back", must(w.Undone.Undone(w.ctx, muteUntil(0))), true)
		mute(noon + 10)
		mute(0)
		w.endMutes(noon + century)
		w.mutes("for ever", true)
		w.same("whether bob mutes ann", w.edges(bob, ann)[0].Mutes, true)
	})
	s.promise("a mute that is made again while it ends stays", func(w *world) {
		for range 8 {
			check(w.Relater.Relate(w.ctx, *muteUntil(noon).Relation))
			together(2, func(i int) error {
				if i == 0 {
					_, err := w.Relater.EndMutes(w.ctx, noon, 10)
					return err
				}
				return w.Relater.Relate(w.ctx, *muteUntil(0).Relation)
			})
			w.mutes("afterwards", true)
			check(w.Relater.Unrelate(w.ctx, feed.RelationMute, ann, bob))
		}
	})
	s.promise("the mutes of a deleted account do not keep others from ending", func(w *world) {
		w.user(cem)
		check(w.Relater.Relate(w.ctx, feed.RelationRecord{Kind: feed.RelationMute, User: cem, Target: bob, CreatedAt: noon, Until: noon + 1}))
		check(w.Relater.Relate(w.ctx, *muteUntil(noon + 2).Relation))
		w.deleteAccounts(cem)
		w.endMutes(noon + 2)
		w.mutes("after its end", false)
	})
	s.promise("a source's mute ends as its records say", func(w *world) {
		w.ingest(muteUntil(noon + century))
		w.mutes("until a time", true)
		w.ingest(partial(muteUntil(0), "createdAt"))
		w.same("whether a partial record keeps the end", w.exportedMute().Until, noon+century)
		w.ingest(partial(muteUntil(0), "until"))
		w.same("the end after a partial record of it", w.exportedMute().Until, int64(0))
		w.ingest(muteUntil(noon - 1))
		w.mutes("until a past time", false)
		w.ingest(muteUntil(noon - 1))
		w.mutes("until a past time, repeated", false)
		w.ingest(muteUntil(noon + century))
		w.mutes("again", true)
		w.endMutes(noon + century)
		w.mutes("once it has ended here", false)
	})
	s.promise("a record with a version says the same before and after its mute ends", func(w *world) {
		now := func() int64 { return feed.Millis(time.Now()) } // the clocks of stores are of this machine
		mute, first := muteUntil(now()+100), feed.ObjectVersion{Number: 1}
		w.ingestVersion(first, mute)
		eventually.True(w.t, "the time comes", func() bool { return now() > mute.Relation.Until })
		w.same("what is bad about the record", w.ingestVersion(first, mute).Bad, []feed.BadRecord(nil))
		w.endMutes(now())
		w.same("what is bad about it later", w.ingestVersion(first, mute).Bad, []feed.BadRecord(nil))
		w.mutes("in the end", false)
	})
	s.promise("an import adds no mute that has ended", func(w *world) {
		w.same("a mute that has ended", w.imports(records(muteUntil(noon-1))).Unchanged, 1)
		w.mutes("after it", false)
		w.same("one that has not", w.imports(records(muteUntil(noon+century))).Stored, 1)
		w.same("the exported end", w.exportedMute().Until, noon+century)
		w.same("another end", w.imports(records(muteUntil(0))).Different[0].Fields, []string{"until"})
	})
}

// exportedMute returns ann's mute of bob.
func (w *world) exportedMute() feed.RelationRecord {
	for _, r := range w.exports() {
		if r.Relation != nil && r.Relation.Kind == feed.RelationMute && r.Relation.User == ann {
			return *r.Relation
		}
	}
	w.t.Fatal("no mute by ann is exported")
	return feed.RelationRecord{}
}
