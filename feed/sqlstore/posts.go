package sqlstore

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Posts implements [feed.Posts].
func (s *Store) Posts(ctx context.Context, list []feed.PostID) ([]*feed.Post, error) {
	return s.lookups.posts.All(ctx, list)
}

func (s *Store) askPosts(list batch.Keys[feed.PostID]) reading[*feed.Post] {
	var accounts feed.PostAccounts
	scan := scanAs(postColumns, func(p feed.Post) *feed.Post {
		p.Accounts = accounts
		return &p
	}, &accounts)
	return eachFound(s.d, list, s.selectShown()+"WHERE "+s.d.in("c.id", 1), scan, func(p *feed.Post) feed.PostID { return p.ID })
}

// selectShown selects posts as [feed.Posts] returns them, and their accounts.
func (s *Store) selectShown() string {
	return selectPostsWith(
		fmt.Sprintf("CASE WHEN %s THEN 0 ELSE %d END", s.d.arrived("c.author_id"), feed.AuthorAbsent),
		fmt.Sprintf(`
       CASE WHEN NOT %s THEN 0 ELSE
           CASE WHEN %s THEN 0 ELSE %d END + CASE WHEN c.audience_author = c.author_id OR %s THEN 0 ELSE %d END END
       + CASE WHEN c.audience_author IN (c.author_id, 0) OR %s THEN 0 ELSE %d END + CASE WHEN %s THEN 0 ELSE %d END`,
			s.d.private.any(), s.d.private.lacks("c.author_id"), feed.AuthorPrivate,
			s.d.private.lacks("c.audience_author"), feed.AudienceAuthorPrivate,
			s.d.present("c.audience_author"), feed.AudienceAuthorGone,
			s.d.suspended.without("c.author_id"), feed.AuthorSuspended))
}

// selectPosts selects the stored posts of a list of ids. Absence does not count.
func (s *Store) selectPosts() string { return selectStored + "WHERE " + s.d.in("c.id", 1) }

// eachFound reads one row per id, in the order of the ids, and nil for an id without one.
func eachFound[ID ~int64, T any](d dialect, list batch.Keys[ID], text string, scan func(scanner) (*T, error), idOf func(*T) ID) reading[*T] {
	return readInto(len(list.List), text, []any{ids(d, list.List)}, func(found []*T, row scanner) error {
		v, err := scan(row)
		if err != nil {
			return err
		}
		if place, asked := list.Index(idOf(v)); asked {
			found[place] = v
		}
		return nil
	})
}
