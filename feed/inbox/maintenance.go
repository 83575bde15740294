package inbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// Maintenance trims inboxes and purges old rows, a slice at a time, in one of all processes.
type Maintenance struct {
	Inboxes   feed.Inboxes
	Trimmer   feed.InboxTrimmer
	Relations feed.Relations
	Activity  feed.Activity
	Cleaner   feed.Cleaner
	Changes   feed.ChangeNumberer
	Loads     feed.BulkLoads
	Flags     feed.Flags
	Leaders   feed.Leaders
	// Holder names this process among the others.
	Holder string
	Clock  feed.Clock
	Policy feed.Policy
	Trace  feed.Trace
	// Pause is how long to wait after a walk through all inboxes. Leases of activity last for weeks.
	Pause time.Duration
	// RemovedAtOnce is how many inboxes of dormant viewers are removed concurrently, at least one.
	RemovedAtOnce int

	mu sync.Mutex // held for all of TrimInboxes
	// paused is when the pause ends.
	paused time.Time
	// cursor is lost with the leader. Trimming twice is harmless.
	cursor string
	round  round

	purge rowPurge
}

// The names of the leases; released versions use the same.
const (
	leadInboxes = "tidy inboxes"
	leadRows    = "clean up rows"
	leadFlags   = "lower flags"
)

// leadFor is how long the others wait for a leader that has died: three missed calls of
// [Maintenance.PurgeRows], or three pauses.
const leadFor = 30 * time.Second

// TrimInboxes handles the next slices of all inboxes. It removes those of long-dormant viewers, of
// old generations and beyond repair, and trims the others to their cap, which may be lower now.
// Call it every [TrimInterval]. It adjusts the number of slices so that a round through all inboxes
// takes less than a day.
func (m *Maintenance) TrimInboxes(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Clock().Before(m.paused) {
		return nil
	}
	return m.lead(ctx, leadInboxes, func(ctx context.Context) error {
		now := m.Clock()
		if m.cursor == "" {
			m.round.begin(now)
		}
		// The version of the anonymous viewer still has the generation.
		current, err := m.Relations.ViewerVersion(ctx, 0)
		if err != nil {
			return err
		}
		for range m.round.slices(now, m.Policy.UpkeepBatch) {
			if err := m.trimSlice(ctx, current.Generation); err != nil || m.cursor == "" {
				return err
			}
			if m.Clock().Sub(now) > trimFor {
				return nil
			}
		}
		return nil
	})
}

// trimSlice handles the slice at the cursor, and begins the pause after the last one.
func (m *Maintenance) trimSlice(ctx context.Context, generation int64) error {
	viewers, next, err := m.Trimmer.Walk(ctx, m.cursor, m.Policy.UpkeepBatch)
	if err != nil {
		return err
	}
	if err := m.trim(ctx, viewers, generation); err != nil {
		return err
	}
	m.cursor = next
	m.round.inboxes += len(viewers)
	if next == "" {
		m.round.end()
		m.paused = m.Clock().Add(m.Pause)
	}
	return nil
}

func (m *Maintenance) trim(ctx context.Context, viewers []feed.UserID, generation int64) error {
	dormant, err := m.Activity.Dormant(ctx, viewers, m.Policy.DormantFor)
	if err != nil {
		return err
	}
	if err := m.removeAll(ctx, dormant); err != nil {
		return err
	}
	return m.Trimmer.Trim(ctx, viewers, generation)
}

// removeAll removes several inboxes at once. One after the other, a round in which all of a hundred
// million viewers are dormant would take longer than a day.
func (m *Maintenance) removeAll(ctx context.Context, viewers []feed.UserID) error {
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(max(m.RemovedAtOnce, 1))
	for _, viewer := range viewers {
		all.Go(func() error {
			err := m.Inboxes.Remove(ctx, viewer)
			if err == nil && m.Trace.InboxRemoved != nil {
				m.Trace.InboxRemoved(viewer)
			}
			return err
		})
	}
	return all.Wait()
}

func (m *Maintenance) lead(ctx context.Context, name string, do func(context.Context) error) error {
	return m.leadership(name).Do(ctx, do)
}

func (m *Maintenance) leadership(name string) Leadership {
	l := Leadership{Leaders: m.Leaders, Name: name, Holder: m.Holder, For: leadFor}
	if name == leadFlags {
		l.For = FlagInterval
	}
	return l
}

// Resign lets another process take over at once. Call it last.
func (m *Maintenance) Resign(ctx context.Context) error {
	return errors.Join(
		m.leadership(leadInboxes).Resign(ctx), m.leadership(leadRows).Resign(ctx), m.leadership(leadFlags).Resign(ctx))
}
