package feedtest

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// implicitUsersPromises checks the promises of [feed.Presence.UseUsers], and those of other ports about users
// without a record.
func implicitUsersPromises(s storeSuite) {
	s.empty("the mode changes on purpose only", func(w *world) {
		const explicit, implicit = feed.UsersExplicit, feed.UsersImplicit
		for i, step := range []struct {
			want, was, mode  feed.UserMode
			changed, refused bool
		}{
			{mode: explicit},
			{want: explicit, mode: explicit},
			{want: implicit, mode: implicit, changed: true},
			{mode: implicit},
			{want: implicit, was: explicit, mode: implicit},
			{want: explicit, refused: true},
			{want: explicit, was: explicit, refused: true},
			{want: explicit, was: implicit, mode: explicit, changed: true},
			{want: explicit, was: implicit, mode: explicit},
		} {
			mode, changed, err := w.Presence.UseUsers(w.ctx, feed.UserModeChange{Want: step.want, Was: step.was})
			var refusal *feed.UserModeDiffers
			if errors.As(err, &refusal) != step.refused || err != nil && refusal == nil {
				w.t.Fatalf("step %d: the error is %v", i, err)
			}
			if !step.refused {
				w.same(fmt.Sprintf("the mode after step %d", i), []any{mode, changed}, []any{step.mode, step.changed})
			}
		}
	})
	// Only references name the followees.
	s.empty("a user without a record is shown, and so are their posts", func(w *world) {
		w.useUsers(feed.UsersImplicit)
		w.ingest(followRecord(ann, bob), postRecord(1, bob), repostRecord(2, ann, 1), reactionRecord(feed.ReactionLike, cem, 1))
		whole := []feed.Key{{TS: noon, ID: 2}, {TS: noon, ID: 1}}
		w.same("ann's feed", w.feedOf(ann), whole)
		w.same("what a build reads", w.covered(ann), whole[1:])
		w.same("the users", w.usersOf(ann, bob, cem, dee), []*feed.User{{ID: ann}, {ID: bob}, {ID: cem}, nil})
		w.same("the user without a handle", w.byHandle(""), (*feed.User)(nil))
		w.same("bob's counters", w.userCounters(bob), feed.UserCounters{Posts: 1, Followers: 1})
		w.follow(cem, bob)
		w.same("cem's feed", w.feedOf(cem), whole[1:])
		w.same("the absent users", w.report().Absent, feed.AbsentUsers{Awaited: 3, Oldest: awaited(ann, bob, cem)})
	})
	s.empty("a record and a deletion work as for others", func(w *world) {
		w.useUsers(feed.UsersImplicit)
		w.ingest(userRecord(ann), followRecord(ann, bob), postRecord(1, bob))
		whole := w.feedOf(ann)
		place, generation := w.numberAll(), w.viewerVersion(ann).Generation
		w.same("the outcome", w.ingest(profileRecord(bob, "bob", "Bob")).Stored, 1)
		changes := w.loggedAfter(place)
		w.same("the log", withoutNumbers(changes), []feed.Change{{Kind: feed.ChangeProfile, User: bob}})
		w.same("bob", w.userOf(bob), &feed.User{ID: bob, Handle: "bob", Name: "Bob", CreatedAt: noon})
		w.ingest(gone(userRecord(bob)))
		w.same("ann's feed without bob", w.feedOf(ann), []feed.Key(nil))
		w.ingest(profileRecord(bob, "bob", "Bob"))
		w.same("ann's feed after bob's return", w.feedOf(ann), whole)
		w.same("the generation", w.viewerVersion(ann).Generation, generation)
		w.same("the absent users", w.report().Absent, feed.AbsentUsers{})
		partialOnly := batchOf([]feed.Record{partial(profileRecord(dee, "", "Dee"), "name")})
		partialOnly.Ordered = true
		w.ingest(followRecord(ann, dee))
		w.same("partial records of a user without a whole one", len(w.ingests(partialOnly).Bad), 1)
	})
	s.empty("a user who was taken back before their record stays hidden", func(w *world) {
		w.ingest(gone(userRecord(cem)))
		w.useUsers(feed.UsersImplicit)
		w.ingest(followRecord(ann, dee), gone(userRecord(bob)), gone(userRecord(dee)))
		for _, author := range []feed.UserID{bob, cem, dee} {
			w.ingest(followRecord(ann, author), postRecord(feed.PostID(author), author))
		}
		w.same("ann's feed", w.feedOf(ann), []feed.Key(nil))
		w.same("the users", w.usersOf(bob, cem, dee), []*feed.User{nil, nil, nil})
		w.same("the absent users", w.report().Absent, feed.AbsentUsers{Awaited: 1, TakenBack: 3, Oldest: awaited(ann)})
		w.same("a deletion that is known", w.ingest(gone(userRecord(bob))).Unchanged, 1)
		w.ingest(userRecord(bob), userRecord(cem))
		w.same("ann's feed with bob and cem", len(w.feedOf(ann)), 2)
	})
	s.empty("a first request makes a user who is shown", func(w *world) {
		w.useUsers(feed.UsersImplicit)
		placeholder := &feed.User{ID: bob, CreatedAt: noon}
		w.same("the placeholder", w.ensured(placeholder), placeholder)
		w.same("the user", w.usersOf(bob), []*feed.User{placeholder})
		w.same("the absent users", w.report().Absent, feed.AbsentUsers{Awaited: 1, Oldest: awaited(bob)})
		w.same("the user who signs in", w.ensured(newUser(bob)), newUser(bob))
		w.same("the user with the handle", w.byHandle(newUser(bob).Handle), newUser(bob))
		w.same("the absent users at the end", w.report().Absent, feed.AbsentUsers{})
	})
	s.empty("a change of the mode shows or hides users without a record only", func(w *world) {
		w.ingest(userRecord(ann), userRecord(cem), followRecord(ann, bob), followRecord(ann, cem), postRecord(1, bob), postRecord(2, cem), gone(userRecord(cem)))
		w.ingest(postRecord(3, dee))
		check(w.Profiles.DeleteAccount(w.ctx, dee, noon))
		generation := w.viewerVersion(ann).Generation
		for _, want := range []struct {
			mode feed.UserMode
			feed []feed.Key
			bob  *feed.User
		}{
			{feed.UsersImplicit, []feed.Key{{TS: noon, ID: 1}}, &feed.User{ID: bob}},
			{feed.UsersExplicit, nil, nil},
			{feed.UsersImplicit, []feed.Key{{TS: noon, ID: 1}}, &feed.User{ID: bob}},
		} {
			w.useUsers(want.mode)
			w.same("ann's feed with "+string(want.mode)+" users", w.feedOf(ann), want.feed)
			w.same("the users", w.usersOf(bob, cem, dee), []*feed.User{want.bob, nil, nil})
			w.same("the absent users", w.report().Absent, feed.AbsentUsers{Awaited: 1, TakenBack: 1, Oldest: awaited(bob)})
			raised := w.viewerVersion(ann).Generation
			w.same("whether the generation rose", raised > generation, true)
			generation = raised
		}
	})
	// The test changes the mode while batches name new users. In the end all of them must be
	// as the last mode says.
	s.empty("a change of the mode waits for new placeholders", func(w *world) {
		const writers, batches = 4, 6
		var wg sync.WaitGroup
		errs := make(chan error, writers*batches)
		for i := range writers {
			wg.Go(func() {
				for j := range batches {
					follower := feed.UserID(1000*i + 10*j + 1)
					_, err := w.Ingester.Ingest(w.ctx, batchOf([]feed.Record{followRecord(follower, follower+1), followRecord(follower, follower+2)}))
					errs <- err
				}
			})
		}
		for range 2 {
			w.useUsers(feed.UsersImplicit)
			w.useUsers(feed.UsersExplicit)
		}
		w.useUsers(feed.UsersImplicit)
		wg.Wait()
		close(errs)
		for err := range errs {
			check(err)
		}
		var users []feed.UserID
		for i := range writers {
			for j := range batches {
				first := feed.UserID(1000*i + 10*j + 1)
				users = append(users, first, first+1, first+2)
			}
		}
		for i, u := range w.usersOf(users...) {
			w.failIf(u == nil, "user %s is not shown", users[i])
		}
		w.same("the number of awaited users", w.report().Absent.Awaited, len(users))
	})
	s.empty("an unknown user who is made absent is hidden", func(w *world) {
		w.useUsers(feed.UsersImplicit)
		w.ingest(followRecord(ann, bob), postRecord(1, bob))
		w.absent(bob, cem)
		w.same("the users", w.usersOf(bob, cem), []*feed.User{nil, nil})
		w.useUsers(feed.UsersExplicit)
		w.useUsers(feed.UsersImplicit)
		w.same("the users after two changes of the mode", w.usersOf(ann, bob, cem), []*feed.User{{ID: ann}, nil, nil})
		w.present(bob)
		w.same("ann's feed", w.feedOf(ann), []feed.Key{{TS: noon, ID: 1}})
	})
	implicitRoundTrip(s)
}

