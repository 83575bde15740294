package sqlstore

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// SinceAtOnce is [Live.Since] for concurrent callers, each with a number and a limit.
func (l *Live) SinceAtOnce(ctx context.Context, asked [][2]int) ([][]live.HostTransition, error) {
	keys := make([]after, len(asked))
	for i, a := range asked {
		keys[i] = after{int64(a[0]), a[1]}
	}
	return l.store.lookups.transitions.All(ctx, keys)
}

// FollowedAtOnce returns for each of several concurrent callers, by viewer and version, whether
// they follow the host.
func (l *Live) FollowedAtOnce(ctx context.Context, host feed.UserID, asked [][2]int64) ([]bool, error) {
	keys := make([]following, len(asked))
	for i, a := range asked {
		keys[i] = following{feed.UserID(a[0]), host, a[1]}
	}
	return l.store.lookups.followed.All(ctx, keys)
}

// ExplainHosts returns the database's plan for [Live.Hosts], a line per step.
func (l *Live) ExplainHosts(ctx context.Context, viewer feed.UserID, version, asOf int64) (string, error) {
	stmt, args := l.hostsQuery(viewer, version, asOf)
	return l.store.explain(ctx, stmt, args)
}

// ExplainFeedVersions returns the database's plan for [Live.Standing].
func (l *Live) ExplainFeedVersions(ctx context.Context, viewers []feed.UserID) (string, error) {
	stmt, args := l.store.feedVersionsQuery(viewers)
	return l.store.explain(ctx, stmt, args)
}

// ExplainSince returns the database's plan for [Live.Since].
func (l *Live) ExplainSince(ctx context.Context, number int64, limit int) (string, error) {
	return l.store.explain(ctx, sinceQuery, []any{number, limit})
}

// ExplainOpen returns the database's plan for [Live.Open].
func (l *Live) ExplainOpen(ctx context.Context, hosts []feed.UserID, asOf int64, behind live.Position, limit int) (string, error) {
	return l.store.explain(ctx, l.openQuery(), l.openArgs(hosts, asOf, behind, limit))
}

// ExplainSets returns the database's plan for [Live.Sets].
func (l *Live) ExplainSets(ctx context.Context, hosts []feed.UserID) (string, error) {
	return l.store.explain(ctx, l.setsQuery(), []any{ids(l.store.d, hosts)})
}

// ExplainOfHost returns the database's plan for [Live.OfHost].
func (l *Live) ExplainOfHost(ctx context.Context, host feed.UserID, below feed.Key) (string, error) {
	return l.store.explain(ctx, ofHostQuery, []any{host, below.TS, below.ID, 501})
}

// ExplainOutbox returns the database's plan for [Replays.Outbox].
func (v *Replays) ExplainOutbox(ctx context.Context, hosts []feed.UserID, r feed.Range) (string, error) {
	return v.store.explain(ctx, v.store.outboxQuery(replaysTable, r), kindArgs(ids(v.store.d, hosts), r))
}

// ExplainFeed returns the database's plan for [Replays.Feed].
func (v *Replays) ExplainFeed(ctx context.Context, viewer feed.UserID, r feed.Range) (string, error) {
	return v.store.explain(ctx, v.store.feedQuery(replaysTable, "TRUE", r), kindArgs(int64(viewer), r))
}

// ExplainCovered returns the database's plan for [Replays.Covered].
func (v *Replays) ExplainCovered(ctx context.Context, viewer feed.UserID, share feed.FolloweeFilter, r feed.Range) (string, error) {
	return v.store.explain(ctx, v.store.coveredQuery(replaysTable, "$1", r), coveredArgs(viewer, share, r))
}

// ExplainPendingAuthors returns the database's plan for [Replays.PendingAuthors].
func (v *Replays) ExplainPendingAuthors(ctx context.Context, viewer feed.UserID) (string, error) {
	return v.store.explain(ctx, pendingHostsQuery, []any{viewer})
}
