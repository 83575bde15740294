package feed

import (
	"context"
	"errors"
	"slices"
	"time"
)

// ChangeKind says what a row of the change log reports. The numbers are stored.
type ChangeKind int

const (
	// ChangeArrived says that the fan-out of Post, by User, has ended. A fan-out that runs again is
	// logged again.
	ChangeArrived ChangeKind = 1
	// ChangePublished says that User has published Post, or that a record has restored it: read it
	// again. Other is User if a record of Post has arrived that is deleted already.
	ChangePublished ChangeKind = 2
	// ChangeEdited says that Post, by User, was edited. Other is that of [NarrowedFor].
	ChangeEdited ChangeKind = 3
	// ChangeDeleted says that Post, by User, was deleted. Or, if Other is User, Post reposts a post,
	// directly or through other reposts, that has arrived, gone or returned, or whose author has, or Post
	// has got its audience by the arrival of its parent: judge it again.
	ChangeDeleted ChangeKind = 4
	// ChangeRelation says that the relation to Other has changed User's feed. A block has a row for
	// each side, a hide one for the side that sees less. Post is their [Obstacle], negative if it has
	// ended, and 0 for mutes.
	ChangeRelation ChangeKind = 5
	// ChangeProfile says that the profile of User has changed. Other is that of [NarrowedFor].
	ChangeProfile ChangeKind = 6
	// ChangeAccount says that the account of User was deleted, or that User has become absent or
	// present: read them and their posts again. Their posts have no rows, but reposts of their posts
	// have. Post is the DeletedAt of these posts from now on, 0 after a return. Other is User if the user
	// was absent before. When a purge ends a follow, a hide or a block of a deleted account, the
	// other user has a ChangeRelation.
	ChangeAccount ChangeKind = 7
	// ChangeReset says that anything may have changed, without further rows. It has no user.
	ChangeReset ChangeKind = 8
	// ChangeRevoked says that a token of User was revoked before its time.
	ChangeRevoked ChangeKind = 9
	// ChangePushed says that Post, by Other, was pushed to User before the end of its fan-out.
	ChangePushed ChangeKind = 10
	// ChangeScheduled says that User has a new live session. Post is its [ReplayRef]. Other is User if the
	// session is cancelled already.
	ChangeScheduled ChangeKind = 11
	// ChangeSession says that a live session of User has another state, time or text. Post is its
	// [ReplayRef]. Other is User if the session is cancelled.
	ChangeSession ChangeKind = 12
	// ChangeNarrowed says that Post, by User, is for fewer users, because the account of Other has become
	// private, or because Post shares one by Other that is for followers now: judge it again.
	ChangeNarrowed ChangeKind = 13
	// ChangeWidened says that what a ChangeNarrowed says has ended.
	ChangeWidened ChangeKind = 14
	// ChangeTakenDown says that Post, by User, is taken down or shown again. Other is that of [NarrowedFor].
	// The user sees what they saw. Reposts of the post have rows of kind ChangeDeleted.
	ChangeTakenDown ChangeKind = 15
	// ChangeSuspended says that all posts and live sessions of User are hidden or shown again, as ChangeTakenDown
	// says it of one post.
	ChangeSuspended ChangeKind = 16
	// ChangeOptions says that options of User's follow of Other have changed. Post has them, as [FollowOptions].
	ChangeOptions ChangeKind = 17
	// ChangeListed says that users have joined or left the exclusive lists of User: read the home feed again.
	ChangeListed ChangeKind = 18
)

// Change is one row of the change log. Fields that its kind does not name are 0.
type Change struct {
	// Number is the place in the order of arrival; 0 until the change has one.
	Number int64
	Kind   ChangeKind
	User   UserID
	Other  UserID
	Post   PostID
}

// ChangePlace is a place in the order of arrival. Numbers of different epochs have no order.
// Number 0 is before the first change of an epoch.
type ChangePlace struct{ Epoch, Number int64 }

// ErrChangesGone is the error for a place from which the change log cannot continue.
var ErrChangesGone = errors.New("the change log does not reach back to this place; read everything again")

