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
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/internal/gateway"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/tasks"
)

// stores are the open connections.
type stores struct {
	sql *sqlstore.Store
	// redis and queue are the main one and the queue's of redisServers; often the two
	// are one.
	redis, queue *redisstore.Client
	// clock is for all times that other processes read.
	clock *sharedClock
	// embeddedURL reaches the Redis inside this process; empty when there is none.
	embeddedURL string
	// spans are those of the stores' calls; nil if traces are not exported.
	spans   *spans
	closers []func() error
	// revocations are those of tokens, once the caches are open.
	revocations *gateway.Revocations
}

// OpenSQL opens the database, migrates it and logs the versions that it applied. The caller
// closes the store. A URL that cannot be used is a [SettingError].
func OpenSQL(ctx context.Context, s DatabaseSettings, log *slog.Logger, options ...sqlstore.Option) (*sqlstore.Store, error) {
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

// openStores opens everything a server needs. What it opened is closed by close.
func openStores(ctx context.Context, db DatabaseSettings, servers RedisServers, sp *spans, log *slog.Logger, options ...sqlstore.Option) (*stores, error) {
	st := &stores{spans: sp}
	var err error
	if st.sql, err = OpenSQL(ctx, db, log, append(sp.sql(), options...)...); err != nil {
		return nil, err
	}
	st.closers = append(st.closers, st.sql.Close)
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

// openClock compares this machine's clock with the database's for the first time.
func (st *stores) openClock(ctx context.Context) error {
	st.clock = &sharedClock{host: time.Now, ask: func(ctx context.Context) (int64, error) {
		// The version of the anonymous viewer has the time, too.
		stamp, err := st.sql.ViewerVersion(ctx, 0)
		return stamp.Now, err
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

// close closes everything, what was opened last first.
func (st *stores) close() error {
	var errs []error
	for i := len(st.closers) - 1; i >= 0; i-- {
		errs = append(errs, st.closers[i]())
	}
	return errors.Join(errs...)
}

// services is the domain's services over the stores.
type services struct {
	timeline  *timeline.Timeline
	feeds     *lists.Feeds
	directory *people.Directory
	recorder  *people.ActivityRecorder
	publisher *publish.Publisher
	follower  *people.Follower
	moderator *people.Moderator
	accounts  *people.Accounts
	fanout    *fanout.Fanout
	builder   *inbox.Builder
	keeper    *inbox.Maintenance
	subscribe *subscribe.Subscriptions
	// heart is nil where inboxes cannot be lost behind the program's back: in SQL, and in
	// a Redis that begins and ends with the program.
	heart *inbox.Heartbeat
	// layout is nil where no process could use other inboxes, as in tests of one process.
	layout *inbox.Layout
	live   *liveServices

	// shares puts entries into the shared viewer cache after reads, and stores doubts about
	// proxies. What is too much of it is dropped.
	shares *behind
	// records asks for the warm-ups of active users. Excess ones are dropped, and asked for
	// again when the user does something a minute later.
	records *behind

	users    feed.Users
	counters feed.Counters
	queue    *tasks.Queue
	// metrics count what all of them do.
	metrics *telemetry.Metrics
}

// inboxes returns the inboxes in the store that the settings name.
func (st *stores) inboxes(s feedSettings) InboxStores {
	if s.Inbox == InboxSQL {
		return InboxesInSQL(st.sql, s.InboxCap)
	}
	return InboxesInRedis(st.redis, s.InboxCap)
}

// newServices makes the services. Contents, profiles and counters are read through the
// caches; writes, a viewer's own things, and all background work go past them.
func newServices(st *stores, c caches, all InboxStores, p feed.Policy, log *slog.Logger) *services {
	inboxes := all.Home
	queue := tasks.NewQueue(st.queue, st.spans.queue(tasks.QueueOptions{Spread: st.queue.Sharded(), PayloadVersion: thisVersion().payload}))
	metrics := telemetry.New(Version())
	trace := metrics.Trace(tracing(log))
	a := &services{
		queue: queue, users: c.users, counters: c.counters, metrics: metrics,
		shares: newBehind(), records: newBehind(),
	}
	direct := st.direct(c, inboxes)
	a.timeline = &timeline.Timeline{
		Viewers: a.viewers(st, c, direct, all.ViewerCache, trace), Inboxes: inboxes, Outboxes: st.sql, Reference: st.sql,
		Pending: timeline.IgnorePending{}, Queue: queue, ReferenceLimit: feed.NewSemaphore(p.ReferenceMax, p.ReferencePatience), Policy: p, Trace: trace,
	}
	a.feeds = &lists.Feeds{Home: a.timeline, Lists: st.sql}
	a.directory = &people.Directory{
		UserStore: c.users, Primary: st.sql, Fresh: c.fresh, Relations: st.sql, Relater: st.sql, Profiles: st.sql,
		SearchLimit: feed.NewSemaphore(p.SearchesMax, p.ReferencePatience), Policy: p,
	}
	a.moderator = &people.Moderator{Relater: st.sql, Directory: a.directory, Clock: st.clock.now}
	a.recorder = &people.ActivityRecorder{Users: st.sql, Queue: queue, Later: a.records.do, Clock: st.clock.now, Policy: p, Trace: trace}
	a.accounts = &people.Accounts{
		Users: st.sql, Profiles: st.sql, Inboxes: bothInboxes{inboxes, all.Replays}, Evictor: c.evictions, Recorder: a.recorder,
		Clock: st.clock.now, Policy: p,
	}
	a.publisher = &publish.Publisher{
		Posts: c.contents, Counters: c.counters, Viewers: direct, Queue: queue, Evictor: c.evictions, Recorder: a.recorder,
		NewID: feed.NewPostIDs(st.clock.now, nil), Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.follower = &people.Follower{Follows: c.follows, Directory: a.directory, Queue: queue, Clock: st.clock.now, Policy: p, Trace: trace}
	announcements := redisstore.NewAnnouncements(st.redis)
	a.fanout = &fanout.Fanout{
		Plans: st.sql, Audience: st.sql, Posts: st.sql, Inboxes: inboxes, Progress: st.sql,
		Announcer: announcements, Announced: st.sql,
		Queue: queue, Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.subscribe = &subscribe.Subscriptions{Listener: announcements, Audience: st.sql, Viewers: direct, Policy: p, Trace: trace}
	a.builder = &inbox.Builder{
		Inboxes: inboxes, Relations: st.sql, Coverage: st.sql, Activity: st.sql, Posts: st.sql,
		Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.keeper = &inbox.Maintenance{
		Inboxes: inboxes, Keeper: inboxes, Relations: st.sql, Activity: st.sql, Cleaner: st.sql, Leaders: st.sql,
		Holder: holder(), Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.addLive(st, c.liveMemory(), all, log)
	return a
}

// holder names this process among those that share its database: host and process for
// operators who read the table of leaders, and a random text because neither need be the only
// one of its name.
func holder() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d/%s", host, os.Getpid(), rand.Text())
}

// watch has a heartbeat watch over the inboxes in Redis.
func (a *services) watch(st *stores, log *slog.Logger) {
	a.heart = &inbox.Heartbeat{
		Pulses: redisstore.NewPulses(st.redis), Log: st.sql, Progress: st.sql, Relations: st.sql, Leaders: st.sql,
		Holder: a.keeper.Holder, Policy: a.keeper.Policy, Trace: a.metrics.Trace(tracing(log)),
	}
}

// tracing logs what the domain does.
func tracing(log *slog.Logger) feed.Trace {
	return feed.Trace{
		PageRead: func(viewer feed.UserID, r feed.Reading) {
			log.Debug("home feed read", "viewer", viewer, "source", r.Source, "inbox", r.Found, "pulled", r.Pulled)
		},
		InboxBuilt: func(viewer feed.UserID, n int) {
			log.Debug("inbox built", "viewer", viewer, "entries", n)
		},
		InboxesRolledBack: func(server string, to int64, n int) {
			log.Warn("inboxes were lost since some time; what was pushed since is pushed again",
				"server", server, "since", time.UnixMilli(to), "subtasks", n)
		},
		SharedPutFailed: func(err error) {
			log.Debug("an entry of the viewer cache could not be stored in Redis", "error", err)
		},
		InboxesDropped: func(server, why string) {
			log.Warn("no inbox can be trusted any more; all are built again as they are read", "server", server, "why", why)
		},
		Shed: func(content feed.PostID) {
			log.Warn("too many subtasks wait; the author of a content is pulled from now on", "content", content)
		},
		InboxRemoved: func(viewer feed.UserID) {
			log.Debug("inbox of a dormant viewer removed", "viewer", viewer)
		},
		SlicePushed: func(ref feed.SliceRef, n int) {
			log.Debug("slice pushed", "content", ref.Post, "task", ref.Task, "followers", n)
		},
		Announced: func(content feed.PostID, err error) {
			if err != nil {
				log.Warn("a content could not be announced to subscribers", "content", content, "error", err)
			}
		},
		SubscriptionsEnded: func(n int, why error) {
			log.Warn("subscriptions were ended; their clients are told to read the feed again", "subscriptions", n, "why", why)
		},
		EnqueueFailed: func(err error) {
			log.Warn("a task could not be enqueued; the sweeper or the next read will see to it", "error", err)
		},
	}
}

// handlers hands tasks to the services.
func (a *services) handlers() tasks.Handlers {
	return tasks.Handlers{
		Dispatch: onInboxes(a, a.fanout.Dispatch), Push: onInboxes(a, a.fanout.Push),
		Build: onInboxes(a, a.builder.Build), Reconcile: onInboxes(a, a.builder.Reconcile), WarmUp: onInboxes(a, a.builder.WarmUp),
		ReplayBuild: onInboxes(a, a.live.builder.Build), ReplayReconcile: onInboxes(a, a.live.builder.Reconcile),
		ReplayWarmUp: onInboxes(a, a.live.builder.WarmUp),
		Refresh:      a.live.refresher.Refresh,
	}
}

// periodicJob is work that a worker does again and again.
type periodicJob struct {
	name  string
	every time.Duration
	do    func(context.Context) error
}

// periodic lists the periodic work of every worker. Where one process is enough for
// it, they agree on one by themselves.
func (a *services) periodic() []periodicJob {
	jobs := []periodicJob{
		{"sweep", tasks.SweepInterval, a.whileUsable(a.fanout.Sweep)},
		{"purge of deleted accounts", tasks.SweepInterval, a.accounts.Purge},
		{"tidying of inboxes", tasks.TrimInterval, a.keeper.TrimInboxes},
		{"tidying of replay inboxes", tasks.TrimInterval, a.live.keeper.TrimInboxes},
		{"cleaning up of rows", tasks.PurgeInterval, a.keeper.PurgeRows},
		{"announcing of queues", tasks.AnnounceInterval, a.queue.Announce},
	}
	if a.heart != nil {
		jobs = append(jobs, periodicJob{"heartbeat", tasks.BeatInterval, a.whileUsable(a.heart.Beat)})
	}
	return jobs
}
