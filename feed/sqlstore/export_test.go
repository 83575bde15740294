package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// ExplainOutbox returns the database's plan for [Store.Outbox], a line per step.
func (s *Store) ExplainOutbox(ctx context.Context, authors []feed.UserID, r feed.Range) (string, error) {
	return s.explain(ctx, s.outboxQuery(postsTable, r), kindArgs(ids(s.d, authors), r))
}

// ExplainFeed returns the database's plan for [Store.Feed].
func (s *Store) ExplainFeed(ctx context.Context, viewer feed.UserID, r feed.Range) (string, error) {
	return s.explain(ctx, s.feedQuery(postsTable, s.originalsShow(), r), kindArgs(int64(viewer), r))
}

// ExplainCovered returns the database's plan for [Store.Covered].
func (s *Store) ExplainCovered(ctx context.Context, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) (string, error) {
	return s.explain(ctx, s.coveredQuery(postsTable, "$1", r), coveredArgs(viewer, share, r))
}

// ExplainBuilds returns PostgreSQL's plan for [Store.Covered] of whole inboxes.
func (s *Store) ExplainBuilds(ctx context.Context, viewers []feed.UserID, limit int) (string, error) {
	builds := mapped(viewers, func(viewer feed.UserID) build { return build{viewer, limit} })
	text, args := s.buildsQuery(postsTable, builds, feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: limit})
	return s.explain(ctx, text, args)
}

// ExplainLists returns the database's plan for [Store.ReadLists], on PostgreSQL with the rows that
// each step read.
func (s *Store) ExplainLists(ctx context.Context, lists []feed.List) (string, error) {
	text, args := s.listsQuery(lists)
	return s.explainRead(ctx, text, args)
}

// explainRead explains and runs a statement on the connections for pages.
func (s *Store) explainRead(ctx context.Context, stmt string, args []any) (string, error) {
	if !s.d.isPostgres() {
		return s.explain(ctx, stmt, args)
	}
	lines, err := fetch(ctx, s, "EXPLAIN (ANALYZE, TIMING OFF) "+stmt, args, func(row scanner) (line string, err error) {
		err = row.Scan(&line)
		return line, err
	})
	return strings.Join(lines, "\n"), err
}

// ExplainPulled returns the database's plan for [Store.Pulled], for a cold inbox.
func (s *Store) ExplainPulled(ctx context.Context, viewer feed.UserID, since int64) (string, error) {
	return s.explain(ctx, generationAndPulled(), []any{viewer, since, feed.FlagSelective})
}

// ExplainSurvey returns the database's plan for [Store.Survey], on PostgreSQL.
func (s *Store) ExplainSurvey(ctx context.Context, viewer feed.UserID, since int64) (string, error) {
	asked := s.askSurveys(batch.Keys[surveyed]{List: []surveyed{{viewer, since, feed.FlagSelective, 50}}})
	return s.explain(ctx, asked.text, asked.args)
}

// ExplainReactions returns the database's plan for [Store.Reactions].
func (s *Store) ExplainReactions(ctx context.Context, viewer feed.UserID, list []feed.PostID) (string, error) {
	asked := s.askReactions(batch.Keys[toPost]{List: mapped(list, func(id feed.PostID) toPost { return toPost{viewer, id} })})
	return s.explain(ctx, asked.text, asked.args)
}

// ExplainEdges returns the database's plan for [Store.Edges].
func (s *Store) ExplainEdges(ctx context.Context, viewer feed.UserID, others []feed.UserID) (string, error) {
	asked := s.askEdges(batch.Keys[between]{List: mapped(others, func(other feed.UserID) between { return between{viewer, other} })})
	return s.explain(ctx, asked.text, asked.args)
}

// ExplainPosts returns the database's plan for [Store.Posts].
func (s *Store) ExplainPosts(ctx context.Context, list []feed.PostID) (string, error) {
	asked := s.askPosts(batch.Keys[feed.PostID]{List: list})
	return s.explain(ctx, asked.text, asked.args)
}

// ExplainBatchPosts returns PostgreSQL's plan for the posts that a batch names.
func (s *Store) ExplainBatchPosts(ctx context.Context, list []feed.PostID) (string, error) {
	return inTxOf(ctx, s, func(tx *sql.Tx) (string, error) {
		if err := s.importing(ctx, tx); err != nil {
			return "", err
		}
		lines, err := collect(ctx, tx, "EXPLAIN "+s.loadedPosts(), []any{ids(s.d, list)}, scanText)
		return strings.Join(lines, "\n"), err
	})
}

// ExplainFollowing returns the database's plan for [Store.Following].
func (s *Store) ExplainFollowing(ctx context.Context, user feed.UserID, r feed.Range) (string, error) {
	return s.explain(ctx, s.followsQuery("follower_id", "followee_id", r), rangeArgs(user, r))
}

