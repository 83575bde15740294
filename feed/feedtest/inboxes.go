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
	groups := []struct {
		name  string
		cases []inboxCase
	}{
		{"Begin", inboxBeginCases()},
		{"Finish", inboxFinishCases()},
		{"Merge", inboxMergeCases()},
		{"Remove", inboxRemoveCases()},
		{"Push", inboxPushCases()},
		{"Cap", inboxCapCases()},
		{"Exactness", inboxExactCases()},
		{"Warmth", inboxWarmthCases()},
		{"Amend", slices.Concat(inboxAmendCases(), inboxAmendEntryCases())},
		{"Refusals", inboxRefusalCases()},
		{"Room", inboxRoomCases()},
		{"Read", inboxReadCases()},
		{"Bounds", inboxBoundCases()},
		{"Paging", inboxPagingCases()},
		{"Walk", inboxWalkCases()},
		{"Trim", slices.Concat(inboxTrimCases(), inboxTrimViewerCases())},
		{"Context", inboxContextCases()},
		{"Concurrency", inboxConcurrencyCases()},
		{"Concurrent amendments", inboxAmendmentRaceCases()},
		{"Model", inboxModelCases()},
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			for _, c := range g.cases {
				t.Run(c.promise, func(t *testing.T) {
					c.check(inboxTest{T: t, store: open(t, c.cap), cap: c.cap})
				})
			}
		})
	}
}

// inboxCase is one promise of the port.
type inboxCase struct {
	promise string
	cap     int
	check   func(inboxTest)
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
	in, err := t.store.Read(t.Context(), viewer, r)
	if err != nil {
		t.Fatalf("Read(%d, %+v): %v", viewer, r, err)
	}
	return in
}

func (t inboxTest) push(k feed.Key, viewers ...feed.UserID) {
	n, err := t.store.Push(t.Context(), viewers, k)
	if err != nil || n != len(viewers) {
		t.Fatalf("Push(%v, %v): served %d of %d viewers, error %v", viewers, k, n, len(viewers), err)
	}
}

func (t inboxTest) begin(viewer feed.UserID, m feed.BuildHeader, staleBefore int64) bool {
	began, err := t.store.BeginBuild(t.Context(), viewer, m, staleBefore)
	if err != nil {
		t.Fatalf("BeginBuild(%d, %+v): %v", viewer, m, err)
	}
	return began
}

func (t inboxTest) finish(viewer feed.UserID, token string, b feed.Build) bool {
	finished, err := t.store.FinishBuild(t.Context(), viewer, token, b)
	if err != nil {
		t.Fatalf("FinishBuild(%d, %q, %+v): %v", viewer, token, b, err)
	}
	return finished
}

func (t inboxTest) remove(viewer feed.UserID) {
	if err := t.store.Remove(t.Context(), viewer); err != nil {
		t.Fatalf("Remove(%d): %v", viewer, err)
	}
}

// building gives the viewer an empty inbox that is building under the token "one".
func (t inboxTest) building(viewer feed.UserID) {
	if !t.begin(viewer, feed.BuildHeader{Token: "one", Generation: 1, StartedAt: 1000}, 0) {
		t.Fatalf("BeginBuild for viewer %d was refused, but no build was running", viewer)
	}
}

// ready gives the viewer a complete inbox with the keys. Its token is "one"; its generation and
// version are 1.
func (t inboxTest) ready(viewer feed.UserID, keys ...feed.Key) {
	t.building(viewer)
	if !t.finish(viewer, "one", feed.Build{Keys: keys, Floor: feed.Bottom, Version: 1, WarmUntil: warmUntil}) {
		t.Fatalf("FinishBuild for viewer %d was refused", viewer)
	}
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

func (t inboxTest) same(what string, want, got any) {
	if diff := inboxDiff(want, got); diff != "" {
		t.Errorf("%s: mismatch (-want +got):\n%s", what, diff)
	}
}

// inboxDiff describes how two results differ. Nil and empty keys are equal.
func inboxDiff(want, got any) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

// reversed returns the keys in reverse order.
func reversed(keys []feed.Key) []feed.Key {
	keys = slices.Clone(keys)
	slices.Reverse(keys)
	return keys
}

func inboxContextCases() []inboxCase {
	return []inboxCase{
		{"Every method refuses an ended context and changes nothing", 5, func(t inboxTest) {
			t.ready(viewerA, keyAt(1, 1))
			before := t.read(viewerA, wholeInbox())
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			errs := map[string]error{}
			_, errs["Read"] = t.store.Read(ctx, viewerA, wholeInbox())
			_, errs["Push"] = t.store.Push(ctx, []feed.UserID{viewerA}, keyAt(2, 2))
			_, errs["BeginBuild"] = t.store.BeginBuild(ctx, viewerA, feed.BuildHeader{Token: "two"}, 0)
			_, errs["FinishBuild"] = t.store.FinishBuild(ctx, viewerA, "one", feed.Build{})
			_, errs["Amend"] = t.store.Amend(ctx, viewerA, feed.Amendment{Token: "one", Version: 1, NewVersion: 2})
			_, _, errs["Walk"] = t.store.Walk(ctx, "", 1)
			errs["Trim"] = t.store.Trim(ctx, []feed.UserID{viewerA}, 2)
			errs["Remove"] = t.store.Remove(ctx, viewerA)
			for method, err := range errs {
				if !errors.Is(err, context.Canceled) {
					t.Errorf("%s: got error %v, want the context's error", method, err)
				}
			}
			t.want(viewerA, before)
		}},
	}
}
