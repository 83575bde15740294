package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/delta"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/tasks"
)

// stores are the open connections.
type stores struct {
	sql *sqlstore.Store
	// queue is often the same client as redis.
	redis, queue *redisstore.Client
	queuePrefix  string
	// clock is for times that other processes read.
	clock *sharedClock
	// embeddedURL is the URL of the Redis inside this process; empty if there is none.
	embeddedURL string
	// spans trace calls of the stores; nil if traces are not exported.
	spans *spans
	// ids is nil where ids are numbers.
	ids     *lrucache.IDs
	closers []func() error
	// revocations are set by openCaches.
	revocations *gateway.Revocations
	// upstreams are set before openCaches; nil without other services, and in workers.
	upstreams *upstreams
}

// OpenSQL opens and migrates the database, and chooses or checks --ids. The caller closes it. The
// error is a [SettingError] if the URL or --ids is unusable.
func OpenSQL(ctx context.Context, s DatabaseSettings, log *slog.Logger, options ...sqlstore.Option) (*sqlstore.Store, error) {
	store, err := openMigrated(ctx, s, log, options...)
	if err != nil {
		return nil, err
	}
	if _, err := store.UseIDs(ctx, feed.IDMode(s.IDs)); err != nil {
		if feed.CodeOf(err) == feed.CodeConflict {
			err = BadSetting("--ids: %s", feed.Reason(err))
		}
		return nil, errors.Join(err, store.Close())
	}
	return store, nil
}

// Migrate migrates the database. It does not choose --ids.
func Migrate(ctx context.Context, s DatabaseSettings, log *slog.Logger) error {
	store, err := openMigrated(ctx, s, log)
	if err != nil {
		return err
	}
	return store.Close()
}

func openMigrated(ctx context.Context, s DatabaseSettings, log *slog.Logger, options ...sqlstore.Option) (*sqlstore.Store, error) {
	url, err := s.url()
	if err != nil {
		return nil, err
	}
	store, err := sqlstore.Open(ctx, url, append(options, thisVersion().schema...)...)
	if err != nil {
		return nil, err
	}
	applied, err := store.Migrate(ctx)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	if len(applied) > 0 {
		log.Info("migrated the database", "versions", applied)
	}
	return store, nil
}

func openStores(ctx context.Context, db DatabaseSettings, servers RedisServers, sp *spans, log *slog.Logger, options ...sqlstore.Option) (*stores, error) {
	st := &stores{spans: sp, queuePrefix: servers.QueuePrefix}
	var err error
	if st.sql, err = OpenSQL(ctx, db, log, append(sp.sql(), options...)...); err != nil {
		return nil, err
	}
	st.closers = append(st.closers, st.sql.Close)
	st.openIDs()
	if err = st.openClock(ctx); err != nil {
		return nil, errors.Join(err, st.close())
	}
	if st.redis, err = st.openRedis(ctx, servers.Main); err != nil {
		return nil, errors.Join(err, st.close())
	}
	st.queue = st.redis
	if servers.Queue.URL != servers.Main.URL {
		if st.queue, err = st.openRedis(ctx, servers.Queue); err != nil {
			return nil, errors.Join(err, st.close())
		}
	}
	sp.redis(st)
	return st, nil
}

// openClock compares this machine's clock with that of the database for the first time.
func (st *stores) openClock(ctx context.Context) error {
	st.clock = &sharedClock{host: time.Now, ask: func(ctx context.Context) (int64, error) {
		version, err := st.sql.ViewerVersion(ctx, 0)
		return version.Now, err
	}}
	return st.clock.compare(ctx)
}

func (st *stores) openRedis(ctx context.Context, s RedisServer) (*redisstore.Client, error) {
	if s.URL == Embedded {
		e, err := redisstore.OpenEmbedded(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Flag, err)
		}
		st.closers = append(st.closers, e.Close)
		st.embeddedURL = e.URL()
		return e.Client(), nil
	}
	c, err := redisstore.Open(ctx, s.URL)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Flag, err)
	}
	st.closers = append(st.closers, c.Close)
	return c, nil
}

