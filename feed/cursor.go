package feed

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
)

// FeedKind is the list that a cursor belongs to.
type FeedKind byte

// The kinds of list. Cursors that clients keep hold the numbers, so they never change.
const (
	FeedHome      FeedKind = 1
	FeedOutbox    FeedKind = 2
	FeedComments  FeedKind = 3
	FeedFollowers FeedKind = 4
	FeedFollowing FeedKind = 5
	FeedMuted     FeedKind = 6
	FeedHidden    FeedKind = 7
	FeedBlocked   FeedKind = 8
	FeedSearch    FeedKind = 9
	// FeedSync marks a [SyncToken].
	FeedSync FeedKind = 10
	// FeedCommit marks a [CommitPlace].
	FeedCommit FeedKind = 11
	// FeedLiveSync marks a [SyncToken] of a live feed.
	FeedLiveSync FeedKind = 12
	// FeedRequests lists the users who have asked to follow a user, FeedSentRequests those that a user has
	// asked to follow.
	FeedRequests     FeedKind = 13
	FeedSentRequests FeedKind = 14
	// FeedModeration is the moderation log.
	FeedModeration FeedKind = 15
	// FeedAuthorList is the feed of a list of authors, FeedListMembers the list itself.
	FeedAuthorList  FeedKind = 16
	FeedListMembers FeedKind = 17
)

// Search results have a [WordPlace] in place of a time.
func (k FeedKind) maxTS() uint64 {
	if k == FeedSearch {
		return placeMax
	}
	return MaxTime
}

// A cursor begins with a byte each of version, kind and flags. Then come time and id of the last
// entry, eight bytes each, big-endian, and the path as the flags say (path.go).
const (
	cursorVersion = 1
	cursorSize    = 3 + 8 + 8
)

// After flagLeaves comes a digest; after flagInbox floor (time, id) and version; each eight bytes.
const (
	flagReference = 1 << iota
	flagCold
	flagLeaves
	flagInbox
	flagPending

	flagsKnown = flagReference | flagCold | flagLeaves | flagInbox | flagPending
)

// Cursor is the key of the last entry shown, which may be deleted by now. It is opaque to clients.
type Cursor struct {
	Kind FeedKind
	Key  Key
	Path Path
}

func (c Cursor) String() string {
	b := make([]byte, cursorSize, cursorSize+pathMax)
	b[0], b[1] = cursorVersion, byte(c.Kind)
	binary.BigEndian.PutUint64(b[3:], uint64(c.Key.TS))
	binary.BigEndian.PutUint64(b[11:], uint64(c.Key.ID))
	b[2], b = c.Path.encode(b)
	return base64.RawURLEncoding.EncodeToString(b)
}

// ParseCursor returns [CodeBadCursor] for a text that no list of the given kind returns.
func ParseCursor(s string, kind FeedKind) (Cursor, error) {
	// Decoding ignores line breaks and stray bits; encoding again detects them.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < cursorSize || base64.RawURLEncoding.EncodeToString(b) != s {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor cannot be read; use one that this feed has returned")
	}
	if b[0] != cursorVersion {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor has version %d; this server does not support it", b[0])
	}
	if FeedKind(b[1]) != kind {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor belongs to another list")
	}
	ts, id := binary.BigEndian.Uint64(b[3:]), binary.BigEndian.Uint64(b[11:])
	path, ok := decodePath(b[2], b[cursorSize:])
	if !ok || path.Bound() && kind != FeedHome || ts > kind.maxTS() || id == 0 || id > 1<<63-1 {
		return Cursor{}, Errorf(CodeBadCursor, "the cursor is out of range")
	}
	return Cursor{Kind: kind, Key: Key{TS: int64(ts), ID: int64(id)}, Path: path}, nil
}

// SortKey returns the sort key of an edge, given its cursor. Within a list, ascending keys in byte order
// are the order of the list. It returns "" for a string that is not a cursor.
func SortKey(cursor string) string {
	b, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(b) < cursorSize {
		return ""
	}
	place := b[3:cursorSize]
	for i := range place {
		place[i] ^= 0xff // larger times and ids come first
	}
	return hex.EncodeToString(place)
}

// HomeCursor returns the cursor of a post in home feeds.
func HomeCursor(p *Post) string { return Cursor{Kind: FeedHome, Key: p.Key()}.String() }
