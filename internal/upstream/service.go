package upstream

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
)

// Status is what a service says of an object. The zero value is that it does not have it.
type Status int

// The statuses. An invalid answer breaks the rules of records.
const (
	NotFound Status = iota
	Found
	Gone
	Invalid
)

// Answer is the answer of a service about one object.
type Answer[V any] struct {
	Status  Status
	Version feed.ObjectVersion
	Value   V
}

// Asker makes one call. It returns one answer per reference, in order.
type Asker[V any] func(ctx context.Context, refs []feed.UpstreamRef) ([]Answer[V], error)

// Versions reads the versions of stored objects, zero for none; [feed.ObjectVersions] does.
type Versions func(ctx context.Context, objects []feed.Object) ([]feed.ObjectVersion, error)

// Options configure a [Service]. All fields are required, except those that may be nil.
type Options[V any] struct {
	CallOptions
	Ask Asker[V]
	// Versions is nil for objects without versions.
	Versions Versions
	Cache    *lrucache.Contents[feed.Object, V]
	// Gone applies deletions, and what Narrows returns; nil for objects that cannot be gone.
	Gone *Deletions
	// Narrows returns the audience that a service gives an object, and whether it is narrower than that of ref;
	// nil for objects without an audience.
	Narrows func(ref feed.UpstreamRef, value *V) (feed.PostAudience, bool)
}

// batchMax is the maximum number of references of a call, as the protocol promises.
const batchMax = 100

// Service reads from one service. It is safe for concurrent use.
type Service[V any] struct {
	Options[V]
	calls *caller

	mu sync.Mutex
	// flights are the calls under way, by object.
	flights map[feed.Object]*flight[V]
}

// flight is a call under way. Its answers are set before done is closed.
type flight[V any] struct {
	refs    []feed.UpstreamRef
	done    chan struct{}
	answers map[feed.Object]feed.Fetched[V]
}

// New returns a service.
func New[V any](o Options[V]) *Service[V] {
	return &Service[V]{Options: o, calls: newCaller(o.CallOptions), flights: map[feed.Object]*flight[V]{}}
}

// Fetch returns one answer per reference, in order. It waits until ctx is done at the latest. The
// calls go on, for others and for the cache.
func (s *Service[V]) Fetch(ctx context.Context, refs []feed.UpstreamRef) []feed.Fetched[V] {
	out := make([]feed.Fetched[V], len(refs))
	joined, began := s.join(refs, out)
	for _, f := range began {
		// A call does not end with the reader that began it.
		go s.fly(context.WithoutCancel(ctx), f)
	}
	for i, f := range joined {
		if f != nil && f.wait(ctx) {
			out[i] = f.answers[refs[i].Object]
		} else if f != nil {
			out[i] = s.instead(refs[i].Object, feed.UpstreamTimeout)
		}
	}
	s.count(out, joined)
	return out
}

// join fills in what is cached. It returns the flight of every other reference, and those to begin.
func (s *Service[V]) join(refs []feed.UpstreamRef, out []feed.Fetched[V]) (joined, began []*flight[V]) {
	now := s.Clock()
	joined = make([]*flight[V], len(refs))
	s.mu.Lock()
	defer s.mu.Unlock()
	var f *flight[V]
	for i, ref := range refs {
		value, fresh, _ := s.Cache.Get(ref.Object, now)
		if _, narrower := s.narrows(ref, &value); fresh && !narrower {
			out[i].Value = value
			continue
		}
		running := s.flights[ref.Object]
		if running == nil {
			if f == nil || len(f.refs) == batchMax {
				f = &flight[V]{done: make(chan struct{})}
				began = append(began, f)
			}
			f.refs = append(f.refs, ref)
			running, s.flights[ref.Object] = f, f
		}
		joined[i] = running
	}
	return joined, began
}

// wait returns false if ctx is done before the flight.
func (f *flight[V]) wait(ctx context.Context) bool {
	select {
	case <-f.done:
		return true
	default:
	}
	select {
	case <-f.done:
		return true
	case <-ctx.Done():
		return false
	}
}

func (s *Service[V]) fly(ctx context.Context, f *flight[V]) {
	began := s.Clock()
	answers, stored, err := s.ask(ctx, f.refs)
	f.answers = make(map[feed.Object]feed.Fetched[V], len(f.refs))
	s.mu.Lock()
	for i, ref := range f.refs {
		// An eviction ends the flight for its object: what was read before it is not kept.
		current := s.flights[ref.Object] == f
		if current {
			delete(s.flights, ref.Object)
		}
		if err != nil {
			f.answers[ref.Object] = s.instead(ref.Object, problemOf(err))
			continue
		}
		var version *feed.ObjectVersion
		if stored != nil {
			version = &stored[i]
		}
		f.answers[ref.Object] = s.judge(ref, &answers[i], version, current, began)
	}
	s.mu.Unlock()
	close(f.done)
}

