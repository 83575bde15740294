package feedtest

import (
	"fmt"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// activityPromises checks the promises of [feed.Activity].
func activityPromises(s storeSuite) {
	s.promise("a lease lasts for the given duration from now", func(w *world) {
		for _, d := range []time.Duration{-2 * time.Hour, 0, 1500 * time.Millisecond, time.Hour, 30 * 24 * time.Hour} {
			lease := w.renew(ann, d)
			w.same("the length of the lease", time.Duration(lease.Until-lease.Now)*time.Millisecond, d)
		}
	})
	s.promise("a lease is never shortened", func(w *world) {
		until := w.renew(ann, 2*time.Hour).Until
		for _, d := range []time.Duration{time.Hour, 0, -time.Hour} {
			w.same("the end of the lease", w.renew(ann, d).Until, until)
		}
		longer := w.renew(ann, 3*time.Hour)
		w.same("the end of the longer lease", longer.Until, longer.Now+3*hour)
	})
	s.promise("each user has their own lease", func(w *world) {
		until := w.renew(ann, 5*time.Hour).Until
		lease := w.renew(bob, time.Hour)
		w.same("the end of bob's lease", lease.Until, lease.Now+hour)
		w.same("the end of ann's lease", w.renew(ann, 0).Until, until)
	})
	s.promise("a user who is not stored, or was deleted, has no lease", func(w *world) {
		w.renew(bob, time.Hour)
		w.deleteAccounts(bob)
		for range 2 {
			for _, user := range []feed.UserID{0, 12345, bob} {
				w.same("the end of the lease", w.renew(user, time.Hour).Until, int64(0))
			}
			w.same("the users", w.usersOf(12345, bob), []*feed.User{nil, nil})
			w.purge(many)
		}
	})
	s.empty("a renewal records the user's activity, whether or not it changes the lease", func(w *world) {
		w.user(bob)
		w.imports(records(userRecord(ann)))
		w.same("the time of ann's last activity", w.seen(ann), noon)
		w.same("the time of bob's last activity", w.seen(bob), int64(0))
		// The later two do not change the lease.
		for _, d := range []time.Duration{time.Hour, 0, -time.Hour} {
			before := w.now()
			w.renew(ann, d)
			seen := w.seen(ann)
			w.failIf(seen < before || seen > w.now(), "ann was active between %d and %d, but her stored last activity is %d", before, w.now(), seen)
		}
		w.same("the time of bob's last activity", w.seen(bob), int64(0))
	})
	s.promise("the longest of concurrent renewals wins", func(w *world) {
		leases := gather(8, func(i int) (feed.Lease, error) { return w.Activity.Renew(w.ctx, ann, time.Duration(i)*time.Hour) })
		last := int64(0)
		for i, lease := range leases {
			w.failIf(lease.Until < lease.Now+int64(i)*hour, "a lease renewed for %d hours ends too early: %+v", i, lease)
			last = max(last, lease.Until)
		}
		w.same("the end of the lease", w.renew(ann, 0).Until, last)
	})
	s.promise("viewer versions and leases use one clock, which never goes back", func(w *world) {
		last := w.now()
		for _, viewer := range []feed.UserID{ann, 0, bob, 12345} {
			lease := w.renew(ann, time.Hour)
			version := w.timedViewerVersion(viewer).Now
			w.failIf(lease.Now < last || version < lease.Now || version >= lease.Until,
				"the version of viewer %d has time %d; it must lie within the lease %+v and not before %d", viewer, version, lease, last)
			last = version
		}
	})
	s.promise("users are dormant if their lease ended longer ago than the given duration", func(w *world) {
		w.renew(ann, -2*time.Hour)
		w.renew(bob, 2*time.Hour)
		w.renew(dee, -4*time.Hour)
		of := []feed.UserID{dee, bob, ann}
		w.dormantIs(of, 0, ann, dee)
		w.dormantIs(of, time.Hour, ann, dee)
		w.dormantIs(of, 3*time.Hour, dee)
		w.dormantIs(of, 5*time.Hour)
		w.dormantIs([]feed.UserID{bob, ann}, time.Hour, ann)
		w.renew(ann, time.Hour)
		w.dormantIs(of, 0, dee)
		w.dormantIs(nil, 0)
	})
	s.promise("users who were never seen, are unknown or deleted, are dormant", func(w *world) {
		w.imports(records(seenRecord(5, 0)))
		w.dormantIs([]feed.UserID{ann, 5}, 365*24*time.Hour, ann, 5)
		w.renew(ann, time.Hour)
		w.renew(bob, time.Hour)
		w.deleteAccounts(bob)
		for range 2 {
			w.dormantIs([]feed.UserID{12345, ann, bob}, time.Hour, 12345, bob)
			w.purge(many)
		}
	})
	s.promise("users are active until their lease ends, by ascending id", func(w *world) {
		for _, user := range []feed.UserID{dee, bob, ann, cem} {
			w.renew(user, time.Hour)
		}
		w.deleteAccounts(cem)
		w.user(7)
		active := func(after feed.UserID, limit int) []feed.UserID { return must(w.Activity.Active(w.ctx, after, limit)) }
		want := slices.Sorted(slices.Values([]feed.UserID{ann, bob, dee}))
		w.same("the active users", active(0, 10), want)
		w.same("the first two", active(0, 2), want[:2])
		w.same("those after the first", active(want[0], 10), want[1:])
		w.same("those after the last", len(active(want[2], 10)), 0)
	})
}

func (w *world) renew(viewer feed.UserID, d time.Duration) feed.Lease {
	return must(w.Activity.Renew(w.ctx, viewer, d))
}

// dormantIs compares the dormant viewers with want, in any order.
func (w *world) dormantIs(viewers []feed.UserID, d time.Duration, want ...feed.UserID) {
	w.sameSet(fmt.Sprintf("the users dormant for %v", d), must(w.Activity.Dormant(w.ctx, viewers, d)), want)
}

// seen returns the time of the user's last activity, according to an export.
func (w *world) seen(user feed.UserID) int64 {
	for _, r := range w.exports() {
		if r.User != nil && r.User.ID == user {
			return r.User.LastSeenAt
		}
	}
	w.t.Fatalf("the export has no user %d", user)
	return 0
}
