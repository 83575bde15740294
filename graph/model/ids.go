package model

import (
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// These functions let ids in domain structs be fields of the scalars ID and String. Inputs are
// plain Go types (gqlgen.yml), so that a resolver refuses a wrong id as a userError.

// MarshalPostID renders a post's id as its global id.
func MarshalPostID(id feed.PostID) graphql.Marshaler { return graphql.MarshalID(PostGlobalID(id)) }

// AppendPostID appends what [MarshalPostID] renders.
func AppendPostID(b []byte, id feed.PostID) []byte { return appendQuotedID(b, typePost, int64(id)) }

// UnmarshalPostID reads what [MarshalPostID] renders; anything else is [feed.CodeNotFound].
func UnmarshalPostID(v any) (feed.PostID, error) { return unmarshalID(v, "post", ParsePostID) }

// MarshalUserID renders a user's id as its global id.
func MarshalUserID(id feed.UserID) graphql.Marshaler { return graphql.MarshalID(UserGlobalID(id)) }

// AppendUserID appends what [MarshalUserID] renders.
func AppendUserID(b []byte, id feed.UserID) []byte { return appendQuotedID(b, typeUser, int64(id)) }

// UnmarshalUserID reads what [MarshalUserID] renders; anything else is [feed.CodeNotFound].
func UnmarshalUserID(v any) (feed.UserID, error) { return unmarshalID(v, "user", ParseUserID) }

// MarshalLiveSessionID renders a live session's id as its global id.
func MarshalLiveSessionID(id live.ID) graphql.Marshaler {
	return graphql.MarshalID(LiveSessionGlobalID(id))
}

// AppendLiveSessionID appends what [MarshalLiveSessionID] renders.
func AppendLiveSessionID(b []byte, id live.ID) []byte { return appendQuotedID(b, typeLive, int64(id)) }

// UnmarshalLiveSessionID reads what [MarshalLiveSessionID] renders, or is [feed.CodeNotFound].
func UnmarshalLiveSessionID(v any) (live.ID, error) {
	return unmarshalID(v, "session", ParseLiveSessionID)
}

func unmarshalID[ID any](v any, what string, parse func(string) (ID, bool)) (ID, error) {
	s, _ := v.(string)
	id, ok := parse(s)
	if !ok {
		return id, feed.Errorf(feed.CodeNotFound, "there is no such %s", what)
	}
	return id, nil
}

// MarshalPostDatabaseID renders an id in decimal, as a string: 64 bits exceed a JSON number.
func MarshalPostDatabaseID(id feed.PostID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// AppendPostDatabaseID appends what [MarshalPostDatabaseID] renders.
func AppendPostDatabaseID(b []byte, id feed.PostID) []byte { return appendDecimal(b, int64(id)) }

// UnmarshalPostDatabaseID reads what [MarshalPostDatabaseID] renders.
func UnmarshalPostDatabaseID(v any) (feed.PostID, error) {
	s, _ := v.(string)
	return feed.ParsePostID(s)
}

// MarshalUserDatabaseID renders a user's id in decimal, as a string.
func MarshalUserDatabaseID(id feed.UserID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// AppendUserDatabaseID appends what [MarshalUserDatabaseID] renders.
func AppendUserDatabaseID(b []byte, id feed.UserID) []byte { return appendDecimal(b, int64(id)) }

// UnmarshalUserDatabaseID reads what [MarshalUserDatabaseID] renders.
func UnmarshalUserDatabaseID(v any) (feed.UserID, error) {
	s, _ := v.(string)
	return feed.ParseUserID(s)
}

// MarshalLiveSessionDatabaseID renders a live session's id in decimal, as a string.
func MarshalLiveSessionDatabaseID(id live.ID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// AppendLiveSessionDatabaseID appends what [MarshalLiveSessionDatabaseID] renders.
func AppendLiveSessionDatabaseID(b []byte, id live.ID) []byte { return appendDecimal(b, int64(id)) }

// UnmarshalLiveSessionDatabaseID reads what [MarshalLiveSessionDatabaseID] renders.
func UnmarshalLiveSessionDatabaseID(v any) (live.ID, error) {
	s, _ := v.(string)
	return live.ParseID(s)
}

func appendDecimal(b []byte, id int64) []byte {
	b = append(b, '"')
	b = strconv.AppendInt(b, id, 10)
	return append(b, '"')
}
