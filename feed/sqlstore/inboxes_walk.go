package sqlstore

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/tideline-feeds/tideline/feed"
)

var _ feed.InboxTrimmer = (*Inboxes)(nil)

// Walk implements [feed.InboxWalker] along the primary key of the headers. The cursor is the last
// id; a text that is no number is before all ids.
func (s *Inboxes) Walk(ctx context.Context, cursor string, limit int) ([]feed.UserID, string, error) {
	after, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil {
		after = 0
	}
	viewers, err := query(ctx, s.store, s.walkInboxes(), []any{after, limit}, one[feed.UserID])
	if err != nil || len(viewers) < max(limit, 1) {
		return viewers, "", err
	}
	return viewers, viewers[len(viewers)-1].String(), nil
}

func (s *Inboxes) walkInboxes() string {
	return `SELECT user_id FROM ` + s.headers + ` WHERE user_id > $1 ORDER BY user_id LIMIT $2`
}

// Trim implements [feed.InboxTrimmer]. Headers always match their entries here, so a read without
// locks usually finds nothing to do. Otherwise each inbox is one short transaction.
func (s *Inboxes) Trim(ctx context.Context, viewers []feed.UserID, generation int64) error {
	if len(viewers) == 0 {
		return nil
	}
	untidy, err := query(ctx, s.store, `
SELECT user_id FROM `+s.headers+` WHERE (generation < $2 OR entry_count > $3) AND `+s.store.d.in("user_id", 1),
		[]any{ids(s.store.d, viewers), generation, s.cap}, one[feed.UserID])
	if err != nil {
		return err
	}
	for _, viewer := range untidy {
		err := s.store.inTx(ctx, func(tx *sql.Tx) error { return s.trimOne(ctx, tx, viewer, generation) })
		if err != nil {
			return err
		}
	}
	return nil
}

// trimOne removes an inbox of a lower generation and trims any other. It repeats the checks,
// because the inbox may have changed before it was locked.
func (s *Inboxes) trimOne(ctx context.Context, tx *sql.Tx, viewer feed.UserID, generation int64) error {
	old, err := s.lock(ctx, tx, viewer, "generation < $2", generation)
	if err != nil {
		return err
	}
	if old != nil {
		return s.remove(ctx, tx, viewer)
	}
	h, err := s.lock(ctx, tx, viewer, "entry_count > $2", s.cap)
	if err != nil || h == nil {
		return err
	}
	return s.shrink(ctx, tx, *h)
}