// judge decides what an answer is worth. stored is nil if the stored version is unknown, and then
// the answer is not kept.
func (s *Service[V]) judge(ref feed.UpstreamRef, a *Answer[V], stored *feed.ObjectVersion, current bool, began time.Time) feed.Fetched[V] {
	o := ref.Object
	switch a.Status {
	case Gone:
		s.Cache.Remove(o)
		return feed.Fetched[V]{Problem: feed.UpstreamGone}
	case NotFound:
		return s.instead(o, feed.UpstreamNotFound)
	case Invalid:
		return s.instead(o, feed.UpstreamInvalid)
	case Found:
		if _, narrower := s.narrows(ref, &a.Value); narrower {
			s.Cache.Remove(o)
			return feed.Fetched[V]{Problem: feed.UpstreamGone}
		}
	}
	switch {
	case stored != nil && a.Version.Compare(*stored) < 0:
		return feed.Fetched[V]{Value: a.Value, Problem: feed.UpstreamOutdated, Stale: true}
	case stored != nil && current:
		s.Cache.Put(o, a.Value, began)
	}
	return feed.Fetched[V]{Value: a.Value}
}

// instead returns what can be shown instead of an answer: an expired one, or nothing.
func (s *Service[V]) instead(o feed.Object, why feed.UpstreamProblem) feed.Fetched[V] {
	value, _, found := s.Cache.Get(o, s.Clock())
	return feed.Fetched[V]{Value: value, Problem: why, Stale: found}
}

// ask makes a call, and reads the stored versions at the same time.
func (s *Service[V]) ask(ctx context.Context, refs []feed.UpstreamRef) (answers []Answer[V], stored []feed.ObjectVersion, err error) {
	var unread error
	err = s.calls.do(ctx, len(refs), func(ctx context.Context) error {
		var versions errgroup.Group
		versions.Go(func() (err error) {
			stored, err = s.versions(ctx, refs)
			return err
		})
		answers, err = s.call(ctx, refs)
		if unread = versions.Wait(); err == nil && unread == nil {
			err = s.bury(ctx, refs, answers, stored)
		}
		return err
	})
	if unread != nil {
		stored = nil
		demote(answers)
	}
	return answers, stored, err
}

// demote makes deletions not found, when it is unknown whether they are newer than the object.
func demote[V any](answers []Answer[V]) {
	for i := range answers {
		if answers[i].Status == Gone {
			answers[i].Status = NotFound
		}
	}
}

func (s *Service[V]) call(ctx context.Context, refs []feed.UpstreamRef) (answers []Answer[V], err error) {
	err = recovered(func() error {
		answers, err = s.Ask(ctx, refs)
		return err
	})
	if err == nil && len(answers) != len(refs) {
		err = fmt.Errorf("%d answers for %d references", len(answers), len(refs))
	}
	return answers, err
}

func (s *Service[V]) versions(ctx context.Context, refs []feed.UpstreamRef) ([]feed.ObjectVersion, error) {
	if s.Versions == nil {
		return make([]feed.ObjectVersion, len(refs)), nil
	}
	objects := make([]feed.Object, len(refs))
	for i, ref := range refs {
		objects[i] = ref.Object
	}
	return s.Versions(ctx, objects)
}

// bury applies the deletions that are newer than what is stored, and narrower audiences that are not older;
// other deletions count as not found. If there are too many deletions at once, it applies none of them and returns an error.
func (s *Service[V]) bury(ctx context.Context, refs []feed.UpstreamRef, answers []Answer[V], stored []feed.ObjectVersion) error {
	var gone []Deleted
	var narrowed []Narrowed
	for i := range answers {
		a := &answers[i]
		order := a.Version.Compare(stored[i])
		newer := s.Gone != nil && a.Version.Number != 0 && order > 0
		audience, narrower := s.narrows(refs[i], &a.Value)
		switch {
		case a.Status == Found && order >= 0 && narrower:
			narrowed = append(narrowed, Narrowed{refs[i], audience})
		case a.Status != Gone:
		case !newer:
			a.Status = NotFound
		default:
			gone = append(gone, Deleted{refs[i], a.Version})
		}
	}
	if len(narrowed) > 0 {
		s.Gone.Narrow(ctx, narrowed)
	}
	if len(gone) == 0 {
		return nil
	}
	return s.Gone.Apply(ctx, gone)
}

func (s *Service[V]) narrows(ref feed.UpstreamRef, value *V) (feed.PostAudience, bool) {
	if s.Narrows == nil {
		return feed.AudiencePublic, false
	}
	return s.Narrows(ref, value)
}

// Evict makes answers about objects expire, also those of calls under way.
func (s *Service[V]) Evict(objects []feed.Object) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range objects {
		delete(s.flights, o)
	}
	s.Cache.Expire(objects...)
}

// Purge does the same for all objects.
func (s *Service[V]) Purge() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.flights)
	s.Cache.ExpireAll()
}

// count reports where answers came from.
func (s *Service[V]) count(out []feed.Fetched[V], joined []*flight[V]) {
	var n Counts
	for i := range out {
		switch {
		case out[i].Missing():
			n.Missing++
		case out[i].Stale:
			n.Stale++
		case joined[i] == nil:
			n.Cached++
		default:
			n.Read++
		}
	}
	s.Trace.fetched(s.Name, n)
}
