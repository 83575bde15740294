package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Set applies an option to an open store.
func (s *Store) Set(option Option) { option(s) }

// ExplainFollowers returns the database's plan for [Store.FollowerIDs], a line per
// step.
func (s *Store) ExplainFollowers(ctx context.Context, author feed.UserID, r feed.FollowerRange) (string, error) {
	stmt, args := s.followersQuery(author, r)
	if !s.d.isPostgres() {
		return s.explain(ctx, stmt, args)
	}
	return s.explainPage(ctx, "EXPLAIN ", stmt, args)
}

// RunFollowers is ExplainFollowers of PostgreSQL after a run, with the number of pages read.
func (s *Store) RunFollowers(ctx context.Context, author feed.UserID, r feed.FollowerRange) (string, error) {
	stmt, args := s.followersQuery(author, r)
	return s.explainPage(ctx, "EXPLAIN (ANALYZE, BUFFERS) ", stmt, args)
}

// explainPage explains a statement on a connection for pages.
func (s *Store) explainPage(ctx context.Context, explain, stmt string, args []any) (string, error) {
	lines, err := fetch(ctx, s, explain+stmt, args, one[string])
	return strings.Join(lines, "\n"), err
}

// ExplainBounds returns the database's plan for [Store.FollowerBounds]. PostgreSQL has to run it to
// print what it does for each row of a recursion.
func (s *Store) ExplainBounds(ctx context.Context, author feed.UserID) (string, error) {
	stmt := boundsQuery
	if s.d.isPostgres() {
		stmt = "ANALYZE " + stmt
	}
	return s.explain(ctx, stmt, []any{author, 0, 999, 100})
}

// ExplainLeases returns the plan for reading leases.
func (s *Store) ExplainLeases(ctx context.Context, users []feed.UserID) (string, error) {
	return s.explain(ctx, s.leasesQuery(), []any{0, ids(s.d, users)})
}

// ExplainAmong returns the database's plan for [Store.FollowersAmong].
func (s *Store) ExplainAmong(ctx context.Context, author feed.UserID, users []feed.UserID) (string, error) {
	return s.explain(ctx, s.amongQuery(), []any{author, ids(s.d, users)})
}

// ExplainUnfollowed returns the database's plan for [Store.Unfollowed].
func (s *Store) ExplainUnfollowed(ctx context.Context, viewer feed.UserID, since int64) (string, error) {
	return s.explain(ctx, unfollowedQuery, []any{viewer, since})
}

// ExplainDormant returns the database's plan for [Store.Dormant].
func (s *Store) ExplainDormant(ctx context.Context, viewers []feed.UserID) (string, error) {
	stmt, args := s.dormantQuery(viewers, time.Hour)
	return s.explain(ctx, stmt, args)
}

// ExplainCleanup returns the plans by which [Store.Cleanup] drops plans and keys.
func (s *Store) ExplainCleanup(ctx context.Context, before int64, limit int) (plans, keys string, err error) {
	plans, err = s.explain(ctx, s.oldPlansQuery(), []any{before, limit})
	if err != nil {
		return "", "", err
	}
	keys, err = s.explain(ctx, s.dropKeysQuery(), []any{before, limit})
	return plans, keys, err
}

// CleanupWhile drops plans as [Store.Cleanup] does, calls meanwhile before the commit, and rolls
// back.
func (s *Store) CleanupWhile(ctx context.Context, before int64, limit int, meanwhile func(dropped []feed.PostID) error) error {
	undo := errors.New("undo")
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		dropped, _, err := s.dropOldPlans(ctx, tx, before, limit)
		if err == nil {
			err = meanwhile(dropped)
		}
		return cmp.Or(err, undo)
	})
	if errors.Is(err, undo) {
		return nil
	}
	return err
}

// DueEventsWhile takes events as [Store.Due] does, calls meanwhile before the commit, and rolls
// back.
func (s *Store) DueEventsWhile(
	ctx context.Context, now int64, limit int, meanwhile func(taken []feed.Dispatchable[feed.PostID]) error,
) error {
	undo := errors.New("undo")
	err := s.inTx(ctx, func(tx *sql.Tx) error {
		taken, err := s.dueEvents(ctx, tx, now, limit, func(int) int64 { return now + 1 })
		if err == nil {
			err = meanwhile(taken)
		}
		return cmp.Or(err, undo)
	})
	if errors.Is(err, undo) {
		return nil
	}
	return err
}

// ExplainWalk returns the database's plan for [Inboxes.Walk].
func (s *Inboxes) ExplainWalk(ctx context.Context, after feed.UserID, limit int) (string, error) {
	return s.store.explain(ctx, s.walkInboxes(), []any{after, limit})
}

// ExplainFreedHandles returns the database's plan for [Store.DropFreedHandles].
func (s *Store) ExplainFreedHandles(ctx context.Context, before int64, limit int) (string, error) {
	return s.explain(ctx, s.dropFreedQuery(), []any{before, limit})
}

// ExplainOldest returns the plan for the objects of a table that have been awaited the longest.
func (s *Store) ExplainOldest(ctx context.Context, table string) (string, error) {
	return s.explain(ctx, oldestQuery(table), []any{feed.OldestAwaited})
}
