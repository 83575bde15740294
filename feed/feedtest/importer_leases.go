package feedtest

import (
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// importLeases checks how user records change activity leases.
func importLeases(s storeSuite) {
	s.empty("the lease of a new user begins at lastSeenAt", func(w *world) {
		recent := w.now() - 10*hour
		w.imports(records(seenRecord(ann, recent), seenRecord(bob, noon)))
		w.dormantIs([]feed.UserID{ann, bob}, 0, bob)
		w.same("the time of ann's last activity", w.seen(ann), recent)
		w.same("the end of ann's lease", w.leaseEnd(ann), recent+importedFor())
		w.same("the end of bob's lease", w.leaseEnd(bob), noon+importedFor())
	})
	s.empty("the batch sets the duration of a lease", func(w *world) {
		recent := w.now() - hour
		for user, d := range map[feed.UserID]time.Duration{ann: 2 * time.Hour, bob: time.Minute, cem: 0} {
			must(w.Applier.Apply(w.ctx, feed.Batch{Records: records(seenRecord(user, recent)), ActiveFor: d}))
			w.same("the length of the lease", w.leaseEnd(user)-recent, d.Milliseconds())
		}
	})
	s.empty("a lastSeenAt in the future counts as now", func(w *world) {
		before := w.now()
		ahead := before + feed.RecordRules().ClockSkew.Milliseconds()
		w.imports(records(seenRecord(ann, ahead)))
		end := w.leaseEnd(ann)
		w.failIf(end < before+importedFor() || end > w.now()+importedFor(),
			"the lease ends %d ms after the import began, want about %d", end-before, importedFor())
	})
	s.empty("without lastSeenAt there is no lease", func(w *world) {
		w.imports(records(seenRecord(ann, 0)))
		w.imports(records(seenRecord(ann, 0)))
		w.dormantIs([]feed.UserID{ann}, 365*24*time.Hour, ann)
		w.same("the time of ann's last activity", w.seen(ann), int64(0))
		w.same("the end of the lease", w.leaseEnd(ann), int64(0))
	})
	s.empty("a later lastSeenAt raises the lease of a stored user", func(w *world) {
		recent := w.now() - hour
		w.user(bob)
		w.imports(records(seenRecord(ann, noon)))
		versions := []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob)}
		again := records(seenRecord(ann, recent), seenRecord(bob, recent))
		w.same("the result", w.imports(again), feed.Applied{Unchanged: len(again)})
		w.same("the viewer versions", []feed.ViewerVersion{w.viewerVersion(ann), w.viewerVersion(bob)}, versions)
		for _, user := range []feed.UserID{ann, bob} {
			w.same("the time of the user's last activity", w.seen(user), recent)
			w.same("the end of the lease", w.leaseEnd(user), recent+importedFor())
		}
	})
	s.empty("no lastSeenAt lowers a lease", func(w *world) {
		recent := w.now() - hour
		w.imports(records(seenRecord(ann, recent)))
		for _, lastSeenAt := range []int64{0, noon, recent - 1, recent} {
			w.imports(records(seenRecord(ann, lastSeenAt), postRecord(feed.PostID(lastSeenAt+1), ann)))
			w.same("the time of ann's last activity", w.seen(ann), recent)
		}
		must(w.Applier.Apply(w.ctx, feed.Batch{Records: records(seenRecord(ann, recent)), ActiveFor: time.Minute}))
		w.same("the end of the lease", w.leaseEnd(ann), recent+importedFor())
	})
	s.empty("the latest lastSeenAt of a batch wins", func(w *world) {
		recent := w.now() - hour
		w.user(bob)
		w.imports(records(
			seenRecord(ann, noon), seenRecord(ann, recent), seenRecord(ann, noon),
			seenRecord(bob, noon), seenRecord(bob, recent), seenRecord(bob, noon)))
		for _, user := range []feed.UserID{ann, bob} {
			w.same("the time of the user's last activity", w.seen(user), recent)
			w.same("the end of the lease", w.leaseEnd(user), recent+importedFor())
		}
	})
	s.promise("renewals and records raise the same lease", func(w *world) {
		renewed := w.renew(ann, time.Duration(2*importedFor())*time.Millisecond)
		w.imports(records(seenRecord(ann, renewed.Now-hour)))
		w.same("the time of ann's last activity", w.seen(ann), renewed.Now)
		w.same("the end of the lease", w.leaseEnd(ann), renewed.Until)
		w.imports(records(seenRecord(cem, renewed.Now-hour)))
		w.same("the end of the other lease", w.renew(cem, time.Hour).Until, renewed.Now-hour+importedFor())
	})
	s.promise("a deleted account gets no lease", func(w *world) {
		w.deleteAccounts(bob)
		recent := w.now() - hour
		deleted := func(id feed.UserID) feed.Record {
			r := seenRecord(id, recent)
			r.User.DeletedAt = recent
			return r
		}
		w.imports(records(deleted(ann), deleted(bob), seenRecord(bob, recent), deleted(5)))
		w.dormantIs([]feed.UserID{ann, bob, 5}, 0, ann, bob, 5)
		w.same("the time of ann's last activity", w.seen(ann), int64(0))
	})
}

// importedFor returns the duration in milliseconds of the leases that [Stores.Import] gives.
func importedFor() int64 { return feed.DefaultPolicy().ActiveFor.Milliseconds() }

// seenRecord is the record of a user who was last seen at a time.
func seenRecord(id feed.UserID, lastSeenAt int64) feed.Record {
	return feed.Record{User: &feed.UserRecord{User: *newUser(id), LastSeenAt: lastSeenAt}}
}

// leaseEnd returns the end of the user's lease, 0 for none. It uses a renewal that ends before
// 1970. Such a renewal records the user's activity but does not change the lease.
func (w *world) leaseEnd(user feed.UserID) int64 {
	return w.renew(user, -time.Duration(w.now()+hour)*time.Millisecond).Until
}
