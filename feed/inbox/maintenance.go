package inbox

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Housekeeper drops what nobody needs any more, a slice at a time. Where several
// processes have one, a leader among them does the work.
type Housekeeper struct {
	Inboxes   feed.Inboxes
	Keeper    feed.InboxKeeper
	Relations feed.Relations
	Activity  feed.Activity
	Cleaner   feed.Cleaner
	Leaders   feed.Leaders
	// Holder names this process among the others.
	Holder string
	Clock  feed.Clock
	Policy feed.Policy
	Trace  feed.Trace

	mu sync.Mutex
	// cursor is how far this process has walked through the inboxes. Another that
	// takes over begins a walk of its own, and does again what is harmless to do.
	cursor string
}

// The names under which housekeepers lead.
const (
	leadInboxes = "tidy inboxes"
	leadRows    = "clean up rows"
)

// leadFor is how long a housekeeper that has died keeps the others waiting: five calls
// that were missed.
const leadFor = 5 * time.Second

// TidyInboxes looks at the next slice of all inboxes: it removes those of long-dormant
// viewers, of old generations and beyond repair, and trims the others to their cap,
// which a setting may have lowered. It is called again and again, by every worker.
func (h *Housekeeper) TidyInboxes(ctx context.Context) error {
	return h.lead(ctx, leadInboxes, func(ctx context.Context) error {
		viewers, next, err := h.Keeper.Walk(ctx, h.cursor, h.Policy.UpkeepBatch)
		if err != nil {
			return err
		}
		if err := h.tidy(ctx, viewers); err != nil {
			return err
		}
		h.cursor = next
		return nil
	})
}

// tidy removes or trims the inboxes of a slice of viewers. A viewer who comes back
// while his inbox is being removed reads by the reference query, and has it built.
func (h *Housekeeper) tidy(ctx context.Context, viewers []feed.UserID) error {
	dormant, err := h.Activity.Dormant(ctx, viewers, h.Policy.DormantFor)
	if err != nil {
		return err
	}
	for _, viewer := range dormant {
		if err := h.Inboxes.Remove(ctx, viewer); err != nil {
			return err
		}
		if h.Trace.InboxRemoved != nil {
			h.Trace.InboxRemoved(viewer)
		}
	}
	// Nobody's stamp still has the generation.
	stamp, err := h.Relations.ViewerVersion(ctx, 0)
	if err != nil {
		return err
	}
	return h.Keeper.Trim(ctx, viewers, stamp.Generation)
}

// CleanUpRows drops plans that have been done for long, idempotency keys that are forgotten
// and handles that are no longer held back, slice by slice. It is called again and again, by
// every worker.
func (h *Housekeeper) CleanUpRows(ctx context.Context) error {
	return h.lead(ctx, leadRows, func(ctx context.Context) error {
		now := h.Clock()
		plans := feed.Millis(now.Add(-h.Policy.PlansKept))
		keys := feed.Millis(now.Add(-h.Policy.IdempotencyFor))
		handles := feed.Millis(now.Add(-h.Policy.HandlesHeldFor))
		for more := true; more; {
			var err error
			if more, err = h.Cleaner.Cleanup(ctx, plans, keys, h.Policy.UpkeepBatch); err != nil {
				return err
			}
		}
		for more := true; more; {
			var err error
			if more, err = h.Cleaner.DropFreedHandles(ctx, handles, h.Policy.UpkeepBatch); err != nil {
				return err
			}
		}
		return nil
	})
}

// lead does something if this process leads in it, for as long as it does.
func (h *Housekeeper) lead(ctx context.Context, name string, do func(context.Context) error) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.leadership(name).Do(ctx, do)
}

func (h *Housekeeper) leadership(name string) Leadership {
	return Leadership{Leaders: h.Leaders, Name: name, Holder: h.Holder, For: leadFor}
}

// Resign leaves the work to another process at once. It is called when this one stops,
// after the last call of the other methods.
func (h *Housekeeper) Resign(ctx context.Context) error {
	return errors.Join(h.leadership(leadInboxes).Resign(ctx), h.leadership(leadRows).Resign(ctx))
}
