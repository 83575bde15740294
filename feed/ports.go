package feed

import (
	"context"
	"errors"
	"math"
	"time"
)

// Posts reads posts.
type Posts interface {
	// Posts returns one post per id, nil if none is stored. Deleted posts, and those of deleted
	// accounts, are returned with DeletedAt set. Other posts of absent authors have [AuthorAbsent]
	// there. Accounts is as of the read.
	Posts(ctx context.Context, ids []PostID) ([]*Post, error)
}

// Users reads and creates accounts. Deleted accounts and absent users count as not stored.
type Users interface {
	// Users returns one user per id, nil if none is stored.
	Users(ctx context.Context, ids []UserID) ([]*User, error)
	// UserByHandle returns the user whose handle is the same under [FoldHandle], nil if there is
	// none.
	UserByHandle(ctx context.Context, handle string) (*User, error)
	// EnsureUser stores u unless its id is taken, and returns the stored user, even if absent. It
	// returns [CodeConflict] ([HandleTaken]) if the handle is not available, and [ErrAccountDeleted] if
	// the account of that id was deleted.
	//
	// Without handle and name, u is a placeholder, which is absent unless the mode is
	// [UsersImplicit]. A stored placeholder becomes u and present if u is none, as after
	// [Presence.SetAbsent]. Other absent users stay as they are.
	//
	// A handle is available to a user if no other user has it, and if it shares no skeleton
	// ([texts.Skeletons]) with a handle that another user has or has given up. Given-up handles
	// are reserved until [Cleaner.DropFreedHandles] frees them. Imported handles may look like
	// others.
	EnsureUser(ctx context.Context, u *User) (*User, error)
}

// Outboxes reads outboxes from the source of truth, in the range's direction. It leaves out
// deleted posts and those of deleted accounts and absent users, and judges nothing else but suspensions.
type Outboxes interface {
	// Outbox returns the merged keys of the authors' posts, without those that the options of viewer's follows
	// hide. It honours r.Filter. Of suspended authors there may be many, so it leaves them out, except viewer.
	Outbox(ctx context.Context, viewer UserID, authors []UserID, r Range) ([]Key, error)
}

// Lists reads many lists of posts at once from the source of truth. It leaves out what [Outboxes]
// leaves out, but not suspended authors.
type Lists interface {
	// ReadLists returns the keys of each list within its range, in the range's direction and in
	// the order of the lists. It honours Range.Filter. Lists that differ only in owner, bounds and
	// limit take one statement together. Each caller owns the lists it gets.
	ReadLists(ctx context.Context, lists []List) ([][]Key, error)
}

// List is a part of an author's outbox, or of the direct comments on a post.
type List struct {
	Ref   FeedRef
	Range Range
	// Stranger leaves out of an outbox what is for the author's own followers. It is read from an index
	// that lacks these posts.
	Stranger bool
}

// Reference reads home feeds from the source of truth.
type Reference interface {
	// Feed is the reference query: the keys of Feed(viewer), as the package comment defines it,
	// of some authors, within r and of r.Filter. It judges everything itself and shares no code with
	// [Judge], because tests compare the two.
	Feed(ctx context.Context, viewer UserID, of Authors, r Range) ([]Key, error)
}

// Coverage reads what an inbox must hold to cover a viewer's followees. It reads from the source
// of truth and not through caches. Mutes, hides, blocks and absence do not count; reads judge them.
type Coverage interface {
	// Covered returns the keys within r of posts by the viewer's followees that s selects. It
	// leaves out deleted posts, the viewer's own, and those of authors with [FlagUnpushed].
	Covered(ctx context.Context, viewer UserID, s FolloweeFilter, r Range) ([]Key, error)
	// Unfollowed returns, in no order, the users that viewer has unfollowed by a change later
	// than version since, and does not follow now.
	Unfollowed(ctx context.Context, viewer UserID, since int64) ([]UserID, error)
}

// FolloweeFilter selects some of a viewer's followees. The zero value selects all of them.
type FolloweeFilter struct {
	// Since selects follow edges whose version is later; 0 for all.
	Since int64
	// Selective selects authors with [FlagSelective] only.
	Selective bool
}

// PendingAuthors knows which authors no inbox covers at the moment.
type PendingAuthors interface {
	// PendingAuthors returns, in no order, the viewer's followees with a post whose fan-out is
	// not done. It reads from the primary and not through caches. It returns [ErrManyPending] if
	// finding them could take long.
	PendingAuthors(ctx context.Context, viewer UserID) ([]UserID, error)
}

