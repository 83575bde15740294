package sqlstore

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/internal/kit/batch"
)

// Every method reads in one statement, because two would see two snapshots.

// Now implements [live.History].
func (l *Live) Now(ctx context.Context) (live.Moment, error) {
	var m live.Moment
	now, args := l.store.now()
	err := l.store.row(ctx, `
SELECT state.generation, clock.number, `+now+` FROM live_clock AS clock CROSS JOIN feed_state AS state
WHERE clock.id = 1 AND state.id = 1`, args, &m.Generation, &m.Number, &m.At)
	return m, err
}

// Hosts implements [live.History].
func (l *Live) Hosts(ctx context.Context, viewer feed.UserID, version, asOf int64) (live.Moment, []live.HostTransition, error) {
	var m live.Moment
	stmt, args := l.hostsQuery(viewer, version, asOf)
	marks, err := query(ctx, l.store, stmt, args, into(func(mark *live.HostTransition) []any {
		return []any{&m.Generation, &m.Number, &m.At, &mark.Host, &mark.Number}
	}))
	if err != nil {
		return live.Moment{}, nil, err
	}
	if len(marks) == 1 && marks[0].Host == 0 {
		marks = nil
	}
	return m, marks, nil
}

// hostsQuery repeats the moment in the row of each host. With no host it yields a row of host 0.
func (l *Live) hostsQuery(viewer feed.UserID, version, asOf int64) (stmt string, args []any) {
	now, args := l.store.now(viewer, version, asOf)
	return `
SELECT state.generation, clock.number, ` + now + `, COALESCE(mark.host_id, 0), COALESCE(mark.number, 0)
FROM live_clock AS clock CROSS JOIN feed_state AS state LEFT JOIN (
    SELECT h.host_id, h.number FROM (
        SELECT CAST($1 AS BIGINT) AS id
        UNION
        SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1 AND version <= $2
        UNION
        SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1 AND followed > 0 AND followed <= $2
    ) AS followed CROSS JOIN live_hosts AS h
    WHERE h.host_id = followed.id AND (h.open_sessions > 0 OR h.number > $3) AND ` + l.store.d.present("followed.id") + `
      AND ` + l.store.d.shown("followed.id", "$1") + `
) AS mark ON TRUE`, args
}

// Followed implements [live.History].
func (l *Live) Followed(ctx context.Context, viewer feed.UserID, version int64, hosts []feed.UserID) ([]feed.UserID, error) {
	keys := mapped(hosts, func(host feed.UserID) following { return following{viewer, host, version} })
	are, err := l.store.lookups.followed.All(ctx, keys)
	if err != nil {
		return nil, err
	}
	var followed []feed.UserID
	for i, is := range are {
		if is && !slices.Contains(hosts[:i], hosts[i]) {
			followed = append(followed, hosts[i])
		}
	}
	return followed, nil
}

// following asks whether viewer follows host up to a version.
type following struct {
	viewer, host feed.UserID
	version      int64
}

func (s *Store) askFollowed(keys batch.Keys[following]) reading[bool] {
	from, args := s.d.table([]column{
		intColumn("viewer", keys.List, func(k following) feed.UserID { return k.viewer }),
		intColumn("host", keys.List, func(k following) feed.UserID { return k.host }),
		intColumn("version", keys.List, func(k following) int64 { return k.version }),
	})
	return eachOnce(keys, fmt.Sprintf(followedQuery, from), args, func(k *following, is *bool) []any {
		*is = true
		return []any{&k.viewer, &k.host, &k.version}
	})
}

// followedQuery selects the rows of %s, with the columns viewer, host and version, whose host is
// followed up to the version and not suspended, or is the viewer.
const followedQuery = `
SELECT r.viewer, r.host, r.version FROM %s JOIN users AS u ON u.id = r.host
WHERE u.deleted_at = 0 AND u.absent = 0 AND (r.viewer = r.host OR u.suspended = 0 AND EXISTS (
    SELECT 1 FROM follows AS f
    WHERE f.follower_id = r.viewer AND f.followee_id = r.host AND f.active = 1 AND (f.version <= r.version OR f.followed > 0 AND f.followed <= r.version)))`

// Open implements [live.History].
func (l *Live) Open(
	ctx context.Context, hosts []feed.UserID, asOf int64, behind live.Position, limit int,
) ([]live.Entry, error) {
	if len(hosts) == 0 || behind.State > live.Upcoming {
		return nil, nil
	}
	return query(ctx, l.store, l.openQuery(), l.openArgs(hosts, asOf, behind, limit), func(rows scanner) (live.Entry, error) {
		var score int64
		var e live.Entry
		err := rows.Scan(&score, &e.ID, &e.Host)
		e.Position = live.AtScore(score, e.ID)
		return e, err
	})
}

func (l *Live) openArgs(hosts []feed.UserID, asOf int64, behind live.Position, limit int) []any {
	score, id := behind.Score(), int64(behind.ID)
	if behind == (live.Position{}) {
		score, id = math.MaxInt64, math.MaxInt64
	}
	return []any{ids(l.store.d, hosts), asOf, score, id, limit}
}

// openQuery reads sessions that have not changed since from live_sessions, and others from the last
// transition before that. A session that is no longer open has changed, so no others need a check.
// Adding 0 to a number keeps SQLite from using its index instead of the one on open sessions.
func (l *Live) openQuery() string {
	mine := l.store.d.in("s.host_id", 1) + ` AND ` + l.store.d.present("s.host_id")
	return `
SELECT found.score, found.id, found.host_id FROM (
    SELECT s.score, s.id, s.host_id FROM live_sessions AS s
    WHERE ` + mine + ` AND s.state < 3 AND s.number + 0 <= $2
    UNION ALL
    SELECT t.score, s.id, s.host_id FROM live_sessions AS s CROSS JOIN live_transitions AS t
    WHERE ` + mine + ` AND s.number > $2 AND s.state <> 4 AND t.state < 3
      AND t.number = (SELECT MAX(b.number) FROM live_transitions AS b WHERE b.session_id = s.id AND b.number <= $2)
) AS found WHERE (found.score, found.id) < ($3, $4)
ORDER BY found.score DESC, found.id DESC LIMIT $5`
}

// Sets implements [live.History].
func (l *Live) Sets(ctx context.Context, hosts []feed.UserID) ([]live.Set, error) {
	if len(hosts) == 0 {
		return nil, nil
	}
	found := map[feed.UserID]live.Set{}
	_, err := query(ctx, l.store, l.setsQuery(), []any{ids(l.store.d, hosts)}, func(rows scanner) (host feed.UserID, err error) {
		var number, score int64
		var id live.ID
		err = rows.Scan(&host, &number, &score, &id)
		set := found[host]
		set.Number = number
		if id != 0 {
			set.Open = append(set.Open, live.AtScore(score, id))
		}
		found[host] = set
		return host, err
	})
	if err != nil {
		return nil, err
	}
	return mapped(hosts, func(host feed.UserID) live.Set { return found[host] }), nil
}

// setsQuery yields a row per open session of a host, or one row without a session.
func (l *Live) setsQuery() string {
	return `
SELECT h.host_id, h.number, COALESCE(s.score, 0), COALESCE(s.id, 0)
FROM live_hosts AS h LEFT JOIN live_sessions AS s ON s.host_id = h.host_id AND s.state < 3
WHERE ` + l.store.d.in("h.host_id", 1) + ` AND ` + l.store.d.present("h.host_id") + `
ORDER BY h.host_id, s.score DESC, s.id DESC`
}
