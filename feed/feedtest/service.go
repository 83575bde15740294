package feedtest

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/feed/viewercache"
)

// Backend is all stores of a service.
type Backend struct {
	Stores
	// Inboxes have the cap of the policy that opened them.
	Inboxes InboxStore
	// Clock is the clock of the stores.
	Clock *Clock
	// Server, if set, stores the inboxes.
	Server Server
	// Live, if set, has the stores of live sessions.
	Live *LiveStores
	// BeforeCommit, if set, runs do before the next transaction commits, unless it is cancelled. Other
	// transactions may run meanwhile.
	BeforeCommit func(do func()) (cancel func())
}

// Server is a server of inboxes that can lose data.
type Server interface {
	feed.Pulses
	// Save copies all data. Restore restarts the server with the last copy, and Wipe without data.
	Save()
	Restore()
	Wipe()
}

// InboxStore is a store of inboxes with its maintenance.
type InboxStore interface {
	feed.Inboxes
	feed.InboxTrimmer
}

// SmallPolicy returns a policy with limits that a few users and posts reach. Plans have several
// slices, and slices have several batches. Inboxes overflow, and authors cross the push threshold.
func SmallPolicy(mode feed.FanoutMode) feed.Policy {
	p := feed.DefaultPolicy()
	p.Fanout = mode
	p.PushThreshold, p.InboxCap, p.FollowLimit = 2, 5, 6
	p.SliceSize, p.PlanBatch, p.PushBatch, p.SweepBatch = 2, 8, 1, 3
	p.PageDefault, p.CountMax, p.OnlineFirst, p.OnlineShare, p.UpkeepBatch = 3, 4, 2, 1, 2
	return p
}

// Service is the whole domain on one backend. Tests set its clock and empty its queue. Nothing runs
// by itself, so every run of a test is the same. Use it from one goroutine only.
type Service struct {
	Backend
	Policy feed.Policy
	Queue  *Queue
	// Online are the users who get posts first; at the beginning none.
	Online Online
	// Flaky wraps the backend's inboxes.
	Flaky *Flaky
	// IDs are the ids of the next posts, in order. If it is empty, the service generates ids, whose
	// order is not the order of time.
	IDs []feed.PostID
	// BeforeCall, if set, runs before every store call of a read or a task, except the calls that
	// it makes itself.
	BeforeCall func()
	// committing is set while a transaction commits late.
	committing bool

	// Timeline is Cached, or Uncached if [ViewerCacheOff].
	Timeline *timeline.Timeline
	// Cached reads through Cache, which never evicts.
	Cached *timeline.Timeline
	Cache  *viewercache.Cache
	// OtherProcess is the timeline of another process on the same stores, with its own cache.
	OtherProcess *timeline.Timeline
	// Uncached is the timeline of another process without a viewer cache.
	Uncached  *timeline.Timeline
	Directory *people.Directory
	// Recorder is that of Publisher. It does deferred work at once.
	Recorder    *people.ActivityRecorder
	Publisher   *publish.Publisher
	Follower    *people.Follower
	Fanout      *fanout.Fanout
	Builder     *inbox.Builder
	Maintenance *inbox.Maintenance
	// Heartbeat is nil without a Server.
	Heartbeat *inbox.Heartbeat
	// Live is the live domain, nil without live stores.
	Live *LiveService

	// surveys counts the surveys.
	surveys int
	// yield lets other actors run, in [Service.Interleave].
	yield   func()
	made    int64
	sources map[feed.UserID]feed.Source
}

// NewService wires the domain to b.
func NewService(b Backend, p feed.Policy) *Service {
	s := &Service{Backend: b, Policy: p, Queue: &Queue{}, Flaky: &Flaky{Inboxes: b.Inboxes}, sources: map[feed.UserID]feed.Source{}}
	// A change is one step, so the service pauses only reads and tasks.
	viewers := &timeline.Direct{Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts}
	s.Directory = &people.Directory{
		UserStore: b.Users, Primary: b.Users, Relations: b.Relations, Relater: b.Relater, Profiles: b.Profiles, Requests: b.Requests, Policy: p,
	}
	s.Follower = &people.Follower{Follows: b.Follows, Requests: b.Requests, Directory: s.Directory, Clock: s.Clock.Now, Policy: p}
	s.Recorder = &people.ActivityRecorder{Users: b.Users, Queue: s.Queue, Clock: s.Clock.Now, Policy: p}
	s.Publisher = &publish.Publisher{
		Posts: b.PostWriter, Counters: b.Counters, Viewers: viewers, Queue: s.Queue, Evictor: noCache{}, Recorder: s.Recorder,
		NewID: s.newID, Clock: s.Clock.Now, Policy: p,
	}
	s.wireReads()
	s.wireTasks()
	if b.Live != nil {
		s.wireLive(b.Live)
	}
	return s
}

// ViewerCacheOff reports whether services read without a viewer cache. The program has the same
// setting.
func ViewerCacheOff() bool { return os.Getenv("TIDELINE_VIEWER_CACHE") == "off" }

