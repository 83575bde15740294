package feedtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// CachingInboxStore are inboxes with a viewer cache.
type CachingInboxStore interface {
	InboxStore
	feed.SharedViewerCache
}

// SharedViewerCache checks an implementation of [feed.SharedViewerCache] against the comments of the port. open
// returns an empty store whose inboxes have at most cap entries. It is called for every subtest and
// closes the store through t.Cleanup.
func SharedViewerCache(t *testing.T, open func(t *testing.T, cap int) CachingInboxStore) {
	for promise, check := range map[string]func(noteTest){
		"At first there is no cached state":                              noteOfStrangers,
		"A note comes with the inbox as it is read without":              noteComesAlong,
		"State is cached for viewers without an inbox":                   noteWithoutInbox,
		"The last state is cached, for each viewer their own":            noteLast,
		"A note may hold any bytes, and thousands of them":               noteOfAnyBytes,
		"Changes of an inbox keep the cached state, and walks ignore it": noteStays,
		"Remove drops the note":                                          noteRemoved,
		"Notes that are kept and read at once are each of one viewer":    notesAtOnce,
		"A context that has ended is an error":                           noteContext,
	} {
		t.Run(promise, func(t *testing.T) {
			store := open(t, 5)
			check(noteTest{inboxTest{T: t, store: store, cap: 5}, store})
		})
	}
}

// noteTest is the environment of a case.
type noteTest struct {
	inboxTest
	notes feed.SharedViewerCache
}

// keepNote is so long that no entry expires within a test.
const keepNote = time.Hour

func (t noteTest) note(viewer feed.UserID, note string) {
	if err := t.notes.PutCached(t.Context(), viewer, []byte(note), keepNote); err != nil {
		t.Helper()
		t.Fatalf("PutCached(%d): %v", viewer, err)
	}
}

// wantNote compares the cached state of a viewer, and checks that a read of the inbox returns it
// too.
func (t noteTest) wantNote(viewer feed.UserID, want string) {
	t.Helper()
	in, note, err := t.notes.ReadCached(t.Context(), viewer, wholeInbox())
	if err != nil {
		t.Fatalf("ReadCached(%d): %v", viewer, err)
	}
	if string(note) != want {
		t.Errorf("of viewer %d is noted %.40q, want %.40q", viewer, note, want)
	}
	t.same("the inbox with cached state", t.read(viewer, wholeInbox()), in)
}

func noteOfStrangers(t noteTest) {
	t.wantNote(viewerA, "")
	t.ready(viewerB, keyAt(1, 1))
	t.wantNote(viewerB, "")
}

func noteComesAlong(t noteTest) {
	keys := []feed.Key{keyAt(4, 4), keyAt(3, 3), keyAt(2, math.MaxInt64), keyAt(2, 2), keyAt(1, 1)}
	t.ready(viewerA, keys...)
	t.note(viewerA, "a note")
	t.wantNote(viewerA, "a note")
	for _, r := range rangesOf(keys) {
		in, note, err := t.notes.ReadCached(t.Context(), viewerA, r)
		if err != nil || string(note) != "a note" {
			t.Fatalf("%+v is read with the note %q, %v", r, note, err)
		}
		t.same("the range with cached state", t.read(viewerA, r), in)
	}
}

func noteWithoutInbox(t noteTest) {
	t.note(viewerA, "a note")
	t.wantNote(viewerA, "a note")
	t.building(viewerA)
	t.wantNote(viewerA, "a note")
}

func noteLast(t noteTest) {
	t.note(viewerA, "the first, which is long")
	t.note(viewerB, "another's")
	t.note(viewerA, "the last")
	t.wantNote(viewerA, "the last")
	t.wantNote(viewerB, "another's")
}

func noteOfAnyBytes(t noteTest) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	long := string(bytes.Repeat(all, 32))
	t.ready(viewerA, keyAt(1, 1))
	t.note(viewerA, long)
	t.wantNote(viewerA, long)
	t.note(viewerA, "\x00")
	t.wantNote(viewerA, "\x00")
}

func noteStays(t noteTest) {
	t.note(viewerB, "an absent inbox")
	t.ready(viewerA, keyAt(1, 1))
	t.note(viewerA, "a note")
	for n := range int64(2 * t.cap) {
		t.push(keyAt(2+n, 2), viewerA, viewerB)
	}
	if _, err := t.store.Amend(t.Context(), viewerA, feed.Amendment{Token: "one", Version: 1, NewVersion: 2}); err != nil {
		t.Fatal(err)
	}
	t.same("who is met on a walk", []feed.UserID{viewerA}, t.meets("", 1000, nil))
	if err := t.store.Trim(t.Context(), []feed.UserID{viewerA, viewerB}, 1); err != nil {
		t.Fatal(err)
	}
	t.wantNote(viewerA, "a note")
	t.wantNote(viewerB, "an absent inbox")
}

func noteRemoved(t noteTest) {
	t.ready(viewerA, keyAt(1, 1))
	for _, viewer := range []feed.UserID{viewerA, viewerB} {
		t.note(viewer, "a note")
		t.remove(viewer)
		t.wantNote(viewer, "")
	}
}

func notesAtOnce(t noteTest) {
	const viewers, rounds = 40, 5
	for v := range feed.UserID(viewers) {
		t.ready(1+v, keyAt(1, int64(1+v)))
	}
	var all sync.WaitGroup
	for v := range feed.UserID(viewers) {
		all.Go(func() {
			for n := range rounds {
				want := fmt.Sprintf("note %d of %d", n, v)
				if err := t.notes.PutCached(t.Context(), 1+v, []byte(want), keepNote); err != nil {
					t.Error(err)
				}
				in, note, err := t.notes.ReadCached(t.Context(), 1+v, wholeInbox())
				if err != nil || string(note) != want || len(in.Keys) != 1 || in.Keys[0].ID != int64(1+v) {
					t.Errorf("of viewer %d are read %+v and %q, %v", 1+v, in, note, err)
				}
			}
		})
	}
	all.Wait()
}

func noteContext(t noteTest) {
	t.note(viewerA, "a note")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := t.notes.ReadCached(ctx, viewerA, wholeInbox()); !errors.Is(err, context.Canceled) {
		t.Errorf("ReadCached returned %v, not the context's error", err)
	}
	if err := t.notes.PutCached(ctx, viewerA, []byte("another"), keepNote); !errors.Is(err, context.Canceled) {
		t.Errorf("PutCached returned %v, not the context's error", err)
	}
	t.wantNote(viewerA, "a note")
}