func (st *stores) close() error {
	var errs []error
	for i := len(st.closers) - 1; i >= 0; i-- {
		errs = append(errs, st.closers[i]())
	}
	return errors.Join(errs...)
}

// services are the services of the domain over the stores.
type services struct {
	timeline    *timeline.Timeline
	feeds       *lists.Feeds
	reading     *delta.Positions
	directory   *people.Directory
	recorder    *people.ActivityRecorder
	online      *people.OnlineRecorder
	publisher   *publish.Publisher
	follower    *people.Follower
	relations   *people.Relations
	lists       *people.Lists
	moderator   *people.Moderator
	accounts    *people.Accounts
	fanout      *fanout.Fanout
	builder     *inbox.Builder
	maintenance *inbox.Maintenance
	subscribe   *subscribe.Subscriptions
	numberer    *changes.Numberer
	// heartbeat is nil where inboxes cannot be lost while this process runs: in SQL, and in the
	// embedded Redis.
	heartbeat *inbox.Heartbeat
	// format is nil where no process can use other inboxes, as in tests.
	format *inbox.StorageFormat
	live   *liveServices
	// liveChanges reads what has changed in live feeds.
	liveChanges *delta.LiveReader

	// doubtWrites stores doubts about addresses, and drops excess ones.
	doubtWrites *backgroundPool
	// activityWrites requests warm-ups of active users, and drops excess ones, which are requested
	// again a minute later.
	activityWrites *backgroundPool

	users    feed.Users
	counters feed.Counters
	queue    *tasks.Queue
	metrics  *telemetry.Metrics
	sink     *ingest.Sink
	// positions let reads wait for what was ingested.
	positions *positions.Waiter
	reports   *positions.Reports
}

func (st *stores) inboxes(s feedSettings) InboxStores {
	if s.Inbox == InboxSQL {
		return InboxesInSQL(st.sql, s.InboxCap)
	}
	return InboxesInRedis(st.redis, s.InboxCap)
}

func listsOf(st *stores, d *people.Directory, p feed.Policy) *people.Lists {
	return &people.Lists{
		Lists: st.sql, Reader: st.sql, Directory: d, NewID: feed.NewPostIDs(st.clock.now, nil), Clock: st.clock.now, Policy: p,
	}
}

