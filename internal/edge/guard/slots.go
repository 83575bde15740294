package guard

import (
	"context"
	"sync/atomic"

	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/kit/fairshare"
)

// slots are semaphores for operations and events, in total and for each holder. all has a unit for
// each running operation and event, and events one for each event that runs or is next. One post can
// cause ten thousand events at once. Events hold at most half of the slots, so that queries still run.
type slots struct {
	all, events *fairshare.Pool
	holder      func(context.Context) string
}

func newSlots(n int, holder func(context.Context) string) *slots {
	return &slots{
		all: fairshare.New(fairshare.Options{Max: n}), events: fairshare.New(fairshare.Options{Max: max(1, n/2)}),
		holder: holder,
	}
}

// try takes a slot for an operation, or returns an error if none is free. evict cancels the operation
// for one of another holder, which sets evicted; nil if it cannot be cancelled.
func (s *slots) try(ctx context.Context, evict func()) (release func(), evicted *atomic.Bool, full *gqlerror.Error) {
	evicted = new(atomic.Bool)
	lose := evict
	if evict != nil {
		lose = func() {
			evicted.Store(true)
			evict()
		}
	}
	release, refused := s.all.Take(s.holder(ctx), 1, lose)
	switch refused {
	case fairshare.HolderFull:
		return nil, nil, apierror.New(apierror.RateLimited, holderBusy)
	case fairshare.Full:
		return nil, nil, apierror.New(feed.CodeUnavailable, busy)
	}
	return release, evicted, nil
}

// wait takes a slot for an event; nil if ctx is done before one is free.
func (s *slots) wait(ctx context.Context) (release func()) {
	holder := s.holder(ctx)
	next := s.events.Wait(ctx, holder)
	if next == nil {
		return nil
	}
	slot := s.all.Wait(ctx, holder)
	if slot == nil {
		next()
		return nil
	}
	return func() {
		slot()
		next()
	}
}
