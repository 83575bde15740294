package feed

import (
	"cmp"
	"context"
	"slices"
	"time"
)

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

// Open reports whether the session is upcoming or live: neither over nor cancelled.
func (r *LiveRecord) Open() bool { return r.EndedAt == 0 && r.CancelledAt == 0 }

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

// Batch is change records that are applied in one transaction.
type Batch struct {
	// Records are applied in order: a record may name what an earlier one makes.
	Records []Record
	// ActiveFor is the length of the lease of activity that a user record with a
	// lastSeenAt gives its user; [Batch.LeaseUntil] says where it ends.
	ActiveFor time.Duration
}

// LeaseUntil returns the end of the lease of activity of a user who was last seen at
// lastSeenAt, in milliseconds since the epoch. now is the present on the store's clock: a
// lastSeenAt after it, which the allowance for clocks that differ permits, counts as now.
// 0 stands for a lastSeenAt that is not known, and for no lease.
func (b *Batch) LeaseUntil(lastSeenAt, now int64) int64 {
	if lastSeenAt == 0 {
		return 0
	}
	return min(lastSeenAt, now) + b.ActiveFor.Milliseconds()
}

// BadRecord is a record that was not applied, and why.
type BadRecord struct {
	Line   int
	Reason string
}

// Applied is what became of the records of one batch.
type Applied struct {
	// Stored counts the records that are new, Known those that were stored before.
	Stored, Known int
	// Bad are the records left out, in order: they break the rules, contradict the
	// store, name what is neither stored nor earlier in the batch, or are sessions of a host
	// who has [Rules.OpenMax] that are upcoming or live.
	Bad []BadRecord
}

// AddBad puts bad records of the same batch into their order by line.
func (a *Applied) AddBad(bad ...BadRecord) {
	a.Bad = append(a.Bad, bad...)
	slices.SortStableFunc(a.Bad, func(x, y BadRecord) int { return cmp.Compare(x.Line, y.Line) })
}

// Applier applies change records to the source of truth, past follow limit and clock.
type Applier interface {
	// Apply stores the records of one batch in order, in one transaction that also
	// raises the generation, so that every inbox is right again by being rebuilt. Each
	// record must obey [RecordRules] on the store's clock. A record that is stored
	// already changes nothing, so applying a batch twice is the same as applying it
	// once. The exception is the lastSeenAt of a user who is stored: it raises the
	// stored time and [Batch.LeaseUntil] the lease, and neither falls. This alone
	// does not raise the generation. Counters and versions are kept exact.
	Apply(ctx context.Context, b Batch) (Applied, error)
}