// ChangeLog reads the log of changes in their order of arrival. It is part of the source of truth:
// the transaction of each change writes its rows, so a change that is refused or undone has none,
// and neither has one that changes nothing. A reader who has seen a number sees all lower ones.
type ChangeLog interface {
	// LastChange returns the place of the newest change, in one read by primary key.
	LastChange(ctx context.Context) (ChangePlace, error)
	// Changes returns up to limit changes after since, in ascending order without gaps, and the
	// place at which the next call continues. Fewer than limit are all that there are.
	//
	// It returns [ErrChangesGone] if since is of another epoch, later than the newest change, or
	// older than what is kept.
	Changes(ctx context.Context, since ChangePlace, limit int) ([]Change, ChangePlace, error)
	// HomeChanges is Changes for the rows that concern the home feed of viewer: their own, all
	// resets, and those of the users they follow, without profiles, relations and revocations of
	// these. It includes muted users, and deleted ones until they are purged. Rows of kind [ChangePublished] are
	// only those of viewer. Its cost does not depend on the changes of others.
	//
	// Follows are as of the returned place, or later.
	HomeChanges(ctx context.Context, viewer UserID, since ChangePlace, limit int) ([]Change, ChangePlace, error)
	// LiveChanges is HomeChanges for the live feed of viewer: of users they follow it has the rows of
	// live sessions and accounts.
	LiveChanges(ctx context.Context, viewer UserID, since ChangePlace, limit int) ([]Change, ChangePlace, error)
	// PostsOf returns the keys of the posts of an author within r, newest first, also of deleted
	// posts and deleted accounts. It honours r.Filter.
	PostsOf(ctx context.Context, author UserID, r Range) ([]Key, error)

	SightLog
}

// AudienceLog lists posts by their audience author.
type AudienceLog interface {
	// PostsFor returns the keys of posts by others whose audience author is user within r, newest first, also
	// of deleted ones. It honours r.Filter.
	PostsFor(ctx context.Context, user UserID, r Range) ([]Key, error)
}

// SightLog tells what a viewer could see before.
type SightLog interface {
	// SightChanges returns all rows, since the last reset, that show posts or sessions of authors to
	// viewer or hide them, in order: obstacles, accounts that go, return, become private or public or are
	// suspended, and publications, deletions, changed audiences and takedowns of these posts. Authors may include viewer.
	// Then come committed rows without a number, in the order in which they were logged, and last a row
	// for each author who is absent now, with the author as Other: the user mode hides users without rows.
	//
	// It returns [ErrChangesGone] for a place from which [ChangeLog.Changes] cannot continue.
	SightChanges(ctx context.Context, viewer UserID, authors []UserID, posts []PostID, since ChangePlace) ([]Change, error)
}

// ChangeNumberer numbers the rows of the change log and removes old ones. Concurrent calls are
// correct, but one process is enough.
type ChangeNumberer interface {
	// NumberChanges logs up to limit reposts of posts that have been deleted, and numbers up to
	// limit changes that have been committed. It returns whether there may be more of either, and
	// the place of the newest change. The numbers are durable when it returns. If
	// the database is not the one that drew the last numbers, it draws a new epoch first. Stores
	// that number within the transaction of a change have nothing to do.
	NumberChanges(ctx context.Context, limit int) (more bool, last ChangePlace, err error)
	// WaitingChanges counts up to limit committed changes without numbers. Stores that number within
	// the transaction of a change have none.
	WaitingChanges(ctx context.Context, limit int) (WaitingChanges, error)
	// TrimChanges removes up to limit of the oldest changes, as far as they were numbered before
	// the time before, on the store's clock. It returns whether there may be more.
	TrimChanges(ctx context.Context, before int64, limit int) (more bool, err error)
	// CheckEpoch draws a new epoch if numbers that were read may be drawn again, and returns
	// whether it did. Call it at the start of a process.
	CheckEpoch(ctx context.Context) (changed bool, err error)
	// NewEpoch draws a new epoch, so that no earlier place is valid. Call it after a restore.
	NewEpoch(ctx context.Context) error
}

// WaitingChanges are committed changes without numbers.
type WaitingChanges struct {
	Changes int
	// Oldest is how long the oldest has waited since its statement began, by the store's clock.
	Oldest time.Duration
}

