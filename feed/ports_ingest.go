package feed

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// Ingester applies the records of a source and knows how far it has read. It is part of the source
// of truth.
type Ingester interface {
	// Ingest applies the records of one batch in order, in one transaction, as [Applier.Apply] does,
	// with three differences. Inboxes stay: new and restored posts begin their fan-outs, relations
	// raise versions, and the change log has a row for every change. Bad records and b.Rejected
	// become dead letters. And the position moves, if b.Move has one: if it is not where the batch
	// began, Ingest changes nothing and returns [ErrPositionMoved]. A move from a position to the
	// same one stores only its lag.
	//
	// With [Batch.Bulk], it begins or continues a bulk load instead of fan-outs, and the change log
	// has rows only for users and posts that were stored before.
	//
	// If a letter of b.Retried is gone or overtaken, Ingest changes nothing and returns
	// [ErrLetterOvertaken]. With b.Strict, a bad record or rejected line makes it change nothing and
	// return a [*StrictError].
	//
	// The caller enqueues the tasks of the fan-outs and evicts what has changed.
	Ingest(ctx context.Context, b SourceBatch) (Ingested, error)
	// Positions returns the positions of a source, by partition.
	Positions(ctx context.Context, source string) ([]SourcePosition, error)
}

// ObjectVersions reads the versions of records without order. It is part of the source of truth.
type ObjectVersions interface {
	// ObjectVersions returns the version of the last applied record of each object, in order; the zero
	// value for none, as of objects of ordered ways.
	ObjectVersions(ctx context.Context, objects []Object) ([]ObjectVersion, error)
}

// ErrPositionMoved says that another process has applied this part of the source, or that the
// source is another one than before. Stop reading the partition.
var ErrPositionMoved = Errorf(CodeConflict, "the stored position of the source is not where the batch begins")

// ErrLetterOvertaken says that a dead letter must not be applied.
var ErrLetterOvertaken = Errorf(CodeConflict, "the dead letter was dropped, or a later record of its object was applied")

// SourceBatch is a batch of records of one source.
type SourceBatch struct {
	Batch
	// Source names the system, in metrics, positions and dead letters.
	Source string
	Move   PositionMove
	// Rejected are lines that are no records.
	Rejected []Rejected
	// Retried are the dead letters that the batch tries again. They are dropped if nothing of the
	// batch is bad; older letters of their objects are then overtaken.
	Retried []int64
	// Dispatch says how fan-outs begin.
	Dispatch FirstDispatch
	// Strict refuses the batch if anything in it is bad.
	Strict bool
	// LettersMax bounds the letters that the batch stores; the other bad lines are counted. 0 is no
	// bound but that of the source, and a negative number stores none.
	LettersMax int
	// Origins are those of lines 1 to n, for dead letters; other lines have the position Move.To.
	Origins []LineOrigin
	// Snapshot says that the batch is part of a snapshot ([Mirrors]).
	Snapshot SnapshotPart
	// Tables replace the State of tables of a mirror.
	Tables []MirrorTable
}

// StrictError is the first bad record or rejected line of a strict batch.
type StrictError struct{ BadRecord }

func (e *StrictError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Reason) }

// CheckStrict returns a [*StrictError] if the batch is strict and something in it is bad.
func (b *SourceBatch) CheckStrict(a *Applied) error {
	if !b.Strict {
		return nil
	}
	bad := slices.Clone(a.Bad)
	for _, r := range b.Rejected {
		bad = append(bad, BadRecord{Line: r.Line, Reason: r.Reason})
	}
	if len(bad) == 0 {
		return nil
	}
	return &StrictError{slices.MinFunc(bad, func(x, y BadRecord) int { return cmp.Compare(x.Line, y.Line) })}
}

// Ingested returns the outcome of the batch without its fan-outs. It takes over counts.
func (b *SourceBatch) Ingested(a Applied, counts OutcomeCounts) Ingested {
	if n := len(b.Rejected); n > 0 {
		counts[TypedOutcome{Outcome: OutcomeBad}] += n
	}
	return Ingested{Applied: a, Counts: counts}
}

// PositionMove moves the position of a partition. It is zero for a way in without positions.
type PositionMove struct {
	// Identity tells a source from one that was restored or recreated under the same name.
	Partition, Identity string
	// From is where the batch begins; empty for the first. To is the position of its last record.
	From, To string
	Lag      SourceLag
}

// SourceLag is how far a partition of a source is ahead of what is applied. Its numbers are -1 if
// the source cannot tell them.
type SourceLag struct {
	// Millis is the age of what was applied last, in milliseconds; 0 if nothing follows.
	Millis int64
	// Messages is the number of messages that follow.
	Messages int64
}

