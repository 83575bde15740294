package inbox

import "time"

// TrimInterval is how often to call [Maintenance.TrimInboxes].
const TrimInterval = time.Second

const (
	// roundFor is how long a round should take. The other half of a day is for restarts of the
	// leader and for more inboxes than in the last round.
	roundFor = 12 * time.Hour
	// trimFor limits a call, so that trimming never takes more than half of a connection's time.
	trimFor = TrimInterval / 2
	// doublings limits the slices of a call while the number of inboxes is unknown.
	doublings = 10
)

// round sets the pace of a round through all inboxes.
type round struct {
	began time.Time
	// inboxes is how many the round has seen, and last how many the one before; 0 if unknown.
	inboxes, last int
}

func (r *round) begin(now time.Time) { r.began, r.inboxes = now, 0 }
func (r *round) end()                { r.last = r.inboxes }

// slices returns how many slices of size inboxes to handle in one call. Without a round before, or
// after its time, the number doubles every hour, so a hundred million inboxes take nine hours.
func (r *round) slices(now time.Time, size int) int {
	calls := int(roundFor / TrimInterval)
	n := max(1, (r.last+calls*size-1)/(calls*size))
	late := now.Sub(r.began)
	if r.last > 0 {
		late -= roundFor
	}
	return n << min(max(0, int(late/time.Hour)), doublings)
}
