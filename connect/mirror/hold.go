package mirror

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// heldFor is how long a poll waits while the mirror is held, and how often the hold is read.
const heldFor = 100 * time.Millisecond

// hold is the hold that a reader obeys; zero for none.
type hold struct {
	feed.MirrorHold
	// told reports that the reader has said that it has seen the hold.
	told bool
	// ahead is a part that was received and may not be applied yet.
	ahead *part
}

func (h *hold) pollFor() time.Duration {
	if h.ID != 0 {
		return heldFor
	}
	return pollFor
}

// after reports whether a position is after the place of the hold. At no place, each is.
func (h *hold) after(p position) bool {
	switch {
	case h.ID == 0:
		return false
	case p.count > 0: // a part of a transaction that commits at p.lsn
		return p.lsn >= h.Place
	}
	return p.lsn > h.Place
}

// see takes over a hold. All that was returned before is applied, so who asked may rely on it.
func (r *reader) see(ctx context.Context, h feed.MirrorHold) error {
	if h != r.hold.MirrorHold {
		r.hold.MirrorHold, r.hold.told = h, false
	}
	if h.ID == 0 || r.hold.told {
		return nil
	}
	err := r.Holds.SeeHold(ctx, r.Name, h)
	r.hold.told = err == nil
	return err
}

// let returns the next part that the hold lets through. When nothing before its place is left, this
// is an empty part that moves the position to the place.
func (r *reader) let(ctx context.Context, now bool) (p part, is bool, err error) {
	switch {
	case r.hold.ahead != nil:
		p, is = *r.hold.ahead, true
	case r.hold.ID == 0 || r.hold.Place != 0:
		p, is, err = r.next(ctx, now)
	}
	if err != nil || is && !r.hold.after(p.to) {
		r.hold.ahead = nil
		return p, is, err
	}
	if is {
		later := p
		r.hold.ahead = &later
		if r.handed < r.hold.Place {
			return part{to: position{r.hold.Place, 0}}, true, nil
		}
	}
	if !now && r.hold.ID != 0 {
		<-ctx.Done()
	}
	return part{}, false, nil
}
