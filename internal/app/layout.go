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

// Layouts of inboxes that are not in a shared Redis, where all layouts are positive.
const (
	layoutInSQL = -1
	// Every embedded Redis has the same layout, because it starts empty.
	layoutEmbedded = -2
)

// layout tracks whether the configured inboxes are in use, as other processes may use others.
func (c *Server) layout(st *stores) *inbox.StorageFormat {
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
	return inbox.NewStorageFormat(st.sql, mine, c.Role != roleAPI)
}

// formats are the versions of data that processes of different versions share: payloads of tasks,
// the layout of inboxes in Redis, and additions to the schema.
type formats struct {
	payload int
	layout  int64
	schema  []sqlstore.Option
}

// laidOutStore allows access to inboxes only while their layout is in use.
type laidOutStore struct {
	feed.Inboxes
	feed.InboxTrimmer
}

// in returns the inboxes restricted to a layout.
func (s InboxStores) in(l *inbox.StorageFormat) InboxStores {
	in := InboxStores{
		Home:    laidOutStore{inbox.InFormat(s.Home, l), s.Home},
		Replays: laidOutStore{inbox.InFormat(s.Replays, l), s.Replays},
	}
	if s.ViewerCache != nil {
		in.ViewerCache = inbox.CacheInFormat(s.ViewerCache, l)
	}
	return in
}

func (a *services) usable() bool { return a.layout == nil || a.layout.Usable() }

// whileUsable skips a periodic job while the inboxes of this process are not in use: others could
// not read tasks of another version that a sweep enqueues, and a heartbeat would check the wrong
// servers.
func (a *services) whileUsable(do func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if !a.usable() {
			return nil
		}
		return do(ctx)
	}
}

// onInboxes leaves tasks to other processes while the inboxes of this one are not in use. That
// includes plans of fan-outs, because the process that plans enqueues pushes in its version.
func onInboxes[T any](a *services, do func(context.Context, T) error) func(context.Context, T) error {
	return func(ctx context.Context, arg T) error {
		if !a.usable() {
			return fmt.Errorf("the inboxes of this process are not in use: %w", tasks.ErrElsewhere)
		}
		return do(ctx, arg)
	}
}

// keepLayout polls which layout is in use until stop is called, after failures as well, because no
// inbox is read without a result.
func (a *services) keepLayout(ctx context.Context, log *slog.Logger) (stop func()) {
	if err := a.layout.Renew(ctx); err != nil {
		log.Warn("cannot determine yet which inboxes are in use", "error", err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(inbox.FormatInterval)
		defer ticker.Stop()
		usable := true
		for {
			if now := a.layout.Usable(); now != usable {
				usable = now
				log.Warn("use of this process's inboxes changed; without them reads use the reference query and pushes wait, because other processes have other settings or another version", "usable", usable)
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				// A failure makes the layout unknown, which the loop logs if that is new.
				_ = a.layout.Renew(ctx)
			}
		}
	})
	return func() { cancel(); done.Wait() }
}
