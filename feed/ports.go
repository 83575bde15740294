package feed

import (
	"context"
	"time"
)

// The interfaces between the domain and its stores. Every method honours its
// context, may be called by many goroutines at once, and returns an [Error] with
// [CodeUnavailable] when the store cannot be reached. Methods that take several
// ids answer in the order of the ids, and take an empty list without a round trip.
// All times are milliseconds since the epoch. The suites in feedtest hold every
// implementation to these comments.

// Posts reads contents.
type Posts interface {
	// Posts returns one content per id, nil where none is stored. A deleted content
	// is returned, with DeletedAt set, and so is one whose author's account was
	// deleted.
	Posts(ctx context.Context, ids []ContentID) ([]*Post, error)
}

// Users reads accounts and makes them. One that was deleted is not stored.
type Users interface {
	// Users returns one user per id, nil where none is stored.
	Users(ctx context.Context, ids []UserID) ([]*User, error)
	// UserByHandle returns the user with the handle, whatever its case; nil when
	// there is none.
	UserByHandle(ctx context.Context, handle string) (*User, error)
	// EnsureUser stores u unless its id is taken, and returns the stored user. A
	// handle that somebody else has is [CodeConflict], and the id of an account that
	// was deleted is [ErrAccountDeleted].
	EnsureUser(ctx context.Context, u *User) (*User, error)
}

// Outboxes reads lists of contents from the source of truth, in the range's
// direction. Deleted contents, and those of deleted accounts, are left out; nothing
// else is judged.
type Outboxes interface {
	// Outbox returns keys of contents of any of the authors, merged. r.Kinds holds.
	Outbox(ctx context.Context, authors []UserID, r Range) ([]Key, error)
	// Comments returns keys of the comments that answer a content directly.
	Comments(ctx context.Context, post ContentID, r Range) ([]Key, error)
}

// Reference reads whole feeds from the source of truth.
type Reference interface {
	// Feed is the reference query: the keys, within r and of r.Kinds, of
	// Feed(viewer) as the package comment defines it. It judges everything itself
	// and shares no code with [Filter], which it is the oracle of.
	Feed(ctx context.Context, viewer UserID, r Range) ([]Key, error)
	// Covered returns keys of the contents a build puts into viewer's inbox: those
	// by everyone he follows, by follow edges alone, whose author is not marked as
	// pulled. Deleted contents are left out, and so are the viewer's own.
	Covered(ctx context.Context, viewer UserID, r Range) ([]Key, error)
}

// Stamp dates what a read knows about a viewer. It is read from the primary.
type Stamp struct {
	// Version rises with every change of a relation that changes the viewer's feed.
	// It is 0 for a user who never had one, and for nobody.
	Version int64
	// Generation rises when every inbox must be dropped.
	Generation int64
}

// Edge is what stands between a viewer and one other user.
type Edge struct {
	// Follows, Mutes, HidesFrom and Blocks are what the viewer does.
	Follows, Mutes, HidesFrom, Blocks bool
	// HiddenBy and BlockedBy are what the other does: he hides from, or blocks, the
	// viewer.
	HiddenBy, BlockedBy bool
}

// Relations reads who stands how to whom.
type Relations interface {
	// Stamp returns the viewer's stamp, in one read by primary key.
	Stamp(ctx context.Context, viewer UserID) (Stamp, error)
	// Edges returns one edge per other user. Nobody has no edges, and nobody has
	// one to himself: all fields are false.
	Edges(ctx context.Context, viewer UserID, others []UserID) ([]Edge, error)
	// Pulled returns, in no order, those the viewer follows whom an inbox complete
	// up to version since does not cover: authors marked as pulled, and followees
	// whose edge is stamped later than since.
	Pulled(ctx context.Context, viewer UserID, since int64) ([]UserID, error)
	// Followers and Following list a user's followers and followees by keys (time
	// of the follow, user id) in the range's direction.
	Followers(ctx context.Context, user UserID, r Range) ([]Key, error)
	Following(ctx context.Context, user UserID, r Range) ([]Key, error)
}

// Follows changes follow edges. Each change raises the follower's version in its
// own transaction, stamps the edge with it, and keeps both users' counters exact.
type Follows interface {
	// Follow makes follower follow followee since at. It is [CodeFollowLimit] when
	// follower would follow more than limit users, however many calls run at once,
	// and [CodeNotFound] when either of them is not stored. Following twice changes
	// nothing.
	Follow(ctx context.Context, follower, followee UserID, at int64, limit int) error
	// Unfollow ends it. Unfollowing whom one does not follow changes nothing.
	Unfollow(ctx context.Context, follower, followee UserID) error
}

