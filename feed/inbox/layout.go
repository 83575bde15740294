package inbox

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Layout knows whether a process may use its inboxes.
type Layout struct {
	Layouts feed.StorageFormats
	// Mine returns the layout that this process reads and writes. It is asked every time,
	// since a Redis may be replaced by another one behind the same address, and returns an
	// error while it does not know.
	Mine func(context.Context) (int64, error)
	// Pushes says that this process is a worker, which is waited for.
	Pushes bool

	// mine is what Mine returned last, and counted says that it has been held once.
	mine    int64
	counted bool
	// until is up to when mine is known to be in use, in nanoseconds after began.
	until atomic.Int64
	began time.Time
}

// layoutFor is how long what is known of the layout in use holds: as long as the others
// wait for a worker of which nothing is heard. LayoutInterval is how often to ask: four
// answers may come late. Both are the same in all versions of the program.
const (
	layoutFor      = 10 * time.Second
	LayoutInterval = 2 * time.Second
)

// NewLayout returns what knows nothing yet.
func NewLayout(layouts feed.StorageFormats, mine func(context.Context) (int64, error), pushes bool) *Layout {
	return &Layout{Layouts: layouts, Mine: mine, Pushes: pushes, began: time.Now()}
}

// Renew asks which layout is in use. It is called before a process begins to work, and
// every [LayoutInterval] from then on, by one goroutine at a time. A process that is no
// worker is counted on once, when it begins: so it has inboxes to read although no worker
// has been there yet.
func (l *Layout) Renew(ctx context.Context) error {
	mine, err := l.Mine(ctx)
	if err != nil {
		return err
	}
	if mine != l.mine {
		l.until.Store(0)
		l.mine, l.counted = mine, false
	}
	asked := time.Since(l.began)
	ask := l.Layouts.InUse
	if l.Pushes || !l.counted {
		ask = func(ctx context.Context) (int64, error) { return l.Layouts.UseFormat(ctx, mine, layoutFor) }
	}
	inUse, err := ask(ctx)
	if err != nil {
		return err
	}
	l.counted = true
	until := int64(0)
	if inUse == mine {
		until = int64(asked + layoutFor)
	}
	l.until.Store(until)
	return nil
}

// Usable says whether the inboxes of this process are the ones in use. The time is taken
// before the store is asked, so it says no before anybody else puts other inboxes into
// use. A worker asks when it has a task in its hands: what the task is about was stored
// before, so those who build other inboxes later find it there.
func (l *Layout) Usable() bool { return int64(time.Since(l.began)) < l.until.Load() }

// CacheInLayout reads shared viewer caches, with inboxes, while these are usable; while they are
// not it finds neither and keeps nothing.
func CacheInLayout(cache feed.SharedViewerCache, l *Layout) feed.SharedViewerCache {
	return laidOutCache{cache, l}
}

type laidOutCache struct {
	cache  feed.SharedViewerCache
	layout *Layout
}

// ReadCached implements [feed.SharedViewerCache].
func (c laidOutCache) ReadCached(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, []byte, error) {
	if !c.layout.Usable() {
		return feed.Inbox{}, nil, ctx.Err()
	}
	return c.cache.ReadCached(ctx, viewer, r)
}

// PutCached implements [feed.SharedViewerCache].
func (c laidOutCache) PutCached(ctx context.Context, viewer feed.UserID, entry []byte, keep time.Duration) error {
	if !c.layout.Usable() {
		return ctx.Err()
	}
	return c.cache.PutCached(ctx, viewer, entry, keep)
}

// InLayout reads inboxes while they are usable, and takes them for absent while they are
// not, which leaves reads to the reference query.
func InLayout(inboxes feed.Inboxes, l *Layout) feed.Inboxes { return laidOut{inboxes, l} }

type laidOut struct {
	feed.Inboxes
	layout *Layout
}

// Read implements [feed.Inboxes].
func (i laidOut) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	if !i.layout.Usable() {
		return feed.Inbox{}, ctx.Err()
	}
	return i.Inboxes.Read(ctx, viewer, r)
}
