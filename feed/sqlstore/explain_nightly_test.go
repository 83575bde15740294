//go:build nightly

package sqlstore_test

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// How each database prints that it reads followers from their index alone, uses the primary keys of
// users and inbox headers, and reads freed handles from the index of their times.
var (
	followerSearch = map[string]string{
		"sqlite":   "SEARCH follows USING COVERING INDEX idx_follower_ids (followee_id=? AND follower_id>? AND follower_id<?)",
		"postgres": "Index Only Scan using idx_follower_ids on follows",
	}
	userSearch = map[string]string{
		"sqlite":   "SEARCH u USING INTEGER PRIMARY KEY (rowid=?)",
		"postgres": "using users_pkey on users u",
	}
	headerSearch = map[string]string{
		"sqlite":   "SEARCH inbox_headers USING INTEGER PRIMARY KEY (rowid>?)",
		"postgres": "using inbox_headers_pkey on inbox_headers",
	}
	followSearch = map[string]string{
		"sqlite":   "SEARCH f USING PRIMARY KEY (follower_id=? AND followee_id=?)",
		"postgres": "(follower_id = viewer.id)",
	}
	freedSearch = map[string]string{
		"sqlite":   "SEARCH handle_skeletons USING COVERING INDEX idx_skeletons_freed (freed_at>? AND freed_at<?)",
		"postgres": "Index Scan using idx_skeletons_freed on handle_skeletons",
	}
)

func TestExplain_MaintenanceUsesIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := upkeepTemplate.open(t, b)
		mustPlan(t, b, s.Explain, s.UpkeepStatements(inboxViewers(1000)), map[string]wantedPlan{
			"unfollowed": reads("idx_unfollowed"), "followers among": each(followSearch),
			"leases": each(userSearch), "dormant": each(userSearch), "walk": each(headerSearch),
			// For a slice of one in eighty, as are 500 of a week's, PostgreSQL would scan tables as small
			// as these.
			"old plans": reads("idx_plans_done"), "old keys": reads("idx_keys_used"), "freed handles": each(freedSearch),
		})
		mustReadFollowers(t, b, s, 1, feed.FollowerRange{After: 1000, UpTo: 2000, Limit: 1000})
		plan, err := s.Explain(t.Context(), s.BoundsStatement(1))
		must(t, err)
		// PostgreSQL may use any index with both ids, because there are hardly any other follows. Only
		// the bounds are sorted.
		walks := strings.Count(plan, "COVERING INDEX idx_follower_ids") + strings.Count(plan, "Index Only Scan")
		if walks != 2 || countSorts(plan) != 1 || strings.Contains(plan, "Filter: (active") {
			t.Errorf("the plan does not read followers from an index, for the end of a slice and of all:\n%s", plan)
		}
	})
}

func mustReadFollowers(t *testing.T, b backend, s *sqlstore.Store, author feed.UserID, r feed.FollowerRange) {
	t.Helper()
	plan, err := s.ExplainPage(t.Context(), s.FollowersStatement(author, r))
	must(t, err)
	mustBePlanned(t, b, "followers", plan, each(followerSearch))
}

func TestExplain_FollowersUseTheirIndexWithoutStatistics(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := unanalyzed.open(t, b)
		for _, r := range []feed.FollowerRange{{After: 1000, UpTo: 1050, Limit: 1000}, {UpTo: math.MaxInt64, Limit: 1000}} {
			mustReadFollowers(t, b, s, 20, r)
		}
		plan, err := s.Explain(t.Context(), s.BoundsStatement(20))
		must(t, err)
		mustBePlanned(t, b, "bounds", plan, reads("idx_follower_ids").sorting(1).scanning("runs"))
		if strings.Contains(plan, "idx_stamped") || strings.Contains(plan, "idx_following") {
			t.Errorf("the bounds are read from an index that begins with followers:\n%s", plan)
		}
	})
}

// pagesRead matches how many pages PostgreSQL found in memory, and read, for a whole plan.
var pagesRead = regexp.MustCompile(`Buffers: shared(?: hit=([0-9]+))?(?: read=([0-9]+))?`)

