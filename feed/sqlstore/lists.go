package sqlstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.Lists = (*Store)(nil)

// ReadLists implements [feed.Lists].
func (s *Store) ReadLists(ctx context.Context, lists []feed.List) ([][]feed.Key, error) {
	found := make([][]feed.Key, len(lists))
	for _, alike := range listsAlike(lists) {
		text, args := s.listsQuery(alike.lists)
		rows, err := fetch(ctx, s, text, args, into(func(l *listed) []any { return []any{&l.place, &l.keys} }))
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			l := alike.lists[row.place]
			keys := directed(row.keys, l.Range)
			found[alike.places[row.place]] = keys[:min(len(keys), l.Range.Limit)]
		}
	}
	return found, nil
}

// listShape is what lists must have in common to share a statement.
type listShape struct {
	kind      feed.FeedKind
	ascending bool
	filter    feed.Filter
	stranger  bool
}

type listGroup struct {
	lists  []feed.List
	places []int
}

// listsAlike groups lists by shape, in the order of the first of each.
func listsAlike(lists []feed.List) (groups []*listGroup) {
	byShape := map[listShape]*listGroup{}
	for i, l := range lists {
		shape := listShape{l.Ref.Kind, l.Range.Ascending, l.Range.Filter, l.Stranger}
		g := byShape[shape]
		if g == nil {
			g = &listGroup{}
			byShape[shape], groups = g, append(groups, g)
		}
		g.lists, g.places = append(g.lists, l), append(g.places, i)
	}
	return groups
}

// listsQuery reads lists of one shape: a row for each, with its place and its keys, unordered, up
// to the largest limit. The subquery of a list reads its keys from the end of an index, so that it
// reads no more than it returns.
//
// The condition that reply_to is not 0, which no post has as id, allows PostgreSQL to use the
// partial index of replies.
func (s *Store) listsQuery(lists []feed.List) (text string, args []any) {
	columns := []column{placeColumn(len(lists)), intColumn("owner", lists, listOwner)}
	columns = append(columns, keyColumns("above", lists, func(l feed.List) feed.Key { return l.Range.Above })...)
	columns = append(columns, keyColumns("below", lists, func(l feed.List) feed.Key { return l.Range.Below })...)
	from, args := s.d.table(columns)
	limit := 0
	for _, l := range lists {
		limit = max(limit, l.Range.Limit)
	}
	owned, owners := "c.author_id = r.owner", s.d.present("r.owner")
	switch {
	case lists[0].Ref.Kind == feed.FeedComments:
		owned, owners = "c.reply_to = r.owner AND c.reply_to <> 0 AND c.kind = 'COMMENT' AND "+s.d.present("c.author_id"), "TRUE"
	case lists[0].Stranger:
		owned += " AND (c.audience = 0 OR c.audience_author <> c.author_id)" // as in the index
	}
	args = append(args, limit)
	text = fmt.Sprintf(`
SELECT r.place, (SELECT %s FROM (
  SELECT c.published_at, c.id FROM contents AS c
  WHERE %s AND c.deleted_at = 0 AND %s
    AND (c.published_at, c.id) > (r.above_ts, r.above_id) AND (c.published_at, c.id) < (r.below_ts, r.below_id)
  %s LIMIT $%d) AS page)
FROM %s WHERE %s`,
		s.d.pairs("page.published_at", "page.id"), owned, s.d.matches(lists[0].Range.Filter, len(args)+1),
		inDirection("c.published_at", "c.id", lists[0].Range.Ascending), len(args), from, owners)
	return text, append(args, filterParams(lists[0].Range.Filter)...)
}

func listOwner(l feed.List) int64 {
	if l.Ref.Kind == feed.FeedComments {
		return int64(l.Ref.Post)
	}
	return int64(l.Ref.Author)
}

type listed struct {
	place int
	keys  keyList
}
