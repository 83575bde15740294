package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// popularTables fill a database with one post that all users like and posts with hardly any like,
// which statistics show, and with one user who blocks all others.
var popularTables = []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at, active_until)
SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1, 1 FROM %n%`,
	`INSERT INTO contents (id, author_id, kind, text, media, published_at) SELECT n.i, 1, 'article', '', '[]', n.i FROM %n%`,
	`INSERT INTO reactions (content_id, kind, user_id, created_at) SELECT 1, 'like', n.i, 1 FROM %n%`,
	`INSERT INTO reactions (content_id, kind, user_id, created_at) SELECT n.i, 'like', 1 + n.i % 50, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT 1, 'block', n.i, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT n.i, 'mute', 1 + n.i % 50, 1 FROM %n% WHERE n.i > 50`,
	`ANALYZE`,
}

var (
	popularTemplate = bulk{rows: upkeepRows, statements: popularTables}.template()
	pulledTemplate  = bulk{rows: upkeepRows, statements: pulledTables}.template()
)

// reactionLookUp is how each database prints that it looks up a reaction by all three columns of
// the key. With fewer it would read all reactions to a post.
var reactionLookUp = map[string]string{
	"sqlite":   "SEARCH did USING PRIMARY KEY (content_id=? AND kind=? AND user_id=?)",
	"postgres": "Index Cond: ((content_id = r.content) AND (kind = 'like'::text) AND (user_id = r.viewer))",
}

func TestExplain_ReactionsUsePrimaryKey(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := popularTemplate.open(t, b)
		plan, err := s.ExplainReactions(t.Context(), 7, []feed.PostID{1, 2, 3})
		mustLookUp(t, plan, err, reactionLookUp[b.name])
	})
}

func TestExplain_EdgesUsePrimaryKey(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		plan, err := popularTemplate.open(t, b).ExplainEdges(t.Context(), 7, []feed.UserID{1, 2, 3})
		mustLookUpRelations(t, plan, err, 5) // three by the viewer, two by the other
	})
}

// It does not read all mutes or blocks of a user who mutes all others either.
func TestExplain_PulledDoesNotScanMutes(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := pulledTemplate.open(t, b)
		const kinds = 4 // two by the viewer, two by the other
		plan, err := s.ExplainPulled(t.Context(), 1, 1)
		mustLookUpRelations(t, plan, err, kinds)
		if b.name == "postgres" {
			plan, err = s.ExplainSurvey(t.Context(), 1, 1)
			mustLookUpRelations(t, plan, err, kinds)
		}
	})
}

// pulledTables let a user who follows, mutes and blocks all others pull many of them, so that
// reading all relations at once would look cheap.
var pulledTables = []string{
	`INSERT INTO users (id, handle, handle_fold, name, created_at, active_until, mark)
SELECT n.i, 'u' || n.i, 'u' || n.i, 'A user', 1, 1, CASE WHEN n.i % 10 = 0 THEN 2 ELSE 0 END FROM %n%`,
	`INSERT INTO follows (follower_id, followee_id, created_at, version, active) SELECT 1, n.i, 1, n.i % 5, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT 1, 'mute', n.i, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT 1, 'block', n.i, 1 FROM %n% WHERE n.i > 1`,
	`INSERT INTO relations (user_id, kind, target_id, created_at) SELECT n.i, 'hide', 1, 1 FROM %n% WHERE n.i > 1`,
	`ANALYZE`,
}

// mustLookUpRelations checks that a plan looks up relations so many times, each time by the whole
// key.
func mustLookUpRelations(t *testing.T, plan string, err error, times int) {
	t.Helper()
	must(t, err)
	found := 0
	for line := range strings.Lines(plan) {
		if !strings.Contains(line, "target_id =") && !strings.Contains(line, "target_id=") {
			continue
		}
		if found++; !strings.Contains(line, "kind =") && !strings.Contains(line, "kind=") || !strings.Contains(line, "user_id") {
			t.Errorf("a relation is looked up by a part of its key in %q", line)
		}
	}
	if found != times {
		t.Errorf("relations are looked up %d times, want %d:\n%s", found, times, plan)
	}
}

// edgeLookUp is how each database prints that it reads a follow from the primary key, where all
// follows of a viewer are adjacent, and from no other index.
var edgeLookUp = map[string]string{
	"sqlite":   "SEARCH f USING PRIMARY KEY (follower_id=? AND followee_id=?)",
	"postgres": "Index Only Scan using follows_pkey on follows f",
}

func TestExplain_FollowsUsePrimaryKey(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := upkeepTemplate.open(t, b)
		if err := s.Exec(t.Context(), "VACUUM"); err != nil { // until when PostgreSQL looks into tables as well
			t.Fatal(err)
		}
		plan, err := s.ExplainEdges(t.Context(), 7, []feed.UserID{1, 2, 3})
		must(t, err)
		if !strings.Contains(plan, edgeLookUp[b.name]) {
			t.Errorf("the plan has no step %q:\n%s", edgeLookUp[b.name], plan)
		}
	})
}
