package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/tasks"
)

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
func (s inboxStores) in(l *feed.Layout) inboxStores {
	return inboxStores{
		laidOutStore{feed.InLayout(s.home, l), s.home},
		laidOutStore{feed.InLayout(s.replays, l), s.replays},
	}
}

// usable says whether the inboxes of this process are the ones in use.
func (a *app) usable() bool { return a.layout == nil || a.layout.Usable() }

// sweep dispatches what is due again. It leaves that to those who can push while this
// process cannot: what it put on the queue might be of a version that they cannot read, and
// nobody would do it.
func (a *app) sweep(ctx context.Context) error {
	if !a.usable() {
		return nil
	}
	return a.fanout.Sweep(ctx)
}

// onInboxes hands tasks on while the inboxes of this process are the ones in use, and
// leaves them to other processes while they are not. The plan of a fan-out belongs to
// that: whoever makes it enqueues the pushes, in a version that he and his like can read.
func onInboxes[T any](a *app, do func(context.Context, T) error) func(context.Context, T) error {
	return func(ctx context.Context, arg T) error {
		if !a.usable() {
			return fmt.Errorf("inboxes of layout %d are not in use: %w", a.layout.Mine, tasks.ErrElsewhere)
		}
		return do(ctx, arg)
	}
}

// keepLayout asks which layout is in use, and goes on asking until stop is called. It does
// not ask less often when that fails: until there is an answer, no inbox is read.
func (a *app) keepLayout(ctx context.Context, log *slog.Logger) (stop func(), err error) {
	if err := a.layout.Renew(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(feed.LayoutInterval)
		defer ticker.Stop()
		usable := true
		for {
			if now := a.layout.Usable(); now != usable {
				usable = now
				log.Warn("the inboxes of this version are in use, or not: reads go by the reference query while they are not", "layout", a.layout.Mine, "usable", usable)
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
	return func() { cancel(); done.Wait() }, nil
}
