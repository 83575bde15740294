package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// FollowerIDs implements [feed.Audience].
func (s *Store) FollowerIDs(ctx context.Context, author feed.UserID, r feed.FollowerRange) ([]feed.UserID, error) {
	var out []feed.UserID
	part := r
	for size := followersFirst; ; size = min(2*size, followersMax) {
		part.Limit = size
		if !r.Active {
			part.Limit = min(size, r.Limit-len(out))
		}
		now, followers, err := s.followers(ctx, author, part)
		if err != nil {
			return nil, err
		}
		found := followers
		if r.Active {
			if found, err = s.active(ctx, followers, now-r.Grace.Milliseconds()); err != nil {
				return nil, err
			}
			slices.Sort(found)
		}
		out = append(out, found...)
		if len(followers) < part.Limit || len(out) >= r.Limit || followers[len(followers)-1] == r.UpTo {
			return out[:min(len(out), r.Limit)], nil
		}
		part.After = followers[len(followers)-1]
	}
}

// A read may go beyond the last follower of its range, by fewer than it may return. So the first one is
// as large as most slices, and further ones, up to a batch of pushes, need few statements.
const (
	followersFirst = 1000
	followersMax   = 4000
)

// followers returns followers, active or not, in ascending order, and the database's time.
func (s *Store) followers(ctx context.Context, author feed.UserID, r feed.FollowerRange) (now int64, followers []feed.UserID, err error) {
	type page struct {
		now int64
		ids string
	}
	stmt, args := s.followersQuery(author, r)
	// Among the statements of pages: the others may use an index that begins with followers, which they
	// would read as a whole, until PostgreSQL has analyzed a new table.
	pages, err := fetch(ctx, s, stmt, args, func(row scanner) (p page, err error) {
		err = row.Scan(&p.now, &p.ids)
		return p, err
	})
	if err != nil {
		return 0, nil, err
	}
	followers, err = parseIDs(pages[0].ids)
	slices.Sort(followers)
	return pages[0].now, followers, err
}

// followersQuery returns the ids as one text. Rows would take several times as long.
func (s *Store) followersQuery(author feed.UserID, r feed.FollowerRange) (stmt string, args []any) {
	now, args := s.now(author, r.After, r.UpTo, r.Limit)
	return `
SELECT ` + now + `, COALESCE(` + s.d.joined("follower_id") + `, '') FROM (
  SELECT follower_id FROM follows WHERE active = 1 AND ` + s.d.followersIn + `
  ORDER BY followee_id, follower_id LIMIT $4) AS page WHERE follower_id <= $3`, args
}

// FollowerBounds implements [feed.Audience].
func (s *Store) FollowerBounds(ctx context.Context, author, after feed.UserID, size, most int) ([]feed.UserID, error) {
	return query(ctx, s, boundsQuery, []any{author, after, size - 1, most}, one[feed.UserID])
}

// boundsQuery jumps through the index from the end of one slice to the end of the next, so that a
// follower costs one index step. The last slice ends at the last follower.
const boundsQuery = `
WITH RECURSIVE runs (last, n) AS (
  SELECT CAST($2 AS BIGINT), 0
  UNION ALL
  SELECT COALESCE(
    (SELECT follower_id FROM follows WHERE followee_id = $1 AND active = 1 AND follower_id > runs.last
     ORDER BY follower_id LIMIT 1 OFFSET $3),
    (SELECT max(follower_id) FROM follows WHERE followee_id = $1 AND active = 1 AND follower_id > runs.last)), n + 1
  FROM runs WHERE n < $4 AND last IS NOT NULL)
SELECT last FROM runs WHERE n > 0 AND last IS NOT NULL ORDER BY n`

func parseIDs(text string) ([]feed.UserID, error) {
	if text == "" {
		return nil, nil
	}
	ids := make([]feed.UserID, 0, 1+strings.Count(text, ","))
	for digits := range strings.SplitSeq(text, ",") {
		id, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("a list of ids from the database: %w", err)
		}
		ids = append(ids, feed.UserID(id))
	}
	return ids, nil
}

// Reach implements [feed.Audience].
func (s *Store) Reach(ctx context.Context, author feed.UserID) (followers int64, mark feed.CoverageFlag, err error) {
	err = s.row(ctx, `
SELECT COALESCE(c.followers, 0), u.mark
FROM users AS u LEFT JOIN user_counters AS c ON c.user_id = u.id WHERE u.id = $1`, []any{author}, &followers, &mark)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, feed.FlagNone, nil
	}
	return followers, mark, err
}
