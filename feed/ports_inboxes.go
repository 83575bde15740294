package feed

import "context"

// InboxState says what an inbox may be used for.
type InboxState int

// The states of an inbox that are kept in its header. A ready one is warm while its
// WarmUntil has not come, and cold from then on.
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
	// WarmUntil is when the inbox stops covering authors with [FlagSelective], on the
	// clock of the source of truth; 0 when it never covered them.
	WarmUntil int64
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
	// WarmUntil is the end of the lease that was committed before the outboxes were
	// read.
	WarmUntil int64
}

// Amendment changes a ready inbox, provided that its header still says what the
// amendment was made for.
type Amendment struct {
	// Token and Version are what the header must say.
	Token   string
	Version int64
	// Add are keys to add, as by a push. Remove are entries to drop; one that is not
	// there does not matter, and one that is added as well is dropped.
	Add, Remove []Key
	// Floor is the newest key that was left out of Add; [Bottom] when none was.
	Floor Key
	// NewVersion is the version to write; it is never lower than Version.
	NewVersion int64
	// WarmUntil is what the header's is raised to; one that is later already stays.
	WarmUntil int64
}

// Inboxes keeps header and entries of every viewer's inbox. Every method works on
// one viewer's header and entries in one atomic step. They never expire apart: a
// header with another count than its entries is absent.
type Inboxes interface {
	// Read returns header and entries within r. It touches about as many entries as
	// it returns, wherever in the inbox the range lies.
	Read(ctx context.Context, viewer UserID, r Range) (Inbox, error)
	// Push adds the keys, which may come in any order, to the inbox of each viewer that
	// has one, building or ready. An id always comes with the same time, so a store may
	// keep entries by id alone. A key at or below the floor is dropped, one that is there
	// already stays; when an inbox then holds more than its cap, its oldest entries go and
	// the floor rises to the newest of them. It returns how many of the viewers, in the
	// order given, were served with all of the keys before the first failure.
	Push(ctx context.Context, viewers []UserID, keys ...Key) (int, error)
	// BeginBuild replaces the viewer's inbox by an empty one that is building, with
	// floor Bottom. It returns false, and changes nothing, when one is building
	// already that began after staleBefore.
	BeginBuild(ctx context.Context, viewer UserID, m BuildHeader, staleBefore int64) (bool, error)
	// FinishBuild adds the build's keys to what was pushed meanwhile, raises the
	// floor to the higher of the two, drops what is not above it, trims to the cap,
	// and makes the inbox ready. It returns false, and changes nothing, unless the
	// inbox is building under token.
	FinishBuild(ctx context.Context, viewer UserID, token string, b Build) (bool, error)
	// Amend adds, drops, raises the floor to the higher of the two, drops what is not
	// above it, trims to the cap, and writes version and warmth. It returns false,
	// and changes nothing, unless the inbox is ready and as the amendment says.
	Amend(ctx context.Context, viewer UserID, a Amendment) (bool, error)
	// Remove drops the inbox.
	Remove(ctx context.Context, viewer UserID) error
}

// BuildHeader is the header of an inbox that is being built.
type BuildHeader struct {
	Token      string
	Generation int64
	// StartedAt is in milliseconds since the epoch.
	StartedAt int64
}

// InboxKeeper goes through all inboxes there are, in slices.
type InboxKeeper interface {
	// Walk returns viewers who have an inbox, or the rest of one, in no order, and
	// the cursor of the next slice; the empty cursor begins and ends a walk. A walk
	// to its end meets everyone who had an inbox all the time, some perhaps twice.
	// A slice holds about limit viewers, and may be empty before the end. A cursor
	// that is none of this store's, or no longer, begins again.
	Walk(ctx context.Context, cursor string, limit int) (viewers []UserID, next string, err error)
	// Trim drops inboxes whose generation is lower than the one given, and those
	// whose header does not fit their entries; of every other it drops what its cap
	// has no room for, and its floor rises to that.
	Trim(ctx context.Context, viewers []UserID, generation int64) error
}
