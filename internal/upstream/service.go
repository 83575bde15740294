package upstream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/kit/circuit"
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
	// Name names the service in metrics and log lines.
	Name string
	Ask  Asker[V]
	// Versions is nil for objects without versions.
	Versions Versions
	Cache    *lrucache.Contents[feed.Object, V]
	// Timeout limits a call, and CallsMax the concurrent calls.
	Timeout  time.Duration
	CallsMax int
	// Gone applies deletions, and what Narrows returns; nil for objects that cannot be gone.
	Gone *Deletions
	// Narrows returns the audience that a service gives an object, and whether it is narrower than that of ref;
	// nil for objects without an audience.
	Narrows func(ref feed.UpstreamRef, value *V) (feed.PostAudience, bool)
	Clock   feed.Clock
	Trace   Trace
}

const (
	// batchMax is the maximum number of references of a call, as the protocol promises.
	batchMax = 100
	// failuresMax is how many calls in a row fail before the circuit opens. One slow call should not
	// cost the pages of a second.
	failuresMax = 3
	// probeEvery is how often a service with an open circuit is tried.
	probeEvery = time.Second
)

// Service reads from one service. It is safe for concurrent use.
type Service[V any] struct {
	Options[V]
	slots   *feed.Semaphore
	breaker *circuit.Breaker

	mu sync.Mutex
	// flights are the calls under way, by object.
	flights map[feed.Object]*flight[V]
	// failures is the number of calls that failed since the last success.
	failures int
	// open says that the circuit is open.
	open bool
}

// flight is a call under way. Its answers are set before done is closed.
type flight[V any] struct {
	refs    []feed.UpstreamRef
	done    chan struct{}
	answers map[feed.Object]feed.Fetched[V]
}

// New returns a service.
func New[V any](o Options[V]) *Service[V] {
	return &Service[V]{
		Options: o, slots: feed.NewSemaphore(o.CallsMax, 0), breaker: circuit.New(o.Clock, probeEvery),
		flights: map[feed.Object]*flight[V]{},
	}
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

// ask makes a call, unless the circuit is open, and reads the stored versions at the same time.
func (s *Service[V]) ask(ctx context.Context, refs []feed.UpstreamRef) ([]Answer[V], []feed.ObjectVersion, error) {
	if err := s.breaker.Allow(s.Name); err != nil {
		return nil, nil, err
	}
	if held, err := s.slots.Acquire(ctx); !held {
		return nil, nil, cmp.Or(err, errBusy)
	}
	defer s.slots.Release()
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	began := s.Clock()
	var stored []feed.ObjectVersion
	var versions errgroup.Group
	versions.Go(func() (err error) {
		stored, err = s.versions(ctx, refs)
		return err
	})
	answers, err := s.call(ctx, refs)
	unread := versions.Wait()
	if err == nil && unread == nil {
		err = s.bury(ctx, refs, answers, stored)
	}
	s.report(err, len(refs), s.Clock().Sub(began))
	if unread != nil {
		stored = nil
		demote(answers)
	}
	return answers, stored, err
}

var errBusy = errors.New("too many calls are under way")

// demote makes deletions not found, when it is unknown whether they are newer than the object.
func demote[V any](answers []Answer[V]) {
	for i := range answers {
		if answers[i].Status == Gone {
			answers[i].Status = NotFound
		}
	}
}

// call recovers panics, because nothing else would on this goroutine.
func (s *Service[V]) call(ctx context.Context, refs []feed.UpstreamRef) (answers []Answer[V], err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a call of a service: %v\n%s", p, debug.Stack())
		}
	}()
	answers, err = s.Ask(ctx, refs)
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

// report tells the breaker and the trace about a call. A flood of deletions opens the circuit at
// once.
func (s *Service[V]) report(err error, refs int, took time.Duration) {
	s.mu.Lock()
	was := s.open
	if err == nil {
		s.failures, s.open = 0, false
	} else {
		s.failures++
		s.open = s.open || s.failures >= failuresMax || errors.Is(err, ErrFlood)
	}
	open := s.open
	s.mu.Unlock()
	switch {
	case err == nil:
		s.breaker.Report(s.Name, circuit.Working, nil)
	case open:
		s.breaker.Report(s.Name, circuit.Failing, err)
	}
	s.Trace.called(s.Name, refs, took, err)
	if open != was {
		s.Trace.turned(s.Name, open, err)
	}
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

func problemOf(err error) feed.UpstreamProblem {
	if errors.Is(err, context.DeadlineExceeded) || isTimeout(err) {
		return feed.UpstreamTimeout
	}
	return feed.UpstreamUnavailable
}