// ErrManyPending says that so many fan-outs are pending that the reference query is cheaper than
// finding their authors.
var ErrManyPending = errors.New("too many fan-outs are pending to find their authors")

// ViewerVersion is a version vector of what a read needs to know about a viewer. A change raises
// its number in its own transaction. Version counts changes of relations that change the feed.
type ViewerVersion struct {
	Version int64
	// Own counts changes of the viewer's own posts, profile and account; 0 if there are none.
	Own int64
	// Flags counts the raises of coverage flags of all authors.
	Flags int64
	// Generation rises when all inboxes must be dropped.
	Generation int64
	// Loading says that a bulk load is running ([BulkLoads]), so no inbox may be used.
	Loading bool
	// Now is the time on the clock of the source of truth, on which leases are.
	Now int64
}

// Edge is the relation between a viewer and one other user, in both directions.
type Edge struct {
	Follows, Mutes, HidesFrom, Blocks bool
	// HiddenBy and BlockedBy say that the other user hides from, or blocks, the viewer.
	HiddenBy, BlockedBy bool
	// Listed says that the other user is a member of an exclusive list of the viewer.
	Listed bool
	// Options are those of the follow; none without one.
	Options FollowOptions
}

// Relations reads relations between users.
type Relations interface {
	// ViewerVersion returns the viewer's version, in one read by primary key, also that of the anonymous
	// viewer. By then the caches of this process have evicted all that had been hidden, in any process,
	// when the read began.
	ViewerVersion(ctx context.Context, viewer UserID) (ViewerVersion, error)
	// Edges returns one edge per other user. All fields are false for the anonymous viewer and
	// for the viewer themselves.
	Edges(ctx context.Context, viewer UserID, others []UserID) ([]Edge, error)
	// Pulled returns, in no order, the followees of viewer that an inbox does not cover. It leaves
	// out users that the viewer mutes or blocks, and users who hide from or block the viewer,
	// because a read shows nothing of them. It includes absent users, because their outboxes are
	// empty and a return raises no version. It reads from the primary and not through caches,
	// because a push may leave out a follower as soon as the flag is committed.
	//
	// It fails with [ErrGenerationRaised] if the generation is not that of inbox.
	Pulled(ctx context.Context, viewer UserID, inbox Completeness) ([]UserID, error)
	// Followers and Following list a user's followers and followees by key (time of the follow,
	// user id), in the range's direction and without absent users.
	Followers(ctx context.Context, user UserID, r Range) ([]Key, error)
	Following(ctx context.Context, user UserID, r Range) ([]Key, error)
	// Followees returns, in no order, the users that viewer follows, also muted and absent ones, and
	// deleted ones until they are purged.
	Followees(ctx context.Context, viewer UserID) ([]UserID, error)
}

// ErrGenerationRaised says that the generation has changed since the viewer's version was read. Flags
// may have fallen with it, so the inbox lacks posts of authors who no longer have one.
var ErrGenerationRaised = errors.New("the generation of the inboxes has risen during the read")

// Completeness says what an inbox has: the posts of all followees but authors with [FlagUnpushed],
// followees whose edge version is later than Version, and if it is cold, authors with
// [FlagSelective].
type Completeness struct {
	Generation, Version int64
	Cold                bool
}

// Surveyor combines the first reads of a home feed, from [Relations] and [Outboxes], for a viewer
// without a cache entry.
type Surveyor interface {
	// Survey returns the viewer's version, the authors of [Relations.Pulled], and at most own of
	// the newest keys of the viewer's outbox. It reads the version first, and evicts as
	// [Relations.ViewerVersion] does; the others are as of that moment or later. The lists may be shared
	// between callers and must not be changed.
	Survey(ctx context.Context, viewer UserID, since int64, cold bool, own int) (Survey, error)
}

// Survey is the result of a [Surveyor].
type Survey struct {
	Version ViewerVersion
	Pulled  []UserID
	Own     []Key
}

