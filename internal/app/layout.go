package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/tasks"
)

// The layouts of inboxes that are not in a Redis which processes share. What such a Redis
// gives its inboxes is above 0, and so is what versions gave them that knew no others.
const (
	layoutInSQL = -1
	// layoutEmbedded is that of every embedded Redis, since each is empty when it starts.
	layoutEmbedded = -2
)

// layout returns what knows whether the inboxes are in use that the settings name: those of
// other settings may be what the rest of the processes work with.
func (c *Server) layout(st *stores) *inbox.Layout {
	fixed := func(n int64) func(context.Context) (int64, error) {
		return func(context.Context) (int64, error) { return n, nil }
	}
	mine := fixed(layoutInSQL)
	switch {
	case c.Inbox == InboxSQL:
	case c.redis().Main.URL == Embedded:
		mine = fixed(layoutEmbedded)
	default:
		mine = redisstore.NewIdentity(st.redis, thisVersion().layout).Layout
	}
	return inbox.NewLayout(st.sql, mine, c.Role != roleAPI)
}

// formats are the versions of what processes of different versions share: the payloads of
// tasks, the layout of inboxes in Redis, and the schema, to which options add.
type formats struct {
	payload int
	layout  int64
	schema  []sqlstore.Option
}

// laidOutStore are inboxes that are read only while their layout is in use.
type laidOutStore struct {
	feed.Inboxes
	feed.InboxKeeper
}

// in returns the inboxes as a process reads them that shares their store with others.
func (s InboxStores) in(l *inbox.Layout) InboxStores {
	in := InboxStores{
		Home:    laidOutStore{inbox.InLayout(s.Home, l), s.Home},
		Replays: laidOutStore{inbox.InLayout(s.Replays, l), s.Replays},
	}
	if s.ViewerCache != nil {
		in.ViewerCache = inbox.CacheInLayout(s.ViewerCache, l)
	}
	return in
}

// usable says whether the inboxes of this process are the ones in use.
func (a *services) usable() bool { return a.layout == nil || a.layout.Usable() }

// whileUsable leaves periodic work to other processes while the inboxes of this one are not
// in use. What a sweep put on the queue might be of a version that they cannot read, and a
// heartbeat would look at the servers of this process alone.
func (a *services) whileUsable(do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if !a.usable() {
			return nil
		}
		return do(ctx)
	}
}

// onInboxes hands tasks on while the inboxes of this process are the ones in use, and
// leaves them to other processes while they are not. The plan of a fan-out belongs to
// that: the process that makes it enqueues the pushes, in a version that processes like it can
// read.
func onInboxes[T any](a *services, do func(context.Context, T) error) func(context.Context, T) error {
	return func(ctx context.Context, arg T) error {
		if !a.usable() {
			return fmt.Errorf("the inboxes of this process are not in use: %w", tasks.ErrElsewhere)
		}
		return do(ctx, arg)
	}
}

// keepLayout asks which layout is in use, and goes on asking until stop is called. It does
// not ask less often when that fails: until there is an answer, no inbox is read.
func (a *services) keepLayout(ctx context.Context, log *slog.Logger) (stop func()) {
	if err := a.layout.Renew(ctx); err != nil {
		log.Warn("it is not known yet which inboxes are in use", "error", err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(inbox.LayoutInterval)
		defer ticker.Stop()
		usable := true
		for {
			if now := a.layout.Usable(); now != usable {
				usable = now
				log.Warn("the inboxes where this process keeps them are in use, or not: reads go by the reference query and nothing is pushed while they are not, which is when other processes have other settings or another version", "usable", usable)
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				// What cannot be asked is not known, and logged when that changes something.
				_ = a.layout.Renew(ctx)
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
