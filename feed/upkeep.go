package feed

import (
	"context"
	"time"
)

// Upkeep is what an inbox is in need of.
type Upkeep int

// The kinds of upkeep, each a method of [inbox.Builder].
const (
	UpkeepNone Upkeep = iota
	// UpkeepBuild: there is no inbox, or none that may be used.
	UpkeepBuild
	// UpkeepReconcile: the viewer's relations have changed since.
	UpkeepReconcile
	// UpkeepWarmUp: the lease that the inbox knows of is over, or to be renewed.
	UpkeepWarmUp
)

// Usable reports whether the invariant holds for the inbox. Versions above SQL's come
// from before a restore of the database; an older generation from before every
// inbox was to be dropped.
func (in *Inbox) Usable(s ViewerVersion) bool {
	return in.State == InboxReady && in.Generation == s.Generation && in.Version <= s.Version
}

// Warm reports whether a usable inbox covers authors with [FlagSelective] at the time now.
func (in *Inbox) Warm(now int64) bool { return now < in.WarmUntil }

// Upkeep returns what the inbox is in need of, most urgent first.
func (p Policy) Upkeep(in *Inbox, s ViewerVersion) Upkeep {
	switch {
	case !in.Usable(s):
		return UpkeepBuild
	case in.Version != s.Version:
		return UpkeepReconcile
	case in.WarmUntil-s.Now < p.renewBefore().Milliseconds():
		return UpkeepWarmUp
	}
	return UpkeepNone
}

// RenewEvery is how much of a lease is over when it is renewed: half of one that is short.
func (p Policy) RenewEvery() time.Duration { return min(p.RenewAfter, p.ActiveFor/2) }

// renewBefore is how much of a lease is left when it is renewed.
func (p Policy) renewBefore() time.Duration { return p.ActiveFor - p.RenewEvery() }

// Request puts a viewer's upkeep on the queue.
func (u Upkeep) Request(ctx context.Context, q UpkeepQueue, viewer UserID) error {
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

// NoUpkeep is an [UpkeepQueue] that drops what it is asked for: for reads that must leave
// inboxes as they are.
type NoUpkeep struct{}

// Build implements [UpkeepQueue].
func (NoUpkeep) Build(context.Context, UserID) error { return nil }

// Reconcile implements [UpkeepQueue].
func (NoUpkeep) Reconcile(context.Context, UserID) error { return nil }

// WarmUp implements [UpkeepQueue].
func (NoUpkeep) WarmUp(context.Context, UserID) error { return nil }
