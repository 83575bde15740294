package feedtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
)

// Inboxes checks an implementation of [feed.Inboxes] and [feed.InboxTrimmer] against the comments of
// the ports. open returns an empty store whose inboxes have at most cap entries. It is called for
// every subtest and closes the store through t.Cleanup.
func Inboxes(t *testing.T, open func(t *testing.T, cap int) InboxStore) {
	for _, g := range []struct {
		name  string
		check func(s inboxSuite)
	}{
		{"Begin", inboxBeginCases},
		{"Finish", inboxFinishCases},
		{"Merge", inboxMergeCases},
		{"Remove", inboxRemoveCases},
		{"Push", inboxPushCases},
		{"Cap", inboxCapCases},
		{"Exactness", inboxExactCases},
		{"Warmth", inboxWarmthCases},
		{"Amend", inboxAmendCases},
		{"Refusals", inboxRefusalCases},
		{"Room", inboxRoomCases},
		{"Read", inboxReadCases},
		{"Bounds", inboxBoundCases},
		{"Paging", inboxPagingCases},
		{"Walk", inboxWalkCases},
		{"Trim", inboxTrimCases},
		{"Context", inboxContextCases},
		{"Concurrency", inboxConcurrencyCases},
		{"Concurrent amendments", inboxAmendmentRaceCases},
		{"Model", inboxModelCases},
	} {
		t.Run(g.name, func(t *testing.T) { g.check(inboxSuite{t, open}) })
	}
}

// inboxSuite is a list of promises of the port. Each is a subtest with a store of its own.
type inboxSuite struct {
	t    *testing.T
	open func(t *testing.T, cap int) InboxStore
}

func (s inboxSuite) promise(name string, cap int, check func(t inboxTest)) {
	s.t.Run(name, protected(func(t *testing.T) { check(inboxTest{T: t, store: s.open(t, cap), cap: cap}) }))
}

// inboxTest is the environment of a case. Its methods stop the test on an error, so call them from
// the test's goroutine.
type inboxTest struct {
	*testing.T
	store InboxStore
	cap   int
}

// viewerA and viewerB are the viewers of the cases; viewerA's id needs all 63 bits.
const (
	viewerA = feed.UserID(math.MaxInt64)
	viewerB = feed.UserID(42)
)

// warmUntil is the time until which the inboxes of [inboxTest.ready] are warm.
const warmUntil int64 = 1_700_000_000_000

// wholeInbox returns the range of all keys, newest first. Its limit exceeds the cap of every case.
func wholeInbox() feed.Range { return feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1000} }

// keyAt returns the key of a post. n distinguishes posts with the same publish time.
func keyAt(ts, n int64) feed.Key { return feed.Key{TS: ts, ID: n} }

func (t inboxTest) read(viewer feed.UserID, r feed.Range) feed.Inbox {
	return must(t.store.Read(t.Context(), viewer, r))
}

func (t inboxTest) push(k feed.Key, viewers ...feed.UserID) {
	t.same("viewers served", len(viewers), must(t.store.Push(t.Context(), viewers, k)))
}

// pushEach pushes keys to viewer A, one by one.
func (t inboxTest) pushEach(keys ...feed.Key) {
	for _, k := range keys {
		t.push(k, viewerA)
	}
}

func (t inboxTest) begin(viewer feed.UserID, m feed.BuildHeader, staleBefore int64) bool {
	return must(t.store.BeginBuild(t.Context(), viewer, m, staleBefore))
}

func (t inboxTest) finish(viewer feed.UserID, token string, b feed.Build) bool {
	return must(t.store.FinishBuild(t.Context(), viewer, token, b))
}

func (t inboxTest) remove(viewer feed.UserID) { check(t.store.Remove(t.Context(), viewer)) }

// building gives the viewer an empty inbox that is building under the token "one".
func (t inboxTest) building(viewer feed.UserID) {
	t.same("whether a build begins", true, t.begin(viewer, feed.BuildHeader{Token: "one", Generation: 1, StartedAt: 1000}, 0))
}

