package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// link is a post and its parent: the post that it replies to or reposts, or 0.
type link struct{ id, parent feed.PostID }

func (l *link) columns() []any { return []any{&l.id, &l.parent} }

const selectLinks = `SELECT id, CASE WHEN reply_to <> 0 THEN reply_to ELSE repost_of END FROM contents `

// dumpPosts walks along the small links to find the order, and reads the posts in that order.
func (s *Store) dumpPosts(ctx context.Context, tx *sql.Tx, emit emitter) error {
	ahead := parentsFirst{}
	return walk[link]{
		stmt:  selectLinks + `WHERE id > $1 ORDER BY id LIMIT $2`,
		start: []any{0},
		key:   func(l link) []any { return []any{l.id} },
		scan:  into((*link).columns),
	}.pages(ctx, tx, func(page []link) error {
		parents, err := s.parentsAbove(ctx, tx, page, ahead)
		if err != nil {
			return classify(ctx, err)
		}
		for ids := range slices.Chunk(ahead.of(page, parents), dumpPage) {
			if err := s.dumpByID(ctx, tx, ids, emit); err != nil {
				return err
			}
		}
		return nil
	})
}

// parentsAbove returns the parents of all posts of a page and, recursively, of those parents after
// the page that have not been emitted.
func (s *Store) parentsAbove(ctx context.Context, tx *sql.Tx, page []link, done map[feed.PostID]bool) (map[feed.PostID]feed.PostID, error) {
	parents := map[feed.PostID]feed.PostID{}
	for level := page; len(level) > 0; {
		wanted := map[feed.PostID]bool{}
		for _, l := range level {
			parents[l.id] = l.parent
			if _, found := parents[l.parent]; !found && !done[l.parent] && l.parent > page[len(page)-1].id {
				wanted[l.parent] = true
			}
		}
		if len(wanted) == 0 {
			break
		}
		var err error
		level, err = collect(ctx, tx, selectLinks+"WHERE "+s.d.in("id", 1),
			[]any{ids(s.d, sortedKeys(wanted))}, into((*link).columns))
		if err != nil {
			return nil, err
		}
	}
	return parents, nil
}

// parentsFirst orders posts by id, except that a parent never comes after its child: a parent with
// a larger id comes right before its first descendant, and is skipped later. It holds the posts
// that have been emitted early until their turn. They are few, because ids are assigned nearly in
// the order of time; only imports can bring others.
type parentsFirst map[feed.PostID]bool

// of returns the order of the next page of posts, and of those after it that must come before one
// of them. parents has the parents of the page and of everything above it that has not been
// emitted; a post that it lacks is not stored.
func (ahead parentsFirst) of(page []link, parents map[feed.PostID]feed.PostID) []feed.PostID {
	var out []feed.PostID
	for _, l := range page {
		if ahead[l.id] {
			delete(ahead, l.id)
			continue
		}
		chain := []feed.PostID{l.id}
		for id := l.parent; id > l.id && !ahead[id]; {
			parent, stored := parents[id]
			if !stored {
				break
			}
			ahead[id] = true
			chain = append(chain, id)
			id = parent
		}
		slices.Reverse(chain)
		out = append(out, chain...)
	}
	return out
}

func (s *Store) dumpByID(ctx context.Context, tx *sql.Tx, list []feed.PostID, emit emitter) error {
	found, err := loadByID(ctx, s.d, tx, list, s.selectPosts(), postColumns.scan(), func(p *feed.Post) feed.PostID { return p.ID })
	if err != nil {
		return classify(ctx, err)
	}
	for _, id := range list {
		if err := emit(feed.PostRecord(found[id])); err != nil {
			return err
		}
	}
	return nil
}
