package feed

import (
	"context"
	"time"
)

// Cleaner drops rows that nobody asks for any more.
type Cleaner interface {
	// Cleanup drops at most limit plans, with their slices and events, that were
	// stored before plansBefore and are done, and at most limit idempotency keys that
	// were used before keysBefore. It returns whether there may be more of either.
	// Many calls at once do everything once.
	Cleanup(ctx context.Context, plansBefore, keysBefore int64, limit int) (more bool, err error)
	// DropFreedHandles makes at most limit skeletons of handles available that were freed
	// before the time before, on the store's clock, and returns whether there may be more.
	// Many calls at once do everything once.
	DropFreedHandles(ctx context.Context, before int64, limit int) (more bool, err error)
}

// Leaders lets one of many processes do what all of them would otherwise do at the
// same time.
type Leaders interface {
	// Lead makes holder, or leaves him, the leader in name until d from now on the
	// store's clock, and says so; it returns false while somebody else is. Who leads
	// and does not call again in time has lost it: leading spares double work, and
	// nothing may depend on there being one leader only.
	Lead(ctx context.Context, name, holder string, d time.Duration) (bool, error)
}

// Pulse is what a server that keeps inboxes says of itself.
type Pulse struct {
	// Server names the server. A replica that takes over has the name of whom it takes
	// over from.
	Server string
	// Number is what was last written to it; 0 when there is nothing.
	Number int64
	// Run is new whenever the server has been started anew, and another one on a
	// replica that has taken over.
	Run string
}

// Pulses are the numbers on the servers that keep inboxes.
type Pulses interface {
	// Read returns the pulse of every server there is. When one of them cannot be
	// reached it is an error.
	Read(ctx context.Context) ([]Pulse, error)
	// Raise writes next in place of p.Number to the server. It returns false, and
	// writes nothing, when another number stands there by now.
	Raise(ctx context.Context, p Pulse, next int64) (bool, error)
}

// StoredPulse is what the source of truth knows of a server's pulse.
type StoredPulse struct {
	// Pulse is what the server has acknowledged last; its number is 0 when there was
	// nothing yet.
	Pulse
	// Promised is the highest number that may ever have been written to the server.
	Promised int64
}

// PulseLog is what the source of truth knows of pulses.
type PulseLog interface {
	// Noted returns what is known of each server's pulse.
	StoredPulses(ctx context.Context) ([]StoredPulse, error)
	// Promise notes that a number is about to be written to a server, of which nothing
	// need be known. A lower number than was promised changes nothing.
	Promise(ctx context.Context, server string, number int64) error
	// Note notes a pulse that its server has acknowledged, which promises its number too.
	Acknowledge(ctx context.Context, p Pulse) error
	// RaiseGeneration makes every inbox absent. The new generation is one that the store
	// has never had: also not before it was restored from a backup, when its clock has
	// not been set back.
	RaiseGeneration(ctx context.Context) error
}

// Progress is what the source of truth knows of all fan-outs together.
type Progress interface {
	// Backlog counts the slices that are not done, up to limit.
	Backlog(ctx context.Context, limit int) (int, error)
	// Rerun makes every slice whose progress was stored at since or later, on the
	// store's clock, wait from its beginning, due at dueAt, whether it is done, running
	// or waiting, and returns how many they are. Whoever runs one of them is fenced, and
	// so is everybody else who runs a slice, which waits from its progress then: he may
	// have pushed and not stored it yet.
	Rerun(ctx context.Context, since, dueAt int64) (int, error)
	// Pending says what is not done at now, and whose due times lie more than a minute
	// before those of by.
	Pending(ctx context.Context, now int64, by DueBy) (Pending, error)
	// IsPending returns, for each content, whether its fan-out is not done: its event
	// waits for a plan, or a slice of its plan is not done.
	IsPending(ctx context.Context, contents []PostID) ([]bool, error)
}

// Pending counts what fan-outs have left to do.
type Pending struct {
	// Events wait for a plan; Slices are not done, of which Running are under a lease
	// that has not ended.
	Events, Slices, Running int
	// Overdue are events and slices that have been due for more than a minute, which the
	// sweepers of a healthy system leave none of.
	Overdue int
}

// Layouts agrees on which layout of inboxes is in use: where inboxes are kept, and how they
// lie there. Programs of several versions share a store of inboxes and each knows one layout
// only, and settings name another store. Inboxes of different layouts are apart from each
// other, and a push goes to those of whoever carries it out; so at any time the workers of
// one layout alone may push, and its inboxes alone may be read.
type StorageFormats interface {
	// InUse returns the layout in use.
	InUse(ctx context.Context) (int64, error)
	// Hold notes that a process which uses a layout is counted on until d from now on, on
	// the store's clock, and returns the layout in use. When that is another one, and
	// nobody is counted on for it any more, the worker's own is put into use first, and
	// the generation is raised with it: no inbox of either layout is used then until it is
	// built anew.
	UseFormat(ctx context.Context, layout int64, d time.Duration) (int64, error)
}
