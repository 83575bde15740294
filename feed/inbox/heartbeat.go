package inbox

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Heartbeat detects that a server lost inbox data: it restarted empty or with an old copy, or a
// replica without the last writes took over. Every second one process promises a rising number in
// SQL, writes it to each server, and notes it in SQL once that is acknowledged. The number is the
// time on SQL's clock, so it says up to when the server has everything. If a server's number is
// above the promised one, the database is from a backup.
type Heartbeat struct {
	Pulses    feed.Pulses
	Log       feed.PulseLog
	Changes   feed.ChangeNumberer
	Progress  feed.Progress
	Relations feed.Relations
	Leaders   feed.Leaders
	// Holder names this process among the others.
	Holder string
	Policy feed.Policy
	Trace  feed.Trace
}

const (
	// leadHeartbeat is the lease. After five missed beats another process takes over.
	leadHeartbeat = "heartbeat"
	beatFor       = 5 * time.Second
	// pulseSlack is how far the clock may be set back, for example by another database.
	pulseSlack = 10 * time.Second
)

// Beat checks every server's number, repairs what was lost, and raises the number.
func (h *Heartbeat) Beat(ctx context.Context) error {
	return h.leadership().Do(ctx, h.beatAll)
}

func (h *Heartbeat) leadership() Leadership {
	return Leadership{Leaders: h.Leaders, Name: leadHeartbeat, Holder: h.Holder, For: beatFor}
}

// Resign lets another process take over at once. Call it after the last beat.
func (h *Heartbeat) Resign(ctx context.Context) error { return h.leadership().Resign(ctx) }

func (h *Heartbeat) beatAll(ctx context.Context) error {
	list, err := h.Log.StoredPulses(ctx)
	if err != nil {
		return err
	}
	noted := make(map[string]feed.StoredPulse, len(list))
	for _, p := range list {
		noted[p.Server] = p
	}
	pulses, err := h.Pulses.Read(ctx)
	if err != nil {
		return err
	}
	for _, p := range pulses {
		if err := h.beat(ctx, p, noted); err != nil {
			return err
		}
	}
	return nil
}

// beat repairs first: after a crash in between, the next process finds the loss again.
func (h *Heartbeat) beat(ctx context.Context, p feed.Pulse, noted map[string]feed.StoredPulse) error {
	// The version of the anonymous viewer still has the time.
	current, err := h.Relations.ViewerVersion(ctx, 0)
	if err != nil {
		return err
	}
	last, known := noted[p.Server]
	if err := h.repair(ctx, p, last, known, current.Now); err != nil {
		return err
	}
	next := max(current.Now, p.Number+1, last.Promised+1)
	if err := h.Log.Promise(ctx, p.Server, next); err != nil {
		return err
	}
	raised, err := h.Pulses.Raise(ctx, p, next)
	if err != nil || !raised {
		return err
	}
	p.Number = next
	return h.Log.Acknowledge(ctx, p)
}

func (h *Heartbeat) repair(ctx context.Context, p feed.Pulse, last feed.StoredPulse, known bool, now int64) error {
	switch {
	case !known && p.Number == 0:
		// The server is new, or no process has counted on it before.
		return nil
	case p.Number == 0 && last.Number == 0:
		// The promised number was never written, as far as SQL knows.
		return nil
	case p.Number == 0:
		return h.dropAll(ctx, p, "its number is gone")
	case !known, p.Number > last.Promised:
		// The database may draw numbers of changes that it has drawn before.
		if err := h.Changes.NewEpoch(ctx); err != nil {
			return err
		}
		return h.dropAll(ctx, p, "its number is newer than the database, which must be from a backup")
	case p.Number >= last.Number && p.Run == last.Run:
		return nil
	case p.Number < now-h.Policy.PlansKept.Milliseconds():
		return h.dropAll(ctx, p, "its number is older than the stored plans")
	}
	// In a new run an equal number proves nothing: later writes may be gone.
	n, err := h.Progress.Rerun(ctx, p.Number-pulseSlack.Milliseconds(), now)
	if err == nil && h.Trace.InboxesRolledBack != nil {
		h.Trace.InboxesRolledBack(p.Server, p.Number, n)
	}
	return err
}

func (h *Heartbeat) dropAll(ctx context.Context, p feed.Pulse, why string) error {
	err := h.Log.RaiseGeneration(ctx)
	if err == nil && h.Trace.InboxesDropped != nil {
		h.Trace.InboxesDropped(p.Server, why)
	}
	return err
}