// Known returns the numbers; nil for one that is unknown.
func (l SourceLag) Known() (millis, messages *int64) {
	if l.Millis >= 0 {
		millis = &l.Millis
	}
	if l.Messages >= 0 {
		messages = &l.Messages
	}
	return millis, messages
}

// SourcePosition is the place up to which a partition of a source is applied: Position is that of
// the last record.
type SourcePosition struct {
	Source, Partition, Identity, Position string
	// MovedAt is the time of the last move.
	MovedAt int64
	// CurrentAt is the time up to which all messages are applied; 0 if the source cannot tell it.
	CurrentAt int64
	// Waiting is the number of messages that followed when the lag was stored last; -1 if the source
	// cannot tell it.
	Waiting int64
}

// Lag returns the lag at a time of the store's clock. Its time grows while no process reads.
func (p *SourcePosition) Lag(now int64) SourceLag {
	lag := SourceLag{Millis: -1, Messages: p.Waiting}
	if p.CurrentAt > 0 {
		lag.Millis = max(0, now-p.CurrentAt)
	}
	return lag
}

// CurrentAt returns the time up to which all messages are applied; 0 if unknown.
func (l SourceLag) CurrentAt(now int64) int64 {
	if l.Millis < 0 {
		return 0
	}
	return now - l.Millis
}

// Ingested is the outcome of a batch of a source.
type Ingested struct {
	Applied
	// Counts counts the records and rejected lines of the batch.
	Counts OutcomeCounts
	// Planned are posts whose plan is stored ([SliceOfAll]), Pending those with an event.
	Planned, Pending []PostID
	// Posts and Users are those that have changed, for [Evictor.Evict].
	Posts []PostID
	Users []UserID
}

// Failure returns the reason why a batch of retried letters fails.
func (b *SourceBatch) Failure(a *Applied) (reason string, failed bool) {
	switch {
	case len(a.Bad) > 0:
		return a.Bad[0].Reason, true
	case len(b.Rejected) > 0:
		return b.Rejected[0].Reason, true
	}
	return "", false
}

// Letters returns the dead letters of a batch, without ids, for its bad records and rejected lines.
func (b *SourceBatch) Letters(a *Applied, now int64) []DeadLetter {
	records := map[int]*Record{}
	for i := range b.Records {
		records[b.Records[i].Line] = &b.Records[i]
	}
	var letters []DeadLetter
	add := func(line int, object string, text []byte, reason string, cut bool) {
		from := LineOrigin{Position: b.Move.To}
		if 0 < line && line <= len(b.Origins) {
			from = b.Origins[line-1]
		}
		letters = append(letters, DeadLetter{
			Source: b.Source, Partition: b.Move.Partition, LineOrigin: from, Object: object, Reason: ShortReason(reason),
			Text: text[:min(len(text), LetterBytes)], Cut: cut || len(text) > LetterBytes,
			CreatedAt: now, TriedAt: now, Tries: 1, Ordered: b.Ordered,
		})
	}
	for _, bad := range a.Bad {
		r := records[bad.Line]
		add(bad.Line, r.Object().String(), r.LineText(), bad.Reason, false)
	}
	for _, r := range b.Rejected {
		add(r.Line, "", r.Text, r.Reason, r.Cut)
	}
	return letters
}

// KeptLetters returns how many of n letters a store keeps, if the source has some already.
func (b *SourceBatch) KeptLetters(n, stored int) int {
	n = max(0, min(n, SourceLettersMax-stored))
	if b.LettersMax != 0 {
		n = min(n, max(0, b.LettersMax))
	}
	return n
}

// LineOrigin is where a line came from.
type LineOrigin struct {
	Position string
	// Key is that of the message, and Element the place of the record in it, from 1. Element is 0 if the
	// line cannot be read again.
	Key     string
	Element int
}

// Rejected is a line that is no record, with the reason.
type Rejected struct {
	Line   int
	Text   []byte
	Reason string
	// Cut reports that Text is only the beginning of the line.
	Cut bool
}

// DeadLetters keeps what could not be applied.
type DeadLetters interface {
	// DeadLetters returns up to limit letters of a source, or of all for an empty name, with ids
	// above after, in ascending order.
	DeadLetters(ctx context.Context, source string, after int64, limit int) ([]DeadLetter, error)
	// DropDeadLetters removes letters and returns how many there were.
	DropDeadLetters(ctx context.Context, ids []int64) (int, error)
	// ForgetCounted says that a source has sent again what was only counted
	// ([DeadLetterCount.Counted]). It returns the number.
	ForgetCounted(ctx context.Context, source string) (int, error)
}

