package graph

import (
	"encoding/base64"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// The types a global id can name, as they stand before its colon.
const (
	typePost = "Post"
	typeUser = "User"
	typeLive = "LiveSession"
)

// maxGlobalID is the length of the longest global id: 31 bytes, as
// "LiveSession:9223372036854775807", take 42 in base64. Longer texts are not decoded.
const maxGlobalID = 42

// PostGlobalID returns the global id of a content: the base64url text, without
// padding, of "Post:" and the id in decimal.
func PostGlobalID(id feed.ContentID) string { return globalID(typePost, int64(id)) }

// UserGlobalID returns the global id of a user, made as [PostGlobalID] makes one.
func UserGlobalID(id feed.UserID) string { return globalID(typeUser, int64(id)) }

// LiveSessionGlobalID returns the global id of a live session, made as [PostGlobalID]
// makes one.
func LiveSessionGlobalID(id live.ID) string { return globalID(typeLive, int64(id)) }

func globalID(typ string, id int64) string { return string(appendBareGlobalID(nil, typ, id)) }

// ParsePostID returns the content a global id names. It is false for everything
// that [PostGlobalID] would not have made: another type's id, an id out of range, a
// second way to write the same.
func ParsePostID(s string) (feed.ContentID, bool) {
	digits, ok := parseGlobalID(s, typePost)
	if !ok {
		return 0, false
	}
	id, err := feed.ParseContentID(digits)
	return id, err == nil
}

// ParseUserID returns the user a global id names, as strictly as [ParsePostID].
func ParseUserID(s string) (feed.UserID, bool) {
	digits, ok := parseGlobalID(s, typeUser)
	if !ok {
		return 0, false
	}
	id, err := feed.ParseUserID(digits)
	return id, err == nil
}

// ParseLiveSessionID returns the live session a global id names, as strictly as
// [ParsePostID].
func ParseLiveSessionID(s string) (live.ID, bool) {
	digits, ok := parseGlobalID(s, typeLive)
	if !ok {
		return 0, false
	}
	id, err := live.ParseID(digits)
	return id, err == nil
}

// parseGlobalID returns what stands behind the type's name in a global id. The text
// is encoded again and compared, because the decoder skips line breaks and unused
// bits: an object has one global id, not several that mean the same.
func parseGlobalID(s, typ string) (digits string, ok bool) {
	if len(s) > maxGlobalID {
		return "", false
	}
	plain, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || base64.RawURLEncoding.EncodeToString(plain) != s {
		return "", false
	}
	return strings.CutPrefix(string(plain), typ+":")
}
