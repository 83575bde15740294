package changes

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Cache is what a [Follower] keeps up to date.
type Cache interface {
	feed.Evictor
	// Purge evicts everything.
	Purge()
}

// Observer gets the rows that a [Follower] reads, so that the log is read once per process. It is
// called after their evictions, one call at a time, and must not block.
type Observer interface {
	// Changed gets the changes after the last call. They end at a place.
	Changed(rows []feed.Change, upTo feed.ChangePlace)
	// Lost says that the changes up to a place are unknown.
	Lost(upTo feed.ChangePlace)
}

// Follower evicts from the caches of its process what the change log names. Use [Follower.Run].
type Follower struct {
	Log    feed.ChangeLog
	Signal feed.ChangeSignal
	Cache  Cache
	// Failed is called when following begins to fail, with the error, and with nil when it succeeds
	// again. The caches may be stale in between.
	Failed func(error)

	// reading is held while the log is read, and guards observers.
	reading   sync.Mutex
	observers []Observer
	// place is nil until the first read has succeeded.
	place   atomic.Pointer[feed.ChangePlace]
	failing bool
}

const (
	// readEvery bounds the effect of a lost signal, and listenAgain lets Redis start.
	readEvery   = time.Second
	listenAgain = 250 * time.Millisecond
	// readMax is a second's worth at 10,000 changes a second. Beyond it, loading the caches again is
	// cheaper than reading on.
	readMax = 10_000
)

// Run follows the log until ctx ends. Call it once.
func (f *Follower) Run(ctx context.Context) {
	heard := make(chan struct{}, 1)
	var listening sync.WaitGroup
	listening.Go(func() { listen(ctx, f.Signal.Listen, heard) })
	defer listening.Wait()
	for {
		f.report(ctx, f.CatchUp(ctx))
		select {
		case <-ctx.Done():
			return
		case <-heard:
		case <-time.After(readEvery):
		}
	}
}

// listen fills heard with signals until ctx ends.
func listen(ctx context.Context, to func(ctx context.Context, heard func()) error, heard chan<- struct{}) {
	for ctx.Err() == nil {
		// Whatever ends it, the next poll finds what was missed.
		_ = to(ctx, func() {
			select {
			case heard <- struct{}{}:
			default:
			}
		})
		select {
		case <-ctx.Done():
		case <-time.After(listenAgain):
		}
	}
}

func (f *Follower) report(ctx context.Context, err error) {
	if failing := err != nil; failing != f.failing && ctx.Err() == nil {
		f.failing = failing
		f.Failed(err)
	}
}

// CatchUp evicts what has changed since the last call, or everything if it cannot know what that
// is. After an error the next call does the same.
func (f *Follower) CatchUp(ctx context.Context) error {
	f.reading.Lock()
	defer f.reading.Unlock()
	place := f.place.Load()
	if place == nil {
		return f.startOver(ctx)
	}
	list, next, err := f.Log.Changes(ctx, *place, readMax)
	if errors.Is(err, feed.ErrChangesGone) {
		return f.startOver(ctx)
	}
	if err != nil {
		return err
	}
	posts, users, all := evictions(list)
	if all || len(list) == readMax {
		return f.startOver(ctx)
	}
	if len(posts)+len(users) > 0 {
		f.Cache.Evict(posts, users)
	}
	f.place.Store(&next)
	for _, o := range f.observers {
		o.Changed(list, next)
	}
	return nil
}

// Observe adds an observer. If the log was read before, it calls Lost.
func (f *Follower) Observe(o Observer) {
	f.reading.Lock()
	defer f.reading.Unlock()
	f.observers = append(f.observers, o)
	if place := f.place.Load(); place != nil {
		o.Lost(*place)
	}
}

// Place implements [feed.Places]. It reads the log only if nothing has been read yet.
func (f *Follower) Place(ctx context.Context) (feed.ChangePlace, error) {
	if f.place.Load() == nil {
		if err := f.CatchUp(ctx); err != nil {
			return feed.ChangePlace{}, err
		}
	}
	return *f.place.Load(), nil
}

// startOver takes the place before it evicts everything. What is loaded afterwards has all changes
// up to that place.
func (f *Follower) startOver(ctx context.Context) error {
	last, err := f.Log.LastChange(ctx)
	if err != nil {
		return err
	}
	f.Cache.Purge()
	f.place.Store(&last)
	for _, o := range f.observers {
		o.Lost(last)
	}
	return nil
}

// evictions returns what changes make stale in shared caches, or that it is everything.
func evictions(list []feed.Change) (posts []feed.PostID, users []feed.UserID, all bool) {
	for _, c := range list {
		switch c.Kind {
		case feed.ChangeEdited, feed.ChangeDeleted, feed.ChangePublished, feed.ChangeSession, feed.ChangeTakenDown:
			// A published post may be a restored one, which caches have as deleted.
			posts = append(posts, c.Post)
		case feed.ChangeProfile, feed.ChangeAccount, feed.ChangeSuspended, feed.ChangeRevoked:
			users = append(users, c.User)
		case feed.ChangeReset:
			return nil, nil, true
		case feed.ChangeArrived, feed.ChangePushed, feed.ChangeRelation, feed.ChangeScheduled:
			// Unknown posts and sessions, and relations, are not in shared caches.
		}
	}
	return posts, users, false
}