// ready gives the viewer a complete inbox with the keys. Its token is "one"; its generation and
// version are 1.
func (t inboxTest) ready(viewer feed.UserID, keys ...feed.Key) {
	t.building(viewer)
	t.same("whether a build ends", true, t.finish(viewer, "one", feed.Build{Keys: keys, Floor: feed.Bottom, Version: 1, WarmUntil: warmUntil}))
}

// want compares a whole inbox.
func (t inboxTest) want(viewer feed.UserID, want feed.Inbox) {
	t.same("the inbox", want, t.read(viewer, wholeInbox()))
}

// wantKeys compares the floor, the entries, newest first, and their count.
func (t inboxTest) wantKeys(viewer feed.UserID, floor feed.Key, keys ...feed.Key) {
	in := t.read(viewer, wholeInbox())
	t.same("floor", floor, in.Floor)
	t.same("keys", keys, in.Keys)
	t.same("count", len(keys), in.Count)
}

func (t inboxTest) same(what string, want, got any) { same(t.T, what, got, want) }

// inboxDiff describes how two results differ. Nil and empty keys are equal.
func inboxDiff(want, got any) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

// reversed returns the keys in reverse order.
func reversed(keys []feed.Key) []feed.Key {
	keys = slices.Clone(keys)
	slices.Reverse(keys)
	return keys
}

func inboxContextCases(s inboxSuite) {
	s.promise("Every method refuses an ended context and changes nothing", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		before := t.read(viewerA, wholeInbox())
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for method, err := range map[string]error{
			"Read":        errorOf(t.store.Read(ctx, viewerA, wholeInbox())),
			"Push":        errorOf(t.store.Push(ctx, []feed.UserID{viewerA}, keyAt(2, 2))),
			"BeginBuild":  errorOf(t.store.BeginBuild(ctx, viewerA, feed.BuildHeader{Token: "two"}, 0)),
			"FinishBuild": errorOf(t.store.FinishBuild(ctx, viewerA, "one", feed.Build{})),
			"Amend":       errorOf(t.store.Amend(ctx, viewerA, feed.Amendment{Token: "one", Version: 1, NewVersion: 2})),
			"Walk":        errorOf2(t.store.Walk(ctx, "", 1)),
			"Trim":        t.store.Trim(ctx, []feed.UserID{viewerA}, 2),
			"Remove":      t.store.Remove(ctx, viewerA),
		} {
			failIf(t, !errors.Is(err, context.Canceled), "%s: got error %v, want the context's error", method, err)
		}
		t.want(viewerA, before)
	})
}

func inboxBeginCases(s inboxSuite) {
	s.promise("An inbox that was never built is absent", 5, func(t inboxTest) { t.want(viewerA, feed.Inbox{}) })
	s.promise("Begin creates an empty inbox that is building, with floor Bottom", 5, func(t inboxTest) {
		header := feed.BuildHeader{Token: "one", Generation: math.MaxInt64, StartedAt: 1000}
		t.same("began", true, t.begin(viewerA, header, 0))
		t.want(viewerA, feed.Inbox{State: feed.InboxBuilding, Token: "one", Generation: math.MaxInt64})
	})
	s.promise("Finish makes the inbox ready, complete to the version of the build", 5, func(t inboxTest) {
		t.building(viewerA)
		done := t.finish(viewerA, "one", feed.Build{
			Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2)}, Floor: keyAt(10, 1), Version: math.MaxInt64,
		})
		t.same("finished", true, done)
		t.want(viewerA, feed.Inbox{
			State: feed.InboxReady, Token: "one", Generation: 1, Version: math.MaxInt64,
			Floor: keyAt(10, 1), Count: 2, Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2)},
		})
	})
	s.promise("A build that finds nothing is ready and empty, not absent", 5, func(t inboxTest) {
		t.ready(viewerA)
		t.want(viewerA, feed.Inbox{State: feed.InboxReady, Token: "one", Generation: 1, Version: 1, WarmUntil: warmUntil})
	})
	s.promise("Begin is refused and changes nothing during a recent build", 5, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(1, 1), viewerA)
		before := t.read(viewerA, wholeInbox())
		t.same("began", false, t.begin(viewerA, feed.BuildHeader{Token: "two", Generation: 2, StartedAt: 2000}, 999))
		t.want(viewerA, before)
	})
	s.promise("Begin replaces a build that began at or before staleBefore", 5, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(1, 1), viewerA)
		t.same("began", true, t.begin(viewerA, feed.BuildHeader{Token: "two", Generation: 2, StartedAt: 2000}, 1000))
		t.want(viewerA, feed.Inbox{State: feed.InboxBuilding, Token: "two", Generation: 2})
	})
	s.promise("Begin replaces a ready inbox of any age", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.same("began", true, t.begin(viewerA, feed.BuildHeader{Token: "two", Generation: 2, StartedAt: 1000}, 0))
		t.want(viewerA, feed.Inbox{State: feed.InboxBuilding, Token: "two", Generation: 2})
	})
	s.promise("Begin resets the floor to Bottom", 2, func(t inboxTest) {
		t.building(viewerA)
		for n := range int64(5) {
			t.push(keyAt(n, n+1), viewerA)
		}
		t.same("began", true, t.begin(viewerA, feed.BuildHeader{Token: "two", StartedAt: 1000}, 1000))
		t.push(keyAt(0, 1), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(0, 1))
	})
}