// PostWriter changes posts and reactions. Each call is one transaction that keeps the counters
// exact.
type PostWriter interface {
	// Publish stores p and the beginning of its fan-out, so an accepted publish is always
	// dispatched: a pending event or, for a small audience, a plan of one [SliceOfAll]. An
	// audience is small if the author has fewer than d.PlanBelow followers and no coverage flag.
	//
	// Publish returns [CodeNotFound] if the author is not stored, [CodeInvalid] with the field
	// repostOf if the chain of reposts is longer than [DefaultPolicy] allows, and [ErrIDTaken] if
	// the id is taken.
	//
	// If the author has used idem.Key since idem.Since, Publish stores nothing. It returns the
	// post of the first call, or [CodeConflict] if the fingerprints differ.
	Publish(ctx context.Context, p *Post, idem Idempotency, d FirstDispatch) (Publication, error)
	// Published returns the post that author has published under idem.Key since idem.Since,
	// deleted or not; nil if there is none. It returns [CodeConflict] if the fingerprints differ.
	Published(ctx context.Context, author UserID, idem Idempotency) (*Post, error)
	// Edit changes a post that is not deleted, and returns it. It returns [CodeNotFound] if there is
	// none.
	Edit(ctx context.Context, id PostID, e PostEdit) (*Post, error)
	// Delete marks a post as deleted. It changes nothing if the post is deleted or not stored.
	Delete(ctx context.Context, id PostID, at int64) error
	// React and Unreact set and remove a reaction. Doing either again changes nothing. React
	// returns [CodeNotFound] if the post is deleted, or if post or user is not stored.
	React(ctx context.Context, r Reaction, user UserID, post PostID, at int64) error
	Unreact(ctx context.Context, r Reaction, user UserID, post PostID) error
}

// PostEdit changes the fields of a post that are not nil. Only a new text sets EditedAt, to At.
type PostEdit struct {
	Text     *string
	Audience *PostAudience
	At       int64
}

// FirstDispatch says how the fan-out of a new post begins.
type FirstDispatch struct {
	// EventDue is when sweeps dispatch the event, and SliceDue the slice of a small audience.
	EventDue, SliceDue int64
	// PlanBelow is the number of followers below which an audience is small.
	PlanBelow int
}

// Publication is a published post.
type Publication struct {
	Post *Post
	// Planned says that this call has stored a plan.
	Planned bool
	// ActiveUntil is the end of the author's lease of activity, for a new post; 0 if they have none.
	ActiveUntil int64
}

// Idempotency identifies a publish, so that a retry does not publish again.
type Idempotency struct {
	Key string
	// Fingerprint is a digest of the input. It tells a retry from another use of the key.
	Fingerprint string
	// Since is the time before which keys are ignored.
	Since int64
}

// ErrIDTaken is the error for a post id that is in use.
var ErrIDTaken = &Error{Code: CodeConflict, Message: "the post id is taken"}

// Counters reads counters.
type Counters interface {
	// PostCounters returns the counters of one post per id, zero if none is stored.
	PostCounters(ctx context.Context, ids []PostID) ([]PostCounters, error)
	// UserCounters returns the counters of one user per id, zero if none is stored.
	UserCounters(ctx context.Context, ids []UserID) ([]UserCounters, error)
	// Reactions returns the reactions of viewer to each post.
	Reactions(ctx context.Context, viewer UserID, ids []PostID) ([]ViewerReactions, error)
}

// Audience lists the followers that a fan-out reaches.
type Audience interface {
	// FollowerIDs returns the ids of author's followers within r, ascending.
	FollowerIDs(ctx context.Context, author UserID, r FollowerRange) ([]UserID, error)
	// FollowerBounds cuts author's followers with ids above after, in ascending order, into runs
	// of size followers. It returns the last id of each of the first most runs. Only the run at
	// the end of the followers may be shorter.
	FollowerBounds(ctx context.Context, author, after UserID, size, most int) ([]UserID, error)
	// FollowersAmong returns those of the users who follow author, in no order and each once.
	FollowersAmong(ctx context.Context, author UserID, users []UserID) ([]UserID, error)
	// SpecialFollowersAmong is FollowersAmong for follows with [FollowSpecial].
	SpecialFollowersAmong(ctx context.Context, author UserID, users []UserID) ([]UserID, error)
	// Reach returns the number of author's followers and the author's coverage flag. For an
	// author who is not stored, both are zero.
	Reach(ctx context.Context, author UserID) (followers int64, flag CoverageFlag, err error)
	// RaiseFlag raises the author's coverage flag to f and stores why and when. It changes nothing
	// if the flag is as high already, or if the author is not stored. [Flags] lowers flags.
	RaiseFlag(ctx context.Context, author UserID, f CoverageFlag, why FlagReason) error
}

// FollowerRange asks for at most Limit follower ids with After < id ≤ UpTo.
type FollowerRange struct {
	After, UpTo UserID
	Limit       int
	// Active selects followers whose lease, extended by Grace, has not ended on the store's clock.
	Active bool
	Grace  time.Duration
}

