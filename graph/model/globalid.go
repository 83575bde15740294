package model

import (
	"encoding/base64"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// The types of global ids, before the colon.
const (
	typePost = "Post"
	typeUser = "User"
	typeLive = "LiveSession"
)

// maxGlobalID is the length of "LiveSession:9223372036854775807" in base64.
const maxGlobalID = 42

// PostGlobalID returns the base64url text, without padding, of "Post:" and the id in decimal.
func PostGlobalID(id feed.PostID) string { return globalID(typePost, int64(id)) }

// UserGlobalID returns the global id of a user, made as [PostGlobalID] makes one.
func UserGlobalID(id feed.UserID) string { return globalID(typeUser, int64(id)) }

// LiveSessionGlobalID returns the global id of a live session, made as [PostGlobalID] makes one.
func LiveSessionGlobalID(id live.ID) string { return globalID(typeLive, int64(id)) }

func globalID(typ string, id int64) string { return string(appendGlobalID(nil, typ, id)) }

func appendGlobalID(b []byte, typ string, id int64) []byte {
	var room [maxGlobalID]byte
	plain := append(room[:0], typ...)
	plain = append(plain, ':')
	return base64.RawURLEncoding.AppendEncode(b, strconv.AppendInt(plain, id, 10))
}

func appendQuotedID(b []byte, typ string, id int64) []byte {
	b = append(b, '"')
	b = appendGlobalID(b, typ, id)
	return append(b, '"')
}

// ParsePostID returns the post of a global id, only if [PostGlobalID] returns that very text.
func ParsePostID(s string) (feed.PostID, bool) {
	return parseGlobalID(s, typePost, feed.ParsePostID)
}

// ParseUserID returns the user of a global id, as strictly as [ParsePostID].
func ParseUserID(s string) (feed.UserID, bool) { return parseGlobalID(s, typeUser, feed.ParseUserID) }

// ParseLiveSessionID returns the live session of a global id, as strictly as [ParsePostID].
func ParseLiveSessionID(s string) (live.ID, bool) { return parseGlobalID(s, typeLive, live.ParseID) }

// parseGlobalID encodes the text again and compares, because the decoder skips line breaks and
// unused bits: each object has exactly one global id.
func parseGlobalID[ID any](s, typ string, parse func(digits string) (ID, error)) (id ID, ok bool) {
	if len(s) > maxGlobalID {
		return id, false
	}
	plain, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || base64.RawURLEncoding.EncodeToString(plain) != s {
		return id, false
	}
	digits, ok := strings.CutPrefix(string(plain), typ+":")
	if !ok {
		return id, false
	}
	id, err = parse(digits)
	return id, err == nil
}
