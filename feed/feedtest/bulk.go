package feedtest

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// BulkLoads checks the promises of [feed.BulkLoads], and of [feed.Batch.Bulk].
func BulkLoads(t *testing.T, open func(t *testing.T) Stores) {
	testPromises(t, started(open), []promise{
		{"a load uses no inboxes, and raises the generation at its end", loadEnds},
		{"a load that changes nothing does not begin", loadNothing},
		{"a batch after the end begins a new load", loadAgain},
		{"a load ends after it was idle", loadIdle},
		{"a load logs what caches may hold", loadLogs},
		{"slices are dropped during a load", loadDrops},
	})
}

// bulkLoads applies a batch of a bulk load.
func (w *world) bulkLoads(batch []feed.Record) {
	w.t.Helper()
	_, err := w.Load(w.ctx, batch)
	w.must(err)
}

// endsLoad ends a bulk load if it was idle for long enough.
func (w *world) endsLoad(idle time.Duration, want bool) {
	w.t.Helper()
	ended, err := w.Loads.EndLoad(w.ctx, idle)
	w.must(err)
	w.same("whether a load has ended", ended, want)
}

// isLoading compares the flag of every viewer version and of the report.
func (w *world) isLoading(want bool) {
	w.t.Helper()
	for _, viewer := range []feed.UserID{0, ann} {
		w.same("the flag of the version", w.viewerVersion(viewer).Loading, want)
	}
	survey, err := w.Surveyor.Survey(w.ctx, ann, 0, false, 1)
	w.must(err)
	w.same("the flag of the survey", survey.Version.Loading, want)
	report, err := w.Sources.ReportSources(w.ctx)
	w.must(err)
	w.same("the flag of the report", report.Load.Since > 0 && report.Load.LastAt >= report.Load.Since, want)
}

func (w *world) generation() int64 { w.t.Helper(); return w.viewerVersion(0).Generation }

func loadEnds(w *world) {
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
	if after := w.generation(); after <= before {
		w.t.Errorf("the end of a load must raise the generation: got %d, was %d", after, before)
	}
	w.endsLoad(0, false)
}

// sampleRecordsAreLoaded compares what a load has stored with the reference query.
func (w *world) sampleRecordsAreLoaded() {
	w.t.Helper()
	w.same("ann's feed", w.feedOf(ann), []feed.Key{
		{TS: noon, ID: 100}, {TS: noon, ID: 12}, {TS: noon, ID: 11}, {TS: noon, ID: 10}, {TS: noon, ID: 9},
	})
	w.same("ann's counters", w.userCounters(ann), feed.UserCounters{Followers: 1, Following: 2, Posts: 2})
}

func loadNothing(w *world) {
	w.imports(sampleRecords())
	w.bulkLoads(sampleRecords())
	w.bulkLoads(records(followRecord(ann, 12345)))
	w.isLoading(false)
}

// Of two loads at once, the first that ends does not end the other.
func loadAgain(w *world) {
	w.bulkLoads(sampleRecords())
	w.endsLoad(0, true)
	ended := w.generation()
	w.bulkLoads(records(postRecord(12, ann)))
	w.isLoading(true)
	w.endsLoad(0, true)
	if again := w.generation(); again <= ended {
		w.t.Errorf("the end of the second load must raise the generation: got %d, was %d", again, ended)
	}
}

func loadIdle(w *world) {
	w.bulkLoads(sampleRecords())
	w.endsLoad(time.Hour, false)
	w.isLoading(true)
	w.endsLoad(0, true)
}

// An ingested batch of a load has no fan-outs.
func loadLogs(w *world) {
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
}

func loadDrops(w *world) {
	w.user(ann)
	for id, loading := range map[feed.PostID]bool{1: false, 2: true} {
		w.publish(newPost(id, ann, noon))
		_, err := w.Plans.StorePlan(w.ctx, feed.Plan{Post: id, Author: ann, Slices: []feed.Slice{{First: 1, Last: 9}}}, noon)
		w.must(err)
		if loading {
			w.bulkLoads(records(userRecord(bob)))
		}
		s, err := w.Plans.ClaimSlice(w.ctx, feed.SliceRef{Post: id}, noon, noon+1)
		w.must(err)
		w.same("whether the slice is dropped", s.Dropped, loading)
		w.endsLoad(0, loading)
	}
}
