package loaders

import (
	"context"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Fetcher reads from a service; [upstream.Service] does. What it cannot read is missing.
type Fetcher[V any] interface {
	// Fetch returns one answer per reference, in order. It returns soon after the end of ctx.
	Fetch(ctx context.Context, refs []feed.UpstreamRef) []feed.Fetched[V]
}

// Upstreams are services that own contents, profiles or counters, or that place slots. One that is nil
// does not exist.
type Upstreams struct {
	Posts    Fetcher[feed.PostContent]
	Users    Fetcher[feed.Profile]
	Counters Fetcher[feed.UpstreamCounters]
	Slots    SlotSource
	// SlotsGap is the argument of [slots.Spaced].
	SlotsGap int
	// Budget is how long an operation waits for services, from its first call.
	Budget time.Duration
}

// Any reports whether there is a service.
func (u *Upstreams) Any() bool {
	return u.Posts != nil || u.Users != nil || u.Counters != nil || u.Slots != nil
}

// budget is the time that an operation has for services.
type budget struct {
	once sync.Once
	end  time.Time
}

// within returns a context that ends with the budget of the operation.
func (b *budget) within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	b.once.Do(func() { b.end = time.Now().Add(limit) })
	return context.WithDeadline(ctx, b.end)
}

func initUpstream[V any](of *Loaders, l *loader[feed.UpstreamRef, feed.Fetched[V]], name string, from Fetcher[V]) {
	if from == nil {
		return
	}
	initLoader(of, l, name, func(ctx context.Context, of *Loaders, refs []feed.UpstreamRef) ([]feed.Fetched[V], error) {
		ctx, cancel := of.budget.within(ctx, of.deps.Upstreams.Budget)
		defer cancel()
		answers := from.Fetch(ctx, refs)
		for i := range answers {
			if answers[i].Problem == feed.UpstreamGone {
				of.gone.Add(1)
			}
		}
		return answers, nil
	})
}

// Refill runs a read of pages and their objects. If a service says meanwhile that objects are gone,
// it runs it again: what is stored now hides them, so that other posts fill the pages. It ends because
// an operation asks for each object once.
func (l *Loaders) Refill(read func() error) error {
	for {
		before := l.gone.Load()
		if err := read(); err != nil || l.gone.Load() == before {
			return err
		}
	}
}

// Content returns the content of a post, which must not be changed, from its service.
func (l *Loaders) Content(ctx context.Context, p *feed.Post) (*feed.Fetched[feed.PostContent], error) {
	return l.contents.shared(ctx, p.UpstreamRef())
}

// UpstreamProfile returns the profile of a user, which must not be changed, from its service.
func (l *Loaders) UpstreamProfile(ctx context.Context, u *feed.User) (*feed.Fetched[feed.Profile], error) {
	return l.upstreamProfiles.shared(ctx, u.UpstreamRef())
}

// UpstreamCounters returns counters, which must not be changed, from their service.
func (l *Loaders) UpstreamCounters(ctx context.Context, of feed.UpstreamRef) (*feed.Fetched[feed.UpstreamCounters], error) {
	return l.upstreamCounters.shared(ctx, of)
}
