//go:build nightly

package sqlstore_test

// upkeepTables fill the tables of maintenance so that a wrong plan is expensive: a hundred viewers
// who each unfollowed many authors, an author with many followers, none of them active, and
// thousands of plans, keys and inboxes, most of them too young to be cleaned up. The rows of n are
// the numbers from 1 on.
var upkeepTables = []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at, active_until)
SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1, n.i % 7 FROM %n%`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active)
SELECT 1 + n.i % 100, 101 + n.i / 100, 1, n.i / 100, 0 FROM %n%`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active)
SELECT n.i, 1, 1, 1, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO plans (content_id, slices, open_slices, created_at) SELECT n.i, 1, n.i % 2, n.i FROM %n%`,
	`INSERT INTO idempotency_keys (author_id, key, fingerprint, content_id, created_at)
SELECT 1 + n.i % 100, 'k' || n.i, '', n.i, n.i FROM %n%`,
	`INSERT INTO handle_skeletons (skeleton, user_id, exclusive, freed_at)
SELECT 'u' || n.i, n.i, 1, CASE WHEN n.i % 10 = 0 THEN n.i ELSE 0 END FROM %n%`,
	`INSERT INTO inbox_headers (user_id, state, token, generation, started_at) SELECT n.i, 2, 'one', 1, 1 FROM %n%`,
	`ANALYZE`,
}

// upkeepRows are the numbers of rows per table.
var upkeepRows = map[string][2]int{"sqlite": {4000}, "postgres": {40000}}

var upkeepTemplate = bulk{rows: upkeepRows, statements: upkeepTables}.template()

// unanalyzed are many authors with a hundred followers each, and no statistics: an import has just
// ended.
var unanalyzed = bulk{rows: upkeepRows, statements: []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at) SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1 FROM %n%`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active) SELECT n.i, 1 + n.i / 100, 1, 1, 1 FROM %n%`,
}}.template()

// liveTables hold many hosts, of which the viewer follows few, each with a long history of replays
// and one open session; and fan-outs of posts, none of which is done, and of replays, of which
// nearly all are. The rows of n are the numbers from 1 on.
var liveTables = []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at) SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1 FROM %n%`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active) SELECT 1, n.i, 1, 1, 1 FROM %n% WHERE n.i % 500 = 7`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active) SELECT n.i, 1 + n.i % 90, 1, 1, 1 FROM %n% WHERE n.i > 91`,
	`INSERT INTO live_hosts (host_id, number, open_sessions) SELECT n.i, 10 * n.i, n.i % 2 FROM %n%`,
	`INSERT INTO live_sessions (id, host_id, title, state, score, scheduled_at, started_at, ended_at, number)
SELECT 10 * n.i + t.i, n.i, 'A session', CASE WHEN t.i = 1 THEN 2 ELSE 3 END, -n.i, n.i, n.i, n.i, 10 * n.i + t.i FROM %n%, %t%`,
	`INSERT INTO live_transitions (number, session_id, host_id, state, score, made_at)
SELECT 100 * n.i + t.i, 10 * n.i + t.i % 9, n.i, 2, -n.i, 1 FROM %n%, %t%`,
	`INSERT INTO events (content_id, state, due_at, created_at)
SELECT CASE WHEN n.i % 2 = 0 THEN n.i ELSE -10 * n.i - 2 END, CASE WHEN n.i % 2 = 0 OR n.i % 100 = 1 THEN 0 ELSE 1 END, 1, 1 FROM %n%`,
	`INSERT INTO plans (content_id, slices, open_slices, created_at)
SELECT CASE WHEN n.i % 2 = 0 THEN n.i ELSE -10 * n.i - 2 END, 1, CASE WHEN n.i % 2 = 0 OR n.i % 100 = 3 THEN 1 ELSE 0 END, 1 FROM %n%`,
}

// liveTemplate has so many hosts, with as many sessions each.
var liveTemplate = bulk{
	rows:       map[string][2]int{"sqlite": {4000, 5}, "postgres": {20000, 9}},
	statements: liveTables,
	last: map[string]string{
		"sqlite": "ANALYZE", "postgres": "VACUUM ANALYZE users, follows, live_hosts, live_sessions, live_transitions, events, plans",
	},
}.template()

// viewerTables have one post that all users like, posts with hardly any like, which statistics show, and
// a user who follows, mutes and blocks all others and pulls many of them, so that reading all
// relations at once would look cheap.
var viewerTables = []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at, active_until, mark)
SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1, 1, CASE WHEN n.i % 10 = 0 THEN 2 ELSE 0 END FROM %n%`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active) SELECT 1, n.i, 1, n.i % 5, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO contents (id, author_id, kind, text, media, published_at) SELECT n.i, 1, 'article', '', '[]', n.i FROM %n%`,
	`INSERT INTO reactions (content_id, kind, user_id, created_at) SELECT 1, 'like', n.i, 1 FROM %n%`,
	`INSERT INTO reactions (content_id, kind, user_id, created_at) SELECT n.i, 'like', 1 + n.i % 50, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT 1, 'mute', n.i, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT 1, 'block', n.i, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT n.i, 'hide', 1, 1 FROM %n% WHERE n.i > 1`,
	`ANALYZE`,
}

var viewerTemplate = bulk{rows: upkeepRows, statements: viewerTables}.template()