// Contents changes contents and reactions, each call in one transaction that keeps
// the counters exact.
type Contents interface {
	// Publish stores p with its event (state pending, due at dueAt), so that a
	// publish which was accepted is dispatched whatever happens next. An author who
	// is not stored is [CodeNotFound], a chain of more reposts than [DefaultPolicy]
	// allows is [CodeInvalid] with the field repostOf, and a content id that is taken
	// is [ErrIDTaken]. With a key that the author used since idem.Since it stores
	// nothing and returns the content of the first call, or [CodeConflict] when the
	// fingerprints differ.
	Publish(ctx context.Context, p *Post, idem Idempotency, dueAt int64) (*Post, error)
	// Published returns the content that author published under idem.Key since
	// idem.Since, whatever became of it; nil when there is none, [CodeConflict] when
	// the fingerprints differ.
	Published(ctx context.Context, author UserID, idem Idempotency) (*Post, error)
	// Edit sets the text of a content that is not deleted, and EditedAt, and returns
	// the result; [CodeNotFound] when there is none.
	Edit(ctx context.Context, id ContentID, text string, at int64) (*Post, error)
	// Delete marks a content as deleted. Deleting twice changes nothing, and neither
	// does deleting what is not stored.
	Delete(ctx context.Context, id ContentID, at int64) error
	// React sets or takes back a reaction. Doing it twice changes nothing; reacting
	// to a content that is deleted or not stored, or as a user who is not, is
	// [CodeNotFound].
	React(ctx context.Context, r Reaction, user UserID, post ContentID, at int64) error
	Unreact(ctx context.Context, r Reaction, user UserID, post ContentID) error
}

// Idempotency makes a publish that is sent twice happen once.
type Idempotency struct {
	// Key is the client's; empty for none.
	Key string
	// Fingerprint is a digest of the input, to tell a retry from a reuse of the key.
	Fingerprint string
	// Since is the time before which keys are forgotten.
	Since int64
}

// ErrIDTaken says that a content id is in use.
var ErrIDTaken = &Error{Code: CodeConflict, Message: "the content id is taken"}

// Counters counts.
type Counters interface {
	// PostCounters returns the counters of one content per id; zero where none is
	// stored.
	PostCounters(ctx context.Context, ids []ContentID) ([]PostCounters, error)
	// UserCounters returns the counters of one user per id; zero where none is
	// stored.
	UserCounters(ctx context.Context, ids []UserID) ([]UserCounters, error)
	// Reactions returns what viewer did with each content.
	Reactions(ctx context.Context, viewer UserID, ids []ContentID) ([]ViewerReactions, error)
}

// Audience tells a fan-out who is to be reached.
type Audience interface {
	// FollowerIDs returns at most limit ids of users that follow author, ascending,
	// with after < id ≤ upTo.
	FollowerIDs(ctx context.Context, author, after, upTo UserID, limit int) ([]UserID, error)
	// FollowerCount returns how many users follow author.
	FollowerCount(ctx context.Context, author UserID) (int64, error)
	// MarkPulled sets the author's sticky mark: from its commit on no inbox covers
	// him. Marking twice changes nothing.
	MarkPulled(ctx context.Context, author UserID) error
}

// SliceRef names one slice of the plan of one content's fan-out.
type SliceRef struct {
	Content ContentID
	// Task is the slice's number, from 0.
	Task int
}

// Slice is a run of follower ids, and how far it has been pushed.
type Slice struct {
	SliceRef
	// First and Last are the lowest and the highest follower id at the time of
	// planning.
	First, Last UserID
	// Progress is the highest id up to which every push succeeded; First-1 before
	// the first.
	Progress UserID
	// Attempt fences: only the holder of the latest attempt may store progress.
	Attempt int64
}

// Plan is what a content's fan-out consists of.
type Plan struct {
	Content ContentID
	// Slices are all slices, by number.
	Slices []Slice
}

// Plans keeps events, plans and progress in SQL. A fan-out is done when its plan
// is stored and all of its slices are done; whatever a queue says, all else is
// pending.
type Plans interface {
	// StorePlan stores the plan and the end of its event's planning in one
	// transaction, with every slice pending and due at dueAt, and returns the slices
	// that are not done. When a plan is stored already it is left as it is and its
	// slices are what is returned.
	StorePlan(ctx context.Context, plan Plan, dueAt int64) ([]SliceRef, error)
	// PlanOf returns the stored slices that are not done, and whether a plan is
	// stored at all.
	PlanOf(ctx context.Context, content ContentID) (open []SliceRef, stored bool, err error)
	// ClaimSlice raises the slice's attempt, makes it running until the lease ends,
	// and returns it. It returns nil when the slice is done, is not stored, or is
	// running under a lease that has not ended at now.
	ClaimSlice(ctx context.Context, ref SliceRef, now, leaseUntil int64) (*Slice, error)
	// AdvanceSlice stores s.Progress and a new end of the lease, or, when done, that
	// the slice is done. It returns false, and changes nothing, when s.Attempt is
	// not the latest.
	AdvanceSlice(ctx context.Context, s Slice, done bool, leaseUntil int64) (bool, error)
	// Due takes up to limit events without a plan, and up to limit slices that are
	// not done, whose due time or lease has passed, oldest first. It counts the
	// dispatch of each and sets its next due time to nextDue(dispatches so far),
	// so that two processes never take the same one.
	Due(ctx context.Context, now int64, limit int, nextDue func(dispatches int) int64) (Due, error)
	// Requeue makes everything that is not done due at now, running or not: for
	// the start of a process whose queue lived inside it.
	Requeue(ctx context.Context, now int64) error
}

