package feed

import (
	"context"
	"fmt"
	"time"
)

// Presence keeps whether users are absent. An absent user has not arrived from the system that
// owns users ([UsersExplicit]), or was taken back by it. What refers to them stays stored and counted, and only reads
// leave out the users and what is theirs. So an arrival or a return changes one row, and repairs
// nothing. Absence is not a deletion, which is for ever ([Profiles.DeleteAccount]).
type Presence interface {
	// SetAbsent makes users absent or present, in one transaction. If absent is set, it stores a
	// user who is not stored as a placeholder. Deleted accounts stay as they are. For each user that
	// it changes, it logs a [ChangeAccount], raises [ViewerVersion.Own], and has the reposts of their
	// posts logged, as after a deletion.
	SetAbsent(ctx context.Context, users []UserID, absent bool) error
	// UseUsers returns the mode of the database, and whether this call has changed it. It stores
	// c.Want if that is [UsersImplicit], or if c.Was is what is stored. Otherwise it returns
	// [*UserModeDiffers] if c.Want differs from what is stored. A change shows or hides all
	// placeholders and raises the generation, in one transaction: other processes follow at once.
	UseUsers(ctx context.Context, c UserModeChange) (mode UserMode, changed bool, err error)
}

// UserMode says whether users of a source are shown before their record arrives. The zero value is
// no choice.
type UserMode string

// With UsersExplicit, users without a record are absent. With UsersImplicit they are shown without
// handle and name; only a record can make them absent.
const (
	UsersExplicit UserMode = "explicit"
	UsersImplicit UserMode = "implicit"
)

// UserModeChange is the mode that a database should have. Without Want, it is what is stored.
type UserModeChange struct {
	Want UserMode
	// Was permits the change from [UsersImplicit], which hides users.
	Was UserMode
}

// Applies reports whether the change replaces the stored mode, or returns [*UserModeDiffers].
func (c UserModeChange) Applies(stored UserMode) (bool, error) {
	switch {
	case c.Want == "" || c.Want == stored:
		return false, nil
	case stored == UsersImplicit && c.Was != stored:
		return false, &UserModeDiffers{Stored: stored, Wanted: c.Want}
	}
	return true, nil
}

// UserModeDiffers says that a database has another mode than wanted.
type UserModeDiffers struct{ Stored, Wanted UserMode }

func (e *UserModeDiffers) Error() string {
	return fmt.Sprintf("users are %s in the database, not %s", e.Stored, e.Wanted)
}

// Relater changes and lists mutes, hides and blocks.
type Relater interface {
	// Relate makes r.User mute, hide from or block r.Target since r.CreatedAt. In the same
	// transaction it raises the version of every user whose feed changes: the user for a mute,
	// the target for a hide, both for a block. Doing it again changes nothing. It returns
	// [CodeNotFound] if either user is not stored and [CodeInvalid] if r.Kind is unknown. A mute that
	// is there keeps its time, and ends at r.Until from now on.
	Relate(ctx context.Context, r RelationRecord) error
	// Unrelate removes the relation and raises the same versions. It changes nothing if there is
	// none, whether the users are stored or not.
	Unrelate(ctx context.Context, kind RelationKind, user, target UserID) error
	// EndMutes ends up to limit mutes whose Until is not after now, as Unrelate does. It returns whether
	// there may be more.
	EndMutes(ctx context.Context, now int64, limit int) (more bool, err error)
	// Related lists the users that user mutes, hides from or blocks, by key (time of the
	// relation, user id), in the range's direction and without absent users.
	Related(ctx context.Context, kind RelationKind, user UserID, r Range) ([]Key, error)
}

// FollowRequests are the follows of private accounts that their owners have not accepted. They are no
// follows: they have no fan-out, no counter and no row in the change log, and a request that ends leaves
// nothing. A block, [Relater.Relate], ends the requests of the two to each other.
type FollowRequests interface {
	// AcceptFollow makes a request a follow since at, whatever the limit of follows. It returns [CodeNotFound]
	// if there is no request, and changes nothing for a follower.
	AcceptFollow(ctx context.Context, followee, follower UserID, at int64) error
	// RejectFollow ends a request. It changes nothing if there is none.
	RejectFollow(ctx context.Context, followee, follower UserID) error
	// FollowRequested reports, for each followee, whether follower has asked and the account is still private.
	FollowRequested(ctx context.Context, follower UserID, followees []UserID) ([]bool, error)
	// FollowRequests and SentFollowRequests list the users who have asked to follow a user, and those that a user
	// has asked to follow, by key (time of the request, user id), in the range's direction and without absent
	// users. Requests to accounts that have become public are included.
	FollowRequests(ctx context.Context, followee UserID, r Range) ([]Key, error)
	SentFollowRequests(ctx context.Context, follower UserID, r Range) ([]Key, error)
}

