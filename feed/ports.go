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
	Posts(ctx context.Context, ids []PostID) ([]*Post, error)
}

// Users reads accounts and makes them. One that was deleted is not stored.
type Users interface {
	// Users returns one user per id, nil where none is stored.
	Users(ctx context.Context, ids []UserID) ([]*User, error)
	// UserByHandle returns the user with the handle under [FoldHandle]; nil when
	// there is none.
	UserByHandle(ctx context.Context, handle string) (*User, error)
	// EnsureUser stores u unless its id is taken, and returns the stored user. A handle
	// that is not available is [CodeConflict] ([HandleTaken]), and the id of an account
	// that was deleted is [ErrAccountDeleted].
	//
	// A handle is available to a user if no other user has it, and if it looks like none
	// ([texts.Skeletons]) that another user has, or gave up: handles are held back until
	// [Cleaner.DropFreedHandles]. Imported handles may look like others.
	EnsureUser(ctx context.Context, u *User) (*User, error)
}

// Outboxes reads outboxes from the source of truth, in the range's direction. Deleted
// posts, and those of deleted accounts, are left out; nothing else is judged.
type Outboxes interface {
	// Outbox returns keys of posts of any of the authors, merged. r.Kinds holds.
	Outbox(ctx context.Context, authors []UserID, r Range) ([]Key, error)
}

// Lists reads many lists of posts at once, from the source of truth. It leaves out what
// [Outboxes] leaves out.
type Lists interface {
	// ReadLists returns the keys of each list within its range, in the range's direction, in
	// the order of the lists. Range.Kinds holds. Lists that differ only in their owner, bounds
	// and limit take one statement. No two callers share a list of keys.
	ReadLists(ctx context.Context, lists []List) ([][]Key, error)
}

// List is a part of an author's outbox, or of the comments that answer a post directly.
type List struct {
	// Ref is an [OutboxRef] or a [CommentsRef].
	Ref   FeedRef
	Range Range
}

// Reference reads whole feeds from the source of truth.
type Reference interface {
	// Feed is the reference query: the keys, within r and of r.Kinds, of
	// Feed(viewer) as the package comment defines it. It judges everything itself
	// and shares no code with [Judge], which it is the oracle of.
	Feed(ctx context.Context, viewer UserID, r Range) ([]Key, error)
}

// Coverage reads, from the source of truth and past every cache, what an inbox must
// hold to cover those its viewer follows. Mutes, hides and blocks do not count here:
// they are judged at read.
type Coverage interface {
	// Covered returns keys of the contents, within r, by those of viewer's followees
	// that s picks. Deleted contents are left out, the viewer's own, and those by
	// authors with [FlagUnpushed], whom no inbox covers.
	Covered(ctx context.Context, viewer UserID, s FolloweeFilter, r Range) ([]Key, error)
	// Unfollowed returns, in no order, those whom viewer has stopped following by a
	// change stamped later than since, and does not follow again.
	Unfollowed(ctx context.Context, viewer UserID, since int64) ([]UserID, error)
}

// Share picks some of those whom a viewer follows; all of them when it is zero.
type FolloweeFilter struct {
	// Since narrows to follow edges stamped later than this version.
	Since int64
	// Selective narrows to authors with [FlagSelective].
	Selective bool
}

// Unsettled knows whom no inbox covers for the moment.
type PendingAuthors interface {
	// Unsettled returns, in no order, those the viewer follows by whom something is
	// stored that waits for its plan or for a slice of it. It reads from the primary and
	// past caches.
	PendingAuthors(ctx context.Context, viewer UserID) ([]UserID, error)
}

// ViewerVersion is a version vector of what a read needs to know about a viewer. It is read from
// the primary, all of it as of one moment, and each change of what a number counts raises the
// number in its own transaction. Imports, which raise Generation, need not raise the others.
type ViewerVersion struct {
	// Version is the relations version: each change of a relation that changes the viewer's feed
	// raises it. It is 0 for a user who never had one, and for the anonymous viewer.
	Version int64
	// Own counts the publishes, edits and deletions of the viewer's own posts, the changes of
	// their profile, and the deletion of their account. It is 0 for a user who never did any of
	// it, and for the anonymous viewer.
	Own int64
	// Marks counts the coverage flags raised, of all authors.
	Flags int64
	// Generation rises when every inbox must be dropped.
	Generation int64
	// Now is the present on the clock of the source of truth, which leases are on, in
	// milliseconds since the epoch.
	Now int64
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
	// ViewerVersion returns the viewer's version, in one read by primary key.
	ViewerVersion(ctx context.Context, viewer UserID) (ViewerVersion, error)
	// Edges returns one edge per other user. Nobody has no edges, and nobody has
	// one to himself: all fields are false.
	Edges(ctx context.Context, viewer UserID, others []UserID) ([]Edge, error)
	// Pulled returns, in no order, those the viewer follows whom an inbox complete
	// up to version since does not cover: authors with [FlagUnpushed], followees
	// whose edge is stamped later than since, and, when the inbox is cold, authors
	// with [FlagSelective]. It leaves out whom the viewer mutes or blocks, and who
	// hides from or blocks him: a read would go through all that they ever published
	// and show none of it. Like ViewerVersion it reads from the primary and past caches: a
	// push may have left somebody out the moment a mark was set.
	Pulled(ctx context.Context, viewer UserID, since int64, cold bool) ([]UserID, error)
	// Followers and Following list a user's followers and followees by keys (time
	// of the follow, user id) in the range's direction.
	Followers(ctx context.Context, user UserID, r Range) ([]Key, error)
	Following(ctx context.Context, user UserID, r Range) ([]Key, error)
}

