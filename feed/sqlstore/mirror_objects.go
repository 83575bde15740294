package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// stored selects the objects of a type that are there, by the parts of their key.
type stored struct {
	from, a, b string
	// order has the parts in the order of the primary key.
	order string
	// host is the column with the host of a session; empty for other types.
	host string
}

func storedObjects(t feed.RecordType) (stored, bool) {
	switch t {
	case feed.RecordUser:
		// Awaited users never had a record, so a snapshot without one does not end them, though
		// [feed.UsersImplicit] shows them.
		return stored{from: "users WHERE deleted_at = 0 AND absent = 0 AND awaited_at = 0", a: "id", b: "0", order: "a"}, true
	case feed.RecordPost:
		return stored{from: "contents WHERE deleted_at = 0", a: "id", b: "0", order: "a"}, true
	case feed.RecordFollow:
		return stored{from: `(SELECT follower_id, followee_id FROM follows WHERE active = 1
UNION ALL SELECT follower_id, followee_id FROM follow_requests) AS f`, a: "follower_id", b: "followee_id", order: "a, b"}, true
	case feed.RecordLike, feed.RecordFavorite:
		return stored{from: "reactions WHERE kind = '" + string(t) + "'", a: "user_id", b: "content_id", order: "b, a"}, true
	case feed.RecordMute, feed.RecordHide, feed.RecordBlock:
		return stored{from: "relations WHERE kind = '" + string(t) + "'", a: "user_id", b: "target_id", order: "a, b"}, true
	case feed.RecordLive:
		return stored{from: fmt.Sprintf("live_sessions WHERE state <> %d", live.Cancelled), a: "id", b: "0", order: "a", host: "host_id"}, true
	case feed.RecordList:
		return stored{from: "author_lists WHERE deleted_at = 0", a: "id", b: "0", order: "a"}, true
	case feed.RecordListMember:
		return stored{from: "list_members", a: "list_id", b: "user_id", order: "a, b"}, true
	case feed.RecordCounters:
		return stored{from: `(SELECT user_id AS a, 0 AS b FROM source_user_counters UNION ALL SELECT 0, content_id FROM source_content_counters) AS c`, a: "a", b: "b", order: "a, b"}, true
	}
	return stored{}, false
}

func (s stored) rows() string {
	return "SELECT " + s.a + " AS a, " + s.b + " AS b, " + cmp.Or(s.host, "0") + " AS host FROM " + s.from
}

// unseen returns the query for objects that a snapshot does not list. Its arguments are the
// snapshot, the type, the two parts of the key after which it begins, and a limit.
func (s stored) unseen() string {
	key, after := "o.a", "$3"
	switch s.order {
	case "a, b":
		key, after = "(o.a, o.b)", "($3, $4)"
	case "b, a":
		key, after = "(o.b, o.a)", "($4, $3)"
	}
	order := "o." + strings.ReplaceAll(s.order, ", ", ", o.")
	return `SELECT o.a, o.b, o.host FROM (` + s.rows() + `) AS o
WHERE ` + key + ` > ` + after + ` AND CAST($4 AS BIGINT) IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM mirror_seen AS s WHERE s.snapshot = $1 AND s.type = $2 AND s.a = o.a AND s.b = o.b)
ORDER BY ` + order + ` LIMIT $5`
}

// storesAny reports whether an object of one of some types is there.
func storesAny(ctx context.Context, tx *sql.Tx, types feed.RecordTypes) (bool, error) {
	for _, t := range types {
		s, known := storedObjects(t)
		if !known {
			continue
		}
		if any, err := one[bool](tx.QueryRowContext(ctx, "SELECT EXISTS ("+s.rows()+")")); any || err != nil {
			return any, err
		}
	}
	return false, nil
}

// ending returns a record that says that an object is not there any more.
func ending(o feed.Object, host feed.UserID, at int64) feed.Record {
	switch o.Type {
	case feed.RecordUser:
		return feed.Record{User: &feed.UserRecord{User: feed.User{ID: feed.UserID(o.A)}, DeletedAt: at}}
	case feed.RecordPost:
		return feed.Record{Post: &feed.Post{ID: feed.PostID(o.A), DeletedAt: at}}
	case feed.RecordFollow:
		return feed.Record{Follow: &feed.FollowRecord{Follower: feed.UserID(o.A), Followee: feed.UserID(o.B)}, EndedAt: at}
	case feed.RecordLike, feed.RecordFavorite:
		return feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.Reaction(o.Type), User: feed.UserID(o.A), Post: feed.PostID(o.B)}, EndedAt: at}
	case feed.RecordMute, feed.RecordHide, feed.RecordBlock:
		return feed.Record{Relation: &feed.RelationRecord{Kind: feed.RelationKind(o.Type), User: feed.UserID(o.A), Target: feed.UserID(o.B)}, EndedAt: at}
	case feed.RecordLive:
		return feed.Record{Live: &feed.LiveRecord{ID: o.A, Host: host}, EndedAt: at}
	case feed.RecordList:
		return feed.Record{List: &feed.AuthorList{ID: feed.ListID(o.A)}, EndedAt: at}
	case feed.RecordListMember:
		return feed.Record{ListMember: &feed.ListMemberRecord{List: feed.ListID(o.A), User: feed.UserID(o.B)}, EndedAt: at}
	}
	return feed.Record{Counters: &feed.CountersRecord{User: feed.UserID(o.A), Post: feed.PostID(o.B)}, EndedAt: at}
}

// splitTypes reads what [feed.RecordTypes.String] returns.
func splitTypes(list string) feed.RecordTypes {
	var types feed.RecordTypes
	for name := range strings.SplitSeq(list, ",") {
		if name != "" {
			types = append(types, feed.RecordType(name))
		}
	}
	return types
}
