package inbox

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// StorageFormat knows whether the format of this process's inboxes is the one in use.
type StorageFormat struct {
	Formats feed.StorageFormats
	// Mine is called each time, since another Redis may appear behind the same address.
	Mine func(context.Context) (int64, error)
	// Pushes says that this process is a worker, which the others wait for.
	Pushes bool

	// mine is the last result of Mine, and counted says that it was held once.
	mine    int64
	counted bool
	// until is when mine may stop being in use, in nanoseconds after began.
	until atomic.Int64
	began time.Time
}

// formatFor is how long an answer holds, and how long the others wait for a silent worker.
// FormatInterval is the pause between two questions. All versions use the same values.
const (
	formatFor      = 10 * time.Second
	FormatInterval = 2 * time.Second
)

// NewStorageFormat returns one that is not usable before [StorageFormat.Renew].
func NewStorageFormat(formats feed.StorageFormats, mine func(context.Context) (int64, error), pushes bool) *StorageFormat {
	return &StorageFormat{Formats: formats, Mine: mine, Pushes: pushes, began: time.Now()}
}

// Renew asks which format is in use. One goroutine calls it first, and then every [FormatInterval].
// A process that is no worker counts once, so that it can read before the first worker comes.
func (f *StorageFormat) Renew(ctx context.Context) error {
	mine, err := f.Mine(ctx)
	if err != nil {
		return err
	}
	if mine != f.mine {
		f.until.Store(0)
		f.mine, f.counted = mine, false
	}
	asked := time.Since(f.began)
	ask := f.Formats.InUse
	if f.Pushes || !f.counted {
		ask = func(ctx context.Context) (int64, error) { return f.Formats.UseFormat(ctx, mine, formatFor) }
	}
	inUse, err := ask(ctx)
	if err != nil {
		return err
	}
	f.counted = true
	until := int64(0)
	if inUse == mine {
		until = int64(asked + formatFor)
	}
	f.until.Store(until)
	return nil
}

// Usable reports whether this process's inboxes are in use. The time is taken before the store is
// asked, so it turns false before another process can switch formats.
func (f *StorageFormat) Usable() bool { return int64(time.Since(f.began)) < f.until.Load() }

// InFormat reports inboxes absent while they are not usable.
func InFormat(inboxes feed.Inboxes, f *StorageFormat) feed.Inboxes { return formatInboxes{inboxes, f} }

type formatInboxes struct {
	feed.Inboxes
	format *StorageFormat
}

func (i formatInboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	if !i.format.Usable() {
		return feed.Inbox{}, ctx.Err()
	}
	return i.Inboxes.Read(ctx, viewer, r)
}