// Profiles changes, finds and deletes accounts.
type Profiles interface {
	// UpdateProfile changes the profile and returns the user. It returns [CodeConflict] with the
	// field handle, and changes nothing, if the handle is not available ([Users.EnsureUser]). It
	// returns [CodeNotFound] if the user is not stored. Users may take back a handle that they
	// gave up, and change the case of the one they have.
	UpdateProfile(ctx context.Context, user UserID, c ProfileChange) (*User, error)
	// SearchUsers lists the users, without absent ones, who have, for each of the words, one of their [SearchWords]
	// that begins with it. There is at least one word, and all are as [QueryWords] returns them.
	// The key of a user is the largest [WordPlace] of their words that begin with words[0], and
	// their id.
	SearchUsers(ctx context.Context, words []string, r Range) ([]Key, error)
	// DeleteAccount deletes an account. From its commit on, no port returns the user and no list
	// of users includes them, their handle is reserved, their id stays taken, and their posts
	// count as deleted at the time at. [Profiles.PurgeDeleted] later updates counters and the
	// follow edges of others. Deleting again changes nothing. It returns [CodeNotFound] for an id
	// that no user ever had.
	DeleteAccount(ctx context.Context, user UserID, at int64) error
	// PurgeDeleted removes at most limit rows of what deleted accounts have left: it deletes
	// their posts and removes their follow edges in both directions, reactions, relations, read
	// positions and idempotency keys. In the same transaction it keeps all counters exact and raises the
	// versions of their followers. It returns false if it found nothing: then nothing is left.
	// Concurrent calls do each part once, and a failed call leaves its part to the next.
	PurgeDeleted(ctx context.Context, limit int) (more bool, err error)
}

// ReadPosition says where a user has stopped reading their home feed.
type ReadPosition struct {
	// Cursor is that of an entry, and SyncToken that of a page or of changes that the client held.
	Cursor, SyncToken string
	// At is when the position was stored, in milliseconds on the store's clock.
	At int64
}

// ReadPositions keeps a read position for each device of a user. A device is a name, or "" for all
// devices without one.
type ReadPositions interface {
	// MarkRead stores the position of a device, and returns its time; p.At is ignored. The store takes
	// the calls of a user one after the other and dates each later than all before, even if its clock
	// steps back. So the newest call wins: the one with the latest time. If the user then has more than
	// limit devices, MarkRead drops the one with the earliest time. It returns [CodeNotFound] if the user
	// is not stored.
	MarkRead(ctx context.Context, user UserID, device string, p ReadPosition, limit int) (at int64, err error)
	// ReadPosition returns the position of a device; nil if there is none.
	ReadPosition(ctx context.Context, user UserID, device string) (*ReadPosition, error)
}

// ErrAccountDeleted is the error for the id of a deleted account, which is never reused.
var ErrAccountDeleted = &Error{Code: CodeUnauthenticated, Message: "the account has been deleted"}

// Revocation revokes tokens of a user before they expire.
type Revocation struct {
	User UserID
	// Token may be a hash. Empty stands for all tokens of the user, whose account is deleted.
	Token string
}

// Revocations stores revoked tokens. Times are on the clock of the store.
type Revocations interface {
	// Revoke revokes a token that would expire in ttl. Doing it again changes nothing.
	Revoke(ctx context.Context, r Revocation, ttl time.Duration) error
	// IsRevoked reports whether the token was revoked. It ignores revocations of all tokens of a
	// user: the sign-in finds that the account is deleted.
	IsRevoked(ctx context.Context, r Revocation) (bool, error)
	// RevokedWithin returns what was revoked within the window, deleted accounts included, in no
	// order. Revocations that commit during the call may be missing for up to ten seconds.
	RevokedWithin(ctx context.Context, window time.Duration) ([]Revocation, error)
}

// RevocationKeptFor is for deleted accounts: longer than any process goes without polling.
const RevocationKeptFor = time.Hour
