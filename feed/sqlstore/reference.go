package sqlstore

import (
	"cmp"
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

	// sources are the users whose posts make up the viewer's feed, with the options of the follows: those of %s,
	// of which %s is that one has arrived and is shown.
	sources = `
sources AS MATERIALIZED (
    SELECT id, options FROM (%s) AS followed
    WHERE id NOT IN (SELECT id FROM unwelcome) AND %s
)`

	specials  = "SELECT followee_id AS id, options FROM follows WHERE follower_id = $1 AND followee_id <> $1 AND active = 1 AND options % 2 = 1"
	followees = `
        SELECT CAST($1 AS BIGINT) AS id, 0 AS options
        UNION ALL
        SELECT followee_id, options FROM follows WHERE follower_id = $1 AND followee_id <> $1 AND active = 1`
)

// takedownShows is the condition that a post is not taken down, or is by the viewer.
func takedownShows(post string) string {
	return "(" + post + ".taken_down = 0 OR " + post + ".author_id = $1)"
}

// postsShow is the condition that the viewer may see a post c by a source: it is for the viewer, and so
// are all posts that it reposts.
func (s *Store) postsShow() string {
	return takedownShows("c") + " AND (c.audience_author IN (c.author_id, 0) OR " + s.accountShows("c.audience_author") + ") AND " + s.isFor("c") + "\n  AND " + s.originalsShow()
}

// followsPresent is the condition that the viewer follows a user who is present.
func (s *Store) followsPresent(user string) string {
	return `((SELECT 1 FROM follows AS f WHERE f.follower_id = $1 AND f.followee_id = ` + user + ` AND f.active + 0 = 1) IS NOT NULL AND ` + s.d.present(user) + `)`
}

// accountShows is the condition that an account is public, or the viewer is its user or follows them.
func (s *Store) accountShows(user string) string {
	return "(" + user + " = $1 OR " + s.d.private.without(user) + " OR " + s.followsPresent(user) + ")"
}

// isFor is the condition that a post is public, or the viewer is its author or audience author, or
// follows the latter and neither blocks the other, nor does the audience author hide from the viewer.
// A mute does not count.
func (s *Store) isFor(post string) string {
	user := post + ".audience_author"
	return "(" + post + ".audience = 0 OR " + post + ".author_id = $1 OR " + user + " = $1 OR " + s.followsPresent(user) +
		" AND " + lacksRelation("$1", feed.RelationBlock, user) + " AND " + lacksRelation(user, feed.RelationBlock, "$1") +
		" AND " + lacksRelation(user, feed.RelationHide, "$1") + ")"
}

// originalsShow says that all posts that c reposts, directly or through other reposts, exist, are by
// users that the viewer may see, and are for the viewer. A chain that is too long, or a cycle, does not
// show.
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
       OR NOT %[6]s OR NOT %[7]s OR NOT %[3]s OR o.audience_author <> o.author_id AND NOT %[4]s OR NOT %[5]s
))`, maxRepostDepth(), s.d.arrived("o.author_id"), s.accountShows("o.author_id"), s.accountShows("o.audience_author"), s.isFor("o"),
		takedownShows("o"), s.d.shown("o.author_id", "$1"))
}

// Feed implements [feed.Reference].
func (s *Store) Feed(ctx context.Context, viewer feed.UserID, of feed.Authors, r feed.Range) ([]feed.Key, error) {
	further := s.postsShow() + " AND " + optionsShow()
	if of.List() == 0 {
		further += " AND " + notListed
	}
	return s.feed(ctx, s.feedQuery(postsTable, of, further, r), viewer, of, r)
}

// notListed is the condition that a post c is by the viewer, or by an author who is in none of their exclusive lists.
const notListed = `(c.author_id = $1 OR NOT EXISTS (
    SELECT 1 FROM list_members AS m WHERE m.exclusive_to = $1 AND m.exclusive_to > 0 AND m.user_id = c.author_id))`

// feed runs a reference query. The anonymous viewer follows no users, and is none: 0 is the audience author of
// posts whose parent has not arrived.
func (s *Store) feed(ctx context.Context, stmt string, viewer feed.UserID, of feed.Authors, r feed.Range) ([]feed.Key, error) {
	const noUser = -1
	switch {
	case of.List() != 0:
		return s.keys(ctx, stmt, append(filterArgs(int64(cmp.Or(viewer, noUser)), r), of.List()))
	case viewer == 0:
		return nil, nil
	}
	return s.keys(ctx, stmt, filterArgs(int64(viewer), r))
}

// feedQuery is the reference query over a table of posts; further is another condition on c.
func (s *Store) feedQuery(table string, of feed.Authors, further string, r feed.Range) string {
	authors, show := followees, s.d.arrived("followed.id")+" AND "+s.d.shown("followed.id", "$1")
	switch {
	case of == feed.SpecialAuthors:
		authors = specials
	case of.List() != 0:
		authors = "SELECT user_id AS id, 0 AS options FROM list_members WHERE list_id = " + afterFilter(r.Filter, 1)
		show += " AND " + s.accountShows("followed.id")
	}
	with := "WITH" + unwelcome + "," + fmt.Sprintf(sources, authors, show)
	if !s.d.isPostgres() {
		// SQLite takes longer for a lower bound than for the few posts of a page of each author.
		return with + "\n" + s.postsOf(table, "sources AS author", further, r)
	}
	return with + s.mergedPosts(table, "sources", further, r)
}
