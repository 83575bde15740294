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
