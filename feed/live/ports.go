package live

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// The interfaces to the stores follow the rules of package feed: every method honours its context,
// is safe for concurrent use, returns [feed.CodeUnavailable] if the store cannot be reached, and
// returns several results in the order of the ids. All times are in milliseconds since the epoch.

// Sessions is the source of truth for sessions. Each transaction of Schedule and Change logs the row
// of [Session.Changed].
type Sessions interface {
	SessionReader
	// OfHost returns up to limit sessions of a host with ids below one, in descending order of ids, which
	// transitions do not change. It includes cancelled sessions, and those of deleted and absent hosts.
	OfHost(ctx context.Context, host feed.UserID, below ID, limit int) ([]PublicID, error)
	// Schedule stores a new upcoming session as its first transition, with a number. It returns
	// [ErrIDTaken], [feed.CodeNotFound] if the host is not stored, and [feed.CodeConflict] if the
	// host has openMax upcoming and live sessions, also with concurrent calls.
	Schedule(ctx context.Context, s Session, openMax int) (*Session, error)
	// Change calls next with the stored session and stores the result as a further transition with
	// a number, unless it is equal. All of it is one transaction under a lock, and next may be
	// called again. A session that becomes a replay gets, in the same transaction, an event under
	// [feed.ReplayRef] that is due at dueAt. Change returns the session, the error of next
	// unchanged, or [feed.CodeNotFound] if no session is stored.
	Change(ctx context.Context, id ID, dueAt int64, next func(Session) (Session, error)) (*Session, error)
}

// SessionReader reads sessions by id.
type SessionReader interface {
	// Sessions returns one session per id as it is now, cancelled ones included; nil if none is
	// stored, or if the account of its host was deleted or the host is absent.
	Sessions(ctx context.Context, ids []ID) ([]*Session, error)
}

// Users reads the accounts of hosts, as [feed.Users] does.
type Users interface {
	Users(ctx context.Context, ids []feed.UserID) ([]*feed.User, error)
}

// ErrIDTaken is the error for a session id that is in use.
var ErrIDTaken = &feed.Error{Code: feed.CodeConflict, Message: "the session id is taken"}

// Moment is a point in the history of all sessions.
type Moment struct {
	// Generation is that of [feed.ViewerVersion]. After it rises, numbers may be reused.
	Generation int64
	// Number is that of the last transition; 0 before the first.
	Number int64
	// At is the time of the read on the clock of the source of truth.
	At int64
}

// HostTransition is the number of a transition of a host's session.
type HostTransition struct {
	Host   feed.UserID
	Number int64
}

// History reads the past of sessions from the source of truth.
type History interface {
	Now(ctx context.Context) (Moment, error)
	// Hosts returns the present moment and, as of it, those of viewer's hosts with an upcoming or
	// live session or with a transition after number asOf, each with the number of their last
	// transition, in no order. A viewer's hosts are the viewer and the followees by a change not
	// later than version, without absent users. No other relations are judged.
	Hosts(ctx context.Context, viewer feed.UserID, version, asOf int64) (Moment, []HostTransition, error)
	// Followed returns those of the hosts, in no order, who are viewer's hosts in that sense.
	Followed(ctx context.Context, viewer feed.UserID, version int64, hosts []feed.UserID) ([]feed.UserID, error)
	// Open returns what was upcoming or live as of a number, by the hosts, in feed order after a
	// position or the zero one: at most limit entries, without sessions cancelled by now.
	// Absent hosts have none.
	Open(ctx context.Context, hosts []feed.UserID, asOf int64, behind Position, limit int) ([]Entry, error)
	// Sets returns what the set of each host must be, all as of one moment: the number of the
	// host's last transition, 0 if there is none, and all of their upcoming and live sessions.
	Sets(ctx context.Context, hosts []feed.UserID) ([]Set, error)
}

// FeedVersion is a version vector of everything that decides what a live feed shows.
type FeedVersion struct {
	Moment
	Version int64
	// Absences rises whenever users with sessions or followers become absent or present.
	Absences int64
	// Leaving says that the account of the viewer or of a followee is deleted, and that this has
	// not raised the viewer's version yet.
	Leaving bool
}

// Changes reports changes from the source of truth.
type Changes interface {
	// FeedVersion returns the version of viewer's live feed, all as of one moment.
	FeedVersion(ctx context.Context, viewer feed.UserID) (FeedVersion, error)
	// Since returns the transitions after a number, in the order of their numbers and at most
	// limit. A change that only texts of records make is one, but does not change
	// [Session.Number]. Those of deleted accounts may be missing.
	Since(ctx context.Context, number int64, limit int) ([]HostTransition, error)
}

// FeedCache keeps live feeds in the process, and may drop any. It is safe for concurrent use.
type FeedCache interface {
	// Get returns the entry of viewer, nil if there is none.
	Get(viewer feed.UserID) *CachedFeed
	Put(viewer feed.UserID, k *CachedFeed)
}

// Set is the upcoming and live sessions of a host.
type Set struct {
	// Number is that of the host's last transition in the set; 0 if there is no set.
	Number int64
	Open   []Position
	// More says that the set holds more than Open.
	More bool
}

// Sets keeps an ordered set per host and generation. Any set may be lost at any time.
type Sets interface {
	// Read returns one set per host, each with at most limit positions.
	Read(ctx context.Context, generation int64, hosts []feed.UserID, limit int) ([]Set, error)
	// Write replaces the host's set, unless the existing one has the same number or a higher one.
	Write(ctx context.Context, generation int64, host feed.UserID, s Set) error
}

// Snapshot is all upcoming and live sessions of one scroll, in feed order.
type Snapshot struct {
	Number, Version int64
	Open            []Entry
}

// Snapshots keeps snapshots for a while. Any may be lost at any time.
type Snapshots interface {
	Save(ctx context.Context, viewer feed.UserID, name uint64, s Snapshot, d time.Duration) error
	Load(ctx context.Context, viewer feed.UserID, name uint64) (*Snapshot, error)
}

// Queue hands work to the workers. It may lose, repeat, delay and reorder work.
type Queue interface {
	// Refresh enqueues [Refresher.Refresh] of the sets of some hosts.
	Refresh(ctx context.Context, hosts []feed.UserID) error
	// Dispatch enqueues [fanout.Fanout.Dispatch] of each replay.
	Dispatch(ctx context.Context, ds []feed.Dispatchable[feed.PostID]) error
}
