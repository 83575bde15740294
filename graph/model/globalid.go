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
	typeList = "AuthorList"
)

// maxPlainID is the maximum length of a global id before its encoding, and MaxGlobalID after it.
const (
	maxPlainID  = len(typeLive) + 1 + feed.MaxExternalID
	MaxGlobalID = (maxPlainID*8 + 5) / 6
)

// PostGlobalID returns the base64url text, without padding, of "Post:" and the public id.
func PostGlobalID(id feed.PublicPostID) string { return globalID(typePost, feed.PublicID(id)) }

// UserGlobalID returns the global id of a user, made as [PostGlobalID] makes one.
func UserGlobalID(id feed.PublicUserID) string { return globalID(typeUser, feed.PublicID(id)) }

// LiveSessionGlobalID returns the global id of a live session, made as [PostGlobalID] makes one.
func LiveSessionGlobalID(id live.PublicID) string { return globalID(typeLive, feed.PublicID(id)) }

// ListGlobalID returns the global id of a list of authors, made as [PostGlobalID] makes one.
func ListGlobalID(id feed.PublicListID) string { return globalID(typeList, feed.PublicID(id)) }

func globalID(typ string, id feed.PublicID) string { return string(appendGlobalID(nil, typ, id)) }

func appendGlobalID(b []byte, typ string, id feed.PublicID) []byte {
	var room [maxPlainID]byte
	plain := append(room[:0], typ...)
	plain = append(plain, ':')
	return base64.RawURLEncoding.AppendEncode(b, appendText(plain, id))
}

// appendText appends [feed.PublicID.Text] without allocating it.
func appendText(b []byte, id feed.PublicID) []byte {
	if id.External != "" {
		return append(b, id.External...)
	}
	return strconv.AppendInt(b, id.Number, 10)
}

func appendQuotedID(b []byte, typ string, id feed.PublicID) []byte {
	b = append(b, '"')
	b = appendGlobalID(b, typ, id)
	return append(b, '"')
}

// ParseGlobalID returns the kind and the public id of a global id. It reports false for any text
// that no object has as its global id: each object has exactly one.
func ParseGlobalID(s string) (kind feed.IDKind, id feed.ExternalID, ok bool) {
	if len(s) > MaxGlobalID {
		return "", "", false
	}
	// The decoder skips line breaks and unused bits, so encode again and compare.
	plain, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || base64.RawURLEncoding.EncodeToString(plain) != s {
		return "", "", false
	}
	typ, text, _ := strings.Cut(string(plain), ":")
	switch typ {
	case typePost:
		kind = feed.PostIDs
	case typeUser:
		kind = feed.UserIDs
	case typeLive:
		kind = feed.LiveIDs
	case typeList:
		kind = feed.ListIDs
	}
	id = feed.ExternalID(text)
	return kind, id, kind != "" && id.Check() == nil
}
