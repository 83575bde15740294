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

func inboxAmendmentRaceCases(s inboxSuite) {
	s.promise("Pushes during amendments that add and remove lose no other key", 200, func(t inboxTest) {
		var old []feed.Key
		for n := range int64(20) {
			old = append(old, keyAt(12+n, 5000+n))
		}
		raceAmendments(t, old)
	})
	s.promise("Pushes during amendments that trim raise the floor to the newest omitted key", 12, func(t inboxTest) {
		raceAmendments(t, nil)
	})
	s.promise("Exactly one of concurrent amendments of one version is accepted", 5, func(t inboxTest) {
		t.ready(viewerA)
		t.same("amended", 1, t.countTrue(func(n int) (bool, error) {
			return t.store.Amend(t.Context(), viewerA, feed.Amendment{
				Token: "one", Version: 1, NewVersion: 2, Add: []feed.Key{keyAt(int64(n), int64(n+1))},
			})
		}))
		in := t.read(viewerA, wholeInbox())
		t.same("version", int64(2), in.Version)
		t.same("entries", 1, len(in.Keys))
	})
	s.promise("Concurrent amendments that keep the version are all accepted", 9, func(t inboxTest) {
		t.ready(viewerA)
		t.same("amended", atOnce, t.countTrue(func(n int) (bool, error) {
			return t.store.Amend(t.Context(), viewerA, feed.Amendment{
				Token: "one", Version: 1, NewVersion: 1, WarmUntil: warmUntil + int64(n), Add: []feed.Key{keyAt(int64(n), int64(n+1))},
			})
		}))
		in := t.read(viewerA, wholeInbox())
		t.same("warm until", warmUntil+7, in.WarmUntil)
		t.same("entries", 8, in.Count)
	})
	s.promise("An inbox removed and rebuilt during pushes and amendments is always complete or absent", 12, raceRemovals)
}

// raceAmendments pushes one half of the keys and adds the other half by amendments during reads.
// The amendments also drop some old keys. In any order of these calls, the result must equal the
// model's.
func raceAmendments(t inboxTest, old []feed.Key) {
	t.ready(viewerA, old...)
	keys := raceKeys()
	pushed, added := keys[:len(keys)/2], keys[len(keys)/2:]
	model := inboxModel{cap: t.cap, viewers: map[feed.UserID]*modelInbox{}}
	model.begin(viewerA, feed.BuildHeader{Token: "one", Generation: 1}, 0)
	model.finish(viewerA, "one", feed.Build{Keys: old, Version: 1, WarmUntil: warmUntil})

	done := make(chan struct{})
	var readers errgroup.Group
	for range 2 {
		readers.Go(func() error { return t.readUntil(done) })
	}
	changers := t.pushers(pushed, func() {})
	for i, some := range slices.Collect(slices.Chunk(added, 10)) {
		a := feed.Amendment{Token: "one", Version: int64(i + 1), NewVersion: int64(i + 2), Add: some, Remove: old[:min(len(old), 2*i)]}
		changers.Go(func() error { return t.amendNext(a) })
		model.amend(viewerA, a)
	}
	err := changers.Wait()
	close(done)
	check(errors.Join(err, readers.Wait()))
	for _, k := range pushed {
		model.push([]feed.UserID{viewerA}, k)
	}
	t.want(viewerA, model.read(viewerA, wholeInbox()))
}

// amendNext raises the version of the first viewer's inbox by one, from any value. A refusal means
// that the store accepted another amendment.
func (t inboxTest) amendNext(a feed.Amendment) error {
	for {
		in, err := t.store.Read(t.Context(), viewerA, feed.Range{Below: feed.Top, Limit: 1})
		if err != nil {
			return err
		}
		a.Version, a.NewVersion = in.Version, in.Version+1
		if done, err := t.store.Amend(t.Context(), viewerA, a); done || err != nil {
			return err
		}
	}
}

// raceRemovals removes and rebuilds the first viewer's inbox during pushes, amendments, trims and
// reads.
func raceRemovals(t inboxTest) {
	t.ready(viewerA)
	keys := raceKeys()
	done := make(chan struct{})
	var others errgroup.Group
	for _, one := range []func(n int) error{
		func(n int) error { return t.rebuild(n, keys) },
		func(n int) error { return t.amendOnce(keys[n%90:n%90+10], keys[(n+5)%95:(n+5)%95+5]) },
		func(int) error { return t.store.Trim(t.Context(), []feed.UserID{viewerA}, 1) },
		func(int) error { return t.readOnce() },
	} {
		others.Go(func() error { return until(done, one) })
	}
	err := t.pushers(keys, func() {}).Wait()
	close(done)
	check(errors.Join(err, others.Wait(), t.readOnce()))
}

// until calls do repeatedly until done. n is the number of calls so far.
func until(done <-chan struct{}, do func(n int) error) error {
	for n := 0; ; n++ {
		if err := do(n); err != nil {
			return err
		}
		select {
		case <-done:
			return nil
		default:
		}
	}
}

// rebuild removes the first viewer's inbox and builds another.
func (t inboxTest) rebuild(n int, keys []feed.Key) error {
	header := feed.BuildHeader{Token: fmt.Sprint(n), Generation: 1, StartedAt: 1000}
	if err := t.store.Remove(t.Context(), viewerA); err != nil {
		return err
	}
	if began, err := t.store.BeginBuild(t.Context(), viewerA, header, 0); err != nil || !began {
		return fmt.Errorf("BeginBuild %d: accepted %t, error %w", n, began, err)
	}
	finished, err := t.store.FinishBuild(t.Context(), viewerA, header.Token, feed.Build{Keys: keys[:n%20], Version: 1})
	if err == nil && !finished {
		err = fmt.Errorf("FinishBuild %d was refused", n)
	}
	return err
}

// amendOnce amends the first viewer's inbox unless another call changes it first.
func (t inboxTest) amendOnce(add, remove []feed.Key) error {
	in, err := t.store.Read(t.Context(), viewerA, wholeInbox())
	if err != nil {
		return err
	}
	a := feed.Amendment{Token: in.Token, Version: in.Version, NewVersion: in.Version + 1, Add: add, Remove: remove}
	return errorOf(t.store.Amend(t.Context(), viewerA, a))
}

// readOnce reads the first viewer's inbox and checks its invariants.
func (t inboxTest) readOnce() error {
	in, err := t.store.Read(t.Context(), viewerA, wholeInbox())
	if err != nil {
		return err
	}
	return t.consistent(in)
}
