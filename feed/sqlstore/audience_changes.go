package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

// When an account becomes private or public, absent or present, or is deleted, comments and reposts by others
// whose audience author it is are for other users. They are logged under their authors like the reposts of
// a deleted post (reposts.go): the change remembers the account in audience_changes, and the process that
// numbers changes logs them in slices.

// audienceChanges collects changes of the audiences of stored posts and accounts.
type audienceChanges struct {
	// posts have the kind, and the author as the other user.
	posts    map[feed.PostID]feed.Change
	accounts map[feed.UserID]feed.ChangeKind
}

func newAudienceChanges() audienceChanges {
	return audienceChanges{map[feed.PostID]feed.Change{}, map[feed.UserID]feed.ChangeKind{}}
}

// post notes that a post has another audience.
func (a audienceChanges) post(was, is *feed.Post) {
	switch {
	case is.Narrows(was):
		a.posts[is.ID] = feed.Change{Kind: feed.ChangeNarrowed, Other: is.Author}
	case was.Narrows(is):
		a.posts[is.ID] = feed.Change{Kind: feed.ChangeWidened, Other: is.Author}
	}
}

// account notes that an account has become private or public.
func (a audienceChanges) account(user feed.UserID, was, is bool) {
	switch {
	case is && !was:
		a.accounts[user] = feed.ChangeNarrowed
	case was && !is:
		a.accounts[user] = feed.ChangeWidened
	}
}

// store makes what the changes concern pending, in the order of ids.
func (a audienceChanges) store(ctx context.Context, s *Store, tx *sql.Tx) error {
	for _, user := range sortedKeys(a.accounts) {
		if err := s.rememberAccount(ctx, tx, user, a.accounts[user]); err != nil {
			return err
		}
	}
	for _, post := range sortedKeys(a.posts) {
		if err := s.remember(ctx, tx, []feed.PostID{post}, a.posts[post]); err != nil {
			return err
		}
	}
	return nil
}

// rememberAccount makes what an account's privacy concerns pending: posts by others with it as audience
// author, and reposts of its comments, whose audience author is another user.
func (s *Store) rememberAccount(ctx context.Context, tx *sql.Tx, user feed.UserID, kind feed.ChangeKind) error {
	if err := s.rememberAudiences(ctx, tx, []feed.UserID{user}, kind); err != nil {
		return err
	}
	return exec(ctx, tx, "INSERT INTO repost_changes (content_id, kind, other_id) SELECT c.id, $2, $1 FROM contents AS c"+
		" WHERE c.author_id = $1 AND c.kind = 'COMMENT' AND c.deleted_at = 0 AND "+hasReposts("c.id")+" ORDER BY c.id"+repostsPending, user, kind)
}

// rememberAudiences makes posts by others with one of the users as audience author pending.
func (s *Store) rememberAudiences(ctx context.Context, tx *sql.Tx, users []feed.UserID, kind feed.ChangeKind) error {
	return exec(ctx, tx, "INSERT INTO audience_changes (user_id, kind) SELECT u.id, $2 FROM users AS u WHERE "+s.d.in("u.id", 1)+`
AND EXISTS (SELECT 1 FROM contents AS c WHERE c.audience_author = u.id AND c.audience_author <> c.author_id)
ON CONFLICT (user_id) DO UPDATE SET kind = excluded.kind, logged_ts = -1, logged_id = 0`, ids(s.d, users), kind)
}

// pendingAudience are the posts of an audience author after the last that was logged.
type pendingAudience struct {
	user   feed.UserID
	kind   feed.ChangeKind
	logged feed.Key
}

// logAudiences logs up to limit posts of one audience author. It returns false if none is pending, or if a
// change that goes on has locked the only one.
func (s *Store) logAudiences(ctx context.Context, limit int) (more bool, err error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (bool, error) {
		var of pendingAudience
		err := tx.QueryRowContext(ctx, `
SELECT user_id, kind, logged_ts, logged_id FROM audience_changes ORDER BY user_id LIMIT 1`+s.d.skipLocked).Scan(&of.user, &of.kind, &of.logged.TS, &of.logged.ID)
		if errors.Is(err, sql.ErrNoRows) {
			return false, nil
		} else if err != nil {
			return false, err
		}
		return true, s.logAudience(ctx, tx, of, limit)
	})
}

func (s *Store) logAudience(ctx context.Context, tx *sql.Tx, of pendingAudience, limit int) error {
	var last feed.Key
	rows, err := collect(ctx, tx, audienceQuery(), []any{of.user, of.logged.TS, of.logged.ID, limit, of.kind}, func(row scanner) (feed.Change, error) {
		c := feed.Change{Kind: of.kind, Other: of.user}
		err := row.Scan(&c.Post, &c.User, &last.TS)
		last.ID = int64(c.Post)
		if c.Kind == feed.ChangeDeleted {
			c.Other = c.User // judge it again
		}
		return c, err
	})
	if err == nil && len(rows) > 0 {
		err = s.log(ctx, tx, rows...)
	}
	switch {
	case err != nil:
		return err
	case len(rows) < limit:
		return exec(ctx, tx, `DELETE FROM audience_changes WHERE user_id = $1`, of.user)
	}
	return exec(ctx, tx, `UPDATE audience_changes SET logged_ts = $2, logged_id = $3 WHERE user_id = $1`, of.user, last.TS, last.ID)
}

// audienceQuery leaves out deleted posts, which have a row of their own. If the account has become absent or
// present or was deleted, that concerns only what is for its followers.
func audienceQuery() string {
	return fmt.Sprintf(`
SELECT id, author_id, published_at FROM contents
WHERE audience_author = $1 AND audience_author <> author_id AND (published_at, id) > ($2, $3) AND deleted_at = 0
  AND ($5 <> %d OR audience <> %d OR EXISTS (SELECT 1 FROM users AS u WHERE u.id = $1 AND u.private = 1))
ORDER BY published_at, id LIMIT $4`, feed.ChangeDeleted, feed.AudiencePublic)
}

// PostsFor implements [feed.AudienceLog].
func (s *Store) PostsFor(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, "SELECT c.published_at, c.id FROM contents AS c WHERE c.audience_author = $1 AND c.audience_author <> c.author_id\n  AND "+
		within("c.published_at", "c.id")+" AND "+s.d.matches(r.Filter, 7)+"\n"+ordered("c.published_at", "c.id", r), filterArgs(user, r))
}
