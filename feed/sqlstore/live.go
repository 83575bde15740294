package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Live keeps live sessions in a [Store]. It implements [live.Sessions], [live.History] and
// [live.Changes]. Use [NewLive].
//
// Every transition locks the clock of transitions first, and so sees all earlier ones.
type Live struct{ store *Store }

var (
	_ live.Sessions = (*Live)(nil)
	_ live.History  = (*Live)(nil)
	_ live.Changes  = (*Live)(nil)
)

// NewLive returns the live sessions in a store.
func NewLive(s *Store) *Live { return &Live{s} }

// Sessions implements [live.Sessions].
func (l *Live) Sessions(ctx context.Context, list []live.ID) ([]*live.Session, error) {
	return l.store.lookups.sessions.All(ctx, list)
}

func (s *Store) askSessions(list batch.Keys[live.ID]) reading[*live.Session] {
	text := selectSessions + s.d.in("s.id", 1)
	return eachFound(s.d, list, text, sessionColumns.scan(), func(s *live.Session) live.ID { return s.ID })
}

// OfHost implements [live.Sessions].
func (l *Live) OfHost(ctx context.Context, host feed.UserID, below live.ID, limit int) ([]live.PublicID, error) {
	return query(ctx, l.store, ofHostQuery, []any{host, below, limit}, func(row scanner) (id live.PublicID, err error) {
		err = row.Scan(&id.Number, &id.External)
		return id, err
	})
}

const ofHostQuery = `
SELECT s.id, s.external_id FROM live_sessions AS s WHERE s.host_id = $1 AND s.id < $2 ORDER BY s.id DESC LIMIT $3`

// Schedule implements [live.Sessions].
func (l *Live) Schedule(ctx context.Context, session live.Session, openMax int) (*live.Session, error) {
	session.State = live.Upcoming
	return inTxOf(ctx, l.store, func(tx *sql.Tx) (*live.Session, error) {
		number, err := l.store.lockNumber(ctx, tx)
		if err != nil {
			return nil, err
		}
		if err := l.mayOpen(ctx, tx, session, openMax); err != nil {
			return nil, err
		}
		if err := l.assignOwn(ctx, tx, &session); err != nil {
			return nil, err
		}
		return l.store.transit(ctx, tx, number, nil, session)
	})
}

// assignOwn sets and assigns the external id of a session that Tideline makes, where ids are text.
func (l *Live) assignOwn(ctx context.Context, tx *sql.Tx, s *live.Session) error {
	own := l.store.ownID(int64(s.ID), s.External)
	if own == "" {
		return nil
	}
	s.External = own
	err := l.store.assignOwn(ctx, tx, feed.LiveIDs, own, int64(s.ID))
	if errors.Is(err, feed.ErrIDTaken) {
		err = live.ErrIDTaken
	}
	return err
}

// mayOpen returns why a session cannot be scheduled. It also protects the host from deletion,
// because a purge would miss the new session.
func (l *Live) mayOpen(ctx context.Context, tx *sql.Tx, s live.Session, openMax int) error {
	var hostStored, taken bool
	var open int
	err := tx.QueryRowContext(ctx, `
SELECT COALESCE((SELECT 1 FROM users AS u WHERE u.id = $1 AND u.deleted_at = 0 AND u.absent = 0`+l.store.d.holding+`), 0),
       (SELECT COUNT(*) FROM live_sessions WHERE id = $2),
       COALESCE((SELECT open_sessions FROM live_hosts WHERE host_id = $1), 0)`, s.Host, s.ID).Scan(&hostStored, &taken, &open)
	switch {
	case err != nil:
		return err
	case !hostStored:
		return errNoUser()
	case taken:
		return live.ErrIDTaken
	}
	return live.MayOpen(open, openMax)
}

// Change implements [live.Sessions].
func (l *Live) Change(
	ctx context.Context, id live.ID, dueAt int64, next func(live.Session) (live.Session, error),
) (*live.Session, error) {
	return inTxOf(ctx, l.store, func(tx *sql.Tx) (*live.Session, error) { return l.change(ctx, tx, id, dueAt, next) })
}

func (l *Live) change(
	ctx context.Context, tx *sql.Tx, id live.ID, dueAt int64, next func(live.Session) (live.Session, error),
) (*live.Session, error) {
	number, err := l.store.lockNumber(ctx, tx)
	if err != nil {
		return nil, err
	}
	before, err := sessionColumns.scan()(tx.QueryRowContext(ctx, selectSessions+"s.id = $1"+l.store.d.holding, id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, feed.Errorf(feed.CodeNotFound, "there is no such session")
	} else if err != nil {
		return nil, err
	}
	after, err := next(*before)
	if err != nil || after == *before {
		return before, err
	}
	if after.EndedSince(before) {
		// As for posts, the due time replaces the time of the call.
		err := exec(ctx, tx, `INSERT INTO events (content_id, due_at, created_at) VALUES ($1, $2, $2)`,
			feed.ReplayRef(int64(id)), dueAt)
		if err != nil {
			return nil, err
		}
	}
	return l.store.transit(ctx, tx, number, before, after)
}
