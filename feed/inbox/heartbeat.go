package inbox

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Heartbeat finds out when a server that keeps inboxes has lost what it had been
// given: because it started empty or with an old copy of its files, or because a
// replica took over that lacked the last moments. Nothing else would tell. The inboxes
// look whole, and SQL says that every push to them is done.
//
// One process writes a rising number to each server every second and, once that is
// acknowledged, notes it in SQL. The number is the time on SQL's clock, so a server
// that comes back with an old one says by it up to when it has everything. It is promised
// in SQL before it is written, so a server that has a number which SQL has not promised
// says that SQL has lost something: it is from a backup.
type Heartbeat struct {
	Pulses    feed.Pulses
	Log       feed.PulseLog
	Progress  feed.Progress
	Relations feed.Relations
	Leaders   feed.Leaders
	// Holder names this process among the others.
	Holder string
	Policy feed.Policy
	Trace  feed.Trace
}

const (
	// leadHeartbeat is the name under which heartbeats are led, for beatFor: another
	// process takes over within five missed beats.
	leadHeartbeat = "heartbeat"
	beatFor       = 5 * time.Second
	// pulseSlack is how far the clock that numbers and the times of progress are read off may
	// be set back, as when another database takes over. On a clock that is not, no slack would
	// be needed: what moved before a number's time had been pushed before the number was
	// written, so a server that has the one has the other. Hosts whose clocks are kept right
	// differ by much less. Not by more, because all that moved in it runs again, also where
	// nothing was lost, in front of what is pushed next.
	pulseSlack = 10 * time.Second
)

// Beat looks at every server's pulse, repairs what it tells of, and raises it. It is
// called every second, by every worker.
func (h *Heartbeat) Beat(ctx context.Context) error {
	return h.leadership().Do(ctx, h.beatAll)
}

func (h *Heartbeat) leadership() Leadership {
	return Leadership{Leaders: h.Leaders, Name: leadHeartbeat, Holder: h.Holder, For: beatFor}
}

// Resign leaves the heartbeat to another process at once. It is called when this one
// stops, after the last beat.
func (h *Heartbeat) Resign(ctx context.Context) error { return h.leadership().Resign(ctx) }

// beatAll looks at the pulses one after the other.
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

// beat repairs before it raises the number: a process that dies in between leaves the
// loss for the next one to find.
func (h *Heartbeat) beat(ctx context.Context, p feed.Pulse, noted map[string]feed.StoredPulse) error {
	// Nobody's stamp still has the time.
	stamp, err := h.Relations.ViewerVersion(ctx, 0)
	if err != nil {
		return err
	}
	last, known := noted[p.Server]
	if err := h.repair(ctx, p, last, known, stamp.Now); err != nil {
		return err
	}
	next := max(stamp.Now, p.Number+1, last.Promised+1)
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

// repair does what a pulse p asks for on a server of which last was noted.
func (h *Heartbeat) repair(ctx context.Context, p feed.Pulse, last feed.StoredPulse, known bool, now int64) error {
	switch {
	case !known && p.Number == 0:
		// A server that is new, or on which nobody has counted before.
		return nil
	case p.Number == 0 && last.Number == 0:
		// What was promised was never written, as far as anybody knows.
		return nil
	case p.Number == 0:
		return h.dropAll(ctx, p, "it has no number any more")
	case !known, p.Number > last.Promised:
		return h.dropAll(ctx, p, "its number is newer than what the database knows, which must be from a backup")
	case p.Number >= last.Number && p.Run == last.Run:
		return nil
	case p.Number < now-h.Policy.PlansKept.Milliseconds():
		return h.dropAll(ctx, p, "its number is older than plans are kept")
	}
	// With a new run an equal number is no proof: what was written after it, but before
	// the next, may be gone.
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
