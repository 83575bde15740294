package sqlstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// Lists are read by keys: every statement below takes $1 for whose list it is and
// then the range's bounds, limit and, where there are any, kinds.

// within returns the condition that the columns ts and id lie within the range of
// parameters $2 … $5. Comparing rows, not columns, is what an index understands as
// one interval.
func within(ts, id string) string {
	return fmt.Sprintf("(%[1]s, %[2]s) > ($2, $3) AND (%[1]s, %[2]s) < ($4, $5)", ts, id)
}

// ofKinds returns the condition that a content c is of one of the kinds of the
// parameters from the first on, of which there are as many as there are kinds.
func ofKinds(first int) string {
	return "c.kind IN (" + strings.Join(parameters(first, len(feed.AllKinds())), ", ") + ")"
}

// afterKinds returns the n-th parameter, from 1, after those that kindArgs makes.
func afterKinds(n int) string {
	return "$" + strconv.Itoa(6+len(feed.AllKinds())+n)
}

// ordered returns the clauses that put the columns ts and id into the range's
// direction and end at its limit, $6.
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

// rangeArgs returns the arguments of a list without kinds.
func rangeArgs(whose any, r feed.Range) []any {
	return []any{whose, r.Above.TS, r.Above.ID, r.Below.TS, r.Below.ID, r.Limit}
}

// kindArgs returns the arguments of a list with kinds. There is always one for each
// kind, blank when it is not wanted, so that there is only one statement to prepare.
func kindArgs(whose any, r feed.Range) []any {
	return append(rangeArgs(whose, r), kindParams(r.Kinds)...)
}

func kindParams(wanted feed.Kinds) (out []any) {
	for _, k := range feed.AllKinds() {
		if !wanted.Has(k) {
			k = ""
		}
		out = append(out, string(k))
	}
	return out
}

// keys runs a statement whose columns are a time and an id.
func (s *Store) keys(ctx context.Context, stmt string, args []any) ([]feed.Key, error) {
	return query(ctx, s, stmt, args, scanKey)
}

func scanKey(row scanner) (feed.Key, error) {
	var k feed.Key
	err := row.Scan(&k.TS, &k.ID)
	return k, err
}

// The tables that lists of contents are read from. The second is a view of live
// sessions, which shows replays as contents that their hosts published as they ended.
const (
	contentsTable = "contents"
	replaysTable  = "replays"
)

// contentsOf returns a statement for the keys of contents, in one of these tables, that
// are not deleted. authors is a FROM item with the alias author and the column id, every id once;
// further is one more condition on a content c. Every author yields at most the
// limit, from the index, and then all that was yielded is merged: so the condition
// stands inside, where a content it leaves out does not count.
func (s *Store) contentsOf(table, authors, further string, r feed.Range) string {
	return "SELECT found.published_at, found.id FROM " + authors + "\n" +
		s.d.eachAuthor(table, "WHERE c.author_id = author.id AND c.deleted_at = 0\n"+
			"  AND "+within("c.published_at", "c.id")+" AND "+ofKinds(7)+"\n"+
			"  AND "+further+"\n"+
			ordered("c.published_at", "c.id", r)) + "\n" +
		ordered("found.published_at", "found.id", r)
}
