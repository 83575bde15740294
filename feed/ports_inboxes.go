package feed

import "context"

// InboxState says what an inbox may be used for.
type InboxState int

// An absent inbox has no header that fits; pushes are dropped. In a building one, pushes and trims
// apply, but no reads. In a ready one the invariants hold; it is warm until WarmUntil, then cold.
const (
	InboxAbsent InboxState = iota
	InboxBuilding
	InboxReady
)

// Inbox is a header and the entries that a read asked for, as of one moment.
type Inbox struct {
	State InboxState
	Token string
	// Generation is the one that the build began under.
	Generation int64
	// Version is the relations version up to which the inbox is complete.
	Version int64
	// WarmUntil is when the inbox becomes cold, on the clock of the source of truth.
	WarmUntil int64
	// The inbox is complete above Floor.
	Floor Key
	// Count is the number of entries in the whole inbox.
	Count int
	// Keys are the entries within the range, in its direction. All are above Floor.
	Keys []Key
}

// Build is what a build has read from the outboxes.
type Build struct {
	Keys []Key
	// Floor is the newest key that the build left out; [Bottom] if none.
	Floor Key
	// Version is the relations version, read before the outboxes.
	Version int64
	// WarmUntil is the end of the lease that was committed before the outboxes were read.
	WarmUntil int64
}

// Amendment changes a ready inbox whose header still is as expected.
type Amendment struct {
	Token   string
	Version int64
	// Add are keys to add, Remove keys to remove if they are there. A key in both is removed.
	Add, Remove []Key
	// Floor is the newest key that was left out of Add; [Bottom] if none.
	Floor Key
	// NewVersion is the version to write, not lower than Version.
	NewVersion int64
	// WarmUntil raises that of the header.
	WarmUntil int64
}

// Inboxes keeps the header and entries of every viewer's inbox. Every method is atomic for one
// viewer. Header and entries never expire apart: if the header's count does not match the
// entries, the inbox is absent.
type Inboxes interface {
	// Read returns the header and the entries within r. Its cost depends on the number of entries
	// returned, not on where they are.
	Read(ctx context.Context, viewer UserID, r Range) (Inbox, error)
	// Push adds the keys, in any order, to the inbox of each viewer that has one, building or
	// ready. One id always comes with the same time, so a store may keep entries by id. A key at
	// or below the floor is dropped, and one that is there stays. If an inbox exceeds its cap,
	// its oldest entries are removed and the floor rises to the newest of these. Push returns how
	// many of the viewers, in their order, have got all keys before the first failure.
	Push(ctx context.Context, viewers []UserID, keys ...Key) (int, error)
	// BeginBuild replaces the viewer's inbox by an empty one that is building, with floor
	// [Bottom]. It returns false and changes nothing if a build is running that began after
	// staleBefore.
	BeginBuild(ctx context.Context, viewer UserID, h BuildHeader, staleBefore int64) (bool, error)
	// FinishBuild adds the build's keys to those pushed meanwhile, raises the floor to the higher
	// of the two, drops keys not above it, trims to the cap, and makes the inbox ready. It
	// returns false and changes nothing unless the inbox is building under token.
	FinishBuild(ctx context.Context, viewer UserID, token string, b Build) (bool, error)
	// Amend adds and removes keys, raises the floor to the higher of the two, drops keys not
	// above it, trims to the cap, and writes version and warmth. It returns false and changes
	// nothing unless the inbox is ready and its header is as the amendment expects.
	Amend(ctx context.Context, viewer UserID, a Amendment) (bool, error)
	// Remove deletes the inbox.
	Remove(ctx context.Context, viewer UserID) error
}

// BuildHeader is the header of an inbox that is being built.
type BuildHeader struct {
	Token      string
	Generation int64
	// StartedAt is in milliseconds since the epoch.
	StartedAt int64
}

// InboxWalker iterates over all inboxes in slices.
type InboxWalker interface {
	// Walk returns viewers who have an inbox, or the rest of one, in no order, and the cursor of
	// the next slice. The empty cursor begins and ends a walk. A whole walk returns every viewer
	// who had an inbox throughout, some perhaps twice. A slice has about limit viewers and may be
	// empty before the end. An unknown or expired cursor begins again.
	Walk(ctx context.Context, cursor string, limit int) (viewers []UserID, next string, err error)
}

// InboxTrimmer iterates over all inboxes and trims them.
type InboxTrimmer interface {
	InboxWalker
	// Trim removes inboxes of a lower generation and those whose header does not fit their
	// entries. It trims the others to the cap, which raises their floor.
	Trim(ctx context.Context, viewers []UserID, generation int64) error
}
