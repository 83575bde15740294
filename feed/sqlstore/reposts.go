package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// A repost of a deleted post is not visible any more, so it has a row in the change log, too; so has
// one of a post that arrives or returns, or whose author has become absent or present. There may be
// a million, so the change only remembers the post in repost_changes, and the process that numbers
// changes logs the reposts afterwards, in slices. It reads them after the change has been committed.
// A repost that it does not see was committed later, and no reader has shown it.
//
// links counts the reposts between a pending post and the one that has changed. Longer chains than
// [feed.Policy.RepostDepth] are not visible and may be cycles.

// repostsWhy sets the reason of reposts that are pending again, so that their rows serve both reasons:
// [feed.ChangeNarrowed] includes [feed.ChangeWidened], and kind 4, [feed.ChangeDeleted], has them judged again for
// all users, not only for those who do not follow an account.
const repostsWhy = `kind = CASE WHEN repost_changes.other_id <> excluded.other_id THEN 4
  WHEN repost_changes.kind < excluded.kind THEN repost_changes.kind ELSE excluded.kind END,
other_id = CASE WHEN repost_changes.other_id = excluded.other_id THEN excluded.other_id ELSE 0 END`

// repostsPending ends an INSERT into repost_changes.
const repostsPending = "\nON CONFLICT (content_id) DO UPDATE SET logged = 0, links = 0, " + repostsWhy

// hasReposts is the condition that there are reposts of a post, of those that meet further conditions. The
// comparison with 0 lets the databases use the partial index.
func hasReposts(id string, further ...string) string {
	where := append([]string{"r.repost_of = " + id, "r.repost_of > 0"}, further...)
	return "EXISTS (SELECT 1 FROM contents AS r WHERE " + strings.Join(where, " AND ") + ")"
}

// remember makes reposts of posts pending, of those that have any. why has the kind of their rows, and
// their other user unless the kind is [feed.ChangeDeleted].
func (s *Store) remember(ctx context.Context, tx *sql.Tx, posts []feed.PostID, why feed.Change) error {
	if len(posts) == 0 {
		return nil
	}
	return exec(ctx, tx, "INSERT INTO repost_changes (content_id, kind, other_id) SELECT c.id, $2, $3 FROM contents AS c WHERE "+
		s.d.in("c.id", 1)+" AND "+hasReposts("c.id")+repostsPending, ids(s.d, posts), why.Kind, why.Other)
}

// rememberAll makes reposts of all posts of authors pending.
func (s *Store) rememberAll(ctx context.Context, tx *sql.Tx, authors []feed.UserID) error {
	return exec(ctx, tx, "INSERT INTO repost_changes (content_id) SELECT c.id FROM contents AS c WHERE "+
		s.d.in("c.author_id", 1)+" AND c.deleted_at = 0 AND "+hasReposts("c.id")+" ORDER BY c.id"+repostsPending, ids(s.d, authors))
}

// rememberReposts makes reposts of reposts pending, for the same reason as those.
func (s *Store) rememberReposts(ctx context.Context, tx *sql.Tx, reposts []feed.PostID, of pendingReposts) error {
	if of.links >= maxRepostDepth() {
		return nil
	}
	return exec(ctx, tx, "INSERT INTO repost_changes (content_id, links, kind, other_id) SELECT c.id, $2, $3, $4 FROM contents AS c WHERE "+
		s.d.in("c.id", 1)+" AND "+hasReposts("c.id")+`
ON CONFLICT (content_id) DO UPDATE SET logged = 0, `+repostsWhy+", links = "+
		s.d.least+"(repost_changes.links, excluded.links)", ids(s.d, reposts), of.links+1, of.kind, of.other)
}

// repostsWait is how long logging of reposts waits for a change that goes on and makes the same post
// pending. Other changes get no numbers meanwhile.
const repostsWait = 20 * time.Millisecond

// errRepostsLocked says that it has waited in vain.
var errRepostsLocked = errors.New("a change that goes on has locked reposts")

// logReposts logs up to limit reposts of one post whose reposts are pending. It returns false if
// there was no such post, or if a change that goes on has locked it.
func (s *Store) logReposts(ctx context.Context, limit int) (more bool, err error) {
	more, err = inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		if err := s.waitAtMost(ctx, tx, repostsWait); err != nil {
			return false, err
		}
		more, err := s.logRepostsIn(ctx, tx, limit)
		if postgresCode(err) == lockNotAvailable {
			err = errRepostsLocked
		}
		return more, err
	})
	if errors.Is(err, errRepostsLocked) {
		return false, nil
	}
	return more, err
}

// waitAtMost limits how long the statements of a transaction wait for locks of others.
func (s *Store) waitAtMost(ctx context.Context, tx *sql.Tx, d time.Duration) error {
	if !s.d.isPostgres() {
		return nil
	}
	return exec(ctx, tx, `SELECT set_config('lock_timeout', $1, TRUE)`, strconv.FormatInt(d.Milliseconds(), 10))
}

func (s *Store) logRepostsIn(ctx context.Context, tx *sql.Tx, limit int) (more bool, err error) {
	// Most posts have none.
	if err := exec(ctx, tx, forgetQuery()); err != nil {
		return false, err
	}
	var of pendingReposts
	err = tx.QueryRowContext(ctx, `
SELECT content_id, logged, links, kind, other_id FROM repost_changes ORDER BY content_id LIMIT 1`+s.d.skipLocked).
		Scan(&of.original, &of.logged, &of.links, &of.kind, &of.other)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return true, s.logRepostsOf(ctx, tx, of, limit)
}

// pendingReposts are reposts of one post, with ids above the last that was logged.
type pendingReposts struct {
	original, logged feed.PostID
	links            int
	kind             feed.ChangeKind
	other            feed.UserID
}

// forgetQuery ends the wait of posts without reposts.
func forgetQuery() string {
	return "DELETE FROM repost_changes WHERE NOT " + hasReposts("repost_changes.content_id")
}

// logRepostsOf logs reposts of a post. A repost may itself have reposts, which become pending.
func (s *Store) logRepostsOf(ctx context.Context, tx *sql.Tx, of pendingReposts, limit int) error {
	rows, err := collect(ctx, tx, repostsQuery, []any{of.original, of.logged, limit},
		into(func(c *feed.Change) []any { return []any{&c.Post, &c.User} }))
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		for i := range rows {
			rows[i].Kind, rows[i].Other = of.kind, cmp.Or(of.other, rows[i].User)
		}
		if err := s.log(ctx, tx, rows...); err != nil {
			return err
		}
		reposts := mapped(rows, func(c feed.Change) feed.PostID { return c.Post })
		if err := s.rememberReposts(ctx, tx, reposts, of); err != nil {
			return err
		}
	}
	if len(rows) < limit {
		return exec(ctx, tx, `DELETE FROM repost_changes WHERE content_id = $1`, of.original)
	}
	return exec(ctx, tx, `UPDATE repost_changes SET logged = $2 WHERE content_id = $1`, of.original, rows[len(rows)-1].Post)
}

// repostsQuery leaves out deleted reposts, which have a row of their own.
const repostsQuery = `
SELECT id, author_id FROM contents
WHERE repost_of = $1 AND repost_of > 0 AND id > $2 AND deleted_at = 0 ORDER BY id LIMIT $3`
