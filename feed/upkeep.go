package feed

import (
	"context"
	"time"
)

// Upkeep is what an inbox is in need of.
type Upkeep int

// The kinds of upkeep, each a method of [Builder].
const (
	UpkeepNone Upkeep = iota
	// UpkeepBuild: there is no inbox, or none that may be used.
	UpkeepBuild
	// UpkeepReconcile: the viewer's relations have changed since.
	UpkeepReconcile
	// UpkeepWarmUp: the lease that the inbox knows of is over, or to be renewed.
	UpkeepWarmUp
)

// usable says whether the invariant holds for the inbox. Versions above SQL's come
// from before a restore of the database; an older generation from before every
// inbox was to be dropped.
func (in *Inbox) usable(s Stamp) bool {
	return in.State == InboxReady && in.Generation == s.Generation && in.Version <= s.Version
}

// warm says whether a usable inbox covers authors with [MarkSelective] at the time now.
func (in *Inbox) warm(now int64) bool { return now < in.WarmUntil }

// upkeep returns what the inbox is in need of, most urgent first.
func (p Policy) upkeep(in *Inbox, s Stamp) Upkeep {
	switch {
	case !in.usable(s):
		return UpkeepBuild
	case in.Version != s.Version:
		return UpkeepReconcile
	case in.WarmUntil-s.Now < p.renewBefore().Milliseconds():
		return UpkeepWarmUp
	}
	return UpkeepNone
}

// renewBefore is how much of a lease is left when it is renewed. One that is short is
// renewed when half of it is over.
func (p Policy) renewBefore() time.Duration { return p.ActiveFor - min(p.RenewAfter, p.ActiveFor/2) }

// request puts a viewer's upkeep on the queue.
func (u Upkeep) request(ctx context.Context, q Queue, viewer UserID) error {
	switch u {
	case UpkeepBuild:
		return q.Build(ctx, viewer)
	case UpkeepReconcile:
		return q.Reconcile(ctx, viewer)
	case UpkeepWarmUp:
		return q.WarmUp(ctx, viewer)
	}
	return nil
}