// useUsers sets the mode of users.
func (w *world) useUsers(mode feed.UserMode) {
	got, _ := must2(w.Presence.UseUsers(w.ctx, feed.UserModeChange{Want: mode, Was: feed.UsersImplicit}))
	w.same("the mode of users", got, mode)
}

// implicitRoundTrip exports from a store with implicit users. In a store with explicit users, users
// without a record are hidden until its mode changes.
func implicitRoundTrip(s storeSuite) {
	var list []feed.Record
	whole := []feed.Key{{TS: noon, ID: 1}}
	s.empty("export implicit users", func(w *world) {
		w.useUsers(feed.UsersImplicit)
		w.ingest(followRecord(ann, bob), postRecord(1, bob), followRecord(ann, cem), postRecord(2, cem), gone(userRecord(cem)))
		w.same("ann's feed", w.feedOf(ann), whole)
		list = w.exports()
	})
	s.empty("import implicit users", func(w *world) {
		again := batchOf(list)
		again.Bulk = true
		w.same("bad records", w.ingests(again).Bad, []feed.BadRecord(nil))
		w.same("the users", w.usersOf(ann, bob, cem), []*feed.User{nil, nil, nil})
		w.useUsers(feed.UsersImplicit)
		w.exportIs(list...)
		w.same("ann's feed", w.feedOf(ann), whole)
		w.ingest(userRecord(ann))
		known := batchOf(list)
		known.Bulk = true
		w.same("what changes at the second time", len(w.ingests(known).Users), 0)
	})
}

// activityPromises checks the promises of [feed.Activity].
func activityPromises(s storeSuite) {
	s.promise("a lease lasts for the given duration from now", func(w *world) {
		for _, d := range []time.Duration{-2 * time.Hour, 0, 1500 * time.Millisecond, time.Hour, 30 * 24 * time.Hour} {
			lease := w.renew(ann, d)
			w.same("the length of the lease", time.Duration(lease.Until-lease.Now)*time.Millisecond, d)
		}
	})
	s.promise("a lease is never shortened, and each user has their own", func(w *world) {
		until := w.renew(ann, 2*time.Hour).Until
		lease := w.renew(bob, time.Hour)
		w.same("the end of bob's lease", lease.Until, lease.Now+hour)
		for _, d := range []time.Duration{time.Hour, 0, -time.Hour} {
			w.same("the end of the lease", w.renew(ann, d).Until, until)
		}
		longer := w.renew(ann, 3*time.Hour)
		w.same("the end of the longer lease", longer.Until, longer.Now+3*hour)
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
