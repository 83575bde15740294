package sqlstore

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.AnnouncementLog = (*Store)(nil)

// MarkAnnounced implements [feed.AnnouncementLog]. The end of a slice is committed before this
// call, so the last of several concurrent calls finds no open slice.
func (s *Store) MarkAnnounced(ctx context.Context, content feed.PostID) (bool, error) {
	marked, err := s.change(ctx, `
UPDATE plans SET announced = 1 WHERE content_id = $1 AND open_slices = 0 AND announced = 0`, content)
	return marked == 1, err
}

// LogPushed implements [feed.AnnouncementLog].
func (s *Store) LogPushed(ctx context.Context, post *feed.Post, viewers []feed.UserID) error {
	if len(viewers) == 0 {
		return nil
	}
	rows, args := s.changeRows(0, mapped(viewers, func(viewer feed.UserID) feed.Change {
		return feed.Change{Kind: feed.ChangePushed, User: viewer, Other: post.Author, Post: post.ID}
	}))
	args = append(args, post.ID)
	rows += fmt.Sprintf(" WHERE NOT EXISTS (SELECT 1 FROM plans WHERE plans.content_id = $%d)", len(args))
	return s.inTx(ctx, func(tx *sql.Tx) error {
		if s.d.isPostgres() {
			s.willLog(tx)
			return exec(ctx, tx, queueChanges+rows, args...)
		}
		return s.logRows(ctx, tx, rows, args...)
	})
}

// FollowersAmong implements [feed.Audience].
func (s *Store) FollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	if len(users) == 0 {
		return nil, nil
	}
	return query(ctx, s, s.amongQuery(), []any{ids(s.d, users), author}, one[feed.UserID])
}

// SpecialFollowersAmong implements [feed.Audience].
func (s *Store) SpecialFollowersAmong(ctx context.Context, author feed.UserID, users []feed.UserID) ([]feed.UserID, error) {
	if len(users) == 0 {
		return nil, nil
	}
	return query(ctx, s, s.specialAmongQuery(), []any{ids(s.d, users), author}, one[feed.UserID])
}

// specialAmongQuery reads an index of special follows, of which an author has few.
func (s *Store) specialAmongQuery() string {
	return `SELECT f.follower_id FROM follows AS f WHERE f.followee_id = $2 AND f.active = 1 AND f.options % 2 = 1 AND ` + s.d.in("f.follower_id", 1)
}

// amongQuery looks up each user. With a condition on the list, or EXISTS, PostgreSQL plans to read all
// followers of the author.
func (s *Store) amongQuery() string {
	return `SELECT viewer.id FROM ` + s.d.unnest("viewer") + `
WHERE (SELECT f.active FROM follows AS f WHERE f.followee_id = $2 AND f.follower_id = viewer.id AND f.active = 1) = 1`
}
