package sqlstore_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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

func TestExplain_FollowersUseTheirIndexWithoutStatistics(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := unanalyzed.open(t, b)
		for _, r := range []feed.FollowerRange{{After: 1000, UpTo: 1050, Limit: 1000}, {UpTo: math.MaxInt64, Limit: 1000}} {
			plan, err := s.ExplainFollowers(t.Context(), 20, r)
			mustLookUp(t, plan, err, followerSearch[b.name])
		}
		plan, err := s.ExplainBounds(t.Context(), 20)
		mustPlan(t, plan, err, "idx_follower_ids")
		if strings.Contains(plan, "idx_stamped") || strings.Contains(plan, "idx_following") {
			t.Errorf("the bounds are read from an index that begins with followers:\n%s", plan)
		}
	})
}

// pagesRead matches how many pages PostgreSQL found in memory, and read, for a whole plan.
var pagesRead = regexp.MustCompile(`Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?`)

// The slices of an author with a million followers would otherwise read most of them each.
func TestExplain_FollowersAreReadFromTheirRange(t *testing.T) {
	s := upkeepTemplate.open(t, postgresBackend(t))
	plan, err := s.RunFollowers(t.Context(), 1, feed.FollowerRange{After: 20_000, UpTo: 20_100, Limit: 1000})
	mustPlan(t, plan, err, "rows=100 ")
	read := pagesRead.FindStringSubmatch(plan)
	if read == nil {
		t.Fatalf("the plan has no number of pages:\n%s", plan)
	}
	// A hundred entries are on one page of the index or two, below a root, and their rows on one or two.
	hit, _ := strconv.Atoi(read[1])
	missed, _ := strconv.Atoi(read[2])
	if hit+missed > 20 {
		t.Errorf("%d pages are read for a hundred followers:\n%s", hit+missed, plan)
	}
}

// Most users of a large network are not active, and the rows of those who follow an author are far apart.
func TestExplain_LeasesAreReadFromAnIndex(t *testing.T) {
	s := upkeepTemplate.open(t, postgresBackend(t))
	// Else rows must be read to see whether they are visible.
	mustBe(t, "", s.Exec(t.Context(), "VACUUM users"))
	// PostgreSQL assumes ten users for a plan that it keeps.
	plan, err := s.ExplainLeases(t.Context(), inboxViewers(10))
	mustLookUp(t, plan, err, "Index Only Scan using idx_users_active on users u")
}

func TestExplain_MaintenanceUsesIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := upkeepTemplate.open(t, b)
		t.Run("unfollowed", func(t *testing.T) {
			plan, err := s.ExplainUnfollowed(t.Context(), 7, 30)
			mustLookUp(t, plan, err, "idx_unfollowed")
		})
		t.Run("followers", func(t *testing.T) {
			r := feed.FollowerRange{After: 1000, UpTo: 2000, Limit: 1000}
			plan, err := s.ExplainFollowers(t.Context(), 1, r)
			mustLookUp(t, plan, err, followerSearch[b.name])
		})
		t.Run("runs of followers", func(t *testing.T) {
			plan, err := s.ExplainBounds(t.Context(), 1)
			must(t, err)
			// PostgreSQL may use any index with both ids, because there are hardly any other
			// follows. Only the bounds are sorted.
			walks := strings.Count(plan, "COVERING INDEX idx_follower_ids") + strings.Count(plan, "Index Only Scan")
			if walks != 2 || countSorts(plan) != 1 || strings.Contains(plan, "Filter: (active") {
				t.Errorf("the plan does not read followers from an index, for the end of a slice and of all:\n%s", plan)
			}
		})
		t.Run("who of them is active", func(t *testing.T) {
			plan, err := s.ExplainLeases(t.Context(), inboxViewers(1000))
			mustLookUp(t, plan, err, userSearch[b.name])
		})
		t.Run("followers among some users", func(t *testing.T) {
			plan, err := s.ExplainAmong(t.Context(), 1, inboxViewers(50))
			mustLookUp(t, plan, err, "idx_follower")
		})
		t.Run("dormant", func(t *testing.T) {
			plan, err := s.ExplainDormant(t.Context(), inboxViewers(10))
			mustLookUp(t, plan, err, userSearch[b.name])
		})
		t.Run("walk", func(t *testing.T) {
			plan, err := sqlstore.NewInboxes(s, 5).ExplainWalk(t.Context(), 100, 500)
			mustLookUp(t, plan, err, headerSearch[b.name])
		})
		t.Run("cleanup", func(t *testing.T) {
			// For a slice of one in eighty, as are 500 of a week's, PostgreSQL would scan tables as
			// small as these.
			plans, keys, err := s.ExplainCleanup(t.Context(), 2000, 50)
			mustLookUp(t, plans, err, "idx_plans_done")
			mustLookUp(t, keys, err, "idx_keys_used")
		})
		t.Run("freed handles", func(t *testing.T) {
			plan, err := s.ExplainFreedHandles(t.Context(), 2000, 50)
			mustLookUp(t, plan, err, freedSearch[b.name])
			if strings.Contains(plan, "SCAN handle_skeletons") {
				t.Errorf("the rows to delete are not looked up:\n%s", plan)
			}
		})
	})
}

// userSearch and headerSearch are how each database prints that it uses the primary keys of users
// and of inbox headers; freedSearch that it reads freed handles from the index of their times; and
// followerSearch that it reads followers from their index alone.
var (
	followerSearch = map[string]string{
		"sqlite":   "SEARCH follows USING COVERING INDEX idx_follower_ids (followee_id=? AND follower_id>? AND follower_id<?)",
		"postgres": "Index Only Scan using idx_follower_ids on follows",
	}
	userSearch = map[string]string{
		"sqlite":   "SEARCH u USING INTEGER PRIMARY KEY (rowid=?)",
		"postgres": "using users_pkey on users u",
	}
	freedSearch = map[string]string{
		"sqlite":   "SEARCH handle_skeletons USING COVERING INDEX idx_skeletons_freed (freed_at>? AND freed_at<?)",
		"postgres": "Index Scan using idx_skeletons_freed on handle_skeletons",
	}
	headerSearch = map[string]string{
		"sqlite":   "SEARCH inbox_headers USING INTEGER PRIMARY KEY (rowid>?)",
		"postgres": "using inbox_headers_pkey on inbox_headers",
	}
)

// mustLookUp checks that a plan contains a step, sorts nothing, and scans no table.
func mustLookUp(t *testing.T, plan string, err error, step string) {
	t.Helper()
	must(t, err)
	if !strings.Contains(plan, step) || countSorts(plan) != 0 {
		t.Errorf("the plan has no step %q, or sorts what it reads:\n%s", step, plan)
	}
	for _, line := range strings.Split(plan, "\n") {
		line = strings.TrimLeft(line, " ->")
		// The parameter and the rows selected before are no tables.
		isTable := !strings.HasPrefix(line, "SCAN viewer") && !strings.HasPrefix(line, "SCAN json_each") &&
			!strings.HasPrefix(line, "SCAN old") && !strings.HasPrefix(line, "SCAN page") && !strings.HasPrefix(line, "SCAN open_")
		if isTable && (strings.HasPrefix(line, "SCAN ") && !strings.Contains(line, "USING") || strings.HasPrefix(line, "Seq Scan on")) {
			t.Errorf("the plan reads a whole table in its step %q:\n%s", line, plan)
		}
	}
}