func inboxRemoveCases(s inboxSuite) {
	s.promise("Remove deletes the inbox, ready or building, and pushes do not restore it", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.building(viewerB)
		t.remove(viewerA)
		t.remove(viewerB)
		t.push(keyAt(2, 2), viewerA, viewerB)
		t.want(viewerA, feed.Inbox{})
		t.want(viewerB, feed.Inbox{})
	})
	s.promise("Removing an absent inbox changes nothing", 5, func(t inboxTest) {
		t.remove(viewerA)
		t.want(viewerA, feed.Inbox{})
	})
	s.promise("A removed inbox can be built again", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.remove(viewerA)
		t.ready(viewerA, keyAt(2, 2))
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2))
	})
	s.promise("A build changes only its viewer's inbox", 5, func(t inboxTest) {
		t.ready(viewerB, keyAt(1, 1))
		before := t.read(viewerB, wholeInbox())
		t.ready(viewerA, keyAt(2, 2))
		t.remove(viewerA)
		t.want(viewerB, before)
	})
}

func inboxFinishCases(s inboxSuite) {
	s.promise("Finish is refused and changes nothing with another build's token", 5, func(t inboxTest) {
		t.building(viewerA)
		before := t.read(viewerA, wholeInbox())
		t.same("finished", false, t.finish(viewerA, "two", feed.Build{Keys: []feed.Key{keyAt(1, 1)}, Version: 7}))
		t.want(viewerA, before)
	})
	s.promise("Finish is refused if another build has replaced this one", 5, func(t inboxTest) {
		t.building(viewerA)
		t.begin(viewerA, feed.BuildHeader{Token: "two", StartedAt: 2000}, 1000)
		t.same("finished by the first", false, t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(1, 1)}}))
		t.same("finished by the second", true, t.finish(viewerA, "two", feed.Build{Keys: []feed.Key{keyAt(2, 2)}}))
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2))
	})
	s.promise("Finish is refused and changes nothing if the inbox is ready", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		before := t.read(viewerA, wholeInbox())
		t.same("finished", false, t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(2, 2)}, Version: 9}))
		t.want(viewerA, before)
	})
	s.promise("Finish is refused and creates nothing if the inbox is absent", 5, func(t inboxTest) {
		t.same("finished", false, t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(1, 1)}}))
		t.want(viewerA, feed.Inbox{})
	})
}

