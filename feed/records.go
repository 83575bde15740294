package feed

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// RelationKind is a relation of one user to another, other than following.
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

// ReactionRecord is one imported like or favorite.
type ReactionRecord struct {
	Reaction  Reaction
	User      UserID
	Post      PostID
	CreatedAt int64
}

// RelationRecord is one imported mute, hide or block. Until is when a mute ends by itself, 0 for never
// ([Relater.EndMutes]).
type RelationRecord struct {
	Kind             RelationKind
	User, Target     UserID
	CreatedAt, Until int64
}

// Edge returns what is stored of the relation.
func (r RelationRecord) Edge() StoredEdge { return StoredEdge{CreatedAt: r.CreatedAt, Until: r.Until} }

// Lapsed reports whether a mute has ended by itself.
func (r RelationRecord) Lapsed(now int64) bool {
	return r.Kind == RelationMute && r.Until != 0 && r.Until <= now
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

// Logged returns the rows of the change log for a relation that has begun, or ended unless on.
func (r RelationRecord) Logged(on bool) []Change {
	var rows []Change
	for _, user := range r.Changes() {
		other := r.Target
		if user == r.Target {
			other = r.User
		}
		row := Change{Kind: ChangeRelation, User: user, Other: other, Post: PostID(r.obstacle(user))}
		if !on {
			row.Post = -row.Post
		}
		rows = append(rows, row)
	}
	return rows
}

// Purged returns the rows for a relation that ends because the account of gone was deleted: only that
// of the other user, and only for an obstacle.
func (r RelationRecord) Purged(gone UserID) []Change {
	return slices.DeleteFunc(r.Logged(false), func(c Change) bool { return c.User == gone || c.Post == 0 })
}

// obstacle returns what the relation is to one of its users; 0 if they see as much as before.
func (r RelationRecord) obstacle(user UserID) Obstacle {
	switch {
	case r.Kind == RelationMute, r.User == r.Target:
		return 0
	case r.Kind == RelationHide:
		return ObstacleHidden
	case user == r.User:
		return ObstacleBlocks
	}
	return ObstacleBlocked
}

// LiveRecord is one imported live session. The time of a step that has not happened is 0.
type LiveRecord struct {
	ID        int64
	External  ExternalID
	Host      UserID
	Title     string
	ReplayURL string

	ScheduledAt, StartedAt, EndedAt, CancelledAt int64
}

// Open reports whether the session is upcoming or live: neither over nor cancelled.
func (r *LiveRecord) Open() bool { return r.EndedAt == 0 && r.CancelledAt == 0 }

// SeenRecord says that a user was active.
type SeenRecord struct {
	User UserID
	At   int64
}

// CountersRecord has the counters of a user or of a post: one of User and Post is set, and the
// counters of the other are zero.
type CountersRecord struct {
	User UserID
	Post PostID
	UserCounters
	PostCounters
}

// Check returns [CodeInvalid] unless the record has the counters of either a user or a post.
func (c *CountersRecord) Check() error {
	switch {
	case (c.User == 0) == (c.Post == 0):
		return Errorf(CodeInvalid, "counters need either a user or a post").At("post")
	case c.User != 0 && c.PostCounters != (PostCounters{}):
		return Errorf(CodeInvalid, "a user has followers, following and posts as counters").At("user")
	case c.Post != 0 && c.UserCounters != (UserCounters{}):
		return Errorf(CodeInvalid, "a post has likes, comments, reposts and favorites as counters").At("post")
	}
	return nil
}

// CounterFields returns the counters of users, then those of posts.
func CounterFields() []Field[CountersRecord] {
	return slices.Concat(UserCounterFields(), PostCounterFields())
}

// UserCounterFields returns the counters of users.
func UserCounterFields() []Field[CountersRecord] {
	return []Field[CountersRecord]{
		fieldOf("followers", func(c *CountersRecord) *int64 { return &c.Followers }),
		fieldOf("following", func(c *CountersRecord) *int64 { return &c.Following }),
		fieldOf("posts", func(c *CountersRecord) *int64 { return &c.Posts }),
	}
}

// PostCounterFields returns the counters of posts.
func PostCounterFields() []Field[CountersRecord] {
	return []Field[CountersRecord]{
		fieldOf("likes", func(c *CountersRecord) *int64 { return &c.Likes }),
		fieldOf("comments", func(c *CountersRecord) *int64 { return &c.Comments }),
		fieldOf("reposts", func(c *CountersRecord) *int64 { return &c.Reposts }),
		fieldOf("favorites", func(c *CountersRecord) *int64 { return &c.Favorites }),
	}
}

// DifferentCounters compares the counters of the same object.
func DifferentCounters(stored, r *CountersRecord) Difference {
	return different(CounterFields(), stored, r, nil)
}

// Record is one change record: one pointer is set. Line is its line in the input, for messages.
type Record struct {
	Line       int
	User       *UserRecord
	Follow     *FollowRecord
	Post       *Post
	Reaction   *ReactionRecord
	Relation   *RelationRecord
	Live       *LiveRecord
	List       *AuthorList
	Seen       *SeenRecord
	Counters   *CountersRecord
	ListMember *ListMemberRecord

	// Moderated is the sanction in force on the user or post, in exports and what imports restore.
	Moderated Moderated
	// Version orders the records of one object from a source without order.
	Version ObjectVersion
	// Partial names the fields of a partial record, besides its key: the others stay as they are. It
	// is nil for a whole record.
	Partial []string
	// EndedAt is the deletedAt of an edge, live session, list or counters, which are not there; 0 if they
	// are. Users and posts have their own.
	EndedAt int64
	// Unclear says why the record does not tell who may see its object; empty if it does. A source's
	// record then hides the object, and is a bad record besides ([BadRecord.Hides]).
	Unclear string
	// Unfit says why a record is bad otherwise, and applied only as far as it says who may see its object.
	Unfit string
	// Source names the system that sent the record; empty for that of the way in.
	Source string
	// Text is the record as it arrived; nil for one that was made here.
	Text RecordText
	// IDs are the external ids in the record, first those of its object. Where ids are numbers,
	// there are none.
	IDs []IDRef
}

// RecordText is a record as it arrived. A way in without lines makes them only for dead letters.
type RecordText interface {
	Line() []byte
}

// TextLine is a record that arrived as a line.
type TextLine []byte

// Line implements [RecordText].
func (l TextLine) Line() []byte { return l }

// LineText returns the line of Text; nil without one.
func (r *Record) LineText() []byte {
	if r.Text == nil {
		return nil
	}
	return r.Text.Line()
}

// Batch is the records that one transaction applies.
type Batch struct {
	Records []Record
	// Owned are the types that a source owns. Records of other types only add objects.
	Owned RecordTypes
	// Upstream are the owned types whose content another service has ([UpstreamRef]). Their posts need
	// no text, and a later record of a stored object that changes nothing says that its content has
	// changed, unless it is part of a load or a snapshot.
	Upstream RecordTypes
	// Ordered says that the order of records decides. Without it, records of Owned types need
	// versions.
	Ordered bool
	// Update makes records of types that are not Owned change stored objects, instead of reporting
	// that they differ. Changes of fixed fields are bad.
	Update bool
	// Bulk says that the batch is part of a bulk load ([BulkLoads]).
	Bulk bool
	// ActiveFor is the activity lease of a user who was seen ([Batch.LeaseUntil]).
	ActiveFor time.Duration
}

// Parts splits records, in order. With Update, no part has two of one object: the last one wins.
func (b *Batch) Parts(list []Record) [][]Record {
	if !b.Update {
		return [][]Record{list}
	}
	var parts [][]Record
	seen, from := map[Object]bool{}, 0
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

// LeaseUntil returns the end of a lease from lastSeenAt; 0 for 0. now is the latest that counts.
func (b *Batch) LeaseUntil(lastSeenAt, now int64) int64 {
	if lastSeenAt == 0 {
		return 0
	}
	return min(lastSeenAt, now) + b.ActiveFor.Milliseconds()
}

// BadRecord is a record that was not applied, and the reason.
type BadRecord struct {
	Line   int
	Reason string
	// Hides says that the record was applied as far as it says who may see its object, or hides it.
	Hides bool
}

// Applied is the outcome of one batch.
type Applied struct {
	Stored, Unchanged int
	// Outdated are records with a lower version than one before them.
	Outdated int
	// Different are the records whose object differs and was left unchanged, in order.
	Different []Difference
	// Updated are the records that changed their object ([Batch.Update]), in order.
	Updated []Difference
	// Bad are the records that were not applied, in order.
	Bad []BadRecord
}

// AddUpdated adds a record that changed its object.
func (a *Applied) AddUpdated(r *Record, d Difference) {
	d.Line, d.Object = r.Line, r.Name()
	a.Updated = append(a.Updated, d)
}

// AddBad adds bad records of the batch, ordered by line.
func (a *Applied) AddBad(bad ...BadRecord) {
	a.Bad = append(a.Bad, bad...)
	slices.SortStableFunc(a.Bad, func(x, y BadRecord) int { return cmp.Compare(x.Line, y.Line) })
}

// Applier applies records to the source of truth, regardless of follow limit and clock.
type Applier interface {
	// Apply applies the records of one batch in order, in one transaction that also raises the
	// generation, so that every inbox is rebuilt. With [Batch.Bulk], it begins or continues a bulk
	// load instead. Each record must obey [RecordRules] on the
	// store's clock. Counters and versions stay exact.
	//
	// Stored objects stay as they are, so applying a batch twice has the effect of once. A record
	// with other fields is reported as different, and so is one of an edge that its user has
	// removed since. With [Batch.Update] the record wins instead.
	//
	// The lastSeenAt of a stored user always raises the stored time, and [Batch.LeaseUntil] the
	// lease; neither falls. This alone does not raise the generation.
	Apply(ctx context.Context, b Batch) (Applied, error)
}

// Exporter reads everything that an [Applier] can restore.
type Exporter interface {
	// Export calls emit with every record as of one moment. It stops at an error of emit and
	// returns it unchanged. emit may use the store and keep the records; their Line is 0.
	//
	// The order depends only on what is stored, so equal stores export the same. It can be
	// imported in one pass:
	//
	//   - users by id,
	//   - follows by follower and followee,
	//   - posts by id, except that the post which another one answers or reposts comes first:
	//     unless it was emitted already, it comes directly before, after the one it refers to,
	//   - reactions by post, reaction and user,
	//   - mutes, hides and blocks by user, relation and target,
	//   - live sessions by id, without those of deleted accounts,
	//   - lists by id, and their members by list and user, without those of deleted accounts,
	//   - counters that a source has sent: those of users by id, without deleted accounts, then those
	//     of posts by id.
	//
	// Absent users are marked, whether they were taken back or have not arrived. Posts are as
	// [PostRecord] returns them. Users have no [User.Flag], which describes this
	// store's inboxes. Of a deleted account, only id, creation time and deletion time remain, and
	// only its posts name it, purged or not. Reactions to deleted posts and relations of users to
	// themselves are left out. A post that refers to one that is not stored is emitted as it is;
	// no publish creates such a post.
	Export(ctx context.Context, emit func(Record) error) error
}

// BulkLoads ends bulk loads. A bulk load writes many batches and no fan-outs. It runs from the first
// batch with [Batch.Bulk] that changes something until EndLoad. Meanwhile [ViewerVersion.Loading] is
// set: no inbox is used or built, and a claimed slice is [Slice.Dropped].
//
// All loads that run at the same time are one. A batch sets Loading in its own transaction. So
// EndLoad is safe at any time, also if a load goes on or was killed.
type BulkLoads interface {
	// EndLoad ends the bulk load in one transaction, which raises the generation. It returns false
	// if none is running, or if its last batch is less than idle ago on the store's clock.
	EndLoad(ctx context.Context, idle time.Duration) (ended bool, err error)
}

// BulkLoad is a bulk load that is running, or was killed. It is zero if there is none.
type BulkLoad struct {
	// Since is the time of the first batch, LastAt that of the last.
	Since, LastAt int64
}

// UndoneEdges knows which edges users have removed.
type UndoneEdges interface {
	// Undone reports whether the follow, reaction, relation or member of a list of r was stored and its user has
	// removed it. For records of other types it returns false.
	Undone(ctx context.Context, r Record) (bool, error)
}

// Difference is a record whose object is stored with other fields.
type Difference struct {
	Line int
	// Object names the record's object, such as "user 7" or "follow 1 2".
	Object string
	Fields []string
	Undone bool
}

// None reports whether nothing differs.
func (d *Difference) None() bool { return len(d.Fields) == 0 && !d.Undone }

type field struct {
	name    string
	differs bool
}

func differing(fields ...field) Difference {
	var d Difference
	for _, f := range fields {
		if f.differs {
			d.Fields = append(d.Fields, f.name)
		}
	}
	return d
}

// LiveFields returns the fields of live sessions, in the order of records.
func LiveFields() []Field[LiveRecord] {
	return []Field[LiveRecord]{
		fieldOf("title", func(l *LiveRecord) *string { return &l.Title }).required(),
		fieldOf("scheduledAt", func(l *LiveRecord) *int64 { return &l.ScheduledAt }).holding(FormEvent).required(),
		fieldOf("startedAt", func(l *LiveRecord) *int64 { return &l.StartedAt }).holding(FormEvent),
		fieldOf("endedAt", func(l *LiveRecord) *int64 { return &l.EndedAt }).holding(FormEvent),
		fieldOf("cancelledAt", func(l *LiveRecord) *int64 { return &l.CancelledAt }).holding(FormEvent),
		fieldOf("replayUrl", func(l *LiveRecord) *string { return &l.ReplayURL }),
	}
}

// DifferentLive compares all but hosts. A record with another host is bad.
func DifferentLive(stored, r *LiveRecord) Difference { return different(LiveFields(), stored, r, nil) }

// StoredEdge is a stored follow, reaction or relation, or one that its user has removed.
type StoredEdge struct {
	CreatedAt int64
	// Until is that of relations, Options that of follows.
	Until   int64
	Options FollowOptions
	Undone  bool
}

// DifferentEdge compares the edge of a record with the stored one of the same users.
func DifferentEdge(stored, r StoredEdge) Difference {
	if stored.Undone {
		return Difference{Undone: true}
	}
	fields := []field{{"createdAt", stored.CreatedAt != r.CreatedAt}, {"until", stored.Until != r.Until}}
	for _, o := range FollowOptionNames() {
		fields = append(fields, field{o.Name, stored.Options.Has(o.Option) != r.Options.Has(o.Option)})
	}
	return differing(fields...)
}

// KeptByLive returns [CodeInvalid] if r lacks or changes a step of the session that has happened.
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
			return Errorf(CodeInvalid, "this time of session %s cannot change", PublicID{r.ID, r.External}).At(t.field)
		}
	}
	return nil
}

// HandleConflicts returns the records of users whose handle another user has, with that user. A
// handle is free if its owner moves in the same part, so users may swap.
func HandleConflicts(
	part []Record, stored func(UserID) *UserRecord, owner func(fold string) UserID,
) map[*UserRecord]UserID {
	movers, leaving := handleMoves(part, stored)
	conflicts := map[*UserRecord]UserID{}
	// A user who cannot move keeps a handle that another may want. Repeat until nothing changes.
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
