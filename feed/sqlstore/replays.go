package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

// Replays presents the replays of live sessions in a [Store] as lists of posts, published by their
// hosts at the end. The ids are those of the sessions. Use [NewReplays].
type Replays struct{ store *Store }

var (
	_ feed.Outboxes       = (*Replays)(nil)
	_ feed.Reference      = (*Replays)(nil)
	_ feed.Coverage       = (*Replays)(nil)
	_ feed.PendingAuthors = (*Replays)(nil)
)

// NewReplays returns the replays in a store.
func NewReplays(s *Store) *Replays { return &Replays{s} }

// Outbox implements [feed.Outboxes].
func (v *Replays) Outbox(ctx context.Context, hosts []feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.store.outbox(ctx, replaysTable, hosts, r)
}

// Feed implements [feed.Reference]. A replay reposts nothing, so it needs no further condition.
func (v *Replays) Feed(ctx context.Context, viewer feed.UserID, r feed.Range) ([]feed.Key, error) {
	return v.store.feed(ctx, v.store.feedQuery(replaysTable, "TRUE", r), viewer, r)
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