// Activity keeps activity leases, which say until when viewers count as active. They are on the
// clock of the source of truth and are never shortened.
type Activity interface {
	// Renew extends viewer's lease to at least d from now and records that the viewer was seen.
	// The lease is committed when it returns. A user who is not stored has no lease: Until is 0.
	Renew(ctx context.Context, viewer UserID, d time.Duration) (Lease, error)
	// Dormant returns, in no order, those of the viewers whose lease ended more than d ago, or
	// who are not stored.
	Dormant(ctx context.Context, viewers []UserID, d time.Duration) ([]UserID, error)
	// Active returns up to limit users whose lease has not ended, with ids above after, in
	// ascending order. It scans the users from there on.
	Active(ctx context.Context, after UserID, limit int) ([]UserID, error)
}

// Lease is a viewer's activity lease as of Now, the time of the renewal.
type Lease struct{ Until, Now int64 }

// SliceRef identifies one slice of the plan of a post's fan-out.
type SliceRef struct {
	Post PostID
	Task int
}

// Slice is a run of follower ids and how far it has been pushed.
type Slice struct {
	SliceRef
	First, Last UserID
	// Progress is the highest id up to which all pushes succeeded; First-1 at the beginning.
	Progress UserID
	// Attempt is a fencing token: only the latest attempt may store progress.
	Attempt int64
	// Selective and Author are those of the plan.
	Selective bool
	Author    UserID
	// Dropped says that nothing is to be pushed: during a bulk load, all inboxes are absent.
	Dropped bool
	// Others says that [Plans.ClaimTogether] would claim further slices with this one.
	Others bool
	// Stored is the slice's post at the time of the claim.
	Stored SlicePost
}

// SlicePost is what a push needs to know about a post. It is zero for a replay, and for a post that
// is not stored.
type SlicePost struct {
	Key    Key
	Author UserID
	// Deleted says that the post or its author's account is deleted.
	Deleted bool
}

// SliceOfAll returns the slice of a small audience: all user ids. It serves all users who follow
// the author when it runs.
func SliceOfAll(post PostID) Slice {
	return Slice{SliceRef: SliceRef{Post: post}, First: 1, Last: math.MaxInt64}
}

// Advance is the outcome of [Plans.AdvanceSlice].
type Advance int

// AdvanceFenced: there is a newer attempt. AdvanceLast: no slice of the plan is open any more, for
// the first time. The post is now marked as announced ([AnnouncementLog]), and the caller announces
// it.
const (
	AdvanceFenced Advance = iota
	AdvanceStored
	AdvanceLast
)

// Plan is what a post's fan-out consists of.
type Plan struct {
	Post PostID
	// Author is the author whose other posts may be pushed together with this one; 0 if none may.
	Author UserID
	// Selective says that the fan-out serves active followers only.
	Selective bool
	// Large says that the slices wait in a queue of their own.
	Large bool
	// Attempt is [PlanState.Attempt] from before the post was read.
	Attempt int64
	// Slices are all slices, by number.
	Slices []Slice
}

// PlanState is what is stored of a post's fan-out.
type PlanState struct {
	// Stored says that there is a plan. Open are its slices that are not done, for a first dispatch.
	Stored bool
	Open   []Dispatchable[SliceRef]
	// Attempt is that of the event: the attempts of its slices are higher. A deleted post that returns
	// is fanned out again, above all attempts so far, which fences off those who still work on its
	// fan-out from before. 0 without an event.
	Attempt int64
}

// Plans keeps events and plans in SQL. A fan-out is done if its plan is stored and all slices are
// done. Otherwise it is pending, whatever a queue says.
type Plans interface {
	// StorePlan stores the plan, with every slice pending and due at dueAt, and the end of its
	// event's planning, in one transaction. It returns the slices that are not done, for a first
	// dispatch. If a plan is stored already, it changes nothing and returns the slices of that one. If
	// the event has another attempt than the plan, the plan may lack what has happened since, and it
	// changes nothing: the event is due again.
	StorePlan(ctx context.Context, plan Plan, dueAt int64) ([]Dispatchable[SliceRef], error)
	// PostponeEvent makes an event without a plan due at dueAt, unless it is due later.
	PostponeEvent(ctx context.Context, post PostID, dueAt int64) error
	// PlanOf returns what is stored of a fan-out; zero for an unknown post.
	PlanOf(ctx context.Context, post PostID) (PlanState, error)
	// Due takes up to limit events without a plan and up to limit slices that are not done, whose
	// due time or lease end is not later than by says. Running slices come before waiting ones, those
	// of large plans after others, and else the oldest first. It counts the dispatch of each and sets
	// its next due time to nextDue(dispatches so far), so two processes never take the same one.
	Due(ctx context.Context, by DueBy, limit int, nextDue func(dispatches int) int64) (Due, error)
	// Requeue makes all that is not done due at now. A process calls it whose queue was in memory.
	Requeue(ctx context.Context, now int64) error
}

