package feedtest

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/timeline"
)

// LiveStores are the stores of live sessions in a [Backend].
type LiveStores struct {
	Sessions live.Sessions
	History  live.History
	Changes  live.Changes
	Replays  ReplayLists
	// Inboxes are the replay inboxes. The policy sets their cap.
	Inboxes   InboxStore
	Sets      live.Sets
	Snapshots live.Snapshots
}

// ReplayLists shows replays as lists of posts. Posts is for fan-outs: it ignores absence.
type ReplayLists interface {
	feed.Posts
	feed.Outboxes
	feed.Reference
	feed.Coverage
	feed.PendingAuthors
}

// LiveService is the live domain on one backend, the counterpart of [Service].
type LiveService struct {
	LiveStores
	Feed        *live.Feed
	Hosting     *live.Hosting
	Refresher   *live.Refresher
	Builder     *inbox.Builder
	Maintenance *inbox.Maintenance

	// Read counts the sources of replay scans.
	Read map[feed.Source]int

	// SetsDown makes every call to the sets fail. SnapshotsLost makes every snapshot missing.
	SetsDown, SnapshotsLost bool
	// LiveIDs are the ids of the next sessions, in order.
	LiveIDs []live.ID

	// late runs during the next transition, before it takes effect.
	late  func()
	names uint64
}

// LiveCache is a [live.FeedCache] that never evicts, like [Local]. Use [NewLiveCache].
type LiveCache struct {
	entries map[feed.UserID]*live.CachedFeed
}

// NewLiveCache returns an empty cache. Use it from one goroutine only.
func NewLiveCache() *LiveCache { return &LiveCache{entries: map[feed.UserID]*live.CachedFeed{}} }

// Get implements [live.FeedCache].
func (m *LiveCache) Get(viewer feed.UserID) *live.CachedFeed { return m.entries[viewer] }

// Put implements [live.FeedCache].
func (m *LiveCache) Put(viewer feed.UserID, k *live.CachedFeed) { m.entries[viewer] = k }

// wireLive wires the live domain to the backend's live stores.
func (s *Service) wireLive(b *LiveStores) {
	l := &LiveService{LiveStores: *b, Read: map[feed.Source]int{}}
	s.Live = l
	queue := replayQueue{s.Queue}
	stores := s.paused()
	posts := pausedPosts{live.ReplayPosts{Sessions: l.Sessions}, s}
	inboxes := pausedInboxes{l.Inboxes, s}
	lists := paused{Outboxes: l.Replays, Reference: l.Replays, Coverage: l.Replays, pending: l.Replays, s: s}
	s.Fanout.Replays = fanout.Target{Posts: pausedPosts{l.Replays, s}, Inboxes: inboxes}
	changes := pausedChanges{l.Changes, s}
	l.Feed = &live.Feed{
		Sessions: l.Sessions, History: pausedHistory{l.History, s}, Changes: changes, Sets: flakySets{l.Sets, l},
		Snapshots: flakySnapshots{l.Snapshots, l}, Cache: NewLiveCache(),
		Relations: stores, Users: s.Backend.Users, Outboxes: lists, Queue: queue,
		Replays: &timeline.Timeline{
			Viewers: &timeline.Direct{Inboxes: inboxes, Relations: stores, Outboxes: lists, Posts: posts, Primary: posts},
			Inboxes: inboxes, Outboxes: lists, Reference: lists, Pending: lists, PullsPending: true, Queue: queue, Policy: s.Policy,
			Trace: feed.Trace{PageRead: func(_ feed.UserID, r feed.Reading) { l.Read[r.Source]++ }},
		},
		Async:   func(do func(context.Context)) { do(context.Background()) },
		NewName: l.newName, Policy: live.DefaultPolicy(),
	}
	l.Feed.Tracker = live.NewChangeTracker(changes, l.Feed.Policy)
	l.Hosting = &live.Hosting{
		Sessions: lateSessions{l.Sessions, l}, Relations: stores, Users: s.Backend.Users, Queue: queue, Recorder: s.Recorder, NewID: l.newID, Clock: s.Clock.Now,
		Policy: live.DefaultPolicy(), EventPatience: s.Policy.EventPatience,
	}
	l.Refresher = &live.Refresher{History: pausedHistory{l.History, s}, Sets: l.Sets}
	l.Builder = &inbox.Builder{
		Inboxes: inboxes, Relations: stores, Coverage: lists, Activity: stores,
		Posts: l.Replays, Clock: s.Clock.Now, Policy: s.Policy,
	}
	l.Maintenance = &inbox.Maintenance{
		Inboxes: inboxes, Trimmer: l.Inboxes, Relations: stores, Activity: stores,
		Cleaner: s.Cleaner, Changes: s.Numberer, Loads: s.Loads, Leaders: s.Leaders, Holder: "the only one", Clock: s.Clock.Now, Policy: s.Policy,
	}
}

// OtherProcess returns a feed of another process: it has the same stores and an empty cache.
func (l *LiveService) OtherProcess(p live.Policy) *live.Feed {
	other := *l.Feed
	other.Policy, other.Cache, other.Tracker = p, NewLiveCache(), live.NewChangeTracker(other.Changes, p)
	return &other
}

func (l *LiveService) newName() uint64 {
	l.names++
	return l.names
}

