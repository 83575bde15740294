package lrucache

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Sessions caches live sessions, cancelled ones included. It is safe for concurrent use.
type Sessions struct {
	inner live.SessionReader
	cache *cache[live.ID, *live.Session]
}

var _ live.SessionReader = (*Sessions)(nil)

// NewSessions returns a cache in front of inner.
func NewSessions(inner live.SessionReader, o Options, clock feed.Clock) *Sessions {
	return &Sessions{inner: inner, cache: newCache[live.ID](o, clock, class[*live.Session]{
		keeps:  func(s *live.Session) bool { return s != nil },
		cost:   costOf[live.Session],
		owners: func(s *live.Session) owners { return owners{s.Host} },
	})}
}

// Sessions returns sessions at most TTL old, and not older than their last eviction. Only the change
// log evicts sessions: a change in this process does not.
func (s *Sessions) Sessions(ctx context.Context, ids []live.ID) ([]*live.Session, error) {
	return s.cache.get(ctx, ids, s.inner.Sessions)
}

// Stats returns the statistics of the cache.
func (s *Sessions) Stats() Stats { return s.cache.snapshot() }

// sessionsOf returns the sessions among what [feed.Evictor] evicts as posts.
func sessionsOf(posts []feed.PostID) (ids []live.ID) {
	for _, p := range posts {
		if id, ok := p.Session(); ok {
			ids = append(ids, live.ID(id))
		}
	}
	return ids
}
