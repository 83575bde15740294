package sqlstore

import (
	"context"
	"database/sql"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// A comment or repost that arrives before its parent lacks an audience or audience author, which it gets
// when the parent arrives. So do its own comments and reposts.

// settle settles the children of posts, level by level, and returns the rows of the change log: each child
// may have entered a feed, and one for followers may have left some.
func (s *Store) settle(ctx context.Context, tx *sql.Tx, parents []feed.PostID) (rows []feed.Change, err error) {
	for len(parents) > 0 {
		var level []feed.PostID
		for _, reference := range []string{"reply_to", "repost_of"} {
			found, err := collect(ctx, tx, s.settleQuery(reference), []any{ids(s.d, parents)},
				into(func(p *feed.Post) []any { return []any{&p.ID, &p.Author, &p.Audience} }))
			if err != nil {
				return nil, err
			}
			for _, p := range found {
				level = append(level, p.ID)
				rows = append(rows, feed.Change{Kind: feed.ChangeDeleted, User: p.Author, Other: p.Author, Post: p.ID})
				if p.Audience != feed.AudiencePublic {
					rows = append(rows, feed.Change{Kind: feed.ChangeEdited, User: p.Author, Other: p.Author, Post: p.ID})
				}
			}
		}
		parents = level
	}
	return rows, nil
}

// settleQuery settles the posts whose column reference is a post of a list that has an audience itself,
// as [feed.Post.InAudience] does. A parent without an audience author may get one later, and its children
// with it. The condition on children is that of an index, which is nearly always empty.
func (s *Store) settleQuery(reference string) string {
	return strings.ReplaceAll(`
UPDATE contents SET audience = CASE WHEN contents.audience = 1 THEN 1 ELSE p.audience END,
  audience_author = CASE WHEN contents.audience_author = 0 THEN p.audience_author ELSE contents.audience_author END
FROM contents AS p
WHERE `+s.d.in("contents.{reference}", 1)+` AND contents.{reference} <> 0 AND (contents.audience = 2 OR contents.audience_author = 0)
  AND p.id = contents.{reference} AND p.audience <> 2
  AND (contents.audience <> 1 AND contents.audience <> p.audience OR contents.audience_author = 0 AND p.audience_author <> 0)
RETURNING contents.id, contents.author_id, contents.audience`, "{reference}", reference)
}

// settle settles the children of the posts that the batch stores for the first time, and of those that
// its records may have settled.
func (w *writer) settle(ctx context.Context) error {
	var parents []feed.PostID
	for _, c := range w.changes.Posts {
		if was := c.Before.Post; was == nil || was.AudienceAuthor == 0 || was.Audience == feed.AudienceOfParent {
			parents = append(parents, c.After.ID)
		}
	}
	rows, err := w.s.settle(ctx, w.tx, parents)
	for _, c := range rows {
		w.settled = append(w.settled, c.Post)
	}
	if err != nil || !w.live && !w.bulk {
		return err
	}
	return w.s.log(ctx, w.tx, rows...)
}
