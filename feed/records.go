package feed

import "context"

// RelationKind is what one user does to another, besides following.
type RelationKind string

// The relations that are judged at read.
const (
	RelationMute  RelationKind = "mute"
	RelationHide  RelationKind = "hide"
	RelationBlock RelationKind = "block"
)

// FollowRecord is one imported follow edge.
type FollowRecord struct {
	Follower, Followee UserID
	CreatedAt          int64
}

// ReactionRecord is one imported like or favorite.
type ReactionRecord struct {
	Reaction  Reaction
	User      UserID
	Post      ContentID
	CreatedAt int64
}

// RelationRecord is one imported mute, hide or block.
type RelationRecord struct {
	Kind         RelationKind
	User, Target UserID
	CreatedAt    int64
}

// UserRecord is one imported user.
type UserRecord struct {
	User
	// LastSeenAt is 0 when it is not known.
	LastSeenAt int64
	// DeletedAt is 0 unless the account was deleted. Of such a user id and creation
	// are all that counts: he is there so that his id stays taken, and his deleted
	// contents, which others have answered, have an author.
	DeletedAt int64
}

// LiveRecord is one imported live session. Times are zero while it has not happened; one
// that has started but not ended is live, and one with CancelledAt was cancelled.
type LiveRecord struct {
	ID        int64
	Host      UserID
	Title     string
	ReplayURL string

	ScheduledAt, StartedAt, EndedAt, CancelledAt int64
}

// Record is one imported record: exactly one of the pointers is set. Line is its
// line in the input, for messages.
type Record struct {
	Line     int
	User     *UserRecord
	Follow   *FollowRecord
	Post     *Post
	Reaction *ReactionRecord
	Relation *RelationRecord
	Live     *LiveRecord
}

// Refused is a record that was not stored, and why.
type Refused struct {
	Line   int
	Reason string
}

// ImportResult is what became of one batch of records.
type ImportResult struct {
	// Stored counts the records that are new, Known those that were stored before.
	Stored, Known int
	// Refused are the records left out, by line: they name somebody or something
	// that is neither stored nor earlier in the import, or contradict the store.
	Refused []Refused
}

// Importer stores records as they are, past follow limit and clock.
type Importer interface {
	// Import stores the records of one batch in order, in one transaction that also
	// raises the generation, so that every inbox is right again by being rebuilt.
	// A record that is stored already changes nothing, so importing twice is the
	// same as importing once. Counters and versions are kept exact.
	Import(ctx context.Context, batch []Record) (ImportResult, error)
}
