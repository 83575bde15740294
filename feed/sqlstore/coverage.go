package sqlstore

import (
	"context"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Covered implements [feed.Coverage].
func (s *Store) Covered(ctx context.Context, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return s.coveredKeys(ctx, postsTable, viewer, share, r)
}

// coveredKeys reads the few authors since a version on the connections that plan once: planning
// takes longer than such a read. Concurrent builds share statements.
func (s *Store) coveredKeys(
	ctx context.Context, table string, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range,
) ([]feed.Key, error) {
	if builds := s.lookups.builds[table]; builds != nil && share == (feed.FolloweeFilter{}) && isOfBuild(r) {
		keys, err := builds.One(ctx, build{viewer, r.Limit})
		return slices.Clone(keys), err
	}
	text, args := s.coveredQuery(table, "$1", r), coveredArgs(viewer, share, r)
	if share.Since > 0 {
		return fetch(ctx, s, text, args, scanKey)
	}
	return s.keys(ctx, text, args)
}

// coveredQuery takes the version of the share, and the lowest mark of its authors, after the
// parameters of every list of posts. viewer is an expression.
func (s *Store) coveredQuery(table, viewer string, r feed.Range) string {
	return `
WITH covered AS MATERIALIZED (
    SELECT f.followee_id AS id FROM follows AS f JOIN users AS u ON u.id = f.followee_id
    WHERE f.follower_id = ` + viewer + ` AND f.active = 1 AND f.followee_id <> ` + viewer + ` AND u.deleted_at = 0
      AND f.version > ` + afterFilter(r.Filter, 1) + ` AND u.mark >= ` + afterFilter(r.Filter, 2) + ` AND u.mark < 2
)` + s.mergedPosts(table, "covered", "TRUE", r)
}

// build identifies what the build of an inbox reads: the newest posts of all covered authors.
type build struct {
	viewer feed.UserID
	limit  int
}

func isOfBuild(r feed.Range) bool {
	return r.Above == feed.Bottom && r.Below == feed.Top && !r.Ascending && r.Filter.Any()
}

// buildBatches is how many statements for builds run at once, each for all builds that wait.
const buildBatches = 4

// askBuilds reads the posts of one of the tables for many inboxes, a row for each inbox. A statement
// for each, with a row for each post, takes a quarter more processor time.
func (s *Store) askBuilds(table string) func(batch.Keys[build]) reading[[]feed.Key] {
	return func(builds batch.Keys[build]) reading[[]feed.Key] {
		r := feed.Range{Above: feed.Bottom, Below: feed.Top}
		for _, b := range builds.List {
			r.Limit = max(r.Limit, b.limit)
		}
		text, args := s.buildsQuery(table, builds.List, r)
		return readInto(len(builds.List), text, args, func(found [][]feed.Key, row scanner) error {
			var l listed
			err := row.Scan(&l.place, &l.keys)
			if err == nil {
				keys := directed(l.keys, r)
				found[l.place] = keys[:min(len(keys), builds.List[l.place].limit)]
			}
			return err
		})
	}
}

func (s *Store) buildsQuery(table string, builds []build, r feed.Range) (text string, args []any) {
	args = coveredArgs(0, feed.FolloweeFilter{}, r)
	args[0] = mapped(builds, func(b build) int64 { return int64(b.viewer) })
	return `
SELECT build.place - 1, (SELECT ` + s.d.pairs("page.published_at", "page.id") + ` FROM (` +
		s.coveredQuery(table, "build.viewer", r) + `
) AS page) FROM unnest($1::bigint[]) WITH ORDINALITY AS build(viewer, place)`, args
}

func coveredArgs(viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) []any {
	lowest := feed.FlagNone
	if share.Selective {
		lowest = feed.FlagSelective
	}
	return append(filterArgs(int64(viewer), r), share.Since, int64(lowest))
}

// Unfollowed implements [feed.Coverage]. A follow that was made again is not in the index.
func (s *Store) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return query(ctx, s, unfollowedQuery, []any{viewer, since}, one[feed.UserID])
}

const unfollowedQuery = `SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 0 AND version > $2`