// ExplainChangesOf returns the database's plan for [Store.ChangesOf].
func (s *Store) ExplainChangesOf(ctx context.Context, users []feed.UserID, since int64) (string, error) {
	return s.explain(ctx, changesOfQuery(s.d), []any{since, 100, ids(s.d, users)})
}

// ExplainHomeChanges returns the database's plan for [Store.HomeChanges].
func (s *Store) ExplainHomeChanges(ctx context.Context, viewer feed.UserID, since int64) (string, error) {
	return s.explain(ctx, feedChangesQuery(s.d, homeKinds()), []any{since, 100, viewer})
}

// ExplainPostsOf returns the database's plan for [Store.PostsOf].
func (s *Store) ExplainPostsOf(ctx context.Context, author feed.UserID, r feed.Range) (string, error) {
	return s.explain(ctx, postsOfQuery(r), kindArgs(author, r))
}

// ExplainReposts returns the database's plan for the reposts of a post.
func (s *Store) ExplainReposts(ctx context.Context) (string, error) {
	return s.explain(ctx, repostsQuery, []any{1, 0, 100})
}

// ExplainForget returns the database's plan for the posts without reposts.
func (s *Store) ExplainForget(ctx context.Context) (string, error) {
	return s.explain(ctx, forgetQuery(), nil)
}

func (s *Store) explain(ctx context.Context, stmt string, args []any) (string, error) {
	command := "EXPLAIN QUERY PLAN "
	if s.d.isPostgres() {
		command = "EXPLAIN "
	}
	lines, err := query(ctx, s, command+stmt, args, scanText)
	return strings.Join(lines, "\n"), err
}

// scanText scans the last column, which is text. SQLite puts numbers before the line of a plan.
func scanText(row scanner) (string, error) {
	rows, ok := row.(*sql.Rows)
	if !ok {
		return "", fmt.Errorf("a %T has no columns", row)
	}
	columns, err := rows.Columns()
	if err != nil {
		return "", err
	}
	var line string
	dest := make([]any, len(columns))
	for i := range dest {
		dest[i] = new(any)
	}
	dest[len(dest)-1] = &line
	err = rows.Scan(dest...)
	return line, err
}

// Exec runs a statement.
func (s *Store) Exec(ctx context.Context, stmt string) error {
	_, err := s.db.ExecContext(ctx, stmt)
	return err
}

// Tables returns the names of the tables.
func (s *Store) Tables(ctx context.Context) ([]string, error) { return s.tables(ctx) }

// Wipe empties a migrated PostgreSQL database.
func (s *Store) Wipe(ctx context.Context) error {
	tables, err := query(ctx, s, `
SELECT string_agg(tablename, ', ') FROM pg_tables
WHERE schemaname = 'public' AND tablename <> 'schema_versions'`, nil, scanText)
	if err != nil {
		return err
	}
	return s.Exec(ctx, "TRUNCATE "+tables[0]+` RESTART IDENTITY;
INSERT INTO feed_state (id, generation) VALUES (1, 1);
INSERT INTO live_clock (id, number) VALUES (1, 0);
INSERT INTO change_state (id) VALUES (1)`)
}

// Afresh returns a store with empty caches on the connections of s. It closes with s.
func (s *Store) Afresh() *Store {
	again := &Store{
		d: s.d, db: s.db, ro: s.ro, pages: s.pages, spread: s.spread, epochs: s.epochs,
		newID: s.newID, textIDs: s.textIDs, postgres: s.postgres, config: s.config, conns: s.conns, watch: s.watch,
	}
	return again.withLookups().withGroupCommits()
}

// KnownRows returns the planner's estimate of the rows of a table.
func (s *Store) KnownRows(ctx context.Context, table string) (n int64, err error) {
	// SQLite's text begins with the number of rows. Some indexes are partial.
	known := `SELECT COALESCE(MAX(CAST(stat AS INTEGER)), 0) FROM sqlite_stat1 WHERE tbl = $1`
	if s.d.isPostgres() {
		known = `SELECT CAST(reltuples AS BIGINT) FROM pg_class WHERE relname = $1`
	}
	err = s.ro.QueryRowContext(ctx, known, table).Scan(&n)
	return n, err
}

// Empties returns how many tables and indexes SQLite considers empty.
func (s *Store) Empties(ctx context.Context) (n int, err error) {
	err = s.ro.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_stat1 WHERE CAST(stat AS INTEGER) = 0`).Scan(&n)
	return n, err
}

// Begin begins a transaction, which the test ends.
func (s *Store) Begin(ctx context.Context) (*sql.Tx, error) { return s.db.BeginTx(ctx, nil) }
