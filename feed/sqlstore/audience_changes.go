package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

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
// author, and reposts of its own posts whose audience author is another user.
func (s *Store) rememberAccount(ctx context.Context, tx *sql.Tx, user feed.UserID, kind feed.ChangeKind) error {
	if err := s.rememberAudiences(ctx, tx, []feed.UserID{user}, kind); err != nil {
		return err
	}
	return exec(ctx, tx, "INSERT INTO repost_changes (content_id, kind, other_id) SELECT c.id, $2, $1 FROM contents AS c"+
		" WHERE c.author_id = $1 AND c.deleted_at = 0 AND "+hasReposts("c.id", "r.audience_author <> $1")+" ORDER BY c.id"+repostsPending, user, kind)
}

// rememberAudiences makes posts by others with one of the users as audience author pending, and reposts of
// these whose audience author is another user.
func (s *Store) rememberAudiences(ctx context.Context, tx *sql.Tx, users []feed.UserID, kind feed.ChangeKind) error {
	err := exec(ctx, tx, "INSERT INTO audience_changes (user_id, kind) SELECT u.id, $2 FROM users AS u WHERE "+s.d.in("u.id", 1)+`
AND EXISTS (SELECT 1 FROM contents AS c WHERE c.audience_author = u.id AND c.audience_author <> c.author_id)
ON CONFLICT (user_id) DO UPDATE SET logged_ts = -1, logged_id = 0, `+audienceWhy(), ids(s.d, users), kind)
	if err != nil {
		return err
	}
	other := "c.audience_author"
	if kind == feed.ChangeDeleted {
		other = "0"
	}
	return exec(ctx, tx, fmt.Sprintf("INSERT INTO repost_changes (content_id, kind, other_id) SELECT c.id, $2, %s FROM contents AS c\nWHERE %s AND %s AND %s ORDER BY c.id",
		other, s.d.in("c.audience_author", 1), concerned(strconv.Itoa(int(kind))), hasReposts("c.id", "r.audience_author <> c.audience_author"))+repostsPending,
		ids(s.d, users), kind)
}

// judgeForAll is the kind of a pending audience of which an account's presence and its privacy have changed: all its
// posts are judged again, for all users.
const judgeForAll = feed.ChangeKind(0)

// audienceWhy sets the kind of an audience that is pending again, so that its posts have rows for both reasons.
func audienceWhy() string {
	return fmt.Sprintf(`kind = CASE WHEN audience_changes.kind = excluded.kind THEN excluded.kind
  WHEN %d IN (audience_changes.kind, excluded.kind) OR audience_changes.kind = %d THEN %[2]d ELSE %d END`,
		feed.ChangeDeleted, judgeForAll, feed.ChangeNarrowed)
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
		if c.Kind == feed.ChangeDeleted || c.Kind == judgeForAll {
			c.Kind, c.Other = feed.ChangeDeleted, c.User // judge it again
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

// audienceQuery returns the posts for an audience author that a change of their account concerns.
func audienceQuery() string {
	return "SELECT c.id, c.author_id, c.published_at FROM contents AS c\nWHERE c.audience_author = $1 AND (c.published_at, c.id) > ($2, $3) AND " +
		concerned("$5") + "\nORDER BY c.published_at, c.id LIMIT $4"
}

// concerned is the condition that a change of the audience author's account, of a kind, concerns a post by another
// user. If the account has become absent or present or was deleted, that is what is for its
// followers. Deleted posts have a row of their own.
func concerned(kind string) string {
	return fmt.Sprintf(`c.audience_author <> c.author_id AND c.deleted_at = 0
AND (%s <> %d OR c.audience <> %d OR EXISTS (SELECT 1 FROM users AS u WHERE u.id = c.audience_author AND u.private = 1))`,
		kind, feed.ChangeDeleted, feed.AudiencePublic)
}

// PostsFor implements [feed.AudienceLog].
func (s *Store) PostsFor(ctx context.Context, user feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, "SELECT c.published_at, c.id FROM contents AS c WHERE c.audience_author = $1 AND c.audience_author <> c.author_id\n  AND "+
		within("c.published_at", "c.id")+" AND "+s.d.matches(r.Filter, 7)+"\n"+ordered("c.published_at", "c.id", r), filterArgs(user, r))
}
