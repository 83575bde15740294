package memstore

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Inboxes implements [feed.Inboxes] and [feed.InboxTrimmer]. Use [NewInboxes].
type Inboxes struct {
	cap int

	mu      sync.Mutex
	viewers map[feed.UserID]*inbox
	// number and run are the pulse.
	number int64
	run    int
}

// inbox is the inbox of one viewer. Count and Keys of header stay empty: entries has both.
type inbox struct {
	header    feed.Inbox
	startedAt int64
	// entries are newest first, without duplicates, above header.Floor.
	entries []feed.Key
}

// NewInboxes returns an empty store of inboxes with at most cap entries each.
func NewInboxes(cap int) *Inboxes {
	return &Inboxes{cap: cap, viewers: map[feed.UserID]*inbox{}}
}

var _ feed.Inboxes = (*Inboxes)(nil)

// locked runs a function under a mutex, unless ctx has ended.
func locked[T any](ctx context.Context, mu *sync.Mutex, do func() T) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	mu.Lock()
	defer mu.Unlock()
	return do(), nil
}

// Read implements [feed.Inboxes].
func (s *Inboxes) Read(ctx context.Context, viewer feed.UserID, r feed.Range) (feed.Inbox, error) {
	return locked(ctx, &s.mu, func() feed.Inbox { return s.read(viewer, r) })
}

func (s *Inboxes) read(viewer feed.UserID, r feed.Range) feed.Inbox {
	in := s.viewers[viewer]
	if in == nil {
		return feed.Inbox{}
	}
	read := in.header
	read.Count, read.Keys = len(in.entries), in.within(r)
	return read
}

// Push implements [feed.Inboxes].
func (s *Inboxes) Push(ctx context.Context, viewers []feed.UserID, keys ...feed.Key) (int, error) {
	return locked(ctx, &s.mu, func() int {
		for _, viewer := range viewers {
			if in := s.viewers[viewer]; in != nil {
				in.add(keys...)
				in.trim(s.cap)
			}
		}
		return len(viewers)
	})
}

// BeginBuild implements [feed.Inboxes].
func (s *Inboxes) BeginBuild(ctx context.Context, viewer feed.UserID, m feed.BuildHeader, staleBefore int64) (bool, error) {
	return locked(ctx, &s.mu, func() bool {
		old := s.viewers[viewer]
		if old != nil && old.header.State == feed.InboxBuilding && old.startedAt > staleBefore {
			return false
		}
		header := feed.Inbox{State: feed.InboxBuilding, Token: m.Token, Generation: m.Generation, Floor: feed.Bottom}
		s.viewers[viewer] = &inbox{header: header, startedAt: m.StartedAt}
		return true
	})
}

// FinishBuild implements [feed.Inboxes].
func (s *Inboxes) FinishBuild(ctx context.Context, viewer feed.UserID, token string, b feed.Build) (bool, error) {
	return locked(ctx, &s.mu, func() bool {
		in := s.viewers[viewer]
		if in == nil || in.header.State != feed.InboxBuilding || in.header.Token != token {
			return false
		}
		in.raise(b.Floor)
		in.add(b.Keys...)
		in.trim(s.cap)
		in.header.State, in.header.Version, in.header.WarmUntil = feed.InboxReady, b.Version, b.WarmUntil
		return true
	})
}

// Amend implements [feed.Inboxes].
func (s *Inboxes) Amend(ctx context.Context, viewer feed.UserID, a feed.Amendment) (bool, error) {
	return locked(ctx, &s.mu, func() bool {
		in := s.viewers[viewer]
		if in == nil || in.header.State != feed.InboxReady || in.header.Token != a.Token || in.header.Version != a.Version {
			return false
		}
		in.raise(a.Floor)
		in.add(a.Add...)
		in.entries = slices.DeleteFunc(in.entries, func(k feed.Key) bool { return slices.Contains(a.Remove, k) })
		in.trim(s.cap)
		in.header.Version, in.header.WarmUntil = a.NewVersion, max(in.header.WarmUntil, a.WarmUntil)
		return true
	})
}

// Remove implements [feed.Inboxes].
func (s *Inboxes) Remove(ctx context.Context, viewer feed.UserID) error {
	_, err := locked(ctx, &s.mu, func() bool {
		delete(s.viewers, viewer)
		return true
	})
	return err
}

// within returns a copy of the entries in r, in its direction.
func (in *inbox) within(r feed.Range) []feed.Key {
	var keys []feed.Key
	for i := range in.entries {
		k := in.entries[i]
		if r.Ascending {
			k = in.entries[len(in.entries)-1-i]
		}
		if len(keys) == r.Limit {
			break
		}
		if r.Holds(k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// add inserts keys in order, except those at or below the floor or stored already.
func (in *inbox) add(keys ...feed.Key) {
	for _, k := range keys {
		i, found := slices.BinarySearchFunc(in.entries, k, inboxOrder)
		if !found && k.Newer(in.header.Floor) {
			in.entries = slices.Insert(in.entries, i, k)
		}
	}
}

// raise raises the floor to k if that is higher, and drops the entries at or below the floor.
func (in *inbox) raise(k feed.Key) {
	in.header.Floor = feed.Newest(in.header.Floor, k)
	in.entries = slices.DeleteFunc(in.entries, func(e feed.Key) bool { return !e.Newer(in.header.Floor) })
}

// trim drops the oldest entries beyond cap and raises the floor to the newest of them.
func (in *inbox) trim(cap int) {
	if len(in.entries) > cap {
		in.raise(in.entries[cap])
	}
}

func inboxOrder(a, b feed.Key) int { return b.Compare(a) }

var _ feed.InboxTrimmer = (*Inboxes)(nil)

// Walk implements [feed.InboxWalker]. The order is that of the ids, and the cursor is the last id.
func (s *Inboxes) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	after, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil {
		after = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	all := slices.Sorted(maps.Keys(s.viewers))
	all = slices.DeleteFunc(all, func(id feed.UserID) bool { return int64(id) <= after })
	if len(all) <= limit {
		return all, "", nil
	}
	return all[:limit], all[limit-1].String(), nil
}

// Trim implements [feed.InboxTrimmer].
func (s *Inboxes) Trim(ctx context.Context, viewers []feed.UserID, generation int64) error {
	_, err := locked(ctx, &s.mu, func() bool {
		for _, viewer := range viewers {
			switch in := s.viewers[viewer]; {
			case in == nil:
			case in.header.Generation < generation:
				delete(s.viewers, viewer)
			default:
				in.trim(s.cap)
			}
		}
		return true
	})
	return err
}

// Sets implements [live.Sets]. Use [NewSets].
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
	out := make([]live.Set, len(hosts))
	for i, host := range hosts {
		set := s.sets[setName{generation, host}]
		n := min(limit, len(set.Open))
		out[i] = live.Set{Number: set.Number, Open: slices.Clone(set.Open[:n]), More: n < len(set.Open)}
	}
	return out, nil
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

// Snapshots implements [live.Snapshots]. Use [NewSnapshots].
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
