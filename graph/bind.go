package graph

import (
	"math"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// The functions here let fields of domain structs stand behind the scalars ID,
// String and Int, so that they need no resolver. The generator takes them in pairs;
// arguments and inputs are bound to plain Go types (gqlgen.yml), which leaves a
// wrong id in an input for the resolver to refuse as a userError.

// MarshalPostID renders a content id as its global id.
func MarshalPostID(id feed.ContentID) graphql.Marshaler { return graphql.MarshalID(PostGlobalID(id)) }

// UnmarshalPostID reads what [MarshalPostID] renders; anything else is
// [feed.CodeNotFound].
func UnmarshalPostID(v any) (feed.ContentID, error) {
	s, _ := v.(string)
	id, ok := ParsePostID(s)
	if !ok {
		return 0, feed.Errorf(feed.CodeNotFound, "there is no such post")
	}
	return id, nil
}

// MarshalUserID renders a user id as its global id.
func MarshalUserID(id feed.UserID) graphql.Marshaler { return graphql.MarshalID(UserGlobalID(id)) }

// UnmarshalUserID reads what [MarshalUserID] renders; anything else is
// [feed.CodeNotFound].
func UnmarshalUserID(v any) (feed.UserID, error) {
	s, _ := v.(string)
	id, ok := ParseUserID(s)
	if !ok {
		return 0, feed.Errorf(feed.CodeNotFound, "there is no such user")
	}
	return id, nil
}

// MarshalLiveSessionID renders a session id as its global id.
func MarshalLiveSessionID(id live.ID) graphql.Marshaler {
	return graphql.MarshalID(LiveSessionGlobalID(id))
}

// UnmarshalLiveSessionID reads what [MarshalLiveSessionID] renders; anything else is
// [feed.CodeNotFound].
func UnmarshalLiveSessionID(v any) (live.ID, error) {
	s, _ := v.(string)
	id, ok := ParseLiveSessionID(s)
	if !ok {
		return 0, feed.Errorf(feed.CodeNotFound, "there is no such session")
	}
	return id, nil
}

// MarshalPostDatabaseID renders a content id in decimal, as a text: 64 bits do not
// fit into a JSON number.
func MarshalPostDatabaseID(id feed.ContentID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// UnmarshalPostDatabaseID reads what [MarshalPostDatabaseID] renders.
func UnmarshalPostDatabaseID(v any) (feed.ContentID, error) {
	s, _ := v.(string)
	return feed.ParseContentID(s)
}

// MarshalUserDatabaseID renders a user id in decimal, as a text.
func MarshalUserDatabaseID(id feed.UserID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// UnmarshalUserDatabaseID reads what [MarshalUserDatabaseID] renders.
func UnmarshalUserDatabaseID(v any) (feed.UserID, error) {
	s, _ := v.(string)
	return feed.ParseUserID(s)
}

// MarshalLiveSessionDatabaseID renders a session id in decimal, as a text.
func MarshalLiveSessionDatabaseID(id live.ID) graphql.Marshaler {
	return graphql.MarshalString(id.String())
}

// UnmarshalLiveSessionDatabaseID reads what [MarshalLiveSessionDatabaseID] renders.
func UnmarshalLiveSessionDatabaseID(v any) (live.ID, error) {
	s, _ := v.(string)
	return live.ParseID(s)
}

// MarshalCount renders a count as an Int, which has 32 bits: what is above shows as
// the largest Int.
func MarshalCount(n int64) graphql.Marshaler {
	return graphql.MarshalInt32(asInt32(n))
}

func asInt32(n int64) int32 { return int32(max(math.MinInt32, min(math.MaxInt32, n))) }

// UnmarshalCount reads what [MarshalCount] renders.
func UnmarshalCount(v any) (int64, error) {
	n, err := graphql.UnmarshalInt32(v)
	return int64(n), err
}