// Slices keeps the progress of the slices of plans in SQL, each in the hands of one worker at a time.
type Slices interface {
	// ClaimSlice raises the slice's attempt, makes it running until the lease ends, and returns
	// it. It returns nil if the slice is done, not stored, or running under a lease that has not
	// ended at now.
	ClaimSlice(ctx context.Context, ref SliceRef, now, leaseUntil int64) (*Slice, error)
	// ClaimTogether claims slices that serve the same followers as s: waiting slices of other
	// plans of the same author, equally selective, with the same First, Last and Progress. It
	// claims up to limit of them by ascending post id, each under a lease of its own, and skips
	// those that another worker is claiming. It returns none if s has no author.
	ClaimTogether(ctx context.Context, s Slice, leaseUntil int64, limit int) ([]Slice, error)
	// AdvanceSlice stores s.Progress and a new end of the lease or, if done, that the slice is
	// done. It changes nothing and returns [AdvanceFenced] if s.Attempt is not the latest.
	AdvanceSlice(ctx context.Context, s Slice, done bool, leaseUntil int64) (Advance, error)
}

// Dispatchable is something to enqueue. A queue that remembers task names needs one per dispatch.
type Dispatchable[T any] struct {
	Ref        T
	Dispatches int
	// Large says that it belongs to a large fan-out.
	Large bool
}

// DueBy limits a sweep: by due time of events and waiting slices, by lease end of running slices.
// WaitingLarge is for slices of large plans.
type DueBy struct{ Events, Waiting, WaitingLarge, Running int64 }

// Due is what a sweep dispatches.
type Due struct {
	Events []Dispatchable[PostID]
	Slices []Dispatchable[SliceRef]
}

// Queue hands work to the workers. It may lose, repeat, delay and reorder work: SQL holds
// whatever must happen, and sweeps dispatch it again.
type Queue interface {
	// Dispatch enqueues [fanout.Fanout.Dispatch] of each post or, for a large fan-out,
	// [fanout.Fanout.Plan].
	Dispatch(ctx context.Context, ds []Dispatchable[PostID]) error
	// Push enqueues [fanout.Fanout.Push] of each slice. Slices of large fan-outs do not delay others.
	Push(ctx context.Context, ds []Dispatchable[SliceRef]) error
	// Waits returns for how long the oldest task of either kind has waited for a worker. It is 0
	// if the queue has lost its tasks.
	Waits(ctx context.Context) (Waits, error)
	UpkeepQueue
}

// UpkeepQueue takes requests for the upkeep of inboxes.
type UpkeepQueue interface {
	// Build, Reconcile and WarmUp enqueue the [inbox.Builder]'s method of that name for a
	// viewer's inbox. A queue may ignore or delay a request that repeats a recent one.
	Build(ctx context.Context, viewer UserID) error
	Reconcile(ctx context.Context, viewer UserID) error
	WarmUp(ctx context.Context, viewer UserID) error
}

// Waits is how long the oldest task of each kind has waited for a worker; 0 if there is none.
// PushLarge is for slices of large fan-outs. Dispatch includes plans of these.
type Waits struct{ Dispatch, Push, PushLarge time.Duration }

// DueBy returns what a sweep takes at now. Tasks that may still wait in their queue are not due.
func (w Waits) DueBy(now int64) DueBy {
	return DueBy{
		Events: now - w.Dispatch.Milliseconds(), Waiting: now - w.Push.Milliseconds(),
		WaitingLarge: now - w.PushLarge.Milliseconds(), Running: now,
	}
}

// Evictor evicts changed posts and users from the caches that viewers share.
type Evictor interface {
	// Evict is called after a change has been committed, or may have been. When it returns, no
	// later read in this process sees the state before the change, not even through a read in
	// flight. Other processes evict what the change log names. Evicting a user also evicts all of
	// their posts and live sessions, which an account deletion deletes. A session is evicted under its
	// [ReplayRef].
	//
	// Evict waits for no process or server and cannot fail. It does not keep the slices. Evicting
	// what is not cached is harmless.
	Evict(posts []PostID, users []UserID)
}

// Clock returns the time. Pass time.Now outside tests.
type Clock func() time.Time
