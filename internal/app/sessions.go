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
	// builder and keeper see to the replay inboxes.
	builder *inbox.Builder
	keeper  *inbox.Maintenance
	// behind does what pages leave to be done after them.
	behind *behind
}

// addLive makes the services of live sessions, and has the fan-out push replays. What they
// share with the feed of contents, they take from it.
func (a *services) addLive(st *stores, memory live.FeedCache, inboxes InboxStores, log *slog.Logger) {
	p, trace := a.timeline.Policy, tracingReplays(log)
	sessions, replays := sqlstore.NewLive(st.sql), sqlstore.NewReplays(st.sql)
	posts := live.ReplayPosts{Sessions: sessions}
	sets := redisstore.NewSets(st.redis)
	a.fanout.Replays = fanout.Target{Posts: posts, Inboxes: inboxes.Replays}
	l := &liveServices{history: sessions, behind: newBehind()}
	l.feed = &live.Feed{
		Sessions: sessions, History: sessions, Changes: sessions, Sets: sets, Snapshots: redisstore.NewSnapshots(st.redis),
		Cache: memory, Tracker: live.NewChangeTracker(sessions, live.DefaultPolicy()),
		Relations: st.sql, Outboxes: replays, Queue: a.queue, Async: l.behind.do, NewName: randomName,
		Replays: &timeline.Timeline{
			Viewers: &timeline.Direct{Inboxes: inboxes.Replays, Relations: st.sql, Outboxes: replays, Posts: posts, Primary: posts},
			Inboxes: inboxes.Replays, Outboxes: replays, Reference: replays, Pending: replays,
			Queue: a.queue.Replays(), ReferenceLimit: a.timeline.ReferenceLimit, Policy: p, Trace: trace,
		},
		Policy: live.DefaultPolicy(), Trace: trace,
	}
	l.hosting = newHosting(sessions, st.sql, a.queue, st.clock.now, p, trace)
	l.hosting.Recorder = a.recorder
	l.refresher = &live.Refresher{History: sessions, Sets: sets}
	l.builder = ReplayBuilder(st.sql, inboxes.Replays, st.clock.now, p)
	l.builder.Trace = trace
	// Both housekeepers lead under one name and holder, so that one process does the work
	// of both.
	l.keeper = &inbox.Maintenance{
		Inboxes: inboxes.Replays, Keeper: inboxes.Replays, Relations: st.sql, Activity: st.sql, Cleaner: st.sql, Leaders: st.sql,
		Holder: a.keeper.Holder, Clock: st.clock.now, Policy: p, Trace: trace,
	}
	a.live = l
}

func newHosting(sessions live.Sessions, relations feed.Relations, queue *tasks.Queue, clock feed.Clock, p feed.Policy, trace feed.Trace) *live.Hosting {
	newID := feed.NewPostIDs(clock, nil)
	return &live.Hosting{
		Sessions: sessions, Relations: relations, Queue: queue,
		NewID: func() (live.ID, error) {
			id, err := newID()
			return live.ID(id), err
		},
		Clock: clock, Policy: live.DefaultPolicy(), EventPatience: p.EventPatience, Trace: trace,
	}
}

// ReplayBuilder returns a builder of replay inboxes from what is in store.
func ReplayBuilder(store *sqlstore.Store, inboxes feed.Inboxes, clock feed.Clock, p feed.Policy) *inbox.Builder {
	return &inbox.Builder{
		Inboxes: inboxes, Relations: store, Coverage: sqlstore.NewReplays(store), Activity: store,
		Posts: live.ReplayPosts{Sessions: sqlstore.NewLive(store)}, Clock: clock, Policy: p,
	}
}

// tracingReplays logs what the domain does with replays, in other words than [tracing] does
// where it does the same with contents.
func tracingReplays(log *slog.Logger) feed.Trace {
	t := tracing(log)
	t.PageRead = func(viewer feed.UserID, r feed.Reading) {
		log.Debug("replays read", "viewer", viewer, "source", r.Source)
	}
	t.InboxBuilt = func(viewer feed.UserID, n int) {
		log.Debug("inbox of replays built", "viewer", viewer, "entries", n)
	}
	t.InboxRemoved = func(viewer feed.UserID) {
		log.Debug("inbox of replays of a dormant viewer removed", "viewer", viewer)
	}
	return t
}

// bothInboxes are a viewer's inboxes where both are removed: the account is deleted.
type bothInboxes struct {
	feed.Inboxes
	replays feed.Inboxes
}

// Remove implements [feed.Inboxes].
func (b bothInboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	return errors.Join(b.Inboxes.Remove(ctx, viewer), b.replays.Remove(ctx, viewer))
}

// randomName names a snapshot so that it cannot be guessed.
func randomName() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

const (
	// behindMax is how many things are done behind requests at once. They are cheaper than
	// the requests themselves, and what is more than that is dropped.
	behindMax = 32
	// behindWithin bounds one of them.
	behindWithin = 5 * time.Second
)

// behind does what requests leave to be done after their answers.
type behind struct{ group errgroup.Group }

func newBehind() *behind {
	b := &behind{}
	b.group.SetLimit(behindMax)
	return b
}

// do has something done soon, or drops it when there is too much to do.
func (b *behind) do(something func(context.Context)) {
	b.group.TryGo(func() error {
		ctx, cancel := context.WithTimeout(context.Background(), behindWithin)
		defer cancel()
		something(ctx)
		return nil
	})
}

// wait returns when all is done. Nothing may be left to be done after it was called.
func (b *behind) wait() { _ = b.group.Wait() }
