package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Covered implements [feed.Coverage].
func (s *Store) Covered(ctx context.Context, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return s.coveredKeys(ctx, postsTable, viewer, share, r)
}

// coveredKeys reads the few authors since a version on the connections that plan once: planning
// takes longer than such a read.
func (s *Store) coveredKeys(
	ctx context.Context, table string, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range,
) ([]feed.Key, error) {
	text, args := s.coveredQuery(table, r), coveredArgs(viewer, share, r)
	if share.Since > 0 {
		return fetch(ctx, s, text, args, scanKey)
	}
	return s.keys(ctx, text, args)
}

// coveredQuery takes the version of the share, and the lowest mark of its authors, after the
// parameters of every list of posts.
func (s *Store) coveredQuery(table string, r feed.Range) string {
	return `
WITH covered AS MATERIALIZED (
    SELECT f.followee_id AS id FROM follows AS f JOIN users AS u ON u.id = f.followee_id
    WHERE f.follower_id = $1 AND f.active = 1 AND f.followee_id <> $1 AND u.deleted_at = 0
      AND f.version > ` + afterKinds(1) + ` AND u.mark >= ` + afterKinds(2) + ` AND u.mark < 2
)` + s.mergedPosts(table, "covered", "TRUE", r)
}

func coveredArgs(viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) []any {
	lowest := feed.FlagNone
	if share.Selective {
		lowest = feed.FlagSelective
	}
	return append(kindArgs(int64(viewer), r), share.Since, int64(lowest))
}

// Unfollowed implements [feed.Coverage]. A follow that was made again is not in the index.
func (s *Store) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return query(ctx, s, unfollowedQuery, []any{viewer, since}, one[feed.UserID])
}

const unfollowedQuery = `SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 0 AND version > $2`
