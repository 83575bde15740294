package inbox

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Layout knows whether a process may use its inboxes: whether their storage format is the one in
// use.
type Layout struct {
	Layouts feed.StorageFormats
	// Mine returns the format of this process's inboxes. It is called each time, since another
	// Redis may appear behind the same address. It fails while the format is unknown.
	Mine func(context.Context) (int64, error)
	// Pushes says that this process is a worker, which the others wait for.
	Pushes bool

	// mine is the last result of Mine, and counted says that it was held once.
	mine    int64
	counted bool
	// until is the end of the time for which mine is known to be in use, in nanoseconds after
	// began.
	until atomic.Int64
	began time.Time
}

// layoutFor is how long an answer holds, which is how long the others wait for a silent worker.
// LayoutInterval is the pause between two questions, so four answers may come late. All versions
// of the program use the same values.
const (
	layoutFor      = 10 * time.Second
	LayoutInterval = 2 * time.Second
)

// NewLayout returns a layout that is not usable before [Layout.Renew].
func NewLayout(layouts feed.StorageFormats, mine func(context.Context) (int64, error), pushes bool) *Layout {
	return &Layout{Layouts: layouts, Mine: mine, Pushes: pushes, began: time.Now()}
}

// Renew asks which format is in use. One goroutine calls it before the process begins to work,
// and then every [LayoutInterval]. A process that is not a worker counts once, when it starts, so
// that it can read inboxes before the first worker comes.
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

// Usable reports whether this process's inboxes are in use. The time is taken before the store is
// asked, so it turns false before another process can switch formats. A worker calls it with a
// task at hand: the data of the task was stored before, so builders of the other inboxes find it
// there.
func (l *Layout) Usable() bool { return int64(time.Since(l.began)) < l.until.Load() }

// CacheInLayout reads inboxes and shared viewer caches while they are usable. Otherwise it finds
// nothing and stores nothing.
func CacheInLayout(cache feed.SharedViewerCache, l *Layout) feed.SharedViewerCache {
	return layoutCache{cache, l}
}

type layoutCache struct {
	cache  feed.SharedViewerCache
	layout *Layout
}

// ReadCached implements [feed.SharedViewerCache].
func (c layoutCache) ReadCached(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, []byte, error) {
	if !c.layout.Usable() {
		return feed.Inbox{}, nil, ctx.Err()
	}
	return c.cache.ReadCached(ctx, viewer, r)
}

// PutCached implements [feed.SharedViewerCache].
func (c layoutCache) PutCached(ctx context.Context, viewer feed.UserID, entry []byte, keep time.Duration) error {
	if !c.layout.Usable() {
		return ctx.Err()
	}
	return c.cache.PutCached(ctx, viewer, entry, keep)
}

// InLayout reads inboxes while they are usable, and reports them absent otherwise, so that reads
// use the reference query.
func InLayout(inboxes feed.Inboxes, l *Layout) feed.Inboxes { return layoutInboxes{inboxes, l} }

type layoutInboxes struct {
	feed.Inboxes
	layout *Layout
}

// Read implements [feed.Inboxes].
func (i layoutInboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	if !i.layout.Usable() {
		return feed.Inbox{}, ctx.Err()
	}
	return i.Inboxes.Read(ctx, viewer, r)
}
