package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/batch"
)

// PushMost is how many viewers one transaction of [Inboxes.Push] serves.
const PushMost = pushMost

// ExplainRead returns the database's plan for [Inboxes.Read], a line per step. On PostgreSQL the
// statement also runs, so that the plan contains row counts.
func (s *Inboxes) ExplainRead(ctx context.Context, viewer feed.UserID, r feed.Range) (string, error) {
	stmt := s.readInbox(r)
	if s.store.d.isPostgres() {
		stmt = "(ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) " + stmt
	}
	return s.store.explain(ctx, stmt, rangeArgs(int64(viewer), r))
}

// ExplainTops returns PostgreSQL's plan for concurrent calls of [Inboxes.Read].
func (s *Inboxes) ExplainTops(ctx context.Context, viewer feed.UserID, r feed.Range) (string, error) {
	asked := s.askTops(batch.Keys[inboxTop]{List: []inboxTop{{viewer, &r}}})
	return s.store.explain(ctx, "(ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "+asked.text, asked.args)
}

// ExplainPreparedRead returns PostgreSQL's generic plan for [Inboxes.Read], which it uses after
// several runs.
func (s *Inboxes) ExplainPreparedRead(ctx context.Context, viewer feed.UserID, r feed.Range) (plan string, err error) {
	err = s.store.inTx(ctx, func(tx *sql.Tx) error {
		for _, stmt := range []string{
			"SET LOCAL plan_cache_mode = force_generic_plan",
			"PREPARE read_inbox (bigint, bigint, bigint, bigint, bigint, bigint) AS " + s.readInbox(r),
		} {
			if _, err := tx.ExecContext(ctx, stmt); err != nil {
				return err
			}
		}
		args := make([]string, 0, 6)
		for _, arg := range rangeArgs(int64(viewer), r) {
			args = append(args, fmt.Sprint(arg))
		}
		lines, err := collect(ctx, tx, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE read_inbox ("+
			strings.Join(args, ", ")+")", nil, scanText)
		if err != nil {
			return err
		}
		plan = strings.Join(lines, "\n")
		// A rollback does not deallocate, and the connection is used again.
		_, err = tx.ExecContext(ctx, "DEALLOCATE read_inbox")
		return err
	})
	return plan, err
}

// ExplainTrim returns the plans of the statements by which [Inboxes.Push] trims full inboxes.
func (s *Inboxes) ExplainTrim(ctx context.Context, viewers []feed.UserID) (string, error) {
	full := make([]inboxHeader, len(viewers))
	for i, viewer := range viewers {
		full[i].viewer = viewer
	}
	raise, err := s.store.explain(ctx, s.raiseFloors(), []any{ids(s.store.d, viewers)})
	if err != nil {
		return "", err
	}
	stmt, args := s.dropFloors(full)
	drop, err := s.store.explain(ctx, stmt, args)
	return raise + "\n" + drop, err
}

// Misfits counts the headers with a wrong count, and the entries that are not above the floor of a
// header.
func (s *Inboxes) Misfits(ctx context.Context) (n int, err error) {
	err = s.store.ro.QueryRowContext(ctx, `
SELECT (SELECT COUNT(*) FROM `+s.headers+` AS h
        WHERE h.entry_count <> (SELECT COUNT(*) FROM `+s.entries+` AS e WHERE e.user_id = h.user_id))
     + (SELECT COUNT(*) FROM `+s.entries+` AS e
        WHERE NOT EXISTS (SELECT 1 FROM `+s.headers+` AS h
          WHERE h.user_id = e.user_id AND (h.floor_ts, h.floor_id) < (e.publish_time, e.content_id)))`).Scan(&n)
	return n, err
}
