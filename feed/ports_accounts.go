package feed

import "context"

// Relater changes and lists mutes, hides and blocks.
type Relater interface {
	// Relate makes r.User mute, hide from or block r.Target, since r.CreatedAt. In
	// the same transaction it raises the version of everyone whose feed changes: of
	// the user for a mute, of the target for a hide, of both for a block. Doing it
	// twice changes nothing. It is [CodeNotFound] when either of them is not stored,
	// and [CodeInvalid] when r.Kind is none of the three.
	Relate(ctx context.Context, r RelationRecord) error
	// Unrelate ends it and raises the same versions. Ending what does not stand
	// changes nothing, whoever is stored.
	Unrelate(ctx context.Context, kind RelationKind, user, target UserID) error
	// Related lists those whom user mutes, hides from or blocks, by keys (time of
	// the relation, user id) in the range's direction.
	Related(ctx context.Context, kind RelationKind, user UserID, r Range) ([]Key, error)
}

// Profiles changes, finds and deletes accounts.
type Profiles interface {
	// UpdateProfile changes the profile and returns the result. A handle that is not
	// available ([Users.EnsureUser]) is [CodeConflict] with the field handle, and then
	// nothing changes; a user who is not stored is [CodeNotFound]. A user may take back
	// a handle that they gave up, and write the one they have in another case.
	UpdateProfile(ctx context.Context, user UserID, c ProfileChange) (*User, error)
	// SearchUsers lists the users who have, for each of the words, one among their
	// [SearchWords] that begins with it. A user's key is the largest [WordPlace] of
	// those of his words that begin with words[0], and his id. There is at least
	// one word, and all are as [QueryWords] returns them.
	SearchUsers(ctx context.Context, words []string, r Range) ([]Key, error)
	// DeleteAccount deletes an account. From its commit on no port returns the user;
	// their handle is held back; their id stays taken; their contents count as deleted at
	// the time at; and lists of users leave them out. Counters, and the follow edges of others, follow with [Profiles.PurgeDeleted].
	// Deleting twice changes nothing; an id that no user ever had is [CodeNotFound].
	DeleteAccount(ctx context.Context, user UserID, at int64) error
	// PurgeDeleted takes away a slice, of at most limit rows, of what deleted
	// accounts have left: it deletes their contents, ends what they follow and who
	// follows them, and removes their reactions, relations and idempotency keys. In
	// the slice's transaction it keeps everybody's counters exact and raises the
	// version of whoever followed one of them. It returns whether it found anything
	// to do; once it did not, nothing is left. Many calls at once do everything once,
	// and one that fails leaves its slice to the next.
	PurgeDeleted(ctx context.Context, limit int) (more bool, err error)
}

// ErrAccountDeleted says that an id belonged to an account that was deleted. It is
// never given away again.
var ErrAccountDeleted = &Error{Code: CodeUnauthenticated, Message: "the account has been deleted"}
