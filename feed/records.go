package feed

import (
	"cmp"
	"context"
	"fmt"
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

// Valid reports whether k is one of the relations.
func (k RelationKind) Valid() bool {
	return k == RelationMute || k == RelationHide || k == RelationBlock
}

// FollowRecord is one imported follow edge.
type FollowRecord struct {
	Follower, Followee UserID
	CreatedAt          int64
}

// ReactionRecord is one imported like or favorite.
type ReactionRecord struct {
	Reaction  Reaction
	User      UserID
	Post      PostID
	CreatedAt int64
}

// RelationRecord is one imported mute, hide or block.
type RelationRecord struct {
	Kind         RelationKind
	User, Target UserID
	CreatedAt    int64
}

// Changes returns the users whose feeds the relation changes, each once.
func (r RelationRecord) Changes() []UserID {
	switch {
	case r.Kind == RelationMute, r.User == r.Target:
		return []UserID{r.User}
	case r.Kind == RelationHide:
		return []UserID{r.Target}
	}
	return []UserID{r.User, r.Target}
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
	// Update applies the records of objects that are stored with other content, instead of
	// leaving what is stored. What an object keeps for ever makes such a record bad: see
	// [UpdatedPost] and [KeptByLive], and an account stays deleted.
	Update bool
	// ActiveFor is the length of the lease of activity that a user record with a
	// lastSeenAt gives its user; [Batch.LeaseUntil] says where it ends.
	ActiveFor time.Duration
}

// Parts splits records, in their order, for stores that judge them against what is stored:
// what is in one part may be judged together. With Update no object is in a part twice, so
// that the last record of an object wins.
func (b *Batch) Parts(list []Record) [][]Record {
	if !b.Update {
		return [][]Record{list}
	}
	var parts [][]Record
	seen, from := map[string]bool{}, 0
	for i := range list {
		object := list[i].Object()
		if seen[object] {
			parts, from = append(parts, list[from:i]), i
			clear(seen)
		}
		seen[object] = true
	}
	return append(parts, list[from:])
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
	Stored, Unchanged int
	// Different are the records whose objects are stored with other content, in order.
	// What is stored stays.
	Different []Difference
	// Updated are those whose objects were stored with other content until the batch, with
	// [Batch.Update], gave them that of the record, in order.
	Updated []Difference
	// Bad are the records left out, in order: they break the rules, contradict the
	// store, name what is neither stored nor earlier in the batch, or are sessions of a host
	// who has [Rules.OpenMax] that are upcoming or live.
	Bad []BadRecord
}

// AddUpdated notes that the object of r was given the content of r.
func (a *Applied) AddUpdated(r *Record, d Difference) {
	d.Line, d.Object = r.Line, r.Object()
	a.Updated = append(a.Updated, d)
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
	// record must obey [RecordRules] on the store's clock. What is stored stays as it
	// is, so applying a batch twice is the same as applying it once: a record with
	// other content is named as different, and so is one of an edge that a user has
	// taken back since. With [Batch.Update] the content of the record is stored instead.
	// The exception is the lastSeenAt of a user who is stored: it
	// raises the stored time and [Batch.LeaseUntil] the lease, and neither falls. This
	// alone does not raise the generation. Counters and versions are kept exact.
	Apply(ctx context.Context, b Batch) (Applied, error)
}

// UndoneEdges knows what users have taken back.
type UndoneEdges interface {
	// Undone reports whether the follow, reaction or relation of r was stored once and its
	// user has taken it back. A record of another type is never undone.
	Undone(ctx context.Context, r Record) (bool, error)
}

// Difference is a record whose object is stored with other content.
type Difference struct {
	Line int
	// Object names what the record is about, such as "user 7" or "follow 1 2".
	Object string
	// Fields are the names of the record's fields that differ. Of an object that was
	// deleted since, or whose record says that it is deleted, deletedAt is one of them.
	Fields []string
	// Undone says that the object is a follow, reaction or relation that its user has
	// taken back. Fields is empty then.
	Undone bool
}

// None reports whether nothing differs.
func (d *Difference) None() bool { return len(d.Fields) == 0 && !d.Undone }

// Object names what the record is about: its type and the ids that tell objects of the type
// apart. Two records with the same name are about the same object.
func (r *Record) Object() string {
	switch {
	case r.User != nil:
		return fmt.Sprintf("user %d", r.User.ID)
	case r.Follow != nil:
		return fmt.Sprintf("follow %d %d", r.Follow.Follower, r.Follow.Followee)
	case r.Post != nil:
		return fmt.Sprintf("post %d", r.Post.ID)
	case r.Reaction != nil:
		return fmt.Sprintf("%s %d %d", r.Reaction.Reaction, r.Reaction.User, r.Reaction.Post)
	case r.Relation != nil:
		return fmt.Sprintf("%s %d %d", r.Relation.Kind, r.Relation.User, r.Relation.Target)
	case r.Live != nil:
		return fmt.Sprintf("live %d", r.Live.ID)
	}
	return ""
}

// field is one field of a record.
type field struct {
	name    string
	differs bool
}

// differing returns the difference in those of the fields that differ.
func differing(fields ...field) Difference {
	var d Difference
	for _, f := range fields {
		if f.differs {
			d.Fields = append(d.Fields, f.name)
		}
	}
	return d
}

// DifferentLive compares a record with the stored session of its id. The host is not
// compared: a record with another one is bad.
func DifferentLive(stored, r *LiveRecord) Difference {
	return differing(
		field{"title", stored.Title != r.Title},
		field{"scheduledAt", stored.ScheduledAt != r.ScheduledAt},
		field{"startedAt", stored.StartedAt != r.StartedAt},
		field{"endedAt", stored.EndedAt != r.EndedAt},
		field{"cancelledAt", stored.CancelledAt != r.CancelledAt},
		field{"replayUrl", stored.ReplayURL != r.ReplayURL})
}

// StoredEdge is what is stored of a follow, reaction or relation: since when it is there, or
// that its user has taken it back.
type StoredEdge struct {
	CreatedAt int64
	Undone    bool
}

// DifferentEdge compares a record that has createdAt with the stored edge between the same
// two.
func DifferentEdge(stored StoredEdge, createdAt int64) Difference {
	if stored.Undone {
		return Difference{Undone: true}
	}
	return differing(field{"createdAt", stored.CreatedAt != createdAt})
}

// KeptByLive refuses a record of a stored session that lacks, or changes, what has happened
// to it: [CodeInvalid]. A session only goes on.
func KeptByLive(stored, r *LiveRecord) error {
	for _, t := range []struct {
		field       string
		stored, new int64
	}{
		{"startedAt", stored.StartedAt, r.StartedAt},
		{"endedAt", stored.EndedAt, r.EndedAt},
		{"cancelledAt", stored.CancelledAt, r.CancelledAt},
	} {
		if t.stored != 0 && t.stored != t.new {
			return Errorf(CodeInvalid, "session %d keeps the time that it has", r.ID).At(t.field)
		}
	}
	return nil
}

// HandleConflicts returns the user records of a part of a batch with [Batch.Update] whose
// handle another user has, with that user. A handle is free if its owner takes another one,
// or is deleted, in the same part, so that users may swap theirs. stored returns what is
// stored of an id, nil for nothing; owner returns who has a folded handle, 0 for none.
func HandleConflicts(
	part []Record, stored func(UserID) *UserRecord, owner func(fold string) UserID,
) map[*UserRecord]UserID {
	movers, leaving := handleMoves(part, stored)
	conflicts := map[*UserRecord]UserID{}
	// A user who cannot move keeps a handle that another one may have counted on.
	for before := -1; before < len(conflicts); {
		before = len(conflicts)
		claimed := map[string]UserID{}
		for _, u := range movers {
			if conflicts[u] != 0 {
				continue
			}
			fold := FoldHandle(u.Handle)
			has := claimed[fold]
			if o := owner(fold); has == 0 && o != u.ID && !leaving[o] {
				has = o
			}
			if has == 0 {
				claimed[fold] = u.ID
				continue
			}
			conflicts[u] = has
			delete(leaving, u.ID)
		}
	}
	return conflicts
}

// handleMoves returns the records of users who take a handle that they do not have, and the
// users who would give up theirs.
func handleMoves(part []Record, stored func(UserID) *UserRecord) (movers []*UserRecord, leaving map[UserID]bool) {
	leaving = map[UserID]bool{}
	for _, r := range part {
		if r.User == nil {
			continue
		}
		switch have := stored(r.User.ID); {
		case have != nil && have.DeletedAt != 0:
		case r.User.DeletedAt != 0:
			leaving[r.User.ID] = true
		case have == nil, FoldHandle(have.Handle) != FoldHandle(r.User.Handle):
			movers = append(movers, r.User)
			leaving[r.User.ID] = true
		}
	}
	return movers, leaving
}