func inboxMergeCases(s inboxSuite) {
	s.promise("Keys pushed during a build are merged with those of the build", 5, func(t inboxTest) {
		t.building(viewerA)
		t.pushEach(keyAt(20, 2), keyAt(40, 4))
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2), keyAt(10, 1)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(40, 4), keyAt(30, 3), keyAt(20, 2), keyAt(10, 1))
	})
	s.promise("Finish accepts keys in any order, and duplicates", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(10, 1), keyAt(30, 3), keyAt(10, 1), keyAt(20, 2)}})
		t.wantKeys(viewerA, feed.Bottom, keyAt(30, 3), keyAt(20, 2), keyAt(10, 1))
	})
	s.promise("Finish keeps a higher floor of earlier trims", 2, func(t inboxTest) {
		t.building(viewerA)
		t.pushEach(keyAt(30, 3), keyAt(40, 4), keyAt(50, 5))
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(20, 2)}, Floor: keyAt(10, 1)})
		t.wantKeys(viewerA, keyAt(30, 3), keyAt(50, 5), keyAt(40, 4))
	})
	s.promise("Finish applies a higher floor of the build and removes pushed keys at or below it", 5, func(t inboxTest) {
		t.building(viewerA)
		t.pushEach(keyAt(10, 1), keyAt(20, 2), keyAt(20, 3), keyAt(20, 10), keyAt(30, 4))
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(40, 5)}, Floor: keyAt(20, 3)})
		t.wantKeys(viewerA, keyAt(20, 3), keyAt(40, 5), keyAt(30, 4), keyAt(20, 10))
	})
	s.promise("Finish drops keys of the build at or below its own floor", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2), keyAt(20, 10), keyAt(10, 1)}, Floor: keyAt(20, 2)})
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(30, 3), keyAt(20, 10))
	})
	s.promise("Finish trims to the cap and raises the floor to the newest entry it leaves out", 2, func(t inboxTest) {
		t.building(viewerA)
		t.push(keyAt(25, 9), viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: []feed.Key{keyAt(30, 3), keyAt(20, 2), keyAt(10, 1)}, Floor: keyAt(5, 5)})
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(30, 3), keyAt(25, 9))
	})
	s.promise("Finish accepts many keys", 700, func(t inboxTest) {
		var keys []feed.Key
		for n := int64(900); n > 0; n-- {
			keys = append(keys, keyAt(n/3, n))
		}
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Keys: keys})
		t.wantKeys(viewerA, keys[700], keys[:700]...)
	})
}

func inboxPushCases(s inboxSuite) {
	s.promise("A push reaches inboxes that are building and inboxes that are ready", 5, func(t inboxTest) {
		t.ready(viewerA)
		t.building(viewerB)
		t.push(keyAt(1, 1), viewerA, viewerB)
		t.wantKeys(viewerA, feed.Bottom, keyAt(1, 1))
		t.wantKeys(viewerB, feed.Bottom, keyAt(1, 1))
	})
	s.promise("A push changes neither state, token, generation, version nor warmth", 5, func(t inboxTest) {
		t.ready(viewerA)
		want := t.read(viewerA, wholeInbox())
		want.Count, want.Keys = 1, []feed.Key{keyAt(1, 1)}
		t.push(keyAt(1, 1), viewerA)
		t.want(viewerA, want)
	})
	s.promise("A push to an absent inbox has no effect, and the viewer counts as served", 5, func(t inboxTest) {
		t.push(keyAt(1, 1), viewerA)
		t.want(viewerA, feed.Inbox{})
		t.ready(viewerA)
		t.wantKeys(viewerA, feed.Bottom)
	})
	s.promise("A push at or below the floor has no effect, and one just above it is stored", 5, func(t inboxTest) {
		t.building(viewerA)
		t.finish(viewerA, "one", feed.Build{Floor: keyAt(20, 627)})
		t.pushEach(keyAt(20, 627), keyAt(20, 99), keyAt(19, math.MaxInt64), keyAt(20, 1673))
		t.wantKeys(viewerA, keyAt(20, 627), keyAt(20, 1673))
	})
	s.promise("A key that is pushed twice is stored once", 5, func(t inboxTest) {
		t.ready(viewerA, keyAt(1, 1))
		t.pushEach(keyAt(1, 1), keyAt(2, 2), keyAt(2, 2))
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
	s.promise("A key that is pushed twice into a full inbox trims nothing", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(2, 2), keyAt(1, 1))
		t.push(keyAt(2, 2), viewerA)
		t.wantKeys(viewerA, feed.Bottom, keyAt(2, 2), keyAt(1, 1))
	})
}

