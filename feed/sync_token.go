package feed

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"slices"
)

// SyncToken names a place in the order of arrival for the home feed of one viewer, with a
// filter, or for the viewer's live feed. Clients get it as opaque text ([SyncToken.String]) and
// continue there.
type SyncToken struct {
	Viewer UserID
	// Live says that the token is of the live feed, which has no filter.
	Live   bool
	Filter Filter
	Place  ChangePlace
	// Below, if not zero, says that the change after Place was reported in part: of the posts that
	// it names, those below this key remain. Live sessions have no time in it.
	Below Key
}

// Tokens share the beginning of cursors: a byte each of version and kind. Then come a byte of the filter
// and flags; viewer, epoch and number; after flagPartial time and id of Below; and after flagDigest the
// digest of the filter. Numbers have eight bytes, big-endian. Clients keep tokens, so the format changes
// only with the version.
const (
	syncVersion = 1
	syncSize    = 3 + 3*8
	partialSize = syncSize + 2*8

	flagPartial = 1 << 7
	flagDigest  = 1 << 6
)

func (t SyncToken) String() string {
	b := append(make([]byte, 0, partialSize+digestSize), syncVersion, byte(t.kind()), t.Filter.bits())
	numbers := []int64{int64(t.Viewer), t.Place.Epoch, t.Place.Number}
	if t.Below != (Key{}) {
		b[2] |= flagPartial
		numbers = append(numbers, t.Below.TS, t.Below.ID)
	}
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	if digest := t.Filter.digest(); digest != nil {
		b[2] |= flagDigest
		b = append(b, digest...)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func (t SyncToken) kind() FeedKind {
	if t.Live {
		return FeedLiveSync
	}
	return FeedSync
}

// IsSyncToken reports whether a text is a sync token of a home feed rather than a cursor. It may
// still be invalid.
func IsSyncToken(s string) bool {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return err == nil && len(b) > 1 && FeedKind(b[1]) == FeedSync
}

// ParseSyncToken returns [CodeBadCursor] for a text that is not a sync token of the viewer's home
// feed with the filter.
func ParseSyncToken(s string, viewer UserID, filter Filter) (SyncToken, error) {
	return parseSyncToken(s, SyncToken{Viewer: viewer, Filter: filter})
}

// ParseLiveSyncToken returns [CodeBadCursor] for a text that is not a sync token of the viewer's live
// feed.
func ParseLiveSyncToken(s string, viewer UserID) (SyncToken, error) {
	return parseSyncToken(s, SyncToken{Viewer: viewer, Live: true})
}

// parseSyncToken reads a token of the feed of another token.
func parseSyncToken(s string, of SyncToken) (SyncToken, error) {
	// Decoding ignores line breaks and stray bits; encoding again detects them.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < syncSize || FeedKind(b[1]) != of.kind() || base64.RawURLEncoding.EncodeToString(b) != s {
		list := "home"
		if of.Live {
			list = "live"
		}
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token cannot be read; use one that a %s feed has returned", list)
	}
	if b[0] != syncVersion {
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token has version %d; this server does not support it", b[0])
	}
	var digest []byte
	if end := len(b) - digestSize; b[2]&flagDigest != 0 && end >= syncSize {
		b, digest = b[:end], b[end:]
	}
	number := func(i int) int64 { return int64(binary.BigEndian.Uint64(b[3+8*i:])) }
	t := of
	t.Viewer, t.Place = UserID(number(0)), ChangePlace{Epoch: number(1), Number: number(2)}
	if b[2]&flagPartial != 0 && len(b) == partialSize {
		t.Below = Key{TS: number(3), ID: number(4)}
	}
	switch {
	case t.Viewer != of.Viewer:
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token belongs to another viewer")
	case b[2]&^(flagPartial|flagDigest) != of.Filter.bits() || !bytes.Equal(digest, of.Filter.digest()):
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token belongs to a feed with another filter")
	case t.String() != s || t.Place.Number < 0 || t.Below.TS < 0 || t.Below.TS > MaxTime || t.Below.ID < 0:
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token is out of range")
	}
	return t, nil
}

// HomeChangeKind says what has happened to a post of a home feed.
type HomeChangeKind string

const (
	// HomeAdded means that the post is in the feed: it has arrived, or a relation or a deletion has
	// changed. It may have been there before.
	HomeAdded HomeChangeKind = "ADDED"
	// HomeRemoved means that the post is not in the feed.
	HomeRemoved HomeChangeKind = "REMOVED"
	// HomeChanged means that the post is in the feed and was edited.
	HomeChanged HomeChangeKind = "CHANGED"
	// HomeReset means that anything may have changed.
	HomeReset HomeChangeKind = "RESET"
)

// HomeChange is a post of a home feed as it is now.
type HomeChange struct {
	Kind HomeChangeKind
	// ID is the post, 0 for a reset. PublicID is its id for clients.
	ID       PostID
	PublicID PublicPostID
	// Entry is the post with its cursor, if it is in the feed.
	Entry Entry
	// Token is where a reader continues who has read no later change of the page.
	Token SyncToken
}

// IsReset reports whether anything may have changed.
func (c HomeChange) IsReset() bool { return c.Kind == HomeReset }

// HomeChangePage is a page of changes of a home feed.
type HomeChangePage = ChangePage[HomeChange]

// ChangePage is a page of changes, in their order of arrival.
type ChangePage[C interface{ IsReset() bool }] struct {
	Changes []C
	// Token is where the next page continues.
	Token SyncToken
	// HasMore says that there are more changes by now. A page may have less than it could.
	HasMore bool
}

// Resets reports whether the page is a reset.
func (p *ChangePage[C]) Resets() bool { return slices.ContainsFunc(p.Changes, C.IsReset) }

// HomeChangeQuery asks for the changes of a home feed.
type HomeChangeQuery struct {
	// Since is a sync token. First is the most changes; nil for Policy.PageDefault.
	Since string
	First *int
	// DownTo is the cursor of the oldest entry that matters; empty for all.
	DownTo string
	Filter Filter
}

// Places knows up to which place the caches of this process are current.
type Places interface {
	// Place returns a place in the change log. What is read after the call has all changes up to
	// it, also through caches. An error means that the log cannot be read.
	Place(ctx context.Context) (ChangePlace, error)
}
