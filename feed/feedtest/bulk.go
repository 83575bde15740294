package feedtest

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// bulkLoadsPromises checks the promises of [feed.BulkLoads], and of [feed.Batch.Bulk].
func bulkLoadsPromises(s storeSuite) {
	s.empty("a load uses no inboxes, and raises the generation at its end", func(w *world) {
		w.isLoading(false)
		w.endsLoad(0, false)
		before := w.generation()
		w.bulkLoads(sampleRecords())
		w.bulkLoads(records(postRecord(12, ann)))
		w.isLoading(true)
		w.same("the generation during the load", w.generation(), before)
		w.sampleRecordsAreLoaded()
		w.endsLoad(0, true)
		w.isLoading(false)
		w.rose("the generation at the end of a load", before, w.generation())
		w.endsLoad(0, false)
	})
	s.empty("a load that changes nothing does not begin", func(w *world) {
		w.imports(sampleRecords())
		w.bulkLoads(sampleRecords())
		w.bulkLoads(records(followRecord(ann, 12345)))
		w.isLoading(false)
	})
	// Of two loads at once, the first that ends does not end the other.
	s.empty("a batch after the end begins a new load", func(w *world) {
		w.bulkLoads(sampleRecords())
		w.endsLoad(0, true)
		ended := w.generation()
		w.bulkLoads(records(postRecord(12, ann)))
		w.isLoading(true)
		w.endsLoad(0, true)
		w.rose("the generation at the end of the second load", ended, w.generation())
	})
	s.empty("a load ends after it was idle", func(w *world) {
		w.bulkLoads(sampleRecords())
		w.endsLoad(time.Hour, false)
		w.isLoading(true)
		w.endsLoad(0, true)
	})
	// An ingested batch of a load has no fan-outs.
	s.empty("a load logs what caches may hold", func(w *world) {
		place := w.numberAll()
		w.bulkLoads(sampleRecords())
		w.same("the number of changes of new objects", len(w.loggedAfter(place)), 0)
		edited := postRecord(10, bob)
		edited.Post.Text, edited.Post.EditedAt = "edited", noon
		b := batchOf([]feed.Record{edited, profileRecord(cem, "cem", "Cem"), postRecord(12, ann), followRecord(cem, ann)})
		b.Bulk = true
		result := w.ingests(b)
		w.same("the number of fan-outs", len(result.Planned)+len(result.Pending), 0)
		changes := withoutNumbers(w.loggedAfter(place))
		w.same("the number of changes of stored objects", len(changes), 2)
		for _, want := range []feed.Change{{Kind: feed.ChangeProfile, User: cem}, {Kind: feed.ChangeEdited, User: bob, Post: 10}} {
			w.same("whether a change of a stored object is logged", hasChange(changes, want), true)
		}
		w.isLoading(true)
		place = w.numberAll()
		w.endsLoad(0, true)
		w.same("the log of the end", withoutNumbers(w.loggedAfter(place)), []feed.Change{{Kind: feed.ChangeReset}})
	})
	s.empty("slices are dropped during a load", func(w *world) {
		w.user(ann)
		for id, loading := range map[feed.PostID]bool{1: false, 2: true} {
			w.publish(newPost(id, ann, noon))
			must(w.Plans.StorePlan(w.ctx, feed.Plan{Post: id, Author: ann, Slices: []feed.Slice{{First: 1, Last: 9}}}, noon))
			if loading {
				w.bulkLoads(records(userRecord(bob)))
			}
			s := must(w.Plans.ClaimSlice(w.ctx, feed.SliceRef{Post: id}, noon, noon+1))
			w.same("whether the slice is dropped", s.Dropped, loading)
			w.endsLoad(0, loading)
		}
	})
}

// bulkLoads applies a batch of a bulk load.
func (w *world) bulkLoads(batch []feed.Record) { must(w.Load(w.ctx, batch)) }

// endsLoad ends a bulk load if it was idle for long enough.
func (w *world) endsLoad(idle time.Duration, want bool) {
	ended := must(w.Loads.EndLoad(w.ctx, idle))
	w.same("whether a load has ended", ended, want)
}

// isLoading compares the flag of every viewer version and of the report.
func (w *world) isLoading(want bool) {
	for _, viewer := range []feed.UserID{0, ann} {
		w.same("the flag of the version", w.viewerVersion(viewer).Loading, want)
	}
	survey := must(w.Surveyor.Survey(w.ctx, ann, 0, false, 1))
	w.same("the flag of the survey", survey.Version.Loading, want)
	report := must(w.Sources.ReportSources(w.ctx))
	w.same("the flag of the report", report.Load.Since > 0 && report.Load.LastAt >= report.Load.Since, want)
}

func (w *world) generation() int64 { return w.viewerVersion(0).Generation }

// sampleRecordsAreLoaded compares what a load has stored with the reference query.
func (w *world) sampleRecordsAreLoaded() {
	w.same("ann's feed", w.feedOf(ann), []feed.Key{
		{TS: noon, ID: 100}, {TS: noon, ID: 12}, {TS: noon, ID: 11}, {TS: noon, ID: 10}, {TS: noon, ID: 9},
	})
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 2, Posts: 2})
}
