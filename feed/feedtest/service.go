package feedtest

import (
	"context"
	"errors"
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

// Backend is everything a service keeps its data in.
type Backend struct {
	Stores
	// Inboxes keep as many entries as the policy they were opened for says.
	Inboxes KeptInboxes
	// Clock is the clock of the stores.
	Clock *Clock
	// Server, if set, stores the inboxes.
	Server Server
	// Live, when set, is what live sessions are kept in.
	Live *LiveStores
}

// Server is a server of inboxes that can lose data.
type Server interface {
	feed.Pulses
	// Save copies all data aside. Restore restarts the server from the last copy, Wipe without
	// data.
	Save()
	Restore()
	Wipe()
}

// KeptInboxes are inboxes that can be gone through, as all so far can.
type KeptInboxes interface {
	feed.Inboxes
	feed.InboxKeeper
}

// SmallPolicy returns a policy whose limits a handful of users and posts reach: plans of several
// slices, slices of several batches, inboxes that overflow, authors above the push threshold.
func SmallPolicy(mode feed.FanoutMode) feed.Policy {
	p := feed.DefaultPolicy()
	p.Fanout = mode
	p.PushThreshold = 2
	p.SubtaskSize, p.PlanBatch = 2, 8
	p.PushBatch = 1
	p.InboxCap = 5
	p.FollowLimit = 6
	p.PageDefault = 3
	p.CountMax = 4
	p.SweepBatch = 3
	p.UpkeepBatch = 2
	return p
}

// Service is the whole domain over one backend, with a clock that a test sets and a
// queue that a test empties. Nothing in it happens by itself, so every run of a test
// is the same. It belongs to one goroutine.
type Service struct {
	Backend
	Policy feed.Policy
	Queue  *Queue
	// Flaky is a wrapper of the backend's inboxes.
	Flaky *Flaky
	// IDs has the ids of the next posts, in order; if it is empty, the service generates ids, which
	// are not in order of time.
	IDs []feed.PostID
	// Meanwhile, if set, runs before every call of a read or a task to a store, between two of
	// their steps. It is not called while it runs.
	Meanwhile func()

	// Timeline is Cached, or Uncached if [ViewerCacheOff].
	Timeline *timeline.Timeline
	// Cached reads through Cache, which has a local level that drops nothing, and shares nothing unless it is given the
	// shared level of Elsewhere.
	Cached *timeline.Timeline
	Cache  *viewercache.Cache
	// Elsewhere is the timeline of another process over the same stores, which caches no viewers
	// itself and shares a cache, if the inboxes have one; Shared is that cache.
	Elsewhere *timeline.Timeline
	Shared    feed.SharedViewerCache
	// Uncached is the timeline of another process that caches no viewers.
	Uncached  *timeline.Timeline
	Directory *people.Directory
	// Recorder is the Publisher's. What it leaves for later is done at once.
	Recorder  *people.ActivityRecorder
	Publisher *publish.Publisher
	Follower  *people.Follower
	Fanout    *fanout.Fanout
	Builder   *inbox.Builder
	Keeper    *inbox.Maintenance
	// Heart is nil without a Server.
	Heart *inbox.Heartbeat
	// Live is nil without live stores.
	Live *LiveService

	// surveys is how many there have been.
	surveys int
	// yield lets other actors run, in [Service.Interleave].
	yield   func()
	made    int64
	sources map[feed.UserID]feed.Source
}

// NewService wires the domain over b.
func NewService(b Backend, p feed.Policy) *Service {
	s := &Service{
		Backend: b,
		Policy:  p,
		Queue:   &Queue{},
		Flaky:   &Flaky{Inboxes: b.Inboxes},
		sources: map[feed.UserID]feed.Source{},
	}
	// A change is one step, so only reads and tasks are stopped on their way.
	viewers := &timeline.Direct{Relations: b.Relations, Outboxes: b.Outboxes, Posts: b.Posts, Primary: b.Posts}
	s.Directory = &people.Directory{
		UserStore: b.Users, Primary: b.Users, Relations: b.Relations, Relater: b.Relater, Profiles: b.Profiles, Policy: p,
	}
	s.Follower = &people.Follower{
		Follows: b.Follows, Directory: s.Directory, Queue: s.Queue, Clock: s.Clock.Now, Policy: p,
	}
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

// ViewerCacheOff reports whether services read without a viewer cache, as the program does with
// the same setting.
func ViewerCacheOff() bool { return os.Getenv("TIDELINE_VIEWER_CACHE") == "off" }

func (s *Service) wireReads() {
	primary := pausedPosts{s.Backend.Posts, s}
	relations, outboxes := pausedRelations{s.Backend.Relations, s}, pausedOutboxes{s.Backend.Outboxes, s}
	direct := timeline.Direct{
		Inboxes: pausedInboxes{s.Flaky, s}, Relations: relations, Outboxes: outboxes,
		// They are another store than the primary, so that own posts are read from that.
		Posts: pausedPosts{others{s.Backend.Posts}, s}, Primary: primary,
	}
	uncached := direct
	uncached.Posts = primary
	s.Cache = &viewercache.Cache{
		Direct:   &direct,
		Surveyor: pausedSurveyor{s.Backend.Surveyor, feed.SurveyInTurn{Relations: relations, Outboxes: outboxes}, s},
		Local:    NewLocal(),
	}
	s.Cached = &timeline.Timeline{
		Viewers:   s.Cache,
		Inboxes:   direct.Inboxes,
		Outboxes:  outboxes,
		Reference: pausedReference{s.Backend.Reference, s},
		Pending:   timeline.IgnorePending{},
		Queue:     s.Queue,
		Policy:    s.Policy,
		Trace: feed.Trace{
			PageRead: func(viewer feed.UserID, r feed.Reading) { s.sources[viewer] = r.Source },
		},
	}
	s.Uncached = s.reading(&uncached)
	s.Elsewhere = s.Uncached
	if shared, keeps := s.Backend.Inboxes.(feed.SharedViewerCache); keeps {
		s.Shared = pausedViewerCache{shared, s}
		s.Elsewhere = s.reading(&viewercache.Cache{Direct: &uncached, Surveyor: s.Cache.Surveyor, Shared: s.Shared})
	}
	s.Timeline = s.Cached
	if ViewerCacheOff() {
		s.Timeline = s.Uncached
	}
}

// Feeds returns what reads all feeds, home feeds through t.
func (s *Service) Feeds(t *timeline.Timeline) *lists.Feeds {
	return &lists.Feeds{Home: t, Lists: pausedLists{s.Backend.Lists, s}}
}

// reading returns a timeline like the cached one that reads through viewers.
func (s *Service) reading(viewers feed.Viewers) *timeline.Timeline {
	t := *s.Cached
	t.Viewers = viewers
	return &t
}

// others are the same posts in another store.
type others struct{ posts feed.Posts }

func (o others) Posts(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	return o.posts.Posts(ctx, ids)
}

func (s *Service) wireTasks() {
	s.Fanout = &fanout.Fanout{
		Plans:    pausedPlans{s.Backend.Plans, s},
		Audience: pausedAudience{s.Backend.Audience, s},
		Posts:    pausedPosts{s.Backend.Posts, s},
		Inboxes:  pausedInboxes{s.Flaky, s},
		Progress: s.Progress,
		Queue:    s.Queue,
		Clock:    s.Clock.Now,
		Policy:   s.Policy,
	}
	s.Builder = &inbox.Builder{
		Inboxes:   pausedInboxes{s.Flaky, s},
		Relations: pausedRelations{s.Backend.Relations, s},
		Coverage:  pausedCoverage{s.Backend.Coverage, s},
		Activity:  pausedActivity{s.Backend.Activity, s},
		Posts:     pausedPosts{s.Backend.Posts, s},
		Clock:     s.Clock.Now,
		Policy:    s.Policy,
	}
	if s.Server != nil {
		s.Heart = &inbox.Heartbeat{
			Pulses: s.Server, Log: s.PulseLog, Progress: s.Progress, Relations: s.Backend.Relations,
			Leaders: s.Leaders, Holder: "the only one", Policy: s.Policy,
		}
	}
	s.Keeper = &inbox.Maintenance{
		Inboxes:   pausedInboxes{s.Flaky, s},
		Keeper:    s.Backend.Inboxes,
		Relations: pausedRelations{s.Backend.Relations, s},
		Activity:  pausedActivity{s.Backend.Activity, s},
		Cleaner:   s.Cleaner,
		Leaders:   s.Leaders,
		Holder:    "the only one",
		Clock:     s.Clock.Now,
		Policy:    s.Policy,
	}
}

// LastSource returns the source of the viewer's last home page, empty if there is none.
func (s *Service) LastSource(viewer feed.UserID) feed.Source { return s.sources[viewer] }

// newID is the service's source of ids.
func (s *Service) newID() (feed.PostID, error) {
	if len(s.IDs) > 0 {
		id := s.IDs[0]
		s.IDs = s.IDs[1:]
		return id, nil
	}
	// 617 has no factor in common with 1000, so the ids of every thousand are all
	// different, and go up and down.
	s.made++
	return feed.PostID(1000 + 1000*(s.made/1000) + s.made*617%1000), nil
}

// Run runs one task as a worker does.
func (s *Service) Run(ctx context.Context, t Task) error {
	switch {
	case t.Dispatch != 0:
		return s.Fanout.Dispatch(ctx, t.Dispatch)
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

// Work runs the queued tasks, first in first out, and the tasks they enqueue, until none is left;
// see [Service.WorkOne].
func (s *Service) Work(ctx context.Context) error {
	for s.Queue.Len() > 0 {
		if err := s.WorkOne(ctx); err != nil {
			return err
		}
	}
	return nil
}

// WorkOne runs the first task in the queue, which must not be empty. A task that
// fails because a store is away is gone, as when its worker dies: the sweeper must
// bring it back. Any other failure is returned.
func (s *Service) WorkOne(ctx context.Context) error {
	t := s.Queue.Take(0)
	if err := s.Run(ctx, t); err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
		return fmt.Errorf("%v: %w", t, err)
	}
	return nil
}

// restRounds limits the sweeps of [Service.Rest]. Each round dispatches everything that is not
// done, so a service that needs more makes no progress.
const restRounds = 1000

// Rest works and sweeps until nothing is pending, moving the clock on so that
// everything that waits becomes due.
func (s *Service) Rest(ctx context.Context) error {
	for range restRounds {
		if err := s.Work(ctx); err != nil {
			return err
		}
		s.Clock.Advance(max(s.Policy.QueuePatienceMax, s.Policy.BuildPatience) + time.Second)
		if s.Heart != nil {
			if err := s.Heart.Beat(ctx); err != nil {
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
	return errors.New("the service does not come to rest")
}

// Clock returns the time that a test has set.
type Clock struct{ now time.Time }

// NewClock returns a clock set to noon UTC of an ordinary day.
func NewClock() *Clock { return &Clock{now: time.Date(2024, time.March, 1, 12, 0, 0, 0, time.UTC)} }

// Now is a [feed.Clock].
func (c *Clock) Now() time.Time { return c.now }

// Millis returns the time in milliseconds since the epoch.
func (c *Clock) Millis() int64 { return feed.Millis(c.now) }

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) { c.now = c.now.Add(d) }

// noCache is the evictor of a service without caches.
type noCache struct{}

func (noCache) Evict([]feed.PostID, []feed.UserID) {}
