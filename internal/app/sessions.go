package app

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/feed/timeline"
	"github.com/tideline-feeds/tideline/tasks"
)

// liveServices are the services of live sessions over the stores.
type liveServices struct {
	history   live.History
	feed      *live.Feed
	hosting   *live.Hosting
	refresher *live.Refresher
	// builder and maintenance maintain the replay inboxes.
	builder     *inbox.Builder
	maintenance *inbox.Maintenance
	// pool runs work that pages leave for later.
	pool *backgroundPool
}

// addLive creates the services of live sessions, and makes the fan-out push replays.
func (a *services) addLive(st *stores, c caches, inboxes InboxStores, log *slog.Logger) {
	p, trace := a.timeline.Policy, logReplayTrace(st, log)
	sessions, replays := sqlstore.NewLive(st.sql), sqlstore.NewReplays(st.sql)
	posts := live.ReplayPosts{Sessions: sessions}
	sets := redisstore.NewSets(st.redis)
	a.fanout.Replays = fanout.Target{Posts: replays, Inboxes: inboxes.Replays}
	l := &liveServices{history: sessions, pool: newBackgroundPool()}
	l.feed = &live.Feed{
		Sessions: sessions, History: sessions, Changes: sessions, Sets: sets, Snapshots: redisstore.NewSnapshots(st.redis),
		Cache: c.liveCache(), Places: c.follower, Tracker: live.NewChangeTracker(sessions, live.DefaultPolicy()),
		Relations: st.sql, Users: st.sql, Outboxes: replays, Queue: a.queue, Async: l.pool.run, NewName: randomName,
		Replays: &timeline.Timeline{
			Viewers: &timeline.Direct{Inboxes: inboxes.Replays, Relations: st.sql, Outboxes: replays, Posts: posts, Primary: posts},
			Inboxes: inboxes.Replays, Outboxes: replays, Reference: replays, Pending: replays, PullsPending: true,
			Queue: a.queue.Replays(), ReferenceLimit: a.timeline.ReferenceLimit, Policy: p, Trace: trace,
		},
		Policy: live.DefaultPolicy(), Trace: trace,
	}
	l.hosting = newHosting(sessions, st.sql, st.sql, a.queue, st.clock.now, p, trace)
	l.hosting.Recorder = a.recorder
	l.refresher = &live.Refresher{History: sessions, Sets: sets}
	l.builder = ReplayBuilder(st.sql, inboxes.Replays, st.clock.now, p)
	l.builder.Trace = trace
	// Both lead under one name and holder, so that one process does the work of both.
	l.maintenance = &inbox.Maintenance{
		Inboxes: inboxes.Replays, Trimmer: inboxes.Replays, Relations: st.sql, Activity: st.sql, Cleaner: st.sql, Changes: st.sql, Loads: st.sql, Leaders: st.sql,
		Holder: a.maintenance.Holder, Clock: st.clock.now, Policy: p, Trace: trace, Pause: tasks.TrimPause, RemovedAtOnce: removedAtOnce,
	}
	a.live = l
}

func newHosting(
	sessions live.Sessions, relations feed.Relations, users live.Users, queue *tasks.Queue, clock feed.Clock, p feed.Policy, trace feed.Trace,
) *live.Hosting {
	newID := feed.NewPostIDs(clock, nil)
	return &live.Hosting{
		Sessions: sessions, Relations: relations, Users: users, Queue: queue,
		NewID: func() (live.ID, error) {
			id, err := newID()
			return live.ID(id), err
		},
		Clock: clock, Policy: live.DefaultPolicy(), EventPatience: p.EventPatience, Trace: trace,
	}
}

// ReplayBuilder returns a builder of replay inboxes.
func ReplayBuilder(store *sqlstore.Store, inboxes feed.Inboxes, clock feed.Clock, p feed.Policy) *inbox.Builder {
	replays := sqlstore.NewReplays(store)
	return &inbox.Builder{
		Inboxes: inboxes, Relations: store, Coverage: replays, Activity: store, Posts: replays, Clock: clock, Policy: p,
	}
}

func logReplayTrace(st *stores, log *slog.Logger) feed.Trace {
	t := logTrace(st, log)
	t.PageRead = func(viewer feed.UserID, r feed.Reading) {
		log.Debug("replays read", "viewer", viewer, "source", r.Source)
	}
	t.InboxBuilt = func(viewer feed.UserID, n int) {
		log.Debug("replay inbox built", "viewer", viewer, "entries", n)
	}
	t.InboxRemoved = func(viewer feed.UserID) {
		log.Debug("removed the replay inbox of a dormant viewer", "viewer", viewer)
	}
	return t
}

// bothInboxes removes both inboxes of a deleted account.
type bothInboxes struct {
	feed.Inboxes
	replays feed.Inboxes
}

func (b bothInboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return errors.Join(b.Inboxes.Remove(ctx, viewer), b.replays.Remove(ctx, viewer))
}

// randomName returns a name for a snapshot that clients cannot guess.
func randomName() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

const (
	// backgroundMax is low enough for work that is cheaper than the requests that cause it.
	backgroundMax     = 32
	backgroundTimeout = 5 * time.Second
)

// backgroundPool runs work that requests leave for later.
type backgroundPool struct{ group errgroup.Group }

func newBackgroundPool() *backgroundPool {
	b := &backgroundPool{}
	b.group.SetLimit(backgroundMax)
	return b
}

// run runs work soon, or drops it if the pool is full.
func (b *backgroundPool) run(work func(context.Context)) {
	b.group.TryGo(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), backgroundTimeout)
		defer cancel()
		work(ctx)
		return nil
	})
}

// wait waits for the running work. Do not call run afterwards.
func (b *backgroundPool) wait() { _ = b.group.Wait() }
