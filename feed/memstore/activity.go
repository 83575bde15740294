package memstore

import (
	"context"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// now returns the time in milliseconds since the epoch.
func (s *Store) now() int64 { return feed.Millis(s.clock()) }

// Renew implements [feed.Activity].
func (s *Store) Renew(ctx context.Context, viewer feed.UserID, d time.Duration) (feed.Lease, error) {
	return inTx(ctx, s, func() feed.Lease {
		now := s.now()
		if s.users[viewer] == nil {
			return feed.Lease{Now: now}
		}
		s.activeUntil[viewer] = max(s.activeUntil[viewer], now+d.Milliseconds())
		s.lastSeen[viewer] = max(s.lastSeen[viewer], now)
		return feed.Lease{Until: s.activeUntil[viewer], Now: now}
	})
}

// Dormant implements [feed.Activity].
func (s *Store) Dormant(ctx context.Context, viewers []feed.UserID, d time.Duration) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var dormant []feed.UserID
		for _, viewer := range viewers {
			if s.users[viewer] == nil || s.activeUntil[viewer] < s.now()-d.Milliseconds() {
				dormant = append(dormant, viewer)
			}
		}
		return dormant
	})
}

// Active implements [feed.Activity].
func (s *Store) Active(ctx context.Context, after feed.UserID, limit int) ([]feed.UserID, error) {
	return inTx(ctx, s, func() []feed.UserID {
		var active []feed.UserID
		for id := range s.users {
			if id > after && s.activeUntil[id] > s.now() {
				active = append(active, id)
			}
		}
		slices.Sort(active)
		return active[:min(len(active), limit)]
	})
}

// leader is a holder of a leadership and the end of its lease.
type leader struct {
	holder string
	until  int64
}

// Lead implements [feed.Leaders].
func (s *Store) Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error) {
	return inTx(ctx, s, func() bool {
		if now := s.leaders[name]; now.holder != holder && now.until > s.now() {
			return false
		}
		s.leaders[name] = leader{holder: holder, until: s.now() + d.Milliseconds()}
		return true
	})
}
