package sqlstore

import (
	"context"
	"database/sql"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.FollowRequests = (*Store)(nil)

// AcceptFollow implements [feed.FollowRequests].
func (s *Store) AcceptFollow(ctx context.Context, followee, follower feed.UserID, at int64) error {
	return s.inTx(ctx, func(tx *sql.Tx) error {
		stored, err := s.lockPresent(ctx, tx, []feed.UserID{follower})
		if err != nil {
			return err
		}
		states, err := s.readFollows(ctx, tx, []feed.UserID{follower}, followee)
		state := states[follower]
		switch _, there := stored[follower]; {
		case err != nil || state.active:
			return err
		case !there || !state.followeeStored || !state.requested:
			return feed.Errorf(feed.CodeNotFound, "this user has not asked to follow you").At("userId")
		}
		return s.storeFollows(ctx, tx, []follow{{follower: follower, at: at, options: state.options}}, followee)
	})
}

// RejectFollow implements [feed.FollowRequests].
func (s *Store) RejectFollow(ctx context.Context, followee, follower feed.UserID) error {
	_, err := s.change(ctx, `DELETE FROM follow_requests WHERE follower_id = $1 AND followee_id = $2`, follower, followee)
	return err
}

// FollowRequested implements [feed.FollowRequests].
func (s *Store) FollowRequested(ctx context.Context, follower feed.UserID, followees []feed.UserID) ([]bool, error) {
	asked, err := fetch(ctx, s, `
SELECT q.followee_id FROM follow_requests AS q JOIN users AS u ON u.id = q.followee_id
WHERE q.follower_id = $1 AND u.private = 1 AND `+s.d.in("q.followee_id", 2), []any{follower, ids(s.d, followees)},
		into(func(id *feed.UserID) []any { return []any{id} }))
	if err != nil {
		return nil, err
	}
	set := setOf(asked)
	return mapped(followees, func(id feed.UserID) bool { return set[id] }), nil
}

// FollowRequests implements [feed.FollowRequests].
func (s *Store) FollowRequests(ctx context.Context, followee feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, s.usersQuery("follow_requests", "followee_id = $1", "follower_id", r), rangeArgs(followee, r))
}

// SentFollowRequests implements [feed.FollowRequests].
func (s *Store) SentFollowRequests(ctx context.Context, follower feed.UserID, r feed.Range) ([]feed.Key, error) {
	return s.keys(ctx, s.usersQuery("follow_requests", "follower_id = $1", "followee_id", r), rangeArgs(follower, r))
}

// storeRequests stores requests, which begin when they are made first.
func (s *Store) storeRequests(ctx context.Context, tx *sql.Tx, asked []follow, followee feed.UserID) error {
	if len(asked) == 0 {
		return nil
	}
	_, err := s.d.insertRows(ctx, tx, "follow_requests", "DO NOTHING",
		intColumn("follower_id", asked, func(f follow) feed.UserID { return f.follower }),
		intColumn("followee_id", asked, func(follow) feed.UserID { return followee }),
		intColumn("created_at", asked, func(f follow) int64 { return f.at }),
		intColumn("options", asked, func(f follow) feed.FollowOptions { return f.options }))
	return err
}

// endRequests ends the requests of several users to one.
func (s *Store) endRequests(ctx context.Context, tx *sql.Tx, followers []feed.UserID, followee feed.UserID) error {
	return exec(ctx, tx, `DELETE FROM follow_requests WHERE followee_id = $1 AND `+s.d.in("follower_id", 2), followee, ids(s.d, followers))
}

// endRequestsBetween ends the requests of two users to each other.
func endRequestsBetween(ctx context.Context, tx *sql.Tx, a, b feed.UserID) error {
	return exec(ctx, tx, `
DELETE FROM follow_requests WHERE follower_id = $1 AND followee_id = $2 OR follower_id = $2 AND followee_id = $1`, a, b)
}

// endBlockedRequests ends the requests between two users if a new block is between them.
func (w *writer) endBlockedRequests(ctx context.Context) error {
	var pairs []*feed.FollowRecord
	for _, c := range w.changes.Relations {
		if c.Key.Kind == feed.RelationBlock && c.Made() > 0 {
			pairs = append(pairs, &feed.FollowRecord{Follower: c.Key.User, Followee: c.Key.Target}, &feed.FollowRecord{Follower: c.Key.Target, Followee: c.Key.User})
		}
	}
	if len(pairs) == 0 || w.changes.OwnsFollows {
		return nil
	}
	from, args := w.s.d.table(requestEdges.key.take(pairs))
	return exec(ctx, w.tx, "DELETE FROM follow_requests WHERE (follower_id, followee_id) IN (SELECT r.follower_id, r.followee_id FROM "+from+")", args...)
}
