package feedtest

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

func inboxConcurrencyCases(s inboxSuite) {
	s.promise("Pushes during reads and a build lose no key above the floor", 60, func(t inboxTest) { raceInbox(t, keyAt(20, 3)) })
	s.promise("Pushes during reads and a build that trims raise the floor to the newest omitted key", 12, func(t inboxTest) {
		raceInbox(t, feed.Bottom)
	})
	s.promise("Exactly one of concurrent builds begins", 5, func(t inboxTest) {
		t.same("begun", 1, t.countTrue(func(n int) (bool, error) {
			header := feed.BuildHeader{Token: fmt.Sprint(n), StartedAt: 1000}
			return t.store.BeginBuild(t.Context(), viewerA, header, 0)
		}))
	})
	s.promise("Only one of concurrent calls finishes a build", 5, func(t inboxTest) {
		t.building(viewerA)
		t.same("finished", 1, t.countTrue(func(int) (bool, error) {
			return t.store.FinishBuild(t.Context(), viewerA, "one", feed.Build{})
		}))
	})
}

// atOnce is the number of concurrent calls of [inboxTest.countTrue].
const atOnce = 8

// countTrue calls f [atOnce] times concurrently, numbered from 0, and counts the true results.
func (t inboxTest) countTrue(f func(n int) (bool, error)) int { return count(gather(atOnce, f)) }

// raceInbox pushes to an inbox from several goroutines during reads. It finishes the build after
// half of the pushes. In any order of these calls, the result must equal the model's.
func raceInbox(t inboxTest, builtFloor feed.Key) {
	t.building(viewerA)
	pushed := raceKeys()
	build := feed.Build{Keys: []feed.Key{keyAt(15, 1001), keyAt(30, 1000), pushed[3], pushed[70]}, Floor: builtFloor, Version: 5}

	half, done := make(chan struct{}), make(chan struct{})
	var count atomic.Int64
	var others errgroup.Group
	pushers := t.pushers(pushed, func() {
		if count.Add(1) == int64(len(pushed)/2) {
			close(half)
		}
	})
	others.Go(func() error {
		select {
		case <-half:
		case <-done:
		}
		finished, err := t.store.FinishBuild(t.Context(), viewerA, "one", build)
		if err == nil && !finished {
			return errors.New("FinishBuild was refused")
		}
		return err
	})
	for range 2 {
		others.Go(func() error { return t.readUntil(done) })
	}
	err := pushers.Wait()
	close(done)
	check(errors.Join(err, others.Wait()))

	model := inboxModel{cap: t.cap, viewers: map[feed.UserID]*modelInbox{}}
	model.begin(viewerA, feed.BuildHeader{Token: "one", Generation: 1}, 0)
	model.finish(viewerA, "one", build)
	for _, k := range pushed {
		model.push([]feed.UserID{viewerA}, k)
	}
	t.want(viewerA, model.read(viewerA, wholeInbox()))
	t.want(viewerB, feed.Inbox{})
}

// pushers starts four goroutines that push the keys and call pushed after each push.
func (t inboxTest) pushers(keys []feed.Key, pushed func()) *errgroup.Group {
	var g errgroup.Group
	for some := range slices.Chunk(keys, len(keys)/4) {
		g.Go(func() error {
			for _, k := range some {
				if _, err := t.store.Push(t.Context(), []feed.UserID{viewerA, viewerB}, k); err != nil {
					return err
				}
				pushed()
			}
			return nil
		})
	}
	return &g
}

// raceKeys returns a hundred keys, four in a millisecond. New and old keys alternate.
func raceKeys() []feed.Key {
	var keys []feed.Key
	for n := range int64(100) {
		m := n * 37 % 100
		keys = append(keys, keyAt(10+m/4, m+1))
	}
	return keys
}

// readUntil reads the first viewer's inbox until done and checks its invariants.
func (t inboxTest) readUntil(done <-chan struct{}) error {
	floor := feed.Bottom
	for {
		in, err := t.store.Read(t.Context(), viewerA, wholeInbox())
		if err != nil {
			return err
		}
		switch {
		case in.State == feed.InboxAbsent:
			return errors.New("a read found the inbox absent")
		case floor.Newer(in.Floor):
			return fmt.Errorf("the floor fell from %v to %v", floor, in.Floor)
		}
		if err := t.consistent(in); err != nil {
			return err
		}
		floor = in.Floor
		select {
		case <-done:
			return nil
		default:
		}
	}
}

// consistent checks the invariants of a complete read of an inbox. It returns the first violation.
func (t inboxTest) consistent(in feed.Inbox) error {
	switch {
	case in.State == feed.InboxAbsent && inboxDiff(feed.Inbox{}, in) != "":
		return fmt.Errorf("an absent inbox has data: %+v", in)
	case in.Count != len(in.Keys) || in.Count > t.cap:
		return fmt.Errorf("the inbox has %d entries and a count of %d, with a cap of %d", len(in.Keys), in.Count, t.cap)
	case !slices.Equal(in.Keys, keysWithin(in.Keys, feed.Range{Above: in.Floor, Below: feed.Top, Limit: t.cap})):
		return fmt.Errorf("an entry is not above the floor %v: %v", in.Floor, in.Keys)
	case !slices.IsSortedFunc(in.Keys, func(a, b feed.Key) int { return b.Compare(a) }):
		return fmt.Errorf("the entries are not in feed order: %v", in.Keys)
	}
	return nil
}
