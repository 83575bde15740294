package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Replays presents the replays of live sessions in a [Store] as lists of posts, published by their
// hosts at the end. The ids are those of the sessions. Use [NewReplays].
type Replays struct{ store *Store }

var (
	_ feed.Posts          = (*Replays)(nil)
	_ feed.Outboxes       = (*Replays)(nil)
	_ feed.Reference      = (*Replays)(nil)
	_ feed.Coverage       = (*Replays)(nil)
	_ feed.PendingAuthors = (*Replays)(nil)
)

// NewReplays returns the replays in a store.
func NewReplays(s *Store) *Replays { return &Replays{s} }

// Posts implements [feed.Posts]. It is for fan-outs, to which absent hosts count as there.
func (v *Replays) Posts(ctx context.Context, list []feed.PostID) ([]*feed.Post, error) {
	sessions, err := query(ctx, v.store, "SELECT "+sessionColumns.names("s.")+" FROM live_sessions AS s WHERE s.host_id NOT IN "+leavers+
		" AND "+v.store.d.in("s.id", 1), []any{ids(v.store.d, list)}, sessionColumns.scan())
	if err != nil {
		return nil, err
	}
	found := map[feed.PostID]*live.Session{}
	for _, s := range sessions {
		found[feed.PostID(s.ID)] = s
	}
	return mapped(list, func(id feed.PostID) *feed.Post { return live.ReplayPost(id, found[id]) }), nil
}

// Outbox implements [feed.Outboxes].
func (v *Replays) Outbox(ctx context.Context, viewer feed.UserID, hosts []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.store.outbox(ctx, replaysTable, viewer, hosts, r)
}

// Feed implements [feed.Reference]. A replay reposts nothing, so it needs no further condition.
func (v *Replays) Feed(ctx context.Context, viewer feed.UserID, of feed.Authors, r feed.Range) ([]feed.Key, error) {
	return v.store.feed(ctx, v.store.feedQuery(replaysTable, of, "TRUE", r), viewer, of, r)
}

// Covered implements [feed.Coverage].
func (v *Replays) Covered(ctx context.Context, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) ([]feed.Key, error) {
	return v.store.coveredKeys(ctx, replaysTable, viewer, share, r)
}

// Unfollowed implements [feed.Coverage].
func (v *Replays) Unfollowed(ctx context.Context, viewer feed.UserID, since int64) ([]feed.UserID, error) {
	return v.store.Unfollowed(ctx, viewer, since)
}

// PendingAuthors implements [feed.PendingAuthors].
func (v *Replays) PendingAuthors(ctx context.Context, viewer feed.UserID) ([]feed.UserID, error) {
	return query(ctx, v.store, pendingHostsQuery, []any{viewer}, one[feed.UserID])
}

// pendingHostsQuery begins with the pending replays, which are few, and looks up the host of each.
// For a join PostgreSQL might begin with all follows of the viewer. It is one statement, because
// two would see two snapshots and could miss an event that is planned in between.
const pendingHostsQuery = `
SELECT host.id FROM (
    SELECT DISTINCT (SELECT s.host_id FROM live_sessions AS s WHERE s.id = -pending.content_id AND s.state = 3) AS id FROM (
        SELECT content_id FROM events WHERE state = 0 AND content_id < 0
        UNION ALL
        SELECT content_id FROM plans WHERE open_slices > 0 AND content_id < 0
    ) AS pending
) AS host
WHERE EXISTS (SELECT 1 FROM follows AS f WHERE f.follower_id = $1 AND f.followee_id = host.id AND f.active = 1)
  AND host.id NOT IN ` + leavers