func (s *Service) wireReads() {
	primary := pausedPosts{s.Backend.Posts, s}
	paused := s.paused()
	direct := timeline.Direct{
		Inboxes: pausedInboxes{s.Flaky, s}, Relations: paused, Outboxes: paused,
		// Posts differs from the primary, so that the service reads own posts from the primary.
		Posts: pausedPosts{samePosts{s.Backend.Posts}, s}, Primary: primary,
	}
	uncached := direct
	uncached.Posts = primary
	s.Cache = &viewercache.Cache{
		Direct:   &direct,
		Surveyor: pausedSurveyor{s.Backend.Surveyor, feed.SurveyInTurn{Relations: paused, Outboxes: paused}, s},
		Local:    NewLocal(),
	}
	s.Cached = &timeline.Timeline{
		Viewers: s.Cache, Inboxes: direct.Inboxes, Outboxes: paused, Reference: paused, Specials: paused, Pending: paused, Queue: s.Queue, Policy: s.Policy,
		Trace: feed.Trace{PageRead: func(viewer feed.UserID, r feed.Reading) { s.sources[viewer] = r.Source }},
	}
	s.Uncached = s.reading(&uncached)
	s.OtherProcess = s.reading(&viewercache.Cache{Direct: &uncached, Surveyor: s.Cache.Surveyor, Local: NewLocal()})
	s.Timeline = s.Cached
	if ViewerCacheOff() {
		s.Timeline = s.Uncached
	}
}

// Feeds returns a reader of all feeds. It reads home feeds through t.
func (s *Service) Feeds(t *timeline.Timeline) *lists.Feeds {
	return &lists.Feeds{Home: t, Lists: s.paused()}
}

// reading returns a timeline like Cached that uses viewers.
func (s *Service) reading(viewers feed.Viewers) *timeline.Timeline {
	t := *s.Cached
	t.Viewers = viewers
	return &t
}

// samePosts wraps posts so that the service takes them for another store.
type samePosts struct{ posts feed.Posts }

func (o samePosts) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return o.posts.Posts(ctx, ids)
}

func (s *Service) wireTasks() {
	paused, inboxes, posts := s.paused(), pausedInboxes{s.Flaky, s}, pausedPosts{s.Backend.Posts, s}
	s.Fanout = &fanout.Fanout{
		Plans: paused, Slices: paused, Audience: paused, Posts: posts, Inboxes: inboxes, Progress: s.Progress, Queue: s.Queue,
		Announced: paused, Online: &s.Online, Clock: s.Clock.Now, Policy: s.Policy,
	}
	s.Builder = &inbox.Builder{
		Inboxes: inboxes, Relations: paused, Coverage: paused, Activity: paused, Posts: posts, Clock: s.Clock.Now, Policy: s.Policy,
	}
	if s.Server != nil {
		s.Heartbeat = &inbox.Heartbeat{
			Pulses: s.Server, Log: s.PulseLog, Changes: s.Numberer, Progress: s.Progress, Relations: s.Backend.Relations,
			Leaders: s.Leaders, Holder: "the only one", Policy: s.Policy,
		}
	}
	s.Maintenance = &inbox.Maintenance{
		Inboxes: inboxes, Trimmer: s.Backend.Inboxes, Relations: paused, Activity: paused, Cleaner: s.Cleaner, Changes: s.Numberer,
		Loads: s.Loads, Flags: paused, Leaders: s.Leaders, Holder: "the only one", Clock: s.Clock.Now, Policy: s.Policy,
	}
}

// LastSource returns the source of the viewer's last home page, empty if there is none.
func (s *Service) LastSource(viewer feed.UserID) feed.Source { return s.sources[viewer] }

// newID generates the service's ids.
func (s *Service) newID() (feed.PostID, error) {
	if len(s.IDs) > 0 {
		id := s.IDs[0]
		s.IDs = s.IDs[1:]
		return id, nil
	}
	// 617 and 1000 have no common factor. The ids of every thousand are therefore different, and go
	// up and down.
	s.made++
	return feed.PostID(1000 + 1000*(s.made/1000) + s.made*617%1000), nil
}

// Run runs one task, as a worker does.
func (s *Service) Run(ctx context.Context, t Task) error {
	switch {
	case t.Dispatch != 0:
		return s.Fanout.Dispatch(ctx, t.Dispatch)
	case t.Plan != 0:
		return s.Fanout.Plan(ctx, t.Plan)
	case t.Build != 0:
		return s.Builder.Build(ctx, t.Build)
	case t.Reconcile != 0:
		return s.Builder.Reconcile(ctx, t.Reconcile)
	case t.WarmUp != 0:
		return s.Builder.WarmUp(ctx, t.WarmUp)
	case t.Push == (feed.SliceRef{}):
		return s.Live.run(ctx, t)
	}
	return s.Fanout.Push(ctx, t.Push)
}