// The slices of an author with a million followers would otherwise read most of them each. Most users of
// a large network are not active, and the rows of those who follow an author are far apart.
func TestExplain_FollowersAreReadFromTheirRange(t *testing.T) {
	b := postgresBackend(t)
	s := upkeepTemplate.open(t, b)
	followers := s.FollowersStatement(1, feed.FollowerRange{After: 20_000, UpTo: 20_100, Limit: 1000})
	followers.Text = "(ANALYZE, BUFFERS) " + followers.Text
	plan, err := s.ExplainPage(t.Context(), followers)
	must(t, err)
	mustBePlanned(t, b, "followers", plan, reads("rows=100 "))
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
	// Else rows must be read to see whether they are visible.
	must(t, s.Exec(t.Context(), "VACUUM users"))
	// PostgreSQL assumes ten users for a plan that it keeps.
	plan, err = s.Explain(t.Context(), s.LeasesStatement(inboxViewers(10)))
	must(t, err)
	mustBePlanned(t, b, "leases", plan, reads("Index Only Scan using idx_users_active on users u"))
}

// How each database prints that it looks up a host, and one of a viewer's follows.
var (
	hostSearch = map[string]string{
		"sqlite":   "SEARCH h USING INTEGER PRIMARY KEY (rowid=?)",
		"postgres": "using live_hosts_pkey on live_hosts h",
	}
	leaverSearch = map[string]string{
		"sqlite":   "SEARCH f USING PRIMARY KEY (follower_id=? AND followee_id=?)",
		"postgres": "((follower_id = viewer.id) AND (followee_id = p.user_id))",
	}
)

// The cost of a first page grows with the hosts that its viewer follows, and neither with all hosts nor
// with the past of a host. A followed host may have any number of sessions.
func TestExplain_LiveFeedsUseIndexes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := liveTemplate.open(t, b)
		hosts := []feed.UserID{7, 507, 1007, 1507}
		tables := []string{
			"users", "follows", "live_hosts", "live_sessions", "live_transitions", "events", "plans", "u", "f", "h", "s", "t", "c", "found",
		}
		sorted := func(p wantedPlan) wantedPlan { return p.sorting(anySorts).neverScanning(tables...) }
		open := sorted(reads("idx_live_open", "idx_live_changed", "idx_transitions"))
		mustPlan(t, b, s.Explain, sqlstore.NewLive(s).LiveStatements(hosts), map[string]wantedPlan{
			"hosts": sorted(each(hostSearch)), "sets": sorted(each(hostSearch)), "open now": open, "open a moment ago": open,
			"sessions of host": reads("idx_live_of_host"), "versions": sorted(each(leaverSearch)),
			"transitions": reads("live_transitions"), "pending replays": sorted(reads("idx_events_replays", "idx_plans_replays")),
		})
		replays := sorted(reads("idx_replays"))
		for _, ascending := range []bool{false, true} {
			r := feed.Range{Below: feed.Key{TS: 3000}, Limit: 21, Ascending: ascending}
			mustPlan(t, b, s.Explain, sqlstore.NewReplays(s).ReplayStatements(hosts[:3], r),
				map[string]wantedPlan{"outboxes": replays, "a feed": replays, "a build": replays})
		}
	})
}

// reactionSearch is how each database prints that it looks up a reaction by all three columns of the key.
// With fewer it would read all reactions to a post. edgeSearch is how it prints that it reads a follow
// from the primary key, where all follows of a viewer are adjacent, and from no other index.
var (
	reactionSearch = map[string]string{
		"sqlite":   "SEARCH did USING PRIMARY KEY (content_id=? AND kind=? AND user_id=?)",
		"postgres": "Index Cond: ((content_id = r.content) AND (kind = 'like'::text) AND (user_id = r.viewer))",
	}
	edgeSearch = map[string]string{
		"sqlite":   "SEARCH f USING PRIMARY KEY (follower_id=? AND followee_id=?)",
		"postgres": "Index Only Scan using follows_pkey on follows f",
	}
)

// Neither all mutes or blocks of a user who mutes all others are read, nor all of their follows.
func TestExplain_ViewersUsePrimaryKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := viewerTemplate.open(t, b)
		must(t, s.Exec(t.Context(), "VACUUM")) // until when PostgreSQL looks into tables as well
		of := func(viewer feed.UserID, names ...string) sqlstore.Statements {
			all := s.ViewerStatements(viewer, []feed.PostID{1, 2, 3}, []feed.UserID{1, 2, 3})
			maps.DeleteFunc(all, func(name string, _ sqlstore.Statement) bool { return !strings.Contains(strings.Join(names, ","), name) })
			return all
		}
		mustPlan(t, b, s.Explain, of(7, "reactions", "edges"), map[string]wantedPlan{"reactions": each(reactionSearch), "edges": each(edgeSearch)})
		// Of relations, two kinds are by the viewer and two by the other, and edges have a third by the viewer.
		mustLookUpRelations(t, s, of(7, "edges"), 5)
		mustLookUpRelations(t, s, of(1, "pulled", "a survey"), 4)
	})
}