func inboxCapCases(s inboxSuite) {
	s.promise("Above the cap, the oldest entry is trimmed and the floor rises to it", 3, func(t inboxTest) {
		t.ready(viewerA, keyAt(30, 3), keyAt(20, 2), keyAt(10, 1))
		t.push(keyAt(40, 4), viewerA)
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(40, 4), keyAt(30, 3), keyAt(20, 2))
		t.push(keyAt(50, 5), viewerA)
		t.wantKeys(viewerA, keyAt(20, 2), keyAt(50, 5), keyAt(40, 4), keyAt(30, 3))
	})
	s.promise("A pushed key older than all entries of a full inbox becomes the floor", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(30, 3), keyAt(20, 2))
		t.push(keyAt(10, 1), viewerA)
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(30, 3), keyAt(20, 2))
	})
	s.promise("A trimmed key cannot be pushed again", 2, func(t inboxTest) {
		t.ready(viewerA, keyAt(20, 2), keyAt(10, 1))
		t.pushEach(keyAt(30, 3), keyAt(10, 1))
		t.wantKeys(viewerA, keyAt(10, 1), keyAt(30, 3), keyAt(20, 2))
	})
	s.promise("Of entries in one millisecond, the one with the numerically smallest id is trimmed", 3, func(t inboxTest) {
		t.ready(viewerA, keyAt(7, 10833), keyAt(7, 627), keyAt(7, math.MaxInt64))
		t.push(keyAt(7, 19671), viewerA)
		t.wantKeys(viewerA, keyAt(7, 627), keyAt(7, math.MaxInt64), keyAt(7, 19671), keyAt(7, 10833))
		t.push(keyAt(7, 1673), viewerA)
		t.wantKeys(viewerA, keyAt(7, 1673), keyAt(7, math.MaxInt64), keyAt(7, 19671), keyAt(7, 10833))
	})
}

func inboxExactCases(s inboxSuite) {
	s.promise("Ids that are equal as floating-point numbers are different entries", 9, func(t inboxTest) {
		t.ready(viewerA)
		for _, id := range []int64{1 << 53, 1<<53 + 1, 1e18 - 1, 1e18, math.MaxInt64 - 1, math.MaxInt64} {
			t.push(keyAt(7, id), viewerA)
		}
		t.wantKeys(viewerA, feed.Bottom, keyAt(7, math.MaxInt64), keyAt(7, math.MaxInt64-1),
			keyAt(7, 1e18), keyAt(7, 1e18-1), keyAt(7, 1<<53+1), keyAt(7, 1<<53))
	})
	s.promise("Times from the epoch to the maximum are stored exactly", 9, func(t inboxTest) {
		t.ready(viewerA)
		keys := []feed.Key{
			keyAt(feed.MaxTime, 1), keyAt(feed.MaxTime-1, 2), keyAt(1700000000000, 3), keyAt(1689089522123, 4), keyAt(1, 5), keyAt(0, 6),
		}
		t.pushEach(keys...)
		t.wantKeys(viewerA, feed.Bottom, keys...)
	})
	s.promise("A floor at a round time is stored exactly", 1, func(t inboxTest) {
		t.ready(viewerA, keyAt(1700000000000, 1))
		t.push(keyAt(1800000000000, 2), viewerA)
		t.wantKeys(viewerA, keyAt(1700000000000, 1), keyAt(1800000000000, 2))
	})
	s.promise("One push serves many viewers and returns their number", 5, func(t inboxTest) {
		const many = 300
		var viewers []feed.UserID
		for v := feed.UserID(1); v <= many; v++ {
			viewers = append(viewers, v)
			if v%3 == 0 {
				t.building(v)
			}
		}
		t.push(keyAt(1, 1), viewers...)
		for _, v := range viewers {
			want := feed.Inbox{}
			if v%3 == 0 {
				want = feed.Inbox{State: feed.InboxBuilding, Token: "one", Generation: 1, Count: 1, Keys: []feed.Key{keyAt(1, 1)}}
			}
			t.want(v, want)
		}
	})
	s.promise("A push without recipients serves none", 5, func(t inboxTest) { t.push(keyAt(1, 1)) })
}