// ChangeSignal wakes processes that read or number the change log. It only saves time: signals may
// be lost.
type ChangeSignal interface {
	// Signal tells all listeners that the changes up to last have numbers.
	Signal(ctx context.Context, last ChangePlace) error
	// Listen calls heard when it begins to listen and after each signal, one call at a time, until
	// ctx ends or the connection is lost. The error is never nil.
	Listen(ctx context.Context, heard func()) error
	// SignalWaiting tells the process that numbers changes that some have been committed.
	SignalWaiting(ctx context.Context) error
	// ListenWaiting is Listen for the signals of SignalWaiting.
	ListenWaiting(ctx context.Context, heard func()) error
}

// FollowChange is the row for a follow, or for its end.
func FollowChange(follower, followee UserID, ended bool) Change {
	c := Change{Kind: ChangeRelation, User: follower, Other: followee, Post: -PostID(ObstacleNotFollowing)}
	if ended {
		c.Post = -c.Post
	}
	return c
}

// AbsenceChange is the row for a user who has become absent, or present unless absent.
func AbsenceChange(user UserID, absent bool) Change {
	c := Change{Kind: ChangeAccount, User: user}
	if absent {
		c.Post = PostID(AuthorAbsent)
	}
	return c
}

// StillAbsent is the row of [SightLog] for a user who is absent.
func StillAbsent(user UserID) Change {
	return Change{Kind: ChangeAccount, User: user, Other: user, Post: PostID(AuthorAbsent)}
}

// DeletionChange is the row for an account that is deleted at a time.
func DeletionChange(user UserID, at int64, wasAbsent bool) Change {
	c := Change{Kind: ChangeAccount, User: user, Post: PostID(at)}
	if wasAbsent {
		c.Other = user
	}
	return c
}

// NarrowedFor returns what [ChangeEdited], [ChangeProfile] and sanctions have in Other for a post or an account
// of a user: the user if fewer may see it than before, the negative id if more may, and else 0.
func NarrowedFor(user UserID, narrower, wider bool) UserID {
	switch {
	case narrower:
		return user
	case wider:
		return -user
	}
	return 0
}

// Hides reports whether a change hides posts or a session from a user. A transaction logs such changes
// before those that show others: what it both publishes and hides was never visible.
func (c Change) Hides() bool {
	switch c.Kind {
	case ChangeDeleted:
		return c.Other == 0
	case ChangeRelation:
		return c.Post > 0
	case ChangeAccount:
		return c.Post != 0
	case ChangeSession:
		return c.Other != 0
	case ChangeEdited, ChangeProfile, ChangeTakenDown, ChangeSuspended:
		return c.Other > 0
	case ChangeNarrowed:
		return true
	case ChangeArrived, ChangePublished, ChangeReset, ChangeRevoked, ChangePushed, ChangeScheduled, ChangeWidened, ChangeOptions, ChangeListed:
	}
	return false
}

// HidesFirst sorts the changes of a transaction into the order of [Change.Hides].
func HidesFirst(changes []Change) []Change {
	return slices.SortedStableFunc(slices.Values(changes), func(a, b Change) int {
		switch {
		case a.Hides() == b.Hides():
			return 0
		case a.Hides():
			return -1
		}
		return 1
	})
}

// ConcernsFollowers reports whether a change of a user can change the home feeds of their followers.
func (c Change) ConcernsFollowers() bool {
	switch c.Kind {
	case ChangeArrived, ChangeEdited, ChangeDeleted, ChangeAccount, ChangeNarrowed, ChangeWidened, ChangeTakenDown, ChangeSuspended:
		return true
	case ChangePublished, ChangeRelation, ChangeProfile, ChangeReset, ChangeRevoked, ChangePushed, ChangeScheduled, ChangeSession, ChangeOptions, ChangeListed:
	}
	return false
}

// ConcernsLiveFeeds is ConcernsFollowers for live feeds.
func (c Change) ConcernsLiveFeeds() bool {
	return c.Kind == ChangeAccount || c.Kind == ChangeSuspended || c.OfSession()
}

// OfSession reports whether a change is one of a live session.
func (c Change) OfSession() bool { return c.Kind == ChangeScheduled || c.Kind == ChangeSession }
