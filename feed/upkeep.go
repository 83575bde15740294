package feed

import (
	"context"
	"time"
)

// Upkeep is the maintenance that an inbox needs.
type Upkeep int

// The kinds, each a method of [inbox.Builder]: no usable inbox, changed relations, lease to renew.
const (
	UpkeepNone Upkeep = iota
	UpkeepBuild
	UpkeepReconcile
	UpkeepWarmUp
)

// Usable reports whether the invariants hold: not during a bulk load, after a restore of SQL or
// after a drop of all inboxes.
func (in *Inbox) Usable(s ViewerVersion) bool {
	return !s.Loading && in.State == InboxReady && in.Generation == s.Generation && in.Version <= s.Version
}

// Warm reports whether a usable inbox covers authors with [FlagSelective] at now.
func (in *Inbox) Warm(now int64) bool { return now < in.WarmUntil }

// Upkeep returns what the inbox needs first. A warm-up, due once a day at most, precedes a
// reconciliation: otherwise a viewer who follows a user before each read would lose their lease.
func (p Policy) Upkeep(in *Inbox, s ViewerVersion) Upkeep {
	switch {
	case s.Loading:
		return UpkeepNone
	case !in.Usable(s):
		return UpkeepBuild
	case p.RenewalDue(in.WarmUntil, s.Now):
		return UpkeepWarmUp
	case in.Version != s.Version:
		return UpkeepReconcile
	}
	return UpkeepNone
}

// RenewEvery is how much of a lease must have passed for a renewal: at most half of it.
func (p Policy) RenewEvery() time.Duration { return min(p.RenewAfter, p.ActiveFor/2) }

// RenewalDue reports whether a lease of activity is to be renewed by an action at now.
func (p Policy) RenewalDue(until, now int64) bool { return until-now < p.renewBefore().Milliseconds() }

func (p Policy) renewBefore() time.Duration { return p.ActiveFor - p.RenewEvery() }

// Request enqueues the upkeep for a viewer.
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

// NoUpkeep is an [UpkeepQueue] that ignores requests, for reads that must not change inboxes.
type NoUpkeep struct{}

// Build implements [UpkeepQueue].
func (NoUpkeep) Build(context.Context, UserID) error { return nil }

// Reconcile implements [UpkeepQueue].
func (NoUpkeep) Reconcile(context.Context, UserID) error { return nil }

// WarmUp implements [UpkeepQueue].
func (NoUpkeep) WarmUp(context.Context, UserID) error { return nil }