// newID names sessions as [Service] names posts. They share the id space.
func (l *LiveService) newID() (live.ID, error) {
	id := l.LiveIDs[0]
	l.LiveIDs = l.LiveIDs[1:]
	return id, nil
}

// replayQueue is the queue of the live domain.
type replayQueue struct{ *Queue }

// Build implements [feed.Queue].
func (q replayQueue) Build(_ context.Context, viewer feed.UserID) error {
	return q.addOnce(Task{ReplayBuild: viewer})
}

// Reconcile implements [feed.Queue].
func (q replayQueue) Reconcile(_ context.Context, viewer feed.UserID) error {
	return q.addOnce(Task{ReplayReconcile: viewer})
}

// WarmUp implements [feed.Queue].
func (q replayQueue) WarmUp(_ context.Context, viewer feed.UserID) error {
	return q.addOnce(Task{ReplayWarmUp: viewer})
}

// Refresh implements [live.Queue]. Each host is a task of its own.
func (q replayQueue) Refresh(_ context.Context, hosts []feed.UserID) error {
	for _, host := range hosts {
		if err := q.addOnce(Task{Refresh: host}); err != nil {
			return err
		}
	}
	return nil
}

// runLive runs a task of the live domain.
func (l *LiveService) run(ctx context.Context, t Task) error {
	switch {
	case t.ReplayBuild != 0:
		return l.Builder.Build(ctx, t.ReplayBuild)
	case t.ReplayReconcile != 0:
		return l.Builder.Reconcile(ctx, t.ReplayReconcile)
	case t.ReplayWarmUp != 0:
		return l.Builder.WarmUp(ctx, t.ReplayWarmUp)
	}
	return l.Refresher.Refresh(ctx, []feed.UserID{t.Refresh})
}

// flakySets is a set store that fails on request.
type flakySets struct {
	live.Sets
	l *LiveService
}

// Read implements [live.Sets].
func (f flakySets) Read(ctx context.Context, generation int64, hosts []feed.UserID, limit int) ([]live.Set, error) {
	if f.l.SetsDown {
		return nil, errDown()
	}
	return f.Sets.Read(ctx, generation, hosts, limit)
}

// flakySnapshots loses snapshots on request.
type flakySnapshots struct {
	live.Snapshots
	l *LiveService
}

// Save implements [live.Snapshots].
func (f flakySnapshots) Save(ctx context.Context, viewer feed.UserID, name uint64, s live.Snapshot, d time.Duration) error {
	if f.l.SnapshotsLost {
		return errDown()
	}
	return f.Snapshots.Save(ctx, viewer, name, s, d)
}

// Load implements [live.Snapshots].
func (f flakySnapshots) Load(ctx context.Context, viewer feed.UserID, name uint64) (*live.Snapshot, error) {
	if f.l.SnapshotsLost {
		return nil, nil
	}
	return f.Snapshots.Load(ctx, viewer, name)
}

// lateSessions makes transitions that take effect late.
type lateSessions struct {
	allSessions
	l *LiveService
}

func (s lateSessions) wait() {
	if do := s.l.late; do != nil {
		s.l.late = nil
		do()
	}
}

// Schedule implements [live.Sessions].
func (s lateSessions) Schedule(ctx context.Context, session live.Session, openMax int) (*live.Session, error) {
	s.wait()
	return s.allSessions.Schedule(ctx, session, openMax)
}

// Change implements [live.Sessions]. It decides on the transition before it waits.
func (s lateSessions) Change(
	ctx context.Context, id live.ID, dueAt int64, next func(live.Session) (live.Session, error),
) (*live.Session, error) {
	found, err := s.allSessions.Sessions(ctx, []live.ID{id})
	if err != nil || found[0] == nil {
		return s.allSessions.Change(ctx, id, dueAt, next)
	}
	after, refused := next(*found[0])
	s.wait()
	return s.allSessions.Change(ctx, id, dueAt, func(now live.Session) (live.Session, error) {
		if now != *found[0] {
			return next(now)
		}
		return after, refused
	})
}

// pausedHistory and pausedChanges call [Service.BeforeCall] before every call.
type pausedHistory struct {
	live.History
	s *Service
}

func (p pausedHistory) Hosts(ctx context.Context, viewer feed.UserID, version, asOf int64) (live.Moment, []live.HostTransition, error) {
	return afterPause(p.s, p.History).Hosts(ctx, viewer, version, asOf)
}

func (p pausedHistory) Open(ctx context.Context, hosts []feed.UserID, asOf int64, after live.Position, limit int) ([]live.Entry, error) {
	return afterPause(p.s, p.History).Open(ctx, hosts, asOf, after, limit)
}

func (p pausedHistory) Sets(ctx context.Context, hosts []feed.UserID) ([]live.Set, error) {
	return afterPause(p.s, p.History).Sets(ctx, hosts)
}

type pausedChanges struct {
	live.Changes
	s *Service
}

func (p pausedChanges) FeedVersion(ctx context.Context, viewer feed.UserID) (live.FeedVersion, error) {
	return afterPause(p.s, p.Changes).FeedVersion(ctx, viewer)
}

func (p pausedChanges) Since(ctx context.Context, number int64, limit int) ([]live.HostTransition, error) {
	return afterPause(p.s, p.Changes).Since(ctx, number, limit)
}
