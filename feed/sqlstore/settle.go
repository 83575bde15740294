package sqlstore

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// A comment or repost that arrives before its parent lacks an audience or audience author, which it gets
// when the parent arrives. So do its own comments and reposts.

// settleMax is the default of [Store.settleMax]: how many posts a transaction settles, in some ten
// milliseconds. Their parents are then awaited again, so that dropArrived goes on with the others.
const settleMax = 1000

// settled is what a transaction has settled.
type settled struct {
	// rows are those of the change log: each post may have entered a feed, and one for followers may have left
	// some.
	rows  []feed.Change
	posts []feed.PostID
	// later are parents that may have more children to settle.
	later []feed.PostID
}

// settle settles up to limit children of posts, level by level.
func (s *Store) settle(ctx context.Context, tx *sql.Tx, parents []feed.PostID, limit int) (done settled, err error) {
	for len(parents) > 0 {
		before := len(done.posts)
		for _, reference := range []string{"reply_to", "repost_of"} {
			found, err := collect(ctx, tx, s.settleQuery(reference), []any{ids(s.d, parents), limit - len(done.posts)},
				into(func(p *feed.Post) []any { return []any{&p.ID, &p.Author, &p.Audience} }))
			if err != nil {
				return settled{}, err
			}
			for _, p := range found {
				done.add(p)
			}
		}
		level := done.posts[before:]
		if len(done.posts) == limit {
			done.later = slices.Concat(parents, level)
			return done, nil
		}
		parents = level
	}
	return done, nil
}

func (d *settled) add(p feed.Post) {
	d.posts = append(d.posts, p.ID)
	d.rows = append(d.rows, feed.Change{Kind: feed.ChangeDeleted, User: p.Author, Other: p.Author, Post: p.ID})
	if p.Audience != feed.AudiencePublic {
		d.rows = append(d.rows, feed.Change{Kind: feed.ChangeEdited, User: p.Author, Other: p.Author, Post: p.ID})
	}
}

// settleQuery settles up to $2 posts whose column reference is a post of a list that has an audience itself,
// as [feed.Post.InAudience] does. A parent without an audience author may get one later, and its children
// with it. The condition on children is that of an index, which is nearly always empty.
func (s *Store) settleQuery(reference string) string {
	return strings.ReplaceAll(`
UPDATE contents SET audience = CASE WHEN contents.audience = 1 THEN 1 ELSE p.audience END,
  audience_author = CASE WHEN contents.audience_author = 0 THEN p.audience_author ELSE contents.audience_author END
FROM contents AS p
WHERE p.id = contents.{reference} AND contents.id IN (
  SELECT c.id FROM contents AS c JOIN contents AS parent ON parent.id = c.{reference}
  WHERE `+s.d.in("c.{reference}", 1)+` AND c.{reference} <> 0 AND (c.audience = 2 OR c.audience_author = 0)
    AND parent.audience <> 2
    AND (c.audience <> 1 AND c.audience <> parent.audience OR c.audience_author = 0 AND parent.audience_author <> 0)
  LIMIT $2)
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
	var err error
	w.settled, err = w.s.settle(ctx, w.tx, parents, w.s.settleMax)
	if err != nil || !w.live && !w.bulk {
		return err
	}
	return w.s.log(ctx, w.tx, w.settled.rows...)
}
