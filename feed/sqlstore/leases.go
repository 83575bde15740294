package sqlstore

import (
	"context"
	"sync"

	"github.com/tideline-feeds/tideline/feed"
)

// leases caches the leases of active users. Looking them up for every follower costs more than all
// other reads of a fan-out. A lease is never shortened, so a cached one stays valid. Inactive users
// are not cached, because they may become active at any moment. An account that another process
// deleted counts as active until its lease ends, which is harmless: it has no inbox.
//
// The zero value is ready for use by several goroutines.
type leases struct {
	mu    sync.RWMutex
	until map[feed.UserID]int64
}

// leasesKept limits the number of cached leases; a million take about 40 MB. Beyond that the cache
// is emptied.
const leasesKept = 1 << 20

// split returns, in order, the users whose cached lease ends after at, and the others.
func (l *leases) split(users []feed.UserID, at int64) (active, unknown []feed.UserID) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	active = make([]feed.UserID, 0, len(users))
	for _, user := range users {
		if l.until[user] > at {
			active = append(active, user)
		} else {
			unknown = append(unknown, user)
		}
	}
	return active, unknown
}

type lease struct {
	user  feed.UserID
	until int64
}

func (l *leases) put(found []lease) {
	if len(found) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil || len(l.until)+len(found) > leasesKept {
		l.until = make(map[feed.UserID]int64, len(found))
	}
	for _, f := range found {
		l.until[f.user] = f.until
	}
}

func (l *leases) drop(user feed.UserID) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.until, user)
}

// active returns, in no order, the users whose lease ends after at.
func (s *Store) active(ctx context.Context, users []feed.UserID, at int64) ([]feed.UserID, error) {
	active, unknown := s.leases.split(users, at)
	if len(unknown) == 0 {
		return active, nil
	}
	found, err := query(ctx, s, s.leasesQuery(), []any{at, ids(s.d, unknown)}, into(func(l *lease) []any { return []any{&l.user, &l.until} }))
	if err != nil {
		return nil, err
	}
	s.leases.put(found)
	for _, f := range found {
		active = append(active, f.user)
	}
	return active, nil
}

// leasesQuery names the condition of the index, which PostgreSQL cannot conclude from a parameter.
func (s *Store) leasesQuery() string {
	return `SELECT u.id, u.active_until FROM users AS u WHERE u.active_until > $1 AND u.active_until > 0 AND ` + s.d.in("u.id", 2)
}
