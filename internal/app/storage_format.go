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

// Storage formats of inboxes that are not in a shared Redis, whose formats are all positive.
const (
	formatInSQL = -1
	// Every embedded Redis has the same format, because it starts empty.
	formatEmbedded = -2
)

// storageFormat tracks whether the configured inboxes are in use, because other processes may use
// others.
func (c *Server) storageFormat(st *stores) *inbox.StorageFormat {
	fixed := func(n int64) func(context.Context) (int64, error) {
		return func(context.Context) (int64, error) { return n, nil }
	}
	mine := fixed(formatInSQL)
	switch {
	case c.Inbox == InboxSQL:
	case c.redis().Main.URL == Embedded:
		mine = fixed(formatEmbedded)
	default:
		mine = redisstore.NewIdentity(st.redis, thisVersion().inbox).Format
	}
	return inbox.NewStorageFormat(st.sql, mine, c.Role != roleAPI)
}

// formats are the versions of data that processes of different versions share: payloads of tasks,
// the storage format of inboxes in Redis, and additions to the schema.
type formats struct {
	payload int
	inbox   int64
	schema  []sqlstore.Option
}

// inFormatStore allows access to inboxes only while their storage format is in use.
type inFormatStore struct {
	feed.Inboxes
	feed.InboxTrimmer
}

// in returns the inboxes restricted to a storage format.
func (s InboxStores) in(f *inbox.StorageFormat) InboxStores {
	return InboxStores{
		Home:    inFormatStore{inbox.InFormat(s.Home, f), s.Home},
		Replays: inFormatStore{inbox.InFormat(s.Replays, f), s.Replays},
	}
}

func (a *services) usable() bool { return a.format == nil || a.format.Usable() }

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

// pollFormat polls which storage format is in use until stop is called, also after failures, because
// no inbox is read without a result.
func (a *services) pollFormat(ctx context.Context, log *slog.Logger) (stop func()) {
	err := a.format.Renew(ctx)
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(inbox.FormatInterval)
		defer ticker.Stop()
		last := inUse
		for {
			if now := a.useOf(err); now != last {
				last = now
				now.report(log, err)
			}
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				err = a.format.Renew(ctx)
			}
		}
	})
	return func() { cancel(); done.Wait() }
}

// use says whether the inboxes of this process are in use.
type use int

const (
	inUse use = iota
	otherInUse
	unknownUse
)

// useOf returns the use after a poll with an error.
func (a *services) useOf(err error) use {
	switch {
	case a.format.Usable(): // also for a while after polls began to fail
		return inUse
	case err != nil:
		return unknownUse
	}
	return otherInUse
}

func (u use) report(log *slog.Logger, err error) {
	const instead = "; meanwhile reads use the reference query and pushes wait"
	switch u {
	case inUse:
		log.Info("the inboxes of this process are in use again")
	case otherInUse:
		log.Warn("the inboxes of this process are not in use, because other processes have other settings or another version" + instead)
	case unknownUse:
		log.Warn("cannot determine which inboxes are in use"+instead, "error", err)
	}
}
