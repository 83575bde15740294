package sqlstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// The cast of the viewer, $1, is for PostgreSQL, which cannot infer the type of a parameter.
const (
	// unwelcome are the users whose posts the viewer must not see. It never includes the viewer
	// because of a relation, only if the viewer's account is deleted.
	unwelcome = `
unwelcome AS (
    SELECT target_id AS id FROM relations
    WHERE user_id = $1 AND target_id <> $1 AND kind IN ('mute', 'block')
    UNION
    SELECT user_id FROM relations
    WHERE target_id = $1 AND user_id <> $1 AND kind IN ('hide', 'block')
    UNION
    SELECT user_id FROM purges
)`

	// sources are the users whose posts make up the viewer's feed. %s is that one has arrived.
	sources = `
sources AS MATERIALIZED (
    SELECT id FROM (
        SELECT CAST($1 AS BIGINT) AS id
        UNION
        SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1
    ) AS followed
    WHERE id NOT IN (SELECT id FROM unwelcome) AND %s
)`
)

// originalsShow says that all posts that c reposts, directly or through other reposts, exist and
// are by users that the viewer may see. A chain that is too long, or a cycle, does not show.
func (s *Store) originalsShow() string {
	return fmt.Sprintf(`(c.repost_of = 0 OR NOT EXISTS (
    WITH RECURSIVE shown (id, links) AS (
        SELECT c.repost_of, 1
        UNION ALL
        SELECT o.repost_of, shown.links + 1 FROM shown JOIN contents AS o ON o.id = shown.id
        WHERE o.repost_of <> 0 AND shown.links <= %[1]d
    )
    SELECT 1 FROM shown LEFT JOIN contents AS o ON o.id = shown.id
    WHERE shown.links > %[1]d OR o.id IS NULL OR o.deleted_at <> 0 OR o.author_id IN (SELECT id FROM unwelcome) OR NOT (%[2]s)
))`, maxRepostDepth(), s.d.arrived("o.author_id"))
}

// Feed implements [feed.Reference].
func (s *Store) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.feed(ctx, s.feedQuery(postsTable, s.originalsShow(), r), viewer, r)
}

// feed runs a reference query. The anonymous viewer has no feed.
func (s *Store) feed(ctx context.Context, stmt string, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	if viewer == 0 {
		return nil, nil
	}
	return s.keys(ctx, stmt, filterArgs(int64(viewer), r))
}

// feedQuery is the reference query over a table of posts; further is another condition on c.
func (s *Store) feedQuery(table, further string, r feed.Range) string {
	with := "WITH" + unwelcome + "," + fmt.Sprintf(sources, s.d.arrived("followed.id"))
	if !s.d.isPostgres() {
		// SQLite takes longer for a lower bound than for the few posts of a page of each author.
		return with + "\n" + s.postsOf(table, "sources AS author", further, r)
	}
	return with + s.mergedPosts(table, "sources", further, r)
}
