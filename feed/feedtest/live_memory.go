package feedtest

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Sets is a [live.Sets] in memory. Use [NewSets].
type Sets struct {
	mu   sync.Mutex
	sets map[setName]live.Set
}

var _ live.Sets = (*Sets)(nil)

// setName identifies a set.
type setName struct {
	generation int64
	host       feed.UserID
}

// NewSets returns an empty store.
func NewSets() *Sets { return &Sets{sets: map[setName]live.Set{}} }

// Read implements [live.Sets].
func (s *Sets) Read(ctx context.Context, generation int64, hosts []feed.UserID, limit int) ([]live.Set, error) {
	if err := ctx.Err(); err != nil {
		return nil, feed.Unavailable("the memory sets", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return each(hosts, func(host feed.UserID) live.Set {
		set := s.sets[setName{generation, host}]
		n := min(limit, len(set.Open))
		return live.Set{Number: set.Number, Open: slices.Clone(set.Open[:n]), More: n < len(set.Open)}
	}), nil
}

// Write implements [live.Sets].
func (s *Sets) Write(ctx context.Context, generation int64, host feed.UserID, set live.Set) error {
	if err := ctx.Err(); err != nil {
		return feed.Unavailable("the memory sets", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	name := setName{generation, host}
	if set.Number > s.sets[name].Number {
		s.sets[name] = live.Set{Number: set.Number, Open: slices.SortedFunc(slices.Values(set.Open), live.Position.Compare)}
	}
	return nil
}

// Snapshots is a [live.Snapshots] in memory. Use [NewSnapshots].
type Snapshots struct {
	clock feed.Clock

	mu        sync.Mutex
	snapshots map[snapshotName]storedSnapshot
}

type snapshotName struct {
	viewer feed.UserID
	name   uint64
}

type storedSnapshot struct {
	live.Snapshot
	until time.Time
}

var _ live.Snapshots = (*Snapshots)(nil)

// NewSnapshots returns an empty store. Snapshots expire by the clock.
func NewSnapshots(clock feed.Clock) *Snapshots {
	return &Snapshots{clock: clock, snapshots: map[snapshotName]storedSnapshot{}}
}

// Save implements [live.Snapshots].
func (s *Snapshots) Save(ctx context.Context, viewer feed.UserID, name uint64, snapshot live.Snapshot, d time.Duration) error {
	if err := ctx.Err(); err != nil {
		return feed.Unavailable("the memory snapshots", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	snapshot.Open = slices.Clone(snapshot.Open)
	s.snapshots[snapshotName{viewer, name}] = storedSnapshot{snapshot, s.clock().Add(d)}
	return nil
}

// Load implements [live.Snapshots].
func (s *Snapshots) Load(ctx context.Context, viewer feed.UserID, name uint64) (*live.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, feed.Unavailable("the memory snapshots", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	stored, ok := s.snapshots[snapshotName{viewer, name}]
	if !ok || !s.clock().Before(stored.until) {
		return nil, nil
	}
	stored.Open = slices.Clone(stored.Open)
	return &stored.Snapshot, nil
}
