package feedtest

import (
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

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
