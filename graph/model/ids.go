package model

import (
	"errors"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// These functions let public ids of domain structs be fields of the scalars ID and String. Inputs
// are plain Go types (gqlgen.yml), so that a resolver refuses a wrong id as a userError. gqlgen
// demands the Unmarshal functions and never calls them.

var errOutputOnly = errors.New("ids in requests are texts")

// MarshalPostID renders a post's id as its global id.
func MarshalPostID(id feed.PublicPostID) graphql.Marshaler {
	return graphql.MarshalID(PostGlobalID(id))
}

// AppendPostID appends what [MarshalPostID] renders.
func AppendPostID(b []byte, id feed.PublicPostID) []byte {
	return appendQuotedID(b, typePost, feed.PublicID(id))
}

// UnmarshalPostID fails.
func UnmarshalPostID(any) (feed.PublicPostID, error) { return feed.PublicPostID{}, errOutputOnly }

// MarshalListID renders a list's id as its global id.
func MarshalListID(id feed.PublicListID) graphql.Marshaler {
	return graphql.MarshalID(ListGlobalID(id))
}

// AppendListID appends what [MarshalListID] renders.
func AppendListID(b []byte, id feed.PublicListID) []byte {
	return appendQuotedID(b, typeList, feed.PublicID(id))
}

// UnmarshalListID fails.
func UnmarshalListID(any) (feed.PublicListID, error) { return feed.PublicListID{}, errOutputOnly }

// MarshalUserID renders a user's id as its global id.
func MarshalUserID(id feed.PublicUserID) graphql.Marshaler {
	return graphql.MarshalID(UserGlobalID(id))
}

// AppendUserID appends what [MarshalUserID] renders.
func AppendUserID(b []byte, id feed.PublicUserID) []byte {
	return appendQuotedID(b, typeUser, feed.PublicID(id))
}

// UnmarshalUserID fails.
func UnmarshalUserID(any) (feed.PublicUserID, error) { return feed.PublicUserID{}, errOutputOnly }

// MarshalLiveSessionID renders a live session's id as its global id.
func MarshalLiveSessionID(id live.PublicID) graphql.Marshaler {
	return graphql.MarshalID(LiveSessionGlobalID(id))
}

// AppendLiveSessionID appends what [MarshalLiveSessionID] renders.
func AppendLiveSessionID(b []byte, id live.PublicID) []byte {
	return appendQuotedID(b, typeLive, feed.PublicID(id))
}

// UnmarshalLiveSessionID fails.
func UnmarshalLiveSessionID(any) (live.PublicID, error) { return live.PublicID{}, errOutputOnly }

// MarshalPostDatabaseID renders an id as a string: 64 bits exceed a JSON number.
func MarshalPostDatabaseID(id feed.PublicPostID) graphql.Marshaler {
	return databaseID(feed.PublicID(id))
}

// AppendPostDatabaseID appends what [MarshalPostDatabaseID] renders.
func AppendPostDatabaseID(b []byte, id feed.PublicPostID) []byte {
	return appendDatabaseID(b, feed.PublicID(id))
}

// UnmarshalPostDatabaseID fails.
func UnmarshalPostDatabaseID(any) (feed.PublicPostID, error) {
	return feed.PublicPostID{}, errOutputOnly
}

// MarshalUserDatabaseID renders a user's id as a string.
func MarshalUserDatabaseID(id feed.PublicUserID) graphql.Marshaler {
	return databaseID(feed.PublicID(id))
}

// AppendUserDatabaseID appends what [MarshalUserDatabaseID] renders.
func AppendUserDatabaseID(b []byte, id feed.PublicUserID) []byte {
	return appendDatabaseID(b, feed.PublicID(id))
}

// UnmarshalUserDatabaseID fails.
func UnmarshalUserDatabaseID(any) (feed.PublicUserID, error) {
	return feed.PublicUserID{}, errOutputOnly
}

// MarshalLiveSessionDatabaseID renders a live session's id as a string.
func MarshalLiveSessionDatabaseID(id live.PublicID) graphql.Marshaler {
	return databaseID(feed.PublicID(id))
}

// AppendLiveSessionDatabaseID appends what [MarshalLiveSessionDatabaseID] renders.
func AppendLiveSessionDatabaseID(b []byte, id live.PublicID) []byte {
	return appendDatabaseID(b, feed.PublicID(id))
}

// UnmarshalLiveSessionDatabaseID fails.
func UnmarshalLiveSessionDatabaseID(any) (live.PublicID, error) {
	return live.PublicID{}, errOutputOnly
}

func databaseID(id feed.PublicID) graphql.Marshaler { return graphql.MarshalString(string(id.Text())) }

// appendDatabaseID escapes quotes and backslashes. External ids have no control characters.
func appendDatabaseID(b []byte, id feed.PublicID) []byte {
	b = append(b, '"')
	if id.External == "" {
		b = strconv.AppendInt(b, id.Number, 10)
	}
	for i := range len(id.External) {
		c := id.External[i]
		if c == '"' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, c)
	}
	return append(b, '"')
}
