package feed

import (
	"context"
	"time"
)

// Cleaner removes rows that are no longer needed.
type Cleaner interface {
	// Cleanup removes at most limit done plans that were stored before plansBefore, with their
	// slices and events, and at most limit idempotency keys that were used before keysBefore. It
	// returns whether there may be more of either. Concurrent calls do each part once.
	Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (more bool, err error)
	// DropFreedHandles frees at most limit skeletons of handles that were given up before the
	// time before, on the store's clock. It returns whether there may be more. Concurrent calls
	// do each part once.
	DropFreedHandles(ctx context.Context, before int64, limit int) (more bool, err error)
	// DropEndedVersions removes at most limit versions of edges whose end was applied before the
	// time before, on the store's clock. It returns whether there may be more. Concurrent calls do
	// each part once.
	DropEndedVersions(ctx context.Context, before int64, limit int) (more bool, err error)
}

// Leaders elects one of many processes, to avoid duplicate work.
type Leaders interface {
	// Lead makes holder the leader of name until d from now, on the store's clock, or extends
	// that. It returns false while another holder leads. Correctness must not depend on a single
	// leader.
	Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error)
}

// Pulse identifies a run of a server that keeps inboxes.
type Pulse struct {
	// A replica that takes over keeps the name of the server.
	Server string
	Number int64
	// Run changes at every start of the server and when a replica takes over.
	Run string
}

// Pulses reads and writes the numbers on the servers that keep inboxes.
type Pulses interface {
	// Read returns the pulse of every server. It fails if any of them cannot be reached.
	Read(ctx context.Context) ([]Pulse, error)
	// Raise writes next to the server if its number is still p.Number. Otherwise it returns false
	// and writes nothing.
	Raise(ctx context.Context, p Pulse, next int64) (bool, error)
}

// StoredPulse is a server's pulse as the source of truth holds it.
type StoredPulse struct {
	Pulse
	// Promised is the highest number that may ever have been written to the server.
	Promised int64
}

// PulseLog holds pulses in the source of truth.
type PulseLog interface {
	// StoredPulses returns the stored pulse of each server.
	StoredPulses(ctx context.Context) ([]StoredPulse, error)
	// Promise records that a number is about to be written to a server, which may be new. A lower
	// number than promised before changes nothing.
	Promise(ctx context.Context, server string, number int64) error
	// Acknowledge stores a pulse that its server has acknowledged, and promises its number.
	Acknowledge(ctx context.Context, p Pulse) error
	// RaiseGeneration makes every inbox absent. The store has never had the new generation
	// before, not even before a restore from a backup, provided that its clock was not set back.
	RaiseGeneration(ctx context.Context) error
}

// Progress reads the state of all fan-outs together.
type Progress interface {
	// IsAnyDue returns whether [Plans.Due] finds something by DueBy{now, now, now, now}. It is cheap if
	// nothing is due.
	IsAnyDue(ctx context.Context, now int64) (bool, error)
	// Backlog counts the slices that are not done, up to limit.
	Backlog(ctx context.Context, limit int) (int, error)
	// Rerun resets every slice whose progress was stored at since or later, on the store's clock:
	// it waits from its beginning, due at dueAt. It returns the number of these slices. Rerun
	// fences all workers that run a slice, because they may have pushed without having stored it;
	// other running slices wait from their progress.
	Rerun(ctx context.Context, since, dueAt int64) (int, error)
	// Pending counts what is not done at now, and what has been due for more than a minute by by.
	Pending(ctx context.Context, now int64, by DueBy) (Pending, error)
	// IsPending returns, for each post, whether its event waits for a plan or a slice of its plan
	// is not done.
	IsPending(ctx context.Context, posts []PostID) ([]bool, error)
}

// Pending counts events without a plan, and open slices, of which Running are under a lease.
type Pending struct {
	Events, Slices, Running int
	// Overdue counts events and slices due for more than a minute: none in a healthy system.
	Overdue int
}

// StorageFormats agrees on the storage format of inboxes that is in use. A format also names
// where inboxes are kept. Programs of different versions or settings share the source of truth,
// and each knows one format only. Inboxes of different formats are separate, and a push reaches
// those of the worker's format only. So at any time only workers of the format in use may push,
// and only its inboxes may be read.
type StorageFormats interface {
	// InUse returns the format in use.
	InUse(ctx context.Context) (int64, error)
	// UseFormat reserves a format for a process until d from now, on the store's clock, and
	// returns the format in use. If another format is in use that no process reserves any more,
	// it first puts the given one into use and raises the generation, so that all inboxes of
	// either format are built again before they are used.
	UseFormat(ctx context.Context, format int64, d time.Duration) (int64, error)
}