// DeadLetter is a line that could not be applied.
type DeadLetter struct {
	ID                int64
	Source, Partition string
	LineOrigin
	// Object is the name of its object; empty if the line is no record.
	Object string
	// Text is the line. If Element is not 0, it has only the type and the key of the record, if those are
	// known; the source has the line.
	Text   []byte
	Reason string
	// CreatedAt is the time of the first try, TriedAt that of the last.
	CreatedAt, TriedAt int64
	Tries              int
	// Ordered says that the line came in the order of its source ([Batch.Ordered]).
	Ordered bool
	// Overtaken says that a later record of the object was applied, so this one must not be.
	Overtaken bool
	// Cut says that Text is only the beginning of the line, so the letter cannot be applied.
	Cut bool
}

const (
	// LetterBytes is how much of a line a letter keeps: nearly all records fit, and those that do not
	// are recognized.
	LetterBytes = 4 << 10
	// SourceLettersMax is the maximum number of letters of a source. They take 40 MB, and more of them
	// are not read one by one.
	SourceLettersMax = 10_000
)

// DeadLetterCount counts the dead letters of a source.
type DeadLetterCount struct {
	Source             string
	Letters, Overtaken int
	// Counted is the number of bad lines without a letter, because there were too many. Until the source
	// has sent everything again, it is incomplete.
	Counted int
	// OldestAt is when the oldest was stored.
	OldestAt int64
}

// SourceReporter describes what is stored of all sources.
type SourceReporter interface {
	// SourceStates returns how far the sources are. Its cost grows with their partitions, and not with
	// the number of dead letters.
	SourceStates(ctx context.Context) (SourceStates, error)
	// ReportSources also counts the rows of absent users and awaited posts.
	ReportSources(ctx context.Context) (SourceReport, error)
}

// SourceStates says how far all sources are, at the time Now of the store's clock.
type SourceStates struct {
	Now int64
	// Positions are ordered by source and partition.
	Positions []SourcePosition
	// DeadLetters has the sources with dead letters, ordered by name.
	DeadLetters []DeadLetterCount
}

// SourceReport describes what is stored of all sources.
type SourceReport struct {
	SourceStates
	Absent AbsentUsers
	Posts  AwaitedPosts
	Load   BulkLoad
}

// Of returns the positions of a source, and the count of its dead letters.
func (r *SourceStates) Of(source string) (list []SourcePosition, letters DeadLetterCount) {
	for _, p := range r.Positions {
		if p.Source == source {
			list = append(list, p)
		}
	}
	for _, d := range r.DeadLetters {
		if d.Source == source {
			letters = d
		}
	}
	return list, letters
}

// TotalLag returns the largest age and the sum of the messages of positions; -1 if one of them is
// unknown.
func TotalLag(list []SourcePosition, now int64) SourceLag {
	var total SourceLag
	for i := range list {
		lag := list[i].Lag(now)
		total.Millis = ifKnown(total.Millis, lag.Millis, max(total.Millis, lag.Millis))
		total.Messages = ifKnown(total.Messages, lag.Messages, total.Messages+lag.Messages)
	}
	return total
}

// ifKnown returns the result of a and b, or -1 if one of them is negative.
func ifKnown(a, b, result int64) int64 {
	if a < 0 || b < 0 {
		return -1
	}
	return result
}

// AwaitedPosts counts the posts that records refer to and that have not arrived. Posts that were taken
// back before are not awaited.
type AwaitedPosts struct {
	Awaited int
	// Oldest are those awaited the longest, by time and id, up to [OldestAwaited].
	Oldest []Awaited[PostID]
}

// OldestAwaited is how many of the oldest awaited objects a report names.
const OldestAwaited = 10

// Awaited is an object that has been named since a time and has no record.
type Awaited[K any] struct {
	ID    K
	Since int64
}

// AbsentUsers counts the users without a record and those who are absent.
type AbsentUsers struct {
	// Awaited were named by records and have not arrived. TakenBack were removed by their source.
	Awaited, TakenBack int
	// Oldest are those awaited the longest, by time and id, up to [OldestAwaited].
	Oldest []Awaited[UserID]
}

