package live

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// The interfaces between the domain and its stores, under the same rules as those of
// package feed: every method honours its context, may be called by many goroutines at
// once, returns an error of [feed.CodeUnavailable] when the store cannot be reached, and
// answers several ids in their order. All times are milliseconds since the epoch.

// Sessions is the source of truth of what sessions there are.
type Sessions interface {
	// Sessions returns one session per id as it is now, nil where none is stored or the
	// account of its host was deleted. One that was cancelled is returned.
	Sessions(ctx context.Context, ids []ID) ([]*Session, error)
	// Schedule stores a new session, upcoming, as the first of its transitions, and
	// returns it with its number. An id that is taken is [ErrIDTaken], a host who is not
	// stored [feed.CodeNotFound], and one who has openMax sessions that are upcoming or
	// live already [feed.CodeConflict], however many calls run at once.
	Schedule(ctx context.Context, s Session, openMax int) (*Session, error)
	// Change calls next with the stored session and stores what it returns as one more
	// transition, with a number of its own; when that is what it was given, there is none.
	// All of it is one transaction under a lock, so next sees what it changes, and may be
	// called again. A session that becomes a replay gets, in the same transaction, an
	// event that is due at dueAt, under the name [feed.ReplayRef]. It returns the result,
	// next's error as it is, and [feed.CodeNotFound] when no session is stored.
	Change(ctx context.Context, id ID, dueAt int64, next func(Session) (Session, error)) (*Session, error)
}

// ErrIDTaken says that a session's id is in use.
var ErrIDTaken = &feed.Error{Code: feed.CodeConflict, Message: "the session id is taken"}

// Moment is a point in the history of all sessions.
type Moment struct {
	// Generation is that of [feed.ViewerVersion]: when it rises, as after a restore of the source
	// of truth from a backup, numbers may have been drawn before for something else.
	Generation int64
	// Number is that of the last transition; 0 before the first.
	Number int64
	// At is when that was looked up, in milliseconds since the epoch on the clock of the
	// source of truth.
	At int64
}

// HostTransition is a host with the number of a transition of his.
type HostTransition struct {
	Host   feed.UserID
	Number int64
}

// History reads, from the source of truth, how sessions were as of some number.
type History interface {
	// Now returns the present moment.
	Now(ctx context.Context) (Moment, error)
	// Hosts returns, as of one moment, which is returned too, those of viewer's hosts who
	// have an upcoming or live session, or have had a transition later than asOf; each with
	// the number of the last. His hosts are he himself and those whom he follows by a change
	// not later than version. Nobody else is judged, and they are in no order.
	Hosts(ctx context.Context, viewer feed.UserID, version, asOf int64) (Moment, []HostTransition, error)
	// Followed returns those of the hosts, in no order, who are viewer's hosts in that sense.
	Followed(ctx context.Context, viewer feed.UserID, version int64, hosts []feed.UserID) ([]feed.UserID, error)
	// Open returns what was upcoming or live as of a number, by the hosts, behind a
	// position; the zero position is before all. It is in feed order, and at most limit
	// entries. What is cancelled by now is left out.
	Open(ctx context.Context, hosts []feed.UserID, asOf int64, behind Position, limit int) ([]Entry, error)
	// Sets returns what the set of each host must be now, all as of one moment: the number
	// of his last transition, 0 when there was none, and all that he has upcoming and live.
	Sets(ctx context.Context, hosts []feed.UserID) ([]Set, error)
}

// Standing is what has to be asked of the source of truth at every first page: all that
// decides what a live feed shows is a matter of these numbers.
type FeedVersion struct {
	Moment
	// Version is that of the viewer's relations.
	Version int64
	// Leaving says that the account of the viewer, or of somebody whom he follows, is
	// deleted and that this has not raised his version yet, as it will when his follows of
	// that account have been ended.
	Leaving bool
}

// Changes tells, from the source of truth, whether anything has changed.
type Changes interface {
	// Standing returns how things stand for viewer, all as of one moment.
	FeedVersion(ctx context.Context, viewer feed.UserID) (FeedVersion, error)
	// Since returns the transitions later than a number, each by its host and number, in
	// the order of their numbers, and at most limit. Those of accounts that are deleted may
	// be missing.
	Since(ctx context.Context, number int64, limit int) ([]HostTransition, error)
}

// Memory keeps what a process knows of live feeds. It may drop any of it at any time.
type FeedCache interface {
	// Get returns what was put for viewer's feed last; nil if there is nothing.
	Get(viewer feed.UserID) *CachedFeed
	// Put replaces what is kept of viewer's feed by k.
	Put(viewer feed.UserID, k *CachedFeed)
}

// Set is what a host has upcoming and live.
type Set struct {
	// Number is that of the host's last transition that the set knows of; 0 when there is
	// no set.
	Number int64
	// Open are the positions, in feed order.
	Open []Position
	// More says that the set holds more than was asked for.
	More bool
}

// Sets keeps an ordered set for every host, which may be lost at any time. Those of one
// generation know nothing of those of another.
type Sets interface {
	// Read returns a set per host, each with at most limit positions.
	Read(ctx context.Context, generation int64, hosts []feed.UserID, limit int) ([]Set, error)
	// Write replaces the host's set, unless the one that is there has the same number or
	// a higher one.
	Write(ctx context.Context, generation int64, host feed.UserID, s Set) error
}

// Snapshot is everything that is upcoming and live in one scroll, in feed order.
type Snapshot struct {
	// Number and Version are the scroll's.
	Number, Version int64
	Open            []Entry
}

// Snapshots keeps snapshots for a while. Any may be lost at any time.
type Snapshots interface {
	// Save keeps a snapshot of viewer's under a name for d.
	Save(ctx context.Context, viewer feed.UserID, name uint64, s Snapshot, d time.Duration) error
	// Load returns a snapshot, or nil when there is none of this name and viewer.
	Load(ctx context.Context, viewer feed.UserID, name uint64) (*Snapshot, error)
}

// Queue hands work to the workers, and may lose, double, delay and reorder it.
type Queue interface {
	// Refresh asks for [Refresher.Refresh] of the sets of some hosts.
	Refresh(ctx context.Context, hosts []feed.UserID) error
	// Dispatch asks for [fanout.Fanout.Dispatch].
	Dispatch(ctx context.Context, d feed.Dispatchable[feed.PostID]) error
}