// Work runs the queued tasks and the tasks they enqueue, first in first out, until the queue is
// empty. See [Service.WorkOne].
func (s *Service) Work(ctx context.Context) error {
	for s.Queue.Len() > 0 {
		if err := s.WorkOne(ctx); err != nil {
			return err
		}
	}
	return nil
}

// WorkOne runs the first task of a non-empty queue. If the task fails because a store is down, it
// is lost, as with a dead worker: the sweeper must dispatch it again. WorkOne returns any other
// error.
func (s *Service) WorkOne(ctx context.Context) error {
	t := s.Queue.Take(0)
	if err := s.Run(ctx, t); err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
		return fmt.Errorf("%v: %w", t, err)
	}
	return nil
}

// restRounds limits the sweeps of [Service.Rest]. Each round dispatches all pending work, so a
// service that needs more rounds makes no progress.
const restRounds = 1000

// Rest works and sweeps until nothing is pending. It advances the clock so that waiting work
// becomes due.
func (s *Service) Rest(ctx context.Context) error {
	for range restRounds {
		if err := s.Work(ctx); err != nil {
			return err
		}
		s.Clock.Advance(max(s.Policy.QueuePatienceMax, s.Policy.BuildPatience) + time.Second)
		if s.Heartbeat != nil {
			if err := s.Heartbeat.Beat(ctx); err != nil {
				return err
			}
		}
		if err := s.Fanout.Sweep(ctx); err != nil {
			return err
		}
		if s.Queue.Len() == 0 {
			return nil
		}
	}
	return fmt.Errorf("work is still pending after %d sweeps", restRounds)
}

// Clock is a clock that a test sets.
type Clock struct{ now time.Time }

// NewClock returns a clock at noon UTC of an ordinary day.
func NewClock() *Clock { return &Clock{now: time.Date(2024, time.March, 1, 12, 0, 0, 0, time.UTC)} }

// Now implements [feed.Clock].
func (c *Clock) Now() time.Time { return c.now }

// Millis returns the time in milliseconds since the epoch.
func (c *Clock) Millis() int64 { return feed.Millis(c.now) }

// Advance advances the clock.
func (c *Clock) Advance(d time.Duration) { c.now = c.now.Add(d) }

// noCache is the evictor of a service without caches.
type noCache struct{}

func (noCache) Evict([]feed.PostID, []feed.UserID) {}

// Actor is a read, a task or a series of changes. Other actors may run between two of its store
// calls.
type Actor = func()

// Choose selects the next of several actors, which are given by number. It returns an index.
type Choose = func(actors []int) int

// Interleave runs actors on one service, one at a time. Before every store call of a read or a
// task, choose selects the next of the unfinished actors. The actions of an actor between two calls
// are one step. The same choices repeat a run, and all choices together make all possible runs.
//
// If an actor panics, Interleave stops the others and panics in the caller. Package rapid ends a
// test by a panic.
func (s *Service) Interleave(actors []Actor, choose Choose) {
	run := &interleaving{}
	for _, do := range actors {
		run.start(do)
	}
	s.yield = run.yield
	defer func() {
		s.yield = nil
		run.end()
	}()
	for len(run.ready) > 0 {
		run.step(choose(each(run.ready, func(a *actor) int { return a.number })))
	}
}

// Yield lets the other actors run, as a store call does.
func (s *Service) Yield() { s.pause() }

// Atomically runs do in one step.
func (s *Service) Atomically(do func()) {
	was := s.yield
	s.yield = nil
	defer func() { s.yield = was }()
	do()
}

// interleaving runs actors in goroutines. At most one of them is not waiting.
type interleaving struct {
	// ready are the unfinished actors.
	ready []*actor
	// current is the running actor.
	current *actor
	// aborted makes waiting actors exit.
	aborted bool
}

// actor is one goroutine. One channel starts its turn, the other reports the end of the turn.
type actor struct {
	number     int
	turn, over chan struct{}
	done       bool
	panicked   any
}

// errAborted unwinds an aborted actor.
type errAborted struct{}

func (r *interleaving) start(do Actor) {
	a := &actor{number: len(r.ready), turn: make(chan struct{}), over: make(chan struct{})}
	r.ready = append(r.ready, a)
	go func() {
		defer close(a.over)
		defer func() {
			a.done = true
			a.panicked = recover()
		}()
		<-a.turn
		if !r.aborted {
			do()
		}
	}()
}

// step runs one step of the i-th ready actor.
func (r *interleaving) step(i int) {
	a := r.ready[i]
	r.current = a
	a.turn <- struct{}{}
	<-a.over
	if !a.done {
		return
	}
	r.ready = append(r.ready[:i:i], r.ready[i+1:]...)
	if a.panicked != nil {
		panic(a.panicked)
	}
}

// yield ends the current actor's turn and returns at its next turn.
func (r *interleaving) yield() {
	a := r.current
	a.over <- struct{}{}
	<-a.turn
	if r.aborted {
		panic(errAborted{})
	}
}

// end ends the waiting goroutines.
func (r *interleaving) end() {
	r.aborted = true
	for _, a := range r.ready {
		a.turn <- struct{}{}
		<-a.over
	}
}
