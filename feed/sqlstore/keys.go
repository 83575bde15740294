package sqlstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Lists are read by keys. In each statement below, $1 is the owner of the list, followed by the
// bounds of the range, the limit and, if needed, the filter.

// within returns the condition that the columns ts and id are in the range of parameters $2 to $5.
// It compares rows, because an index can use that as one interval.
func within(ts, id string) string {
	return fmt.Sprintf("(%[1]s, %[2]s) > ($2, $3) AND (%[1]s, %[2]s) < ($4, $5)", ts, id)
}

// hasMedia is the condition that a post c has media. An index has the same condition, so keep them equal.
const hasMedia = "(c.has_media = 1 OR c.media <> '[]')"

// matches returns the condition that a post c passes a filter. first is the number of its first parameter.
// The condition names only what the filter asks for, so that without media and languages a statement reads
// the index alone.
func (d dialect) matches(f feed.Filter, first int) string {
	kinds := len(feed.AllKinds())
	all := []string{"c.kind IN (" + strings.Join(parameters(first, kinds), ", ") + ")"}
	switch with, without := f.Media(); {
	case !without:
		all = append(all, hasMedia)
	case !with:
		all = append(all, "NOT "+hasMedia)
	}
	if f.Languages() != "" {
		all = append(all, fmt.Sprintf("(c.language = '' OR $%d LIKE '%%,' || lower(%s) || ',%%')", first+kinds, d.upTo("c.language", "-")))
	}
	return strings.Join(all, " AND ")
}

// afterFilter returns the n-th parameter, from 1, after those of filterArgs.
func afterFilter(f feed.Filter, n int) string {
	return "$" + strconv.Itoa(6+len(filterParams(f))+n)
}

// ordered returns the clauses that order by ts and id as the range says, up to its limit, $6.
func ordered(ts, id string, r feed.Range) string {
	return inDirection(ts, id, r.Ascending) + " LIMIT $6"
}

func inDirection(ts, id string, ascending bool) string {
	direction := "DESC"
	if ascending {
		direction = "ASC"
	}
	return fmt.Sprintf("ORDER BY %[1]s %[3]s, %[2]s %[3]s", ts, id, direction)
}

func rangeArgs(whose any, r feed.Range) []any {
	return []any{whose, r.Above.TS, r.Above.ID, r.Below.TS, r.Below.ID, r.Limit}
}

// filterArgs returns the arguments of a list with a filter.
func filterArgs(whose any, r feed.Range) []any {
	return append(rangeArgs(whose, r), filterParams(r.Filter)...)
}

// filterParams are always one per kind, empty if it does not pass, so that there is only one statement to
// prepare for all kinds.
func filterParams(f feed.Filter) (out []any) {
	for _, k := range feed.AllKinds() {
		if !f.Has(k) {
			k = ""
		}
		out = append(out, string(k))
	}
	if languages := f.Languages(); languages != "" {
		out = append(out, languages)
	}
	return out
}

func (s *Store) keys(ctx context.Context, stmt string, args []any) ([]feed.Key, error) {
	return query(ctx, s, stmt, args, scanKey)
}

func scanKey(row scanner) (feed.Key, error) {
	var k feed.Key
	err := row.Scan(&k.TS, &k.ID)
	return k, err
}

// The tables with lists of posts. replays is a view of live sessions, which shows each replay as a
// post that its host published at the end.
const (
	postsTable   = "contents"
	replaysTable = "replays"
)

// postsOf returns a statement for the keys of posts in one of these tables that are not deleted.
// authors is a FROM item author with a unique column id; further is one more condition on a post c.
// Each author yields at most the limit, from the index, and the results are merged. So the
// condition is in the inner query, where posts that it excludes do not count.
func (s *Store) postsOf(table, authors, further string, r feed.Range) string {
	return s.postsOfEach("", table, authors, further, r, ordered("c.published_at", "c.id", r)) + "\n" +
		ordered("found.published_at", "found.id", r)
}

// mergedPosts is [Store.postsOf] for the authors in a common table expression. It returns the rest
// of the WITH clause and the statement.
//
// A merge of many outboxes takes few posts of each. Descending, the statement first reads the newest
// few posts of each author, twice the limit in all. The post at the limit among these is a lower
// bound: enough posts are not older. Then it reads what is not older, of the authors who have such a
// post. For 300 authors and the 300 posts of an inbox that is a tenth of the rows, and for the 20 posts
// of a page of 2,000 authors, all but 20 of these are looked up once.
func (s *Store) mergedPosts(table, authors, further string, r feed.Range) string {
	if r.Ascending {
		return "\n" + s.postsOf(table, authors+" AS author", further, r)
	}
	few := inDirection("c.published_at", "c.id", false) + " LIMIT (SELECT 2 * $6 / (COUNT(*) + 1) + 1 FROM " + authors + ")"
	const floor = "(SELECT at FROM floor)"
	return ",\nnewest AS MATERIALIZED (\n" + s.postsOfEach(", author.id AS author_id", table, authors+" AS author", further, r, few) + "\n),\n" +
		"floor AS MATERIALIZED (SELECT COALESCE((SELECT published_at FROM newest ORDER BY published_at DESC LIMIT 1 OFFSET $6 - 1), $2) AS at)\n" +
		s.postsOf(table, "(SELECT * FROM "+authors+" WHERE id IN (SELECT author_id FROM newest WHERE published_at >= "+floor+")) AS author",
			further+" AND c.published_at >= "+floor, r)
}

// postsOfEach is postsOf without the merge, with further columns. order orders the posts of one author, and limits
// them.
func (s *Store) postsOfEach(columns, table, authors, further string, r feed.Range, order string) string {
	return "SELECT found.published_at, found.id" + columns + " FROM " + authors + "\n" +
		s.d.eachAuthor(table, "WHERE c.author_id = author.id AND c.deleted_at = 0\n"+
			"  AND "+within("c.published_at", "c.id")+" AND "+s.d.matches(r.Filter, 7)+"\n"+
			"  AND "+further+"\n"+order)
}