// Surveyor reads at once what a read of a home feed asks of [Relations] and [Outboxes] first,
// if nothing is cached about the viewer.
type Surveyor interface {
	// Survey returns the viewer's version, the authors that [Relations.Pulled] names, and the
	// newest of the viewer's own posts, at most own of them, as [Outboxes.Outbox] lists them. The
	// version is read first: the others are as of its moment or a later one. The lists may be
	// shared with other callers and must not be changed.
	Survey(ctx context.Context, viewer UserID, since int64, cold bool, own int) (Survey, error)
}

// Survey is what a [Surveyor] finds.
type Survey struct {
	Version ViewerVersion
	Pulled  []UserID
	Own     []Key
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
type PostWriter interface {
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
	Edit(ctx context.Context, id PostID, text string, at int64) (*Post, error)
	// Delete marks a content as deleted. Deleting twice changes nothing, and neither
	// does deleting what is not stored.
	Delete(ctx context.Context, id PostID, at int64) error
	// React sets or takes back a reaction. Doing it twice changes nothing; reacting
	// to a content that is deleted or not stored, or as a user who is not, is
	// [CodeNotFound].
	React(ctx context.Context, r Reaction, user UserID, post PostID, at int64) error
	Unreact(ctx context.Context, r Reaction, user UserID, post PostID) error
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
	PostCounters(ctx context.Context, ids []PostID) ([]PostCounters, error)
	// UserCounters returns the counters of one user per id; zero where none is
	// stored.
	UserCounters(ctx context.Context, ids []UserID) ([]UserCounters, error)
	// Reactions returns what viewer did with each content.
	Reactions(ctx context.Context, viewer UserID, ids []PostID) ([]ViewerReactions, error)
}

// Audience tells a fan-out who is to be reached.
type Audience interface {
	// FollowerIDs returns ids of users that follow author, ascending.
	FollowerIDs(ctx context.Context, author UserID, r FollowerRange) ([]UserID, error)
	// FollowerBounds cuts those who follow author and have ids above after, by ascending
	// id, into runs of size followers, and returns the last id of each run, of the first
	// most runs. A run that comes to the end of the followers may be shorter; behind it
	// there is none.
	FollowerBounds(ctx context.Context, author, after UserID, size, most int) ([]UserID, error)
	// FollowersAmong returns, in no order, those of the users who follow author. None is
	// named twice.
	FollowersAmong(ctx context.Context, author UserID, users []UserID) ([]UserID, error)
	// Reach returns how many users follow author, and his mark. Nobody follows an author who
	// is not stored, and he has none.
	Reach(ctx context.Context, author UserID) (followers int64, mark CoverageFlag, err error)
	// Mark raises the author's mark to m. Marks are sticky: one that is as high
	// already, or higher, stays as it is. An author who is not stored has none.
	RaiseFlag(ctx context.Context, author UserID, m CoverageFlag) error
}

// FollowerRange asks for at most Limit follower ids with After < id ≤ UpTo.
type FollowerRange struct {
	After, UpTo UserID
	Limit       int
	// Active narrows to active followers: those whose lease of activity, made longer
	// by Grace, has not ended yet on the store's clock.
	Active bool
	Grace  time.Duration
}

// Activity keeps the leases of activity: until when a viewer counts as active. They
// are on the clock of the store, the source of truth, and nobody's lease is ever
// shortened.
type Activity interface {
	// Renew makes viewer's lease end d from now at the earliest, and notes that he
	// was seen. When it returns, the lease is committed. A user who is not stored has
	// no lease: Until is 0.
	Renew(ctx context.Context, viewer UserID, d time.Duration) (Lease, error)
	// Dormant returns, in no order, those of the viewers whose lease ended more than
	// d ago, or who are not stored.
	Dormant(ctx context.Context, viewers []UserID, d time.Duration) ([]UserID, error)
}

// Lease is a viewer's lease of activity as of the moment Now, at which it was
// renewed.
type Lease struct{ Until, Now int64 }

// SliceRef names one slice of the plan of one content's fan-out.
type SliceRef struct {
	Post PostID
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
	// Selective and Author are the plan's.
	Selective bool
	Author    UserID
	// Others says that there were slices which [Plans.ClaimTogether] claims along with it.
	Others bool
}

// Hold says what came of storing the progress of a slice.
type Advance int

// What comes of it.
const (
	// AdvanceFenced: the slice has a newer attempt.
	AdvanceFenced Advance = iota
	// AdvanceStored: the progress is stored.
	AdvanceStored
	// AdvanceLast: so it is, and it has ended the last slice of its plan that was open.
	AdvanceLast
)

// Plan is what a content's fan-out consists of.
type Plan struct {
	Post PostID
	// Author is whose contents may be pushed together with this one; 0 when none are to.
	Author UserID
	// Selective says that only active followers are pushed to.
	Selective bool
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
	// PostponeEvent makes an event that has no plan yet due at dueAt, unless it is later
	// already.
	PostponeEvent(ctx context.Context, content PostID, dueAt int64) error
	// PlanOf returns the stored slices that are not done, and whether a plan is
	// stored at all.
	PlanOf(ctx context.Context, content PostID) (open []SliceRef, stored bool, err error)
	// ClaimSlice raises the slice's attempt, makes it running until the lease ends,
	// and returns it. It returns nil when the slice is done, is not stored, or is
	// running under a lease that has not ended at now.
	ClaimSlice(ctx context.Context, ref SliceRef, now, leaseUntil int64) (*Slice, error)
	// ClaimTogether claims slices that serve the same followers as s: those of other plans
	// of the same author, equally selective, that have its First, Last and Progress, and
	// wait. It claims up to limit of them, by ascending content, under a lease of their own
	// each, and passes over those that somebody else is claiming. Without an author there
	// are none.
	ClaimTogether(ctx context.Context, s Slice, leaseUntil int64, limit int) ([]Slice, error)
	// AdvanceSlice stores s.Progress and a new end of the lease, or, when done, that
	// the slice is done. It returns [AdvanceFenced], and changes nothing, when s.Attempt is
	// not the latest.
	AdvanceSlice(ctx context.Context, s Slice, done bool, leaseUntil int64) (Advance, error)
	// Due takes up to limit events without a plan, and up to limit slices that are
	// not done, running ones before waiting ones and of each the oldest first, whose
	// due time or end of the lease is not later than by says. It counts the dispatch
	// of each and sets its next due time to nextDue(dispatches so far), so that two
	// processes never take the same one.
	Due(ctx context.Context, by DueBy, limit int, nextDue func(dispatches int) int64) (Due, error)
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

// DueBy says up to which due times a sweep takes events and slices that wait, and up
// to which end of the lease slices that run.
type DueBy struct{ Events, Waiting, Running int64 }

// Due is what a sweep found to dispatch.
type Due struct {
	Events []Dispatchable[PostID]
	Slices []Dispatchable[SliceRef]
}

// Queue hands work to the workers. It may lose, double, delay and reorder what it
// is given: whatever must happen is in SQL, and is dispatched again from there.
type Queue interface {
	// Dispatch asks for [fanout.Fanout.Dispatch] of a content.
	Dispatch(ctx context.Context, d Dispatchable[PostID]) error
	// Push asks for [fanout.Fanout.Push] of each slice.
	Push(ctx context.Context, ds []Dispatchable[SliceRef]) error
	// Waits returns for how long the oldest tasks of either kind have been waiting for
	// somebody to take them. A queue that has lost everything has none that wait.
	Waits(ctx context.Context) (Waits, error)
	UpkeepQueue
}

// UpkeepQueue takes requests for the upkeep of inboxes.
type UpkeepQueue interface {
	// Build, Reconcile and WarmUp ask for the [inbox.Builder]'s method of that name for a
	// viewer's inbox. Asking again while the same is waiting may be ignored.
	Build(ctx context.Context, viewer UserID) error
	Reconcile(ctx context.Context, viewer UserID) error
	WarmUp(ctx context.Context, viewer UserID) error
}

// Waits is for how long the task at the head of a queue has been waiting there, 0 when
// none is: one that asks for [fanout.Fanout.Dispatch], and one that asks for [fanout.Fanout.Push].
type Waits struct{ Dispatch, Push time.Duration }

// DueBy returns what a sweep takes at now, when tasks wait for so long: what may still
// stand in its queue is not due yet.
func (w Waits) DueBy(now int64) DueBy {
	return DueBy{Events: now - w.Dispatch.Milliseconds(), Waiting: now - w.Push.Milliseconds(), Running: now}
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
	Evict(posts []PostID, users []UserID)
}

// Clock tells the time. Pass time.Now outside tests.
type Clock func() time.Time