// Mirrors keeps the state of mirrors: sources whose tables are read as a snapshot, and whose changes
// follow by logical replication. It is part of the source of truth.
type Mirrors interface {
	// Mirror returns the state of a source; with an empty slot if there is none.
	Mirror(ctx context.Context, source string) (Mirror, error)
	// RequestSnapshot asks for a snapshot of tables by name, or of all for an empty list.
	RequestSnapshot(ctx context.Context, source string, tables []string) error
	// BeginSnapshot begins a snapshot of objects of some types, and ends any other of the source. It
	// returns the part that the batches of the snapshot are. Batches that began at the position before
	// the call are refused with [ErrPositionMoved]: its third number changes.
	BeginSnapshot(ctx context.Context, source, slot string, types RecordTypes) (SnapshotPart, error)
	// Unseen returns records that end up to limit stored objects of a type that no batch of a
	// snapshot has named, with keys above after, in ascending order. It returns [ErrPositionMoved] if
	// another snapshot has begun, or if the list of what was seen is lost.
	Unseen(ctx context.Context, part SnapshotPart, t RecordType, after Object, limit int) ([]Record, error)
	// EndSnapshot stores the outcome of a snapshot in one transaction, and drops the requests that
	// were there when it began. It returns [ErrPositionMoved] if another snapshot has begun.
	EndSnapshot(ctx context.Context, part SnapshotPart, end SnapshotEnd) error
	// DropMirror forgets a source with its positions. What it has written stays.
	DropMirror(ctx context.Context, source string) error
}

// Mirror is the state of a mirror.
type Mirror struct {
	// Slot names the slot and the publication in the source. They may not exist yet.
	Slot string
	// Complete reports that a snapshot of all tables has ended.
	Complete bool
	Tables   []MirrorTable
	// Requested are the tables whose snapshot was asked for. An empty name stands for all.
	Requested []string
	// Hold is the hold that is in force; zero if there is none.
	Hold MirrorHold
}

// MirrorTable is a table of a source as its last snapshot has read it.
type MirrorTable struct {
	Name string
	// From is the place of the snapshot. It has what was committed before.
	From uint64
	// Digest is that of the rules, and State is what the catalog of the source says of the table, in the
	// form of connect/mirror.
	Digest, State string
	// Types are those of the records that the table makes.
	Types RecordTypes
}

// SnapshotPart says to which snapshot a batch belongs. The zero value is none.
type SnapshotPart struct {
	// Number is unique and grows. Batches of a snapshot that is not the last of its source are
	// refused with [ErrPositionMoved].
	Number int64
	// Listed says that the objects of the batch are kept until the end of the snapshot.
	Listed bool
}

// SnapshotEnd is the outcome of a snapshot.
type SnapshotEnd struct {
	// Tables are all tables of the mirror, including those that the snapshot has not read.
	Tables []MirrorTable
	// Partition, Identity and Position replace the stored position, unless Position is empty.
	Partition, Identity, Position string
}

// StoredSnapshot reads what is stored as of one moment, to compare it with a source. It is for one
// goroutine.
type StoredSnapshot interface {
	IDFinder
	// Now returns the time of the snapshot on the store's clock.
	Now(ctx context.Context) (int64, error)
	// Positions is [Ingester.Positions].
	Positions(ctx context.Context, source string) ([]SourcePosition, error)
	// Objects calls each with a record of every object of some types that is there, without order.
	// Not there are absent and deleted users, deleted posts, and edges that have ended. Deleted
	// accounts may have left posts and edges that are not purged yet. Cancelled sessions are there.
	Objects(ctx context.Context, types RecordTypes, each func(Record) error) error
	// Kept returns what keeps the records of a source from being applied.
	Kept(ctx context.Context, k KeptQuery) (Kept, error)
}

// KeptQuery asks for dead letters and for deleted accounts.
type KeptQuery struct {
	// Source is that of the dead letters, After the id of the last one that is known.
	Source string
	After  int64
	Users  []UserID
}

// Kept are up to a thousand dead letters that are not overtaken, by id, and those of the users whose
// account was deleted.
type Kept struct {
	Letters []DeadLetter
	Deleted []UserID
}

// StoredSnapshots opens snapshots.
type StoredSnapshots interface {
	// Snapshot calls a function with a snapshot. Its moment is the first read.
	Snapshot(ctx context.Context, do func(StoredSnapshot) error) error
}

// MirrorHold stops the changes of a mirror, for a comparison.
type MirrorHold struct {
	// ID is that of who asks; 0 for no hold.
	ID int64
	// Place is where the mirror stops: it applies what was committed before, and nothing else. 0
	// stops it where it is.
	Place uint64
	// Snapshot names an exported snapshot of the source as of Place; empty without one.
	Snapshot string
}

// MirrorHolds keeps the holds of mirrors, one of each. A hold also ends if the process that asked dies.
type MirrorHolds interface {
	// Hold stores or renews a hold, which ends after d. It reports whether the process that follows
	// the changes has seen it. The error is [CodeConflict] if another one holds the mirror.
	Hold(ctx context.Context, source string, h MirrorHold, d time.Duration) (seen bool, err error)
	// Release ends a hold, if it is in force.
	Release(ctx context.Context, source string, id int64) error
	// SeeHold reports that the process that follows the changes has seen a hold.
	SeeHold(ctx context.Context, source string, h MirrorHold) error
}
