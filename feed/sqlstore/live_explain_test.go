package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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

// The cost of a first page grows with the hosts that its viewer follows, and not with all hosts or
// with the past of a host.
func TestExplain_LiveFirstPageReadsFollowedHosts(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := liveTemplate.open(t, b)
		l := sqlstore.NewLive(s)
		hosts := []feed.UserID{7, 507, 1007, 1507}
		t.Run("hosts", func(t *testing.T) {
			plan, err := l.ExplainHosts(t.Context(), 1, 5, 1<<62)
			mustFind(t, plan, err, hostSearch[b.name], followSearch[b.name])
		})
		t.Run("sets", func(t *testing.T) {
			plan, err := l.ExplainSets(t.Context(), hosts)
			mustFind(t, plan, err, hostSearch[b.name], "idx_live_open")
		})
		for name, asOf := range map[string]int64{"open now": 1 << 40, "open a moment ago": 199_000} {
			t.Run(name, func(t *testing.T) {
				plan, err := l.ExplainOpen(t.Context(), hosts, asOf, live.Position{State: live.Upcoming, At: 5, ID: 9}, 101)
				mustFind(t, plan, err, "idx_live_open", "idx_live_changed", "idx_transitions")
			})
		}
	})
}

// A followed host may have any number of sessions.
func TestExplain_SessionsOfHostReadAnIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		plan, err := sqlstore.NewLive(liveTemplate.open(t, b)).ExplainOfHost(t.Context(), 7, feed.Key{TS: 75, ID: 75})
		mustFind(t, plan, err, "idx_live_changed")
		if countSorts(plan) != 0 {
			t.Errorf("the plan sorts:\n%s", plan)
		}
	})
}

// The cost of the reads of every first page grows neither with the follows of the viewer nor with
// the past.
func TestExplain_LiveVersionAndChangesUseIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		l := sqlstore.NewLive(liveTemplate.open(t, b))
		plan, err := l.ExplainFeedVersions(t.Context(), []feed.UserID{1, 2, 3})
		mustFind(t, plan, err, leaverSearch[b.name])
		plan, err = l.ExplainSince(t.Context(), 150_000, 5_000)
		mustFind(t, plan, err)
		if countSorts(plan) != 0 {
			t.Errorf("the plan sorts:\n%s", plan)
		}
	})
}

func TestExplain_ReplayListsUseIndexBothWays(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		v := sqlstore.NewReplays(liveTemplate.open(t, b))
		for _, ascending := range []bool{false, true} {
			r := feed.Range{Below: feed.Key{TS: 3000}, Limit: 21, Ascending: ascending}
			outbox, err := v.ExplainOutbox(t.Context(), []feed.UserID{7, 507, 1007}, r)
			mustFind(t, outbox, err, "idx_replays")
			home, err := v.ExplainFeed(t.Context(), 1, r)
			mustFind(t, home, err, "idx_replays")
			covered, err := v.ExplainCovered(t.Context(), 1, feed.FolloweeFilter{}, r)
			mustFind(t, covered, err, "idx_replays")
		}
	})
}

func TestExplain_PendingReplaysUseIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		plan, err := sqlstore.NewReplays(liveTemplate.open(t, b)).ExplainPendingAuthors(t.Context(), 1)
		mustFind(t, plan, err, "idx_events_replays", "idx_plans_replays")
	})
}

// hostSearch, followSearch and leaverSearch are how each database prints that it looks up a host,
// reads the follows of a user, and looks up one of them.
var (
	hostSearch = map[string]string{
		"sqlite":   "SEARCH h USING INTEGER PRIMARY KEY (rowid=?)",
		"postgres": "using live_hosts_pkey on live_hosts h",
	}
	followSearch = map[string]string{
		"sqlite":   "SEARCH follows USING",
		"postgres": "follows",
	}
	leaverSearch = map[string]string{
		"sqlite":   "SEARCH f USING PRIMARY KEY (follower_id=? AND followee_id=?)",
		"postgres": "((follower_id = viewer.id) AND (followee_id = p.user_id))",
	}
)

// mustFind checks that a plan contains all steps and scans no table that grows.
func mustFind(t *testing.T, plan string, err error, steps ...string) {
	t.Helper()
	must(t, err)
	for _, step := range steps {
		if !strings.Contains(plan, step) {
			t.Errorf("the plan has no step %q:\n%s", step, plan)
		}
	}
	for _, line := range strings.Split(plan, "\n") {
		line = strings.TrimLeft(line, " ->")
		for _, table := range []string{"users", "follows", "live_hosts", "live_sessions", "live_transitions", "events", "plans"} {
			if strings.HasPrefix(line, "Seq Scan on "+table) {
				t.Errorf("the plan reads a whole table in its step %q:\n%s", line, plan)
			}
		}
		for _, table := range []string{"u", "f", "follows", "h", "s", "t", "c", "found", "live_sessions"} {
			if line == "SCAN "+table || strings.HasPrefix(line, "SCAN "+table+" USING") {
				t.Errorf("the plan reads a whole table in its step %q:\n%s", line, plan)
			}
		}
	}
}