// newServices creates the services. Posts, profiles and counters are read through the caches.
// Writes, viewers' own data and background work bypass them.
func newServices(st *stores, c caches, all InboxStores, p feed.Policy, log *slog.Logger) *services {
	inboxes, queue := all.Home, tasks.NewQueue(st.queue, st.spans.queue(tasks.QueueOptions{Prefix: st.queuePrefix, Spread: st.queue.Sharded(), PayloadVersion: thisVersion().payload}))
	metrics := telemetry.New(Version())
	trace := metrics.Trace(logTrace(st, log))
	a := &services{
		queue: queue, users: c.users, counters: c.counters, metrics: metrics,
		doubtWrites: newBackgroundPool(), activityWrites: newBackgroundPool(),
	}
	direct := st.direct(c, inboxes)
	a.timeline = &timeline.Timeline{
		Viewers: st.viewers(c, direct, trace), Inboxes: inboxes, Outboxes: st.sql, Reference: st.sql, Specials: st.sql,
		Pending: st.sql, Places: c.follower, Queue: queue, ReferenceLimit: feed.NewSemaphore(p.ReferenceMax, p.ReferencePatience), Policy: p, Trace: trace,
	}
	a.addFeeds(st, c, p)
	a.directory = &people.Directory{
		UserStore: c.users, Primary: st.sql, Fresh: c.uncached, Relations: st.sql, Relater: st.sql, Profiles: st.sql, Requests: st.sql,
		SearchLimit: feed.NewSemaphore(p.SearchesMax, p.ReferencePatience), Policy: p,
	}
	a.lists = listsOf(st, a.directory, p)
	a.relations = &people.Relations{Relater: st.sql, Directory: a.directory, Clock: st.clock.now}
	a.moderator = &people.Moderator{Moderation: st.sql, Posts: st.sql, Evictor: c.evictor, Clock: st.clock.now, Policy: p}
	a.recorder = &people.ActivityRecorder{Users: st.sql, Queue: queue, Later: a.activityWrites.run, Clock: st.clock.now, Policy: p, Trace: trace}
	a.accounts = &people.Accounts{
		Users: st.sql, Profiles: st.sql, Inboxes: bothInboxes{inboxes, all.Replays}, Evictor: c.evictor, Recorder: a.recorder,
		Clock: st.clock.now, Policy: p,
	}
	a.publisher = &publish.Publisher{
		Posts: c.postWriter, Counters: c.counters, Viewers: direct, Queue: queue, Evictor: c.evictor, Recorder: a.recorder,
		NewID: feed.NewPostIDs(st.clock.now, nil), Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.follower = &people.Follower{Follows: c.follows, Requests: c.requests, Directory: a.directory, Clock: st.clock.now, Policy: p}
	a.fanout = &fanout.Fanout{
		Plans: st.sql, Slices: st.sql, Audience: st.sql, Posts: st.sql, Inboxes: inboxes, Progress: st.sql,
		Announcer: redisstore.NewAnnouncements(st.redis), Announced: st.sql,
		Queue: queue, Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.subscribe = &subscribe.Subscriptions{
		Changes: a.feeds.Changes, LiveChanges: a.liveChanges, Viewers: direct, Places: c.follower, Audience: st.sql, Policy: p, Trace: trace,
		Async: func(do func()) { go do() },
	}
	c.follower.Observe(a.subscribe)
	a.addOnline(st, p)
	a.builder = &inbox.Builder{
		Inboxes: inboxes, Relations: st.sql, Coverage: st.sql, Activity: st.sql, Posts: st.sql,
		Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.maintenance = &inbox.Maintenance{
		Inboxes: inboxes, Trimmer: inboxes, Relations: st.sql, Activity: st.sql, Cleaner: st.sql, Changes: st.sql,
		Loads: st.sql, Flags: st.sql, Leaders: st.sql,
		Holder: holder(), Clock: st.clock.now, Policy: p, Trace: trace, Pause: tasks.TrimPause, RemovedAtOnce: removedAtOnce,
	}
	a.sink = &ingest.Sink{
		Store: st.sql, Progress: st.sql, Queue: queue, Evictor: c.evictor, Clock: st.clock.now, Policy: p, Trace: trace, Wait: wait,
		Commits: st.sql, Format: st.format(),
	}
	st.upstreams.begin(a.sink, metrics)
	a.reports = positions.NewReports(st.sql, st.sql, time.Now)
	a.positions = &positions.Waiter{Commits: st.sql, Sources: st.sql, Waits: waits(), Wait: wait}
	a.addNumberer(st)
	a.addLive(st, c, all, log)
	return a
}

// catchUp numbers what waits and follows it. Without this, a reset of the log from before the start,
// such as by the first use of a format or by an import, would end the first subscriptions.
func (a *services) catchUp(ctx context.Context, follower *changes.Follower) error {
	if err := a.numberer.NumberWaiting(ctx); err != nil {
		return err
	}
	return follower.CatchUp(ctx)
}

// addNumberer adds what numbers changes, and tells the numberer of new ones.
func (a *services) addNumberer(st *stores) {
	signal := redisstore.NewChangeSignal(st.redis)
	a.numberer = &changes.Numberer{Log: st.sql, Signal: signal, Leaders: st.sql, Holder: a.maintenance.Holder}
	st.sql.OnChange((&changes.Waker{Signal: signal}).Wake)
}

// changesInMemory is the number of changes that a process keeps: a minute's worth at 800 a second.
const changesInMemory = 50_000

// addFeeds adds the feeds and the readers of their changes.
func (a *services) addFeeds(st *stores, c caches, p feed.Policy) {
	tail := st.changesTail(c)
	a.feeds = &lists.Feeds{Home: a.timeline, Changes: st.homeChanges(tail, a.timeline.Viewers, p), Lists: st.sql}
	a.reading = &delta.Positions{Store: st.sql, Changes: a.feeds.Changes}
	a.liveChanges = st.liveChanges(tail, a.timeline.Viewers, c.sessions, p)
}

// changesTail returns the newest changes, which the follower keeps up to date; nil for a process
// without caches.
func (st *stores) changesTail(c caches) *changes.Tail {
	if c.localViewers() == nil {
		return nil
	}
	tail := &changes.Tail{Log: st.sql, Relations: st.sql, Followees: c.followees, RowsMax: changesInMemory}
	c.follower.Observe(tail)
	return tail
}

// homeChanges returns the reader of changes of home feeds. For the newest changes, it reads through
// cached.
func (st *stores) homeChanges(tail *changes.Tail, cached feed.Viewers, p feed.Policy) *delta.Reader {
	reader := &delta.Reader{
		Log:       st.sql,
		Viewers:   st.uncached(),
		Relations: st.sql, Coverage: st.sql, Outboxes: st.sql, Audiences: st.sql, Policy: p,
	}
	if tail != nil {
		reader.Recent, reader.Cached = tail, cached
	}
	return reader
}

// liveChanges returns the reader of changes of live feeds. For the newest changes, it reads through
// cached and kept.
func (st *stores) liveChanges(tail *changes.Tail, cached feed.Viewers, kept live.SessionReader, p feed.Policy) *delta.LiveReader {
	sessions := sqlstore.NewLive(st.sql)
	reader := &delta.LiveReader{
		Log: st.sql, Sessions: sessions, Versions: sessions, Viewers: st.uncached(), Users: st.sql, Coverage: st.sql, Policy: p,
	}
	if tail != nil {
		reader.Recent, reader.Cached, reader.CachedSessions = tail, cached, kept
	}
	return reader
}

// holder identifies this process: host and process id for operators, and a unique random text.
func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text())
}

// startHeartbeat adds the heartbeat that detects lost inboxes in Redis.
func (a *services) startHeartbeat(st *stores, log *slog.Logger) {
	a.heartbeat = &inbox.Heartbeat{
		Pulses: redisstore.NewPulses(st.redis), Log: st.sql, Changes: st.sql, Progress: st.sql, Relations: st.sql, Leaders: st.sql,
		Holder: a.maintenance.Holder, Policy: a.maintenance.Policy, Trace: a.metrics.Trace(logTrace(st, log)),
	}
}

// logTrace logs what operators should know with public ids, and the rest, for debugging, with numbers.
func logTrace(st *stores, log *slog.Logger) feed.Trace {
	return feed.Trace{
		PageRead: func(viewer feed.UserID, r feed.Reading) {
			log.Debug("home feed read", "viewer", viewer, "source", r.Source, "inbox", r.Found, "pulled", r.Pulled)
		},
		InboxBuilt: func(viewer feed.UserID, n int) {
			log.Debug("inbox built", "viewer", viewer, "entries", n)
		},
		InboxesRolledBack: func(server string, to int64, n int) {
			log.Warn("inboxes lost their last writes; pushing them again",
				"server", server, "since", time.UnixMilli(to), "slices", n)
		},
		InboxesDropped: func(server, why string) {
			log.Warn("dropped all inboxes; reads rebuild them", "server", server, "reason", why)
		},
		Shed: func(post feed.PostID) {
			log.Warn("too many slices are waiting; pulling the author of this post from now on", "post", loggedPost{st, post})
		},
		FlagLowered: func(author feed.UserID, to feed.CoverageFlag) {
			log.Info("lowered the coverage flag of an author", "author", loggedUser{st, author}, "flag", to)
		},
		InboxRemoved: func(viewer feed.UserID) {
			log.Debug("removed the inbox of a dormant viewer", "viewer", viewer)
		},
		SlicePushed: func(ref feed.SliceRef, n int) {
			log.Debug("slice pushed", "post", ref.Post, "task", ref.Task, "followers", n)
		},
		PushedFirst: func(post feed.PostID, n, told int, lag time.Duration) {
			log.Debug("pushed a post to online followers first", "post", post, "followers", n, "notified", told, "lag", lag)
		},
		PushFirstFailed: func(post feed.PostID, err error) {
			log.Warn("cannot push a post to online followers first; they get it with all others", "post", post, "error", err)
		},
		Announced: func(post feed.PostID, err error) {
			if err != nil {
				log.Warn("cannot announce a post to subscribers", "post", loggedPost{st, post}, "error", err)
			}
		},
		SubscriptionsEnded: func(n int, why error) {
			// A reset of the log ends all of them.
			log.Debug("ended subscriptions; their clients must read the feed again", "subscriptions", n, "reason", why)
		},
		EnqueueFailed: func(err error) {
			log.Warn("cannot enqueue a task; a sweep or the next read repeats it", "error", err)
		},
	}
}

func (a *services) handlers() tasks.Handlers {
	return tasks.Handlers{
		Dispatch: onInboxes(a, reportsDispatch(a.fanout.DispatchCounted)), Plan: onInboxes(a, reportsDispatch(a.fanout.PlanCounted)), Push: onInboxes(a, a.push),
		Build: onInboxes(a, a.builder.Build), Reconcile: onInboxes(a, a.builder.Reconcile), WarmUp: onInboxes(a, a.builder.WarmUp),
		ReplayBuild: onInboxes(a, a.live.builder.Build), ReplayReconcile: onInboxes(a, a.live.builder.Reconcile),
		ReplayWarmUp: onInboxes(a, a.live.builder.WarmUp),
		Refresh:      a.live.refresher.Refresh,
		Ingest:       a.ingestTasks(),
	}
}

// removedAtOnce lets a round end within a day, also if a hundred million viewers are dormant.
const removedAtOnce = 8

type periodicJob struct {
	name  string
	every time.Duration
	do    func(context.Context) error
}

// periodic lists the periodic jobs of a worker. Jobs that need only one process elect a leader.
func (a *services) periodic() []periodicJob {
	jobs := []periodicJob{
		{"sweep", tasks.SweepInterval, a.whileUsable(a.fanout.Sweep)},
		{"purge of deleted accounts", tasks.SweepInterval, a.accounts.Purge},
		{"end of suspensions", tasks.SweepInterval, a.moderator.LiftDue},
		{"end of mutes", tasks.SweepInterval, a.relations.EndMutes},
		{"trimming of inboxes", inbox.TrimInterval, a.maintenance.TrimInboxes},
		{"trimming of replay inboxes", inbox.TrimInterval, a.live.maintenance.TrimInboxes},
		{"cleaning up of rows", inbox.PurgeInterval, a.maintenance.PurgeRows},
		{"lowering of coverage flags", inbox.FlagInterval, a.maintenance.LowerFlags},
		{"announcing of queues", tasks.AnnounceInterval, a.queue.Announce},
	}
	if a.heartbeat != nil {
		jobs = append(jobs, periodicJob{"heartbeat", tasks.BeatInterval, a.whileUsable(a.heartbeat.Beat)})
	}
	return jobs
}

// finish waits for writes in the background and closes the queue.
func (a *services) finish() {
	a.activityWrites.wait()
	a.doubtWrites.wait()
	a.live.pool.wait()
	_ = a.queue.Close()
}
