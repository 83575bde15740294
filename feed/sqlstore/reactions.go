package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
)

// reacting identifies a reaction to a post, made or undone.
type reacting struct {
	post feed.PostID
	kind feed.Reaction
	on   bool
}

// reaction is the user and the time of a reaction.
type reaction struct {
	user feed.UserID
	at   int64
}

// React implements [feed.PostWriter]. A user who is not stored is also [feed.CodeNotFound].
func (s *Store) React(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID, at int64) error {
	return s.groupCommits.reactions.Do(ctx, reacting{post, r, true}, reaction{user, at})
}

// Unreact implements [feed.PostWriter]. It also undoes reactions to deleted posts.
func (s *Store) Unreact(ctx context.Context, r feed.Reaction, user feed.UserID, post feed.PostID) error {
	return s.groupCommits.reactions.Do(ctx, reacting{post, r, false}, reaction{user: user})
}

// react makes or undoes the reactions of several users to one post.
func (s *Store) react(ctx context.Context, to reacting, parts []reaction) ([]error, error) {
	if to.on && s.d.isPostgres() {
		return s.reactAtOnce(ctx, to, parts)
	}
	return inTxOf(ctx, s, func(tx *sql.Tx) ([]error, error) { return s.reactIn(ctx, tx, to, parts) })
}

// reactAtOnce makes reactions in one statement of PostgreSQL.
func (s *Store) reactAtOnce(ctx context.Context, to reacting, parts []reaction) ([]error, error) {
	var stored int64
	insert, args := s.insertReactions(to, parts)
	err := s.changeRow(ctx, fmt.Sprintf(`
WITH stored AS (%s RETURNING content_id),
counted AS (
  INSERT INTO content_counters (content_id, %[2]s) SELECT content_id, COUNT(*) FROM stored GROUP BY content_id
  ON CONFLICT (content_id) DO UPDATE SET %[2]s = content_counters.%[2]s + excluded.%[2]s)
SELECT COUNT(*) FROM stored`, insert, reactionCounter(to.kind)), args, &stored)
	if err != nil || stored == int64(len(parts)) {
		return nil, err
	}
	var each []error
	err = s.retrying(ctx, func() (err error) {
		each, err = s.whyNoReaction(ctx, s.db, to.post, parts)
		return err
	})
	return each, err
}

// reactionCounter returns the column of content_counters for a kind of reaction.
func reactionCounter(kind feed.Reaction) string {
	if kind == feed.ReactionFavorite {
		return "favorites"
	}
	return "likes"
}

func (s *Store) reactIn(ctx context.Context, tx *sql.Tx, to reacting, parts []reaction) (each []error, err error) {
	var changed int64
	if to.on {
		changed, each, err = s.storeReactions(ctx, tx, to, parts)
	} else {
		changed, err = s.dropReactions(ctx, tx, to, parts)
		changed = -changed
	}
	if err != nil || changed == 0 {
		return each, err
	}
	t := newTally()
	t.reaction(to.kind, to.post, changed)
	return each, t.store(ctx, s, tx)
}

// storeReactions returns how many reactions it stored, and the errors of the others.
func (s *Store) storeReactions(ctx context.Context, tx *sql.Tx, to reacting, parts []reaction) (int64, []error, error) {
	insert, args := s.insertReactions(to, parts)
	stored, err := execRows(ctx, tx, insert, args...)
	if err != nil || stored == int64(len(parts)) {
		return stored, nil, err
	}
	each, err := s.whyNoReaction(ctx, tx, to.post, parts)
	return stored, each, err
}

// insertReactions returns the statement that stores reactions, and its arguments.
//
// It does not lock the post's row against a concurrent deletion. A reaction that saw the post
// counts as made before the deletion, which keeps reactions.
func (s *Store) insertReactions(to reacting, parts []reaction) (stmt string, args []any) {
	from, args := s.d.table([]column{
		intColumn("content_id", parts, func(reaction) feed.PostID { return to.post }),
		textColumn("kind", parts, func(reaction) feed.Reaction { return to.kind }),
		intColumn("user_id", parts, func(p reaction) feed.UserID { return p.user }),
		intColumn("created_at", parts, func(p reaction) int64 { return p.at }),
	})
	return `
INSERT INTO reactions (content_id, kind, user_id, created_at)
SELECT c.id, r.kind, u.id, r.created_at
FROM ` + from + ` JOIN contents AS c ON c.id = r.content_id JOIN users AS u ON u.id = r.user_id
WHERE c.deleted_at = 0 AND ` + s.d.present("c.author_id") + ` AND u.deleted_at = 0 AND u.absent = 0
ORDER BY u.id` + s.d.holding + `
ON CONFLICT DO NOTHING`, args
}

// whyNoReaction returns an error for each reaction that cannot be stored, nil if it exists.
func (s *Store) whyNoReaction(ctx context.Context, on queryer, post feed.PostID, parts []reaction) ([]error, error) {
	postStands, err := collect(ctx, on, `
SELECT EXISTS (SELECT 1 FROM contents WHERE id = $1 AND deleted_at = 0 AND `+s.d.present("author_id")+`)`, []any{post}, one[bool])
	if err != nil {
		return nil, err
	}
	users, err := collect(ctx, on, `SELECT id FROM users WHERE deleted_at = 0 AND absent = 0 AND `+s.d.in("id", 1), []any{ids(s.d, usersOf(parts))}, one[feed.UserID])
	if err != nil {
		return nil, err
	}
	each := make([]error, len(parts))
	for i, p := range parts {
		switch {
		case !postStands[0]:
			each[i] = errNoPost()
		case !slices.Contains(users, p.user):
			each[i] = errNoUser()
		}
	}
	return each, nil
}

// dropReactions removes reactions, also to deleted posts, and returns how many there were.
func (s *Store) dropReactions(ctx context.Context, tx *sql.Tx, to reacting, parts []reaction) (int64, error) {
	dropped, err := collect(ctx, tx, `
DELETE FROM reactions WHERE content_id = $2 AND kind = $3 AND `+s.d.in("user_id", 1)+` RETURNING user_id`,
		[]any{ids(s.d, usersOf(parts)), to.post, to.kind}, func(rows scanner) (absentEdge, error) {
			row := absentEdge{kind: string(to.kind), target: int64(to.post)}
			err := rows.Scan(&row.user)
			return row, err
		})
	if err != nil {
		return 0, err
	}
	return int64(len(dropped)), s.noteAbsent(ctx, tx, dropped)
}

func usersOf(parts []reaction) []feed.UserID {
	return mapped(parts, func(p reaction) feed.UserID { return p.user })
}