// Dispatchable is something to put on the queue, with how often that has happened:
// a queue that remembers the names of old tasks needs a new name every time.
type Dispatchable[T any] struct {
	Ref        T
	Dispatches int
}

// Due is what a sweep found to dispatch.
type Due struct {
	Events []Dispatchable[ContentID]
	Slices []Dispatchable[SliceRef]
}

// InboxState says what an inbox may be used for.
type InboxState int

// The states of an inbox.
const (
	// InboxAbsent: no header, or one that does not fit its entries. Pushes to it are
	// dropped.
	InboxAbsent InboxState = iota
	// InboxBuilding: pushes and trims apply, but reads must not use it.
	InboxBuilding
	// InboxReady: the invariant of the package comment holds.
	InboxReady
)

// Inbox is one viewer's header with the entries a read asked for, as of one moment.
type Inbox struct {
	State InboxState
	// Token is new for every build.
	Token string
	// Generation is the one the build began under.
	Generation int64
	// Version is the relations version the inbox is complete up to.
	Version int64
	// Floor is the key down to which, exclusively, the inbox claims to be complete.
	Floor Key
	// Count is the number of entries in the whole inbox.
	Count int
	// Keys are the entries within the range read, in its direction. They are all
	// above Floor.
	Keys []Key
}

// Build is what a build found in the outboxes.
type Build struct {
	Keys []Key
	// Floor is the newest key that was left out; [Bottom] when none was.
	Floor Key
	// Version is the relations version read before the outboxes.
	Version int64
}

// Inboxes keeps header and entries of every viewer's inbox. Every method works on
// one viewer's header and entries in one atomic step. They never expire apart: a
// header with another count than its entries is absent.
type Inboxes interface {
	// Read returns header and entries within r. It touches about as many entries as
	// it returns, wherever in the inbox the range lies.
	Read(ctx context.Context, viewer UserID, r Range) (Inbox, error)
	// Push adds k to the inbox of each viewer that has one, building or ready. An id
	// always comes with the same time, so a store may keep entries by id alone. A key
	// at or below the floor is dropped, one that is there already stays; when an
	// inbox then holds more than its cap, its oldest entry goes and the floor rises
	// to it. It returns how many of the viewers, in the order given, were served
	// before the first failure.
	Push(ctx context.Context, viewers []UserID, k Key) (int, error)
	// BeginBuild replaces the viewer's inbox by an empty one that is building, with
	// floor Bottom. It returns false, and changes nothing, when one is building
	// already that began after staleBefore.
	BeginBuild(ctx context.Context, viewer UserID, m BuildMark, staleBefore int64) (bool, error)
	// FinishBuild adds the build's keys to what was pushed meanwhile, raises the
	// floor to the higher of the two, drops what is not above it, trims to the cap,
	// and makes the inbox ready. It returns false, and changes nothing, unless the
	// inbox is building under token.
	FinishBuild(ctx context.Context, viewer UserID, token string, b Build) (bool, error)
	// Remove drops the inbox.
	Remove(ctx context.Context, viewer UserID) error
}

// BuildMark is the header of an inbox that is being built.
type BuildMark struct {
	Token      string
	Generation int64
	// StartedAt is in milliseconds since the epoch.
	StartedAt int64
}

// Queue hands work to the workers. It may lose, double, delay and reorder what it
// is given: whatever must happen is in SQL, and is dispatched again from there.
type Queue interface {
	// Dispatch asks for [Fanout.Dispatch] of a content.
	Dispatch(ctx context.Context, d Dispatchable[ContentID]) error
	// Push asks for [Fanout.Push] of each slice.
	Push(ctx context.Context, ds []Dispatchable[SliceRef]) error
	// Build asks for [Builder.Build] of a viewer's inbox. Asking again while one is
	// waiting may be ignored.
	Build(ctx context.Context, viewer UserID) error
}

// Evictor forgets what the caches shared between viewers know about contents and
// users that have changed.
type Evictor interface {
	// Evict is called when a change has been committed, or may have been. Once it has
	// returned, no read in this process that begins later sees what was there before,
	// not even through a read that was under way. The caches of other processes
	// follow a moment later, and within their time to live when they cannot be told.
	// Evicting a user forgets his profile and, since they are deleted with him, all
	// of his contents.
	//
	// Evict waits for no other process or server, so it can neither fail nor be
	// cancelled. It keeps neither slice, and evicting what is not cached is harmless.
	Evict(posts []ContentID, users []UserID)
}

// Clock tells the time. Pass time.Now outside tests.
type Clock func() time.Time