// mustLookUpRelations checks that plans look up relations so many times, each time by the whole key.
func mustLookUpRelations(t *testing.T, s *sqlstore.Store, all sqlstore.Statements, times int) {
	t.Helper()
	for name, statement := range all {
		plan, err := s.Explain(t.Context(), statement)
		must(t, err)
		found := 0
		for line := range strings.Lines(plan) {
			if !strings.Contains(line, "target_id =") && !strings.Contains(line, "target_id=") {
				continue
			}
			if found++; !strings.Contains(line, "kind =") && !strings.Contains(line, "kind=") || !strings.Contains(line, "user_id") {
				t.Errorf("%s: a relation is looked up by a part of its key in %q", name, line)
			}
		}
		if found != times {
			t.Errorf("%s: relations are looked up %d times, want %d:\n%s", name, found, times, plan)
		}
	}
}

// crowdSize are the numbers of users at which a wrong plan shows. SQLite's plans hardly depend on the
// size of tables.
var crowdSize = map[string]int{"sqlite": 2_000, "postgres": 20_000}

// buildCrowd stores users who all have one word in common, a few of them another, and one user who
// blocks all others.
func buildCrowd(t testing.TB, s *sqlstore.Store, size int) {
	t.Helper()
	var batch []feed.Record
	for i := range size {
		u := townUser(feed.UserID(i + 1))
		u.Name = fmt.Sprintf("Crowd Member%d", i%100)
		batch = append(batch, feed.Record{User: u})
		if i > 0 {
			batch = append(batch, feed.Record{Relation: &feed.RelationRecord{
				Kind: feed.RelationBlock, User: 1, Target: u.ID, CreatedAt: townStart + int64(i),
			}})
		}
	}
	importAll(t, s, batch)
	must(t, s.Exec(t.Context(), "ANALYZE"))
}

func TestExplain_SearchesAndRelationsUseTheirIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		buildCrowd(t, s, crowdSize[b.name])
		for _, ascending := range []bool{false, true} {
			r := firstPage()
			r.Ascending = ascending
			for _, words := range [][]string{{"c"}, {"crowd"}, {"member7"}, {"crowd", "member7"}, {"nobody"}} {
				all := s.UserStatements(1, words, r)
				delete(all, "follows")
				mustPlan(t, b, s.Explain, all, map[string]wantedPlan{"a search": reads("idx_search"), "blocks": reads("idx_related").scanning("purges")})
			}
		}
	})
}

// Where one user has nearly all reactions, a toy leaves it to PostgreSQL to compare each record with
// all of them. Then no batch ends in time, however often it is tried.
func TestApply_ManyReactionsOfOneUser(t *testing.T) {
	const stored, more = 60_000, 10_000
	url := emptyTemplate.url(t, "postgres")
	others := opened(t, url)
	importAll(t, others, []feed.Record{{User: townUser(6)}})
	mustBe(t, "", others.Exec(t.Context(), fmt.Sprintf("INSERT INTO reactions SELECT n * 7919 %% 1000003, 'like', 6, n FROM generate_series(1, %d) n", stored)))
	mustBe(t, "", others.Exec(t.Context(), "ANALYZE reactions"))
	// So the planner sees this table as it sees one with some hundred thousand rows.
	mustBe(t, "", others.Exec(t.Context(), "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET enable_hashjoin = off', current_database()); END $$"))
	s := openedWith(t, url, sqlstore.Postgres{StatementWithin: 8 * time.Second, IdleInTxWithin: 8 * time.Second})
	for _, ended := range []int64{0, 5} {
		var batch []feed.Record
		for id := range feed.PostID(more) {
			batch = append(batch, feed.Record{Reaction: &feed.ReactionRecord{Reaction: feed.ReactionLike, User: 6, Post: 2_000_000 + id, CreatedAt: stored}, EndedAt: ended})
		}
		began := time.Now()
		result, err := s.Apply(t.Context(), feed.Batch{Records: batch, Ordered: true, Owned: feed.OwnedTypes()})
		t.Logf("%d records took %v", more, time.Since(began))
		if err != nil || len(result.Bad) > 0 {
			t.Fatalf("records that end at %d: %v, bad: %v", ended, err, result.Bad)
		}
	}
}

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
