package sqlstore_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// pageReads are the reads of pages with the smallest arguments, for which PostgreSQL most prefers
// custom plans.
func pageReads() map[string]func(context.Context, *sqlstore.Store) error {
	post, author := []feed.PostID{1000}, []feed.UserID{townAuthor(0)}
	return map[string]func(context.Context, *sqlstore.Store) error{
		"version": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.ViewerVersion(ctx, townViewer)
			return err
		},
		"survey": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Survey(ctx, townViewer, 1, true, 50)
			return err
		},
		"edges": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Edges(ctx, townViewer, author)
			return err
		},
		"posts":         func(ctx context.Context, s *sqlstore.Store) error { _, err := s.Posts(ctx, post); return err },
		"users":         func(ctx context.Context, s *sqlstore.Store) error { _, err := s.Users(ctx, author); return err },
		"post counters": func(ctx context.Context, s *sqlstore.Store) error { _, err := s.PostCounters(ctx, post); return err },
		"user counters": func(ctx context.Context, s *sqlstore.Store) error { _, err := s.UserCounters(ctx, author); return err },
		"pulled": func(ctx context.Context, s *sqlstore.Store) error {
			// Another generation takes the same statement.
			_, err := s.Pulled(ctx, townViewer, feed.Completeness{Version: 1, Cold: true})
			if errors.Is(err, feed.ErrGenerationRaised) {
				return nil
			}
			return err
		},
		"own outbox": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Outbox(ctx, 0, author, firstPage())
			return err
		},
		"inbox": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := sqlstore.NewInboxes(s, 300).Read(ctx, townViewer, firstPage())
			return err
		},
		"change log": func(ctx context.Context, s *sqlstore.Store) error { _, err := s.LastChange(ctx); return err },
		"reactions": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Reactions(ctx, townViewer, post)
			return err
		},
	}
}

// readPages runs all reads of pages so many times on a single connection.
func readPages(t *testing.T, s *sqlstore.Store, times int) {
	t.Helper()
	s.OnePageConnection()
	for name, read := range pageReads() {
		for range times {
			if err := read(t.Context(), s); err != nil {
				t.Fatal(name, err)
			}
		}
	}
}

func TestPages_PlanStatementsOnce(t *testing.T) {
	s := townTemplate.open(t, postgresBackend(t))
	readPages(t, s, 10)
	plans, err := s.PagePlans(t.Context())
	must(t, err)
	if len(plans) != len(pageReads()) {
		t.Errorf("%d statements are prepared", len(plans))
	}
	for text, p := range plans {
		if p.Generic != 10 || p.Custom != 0 {
			t.Errorf("of ten runs %d used a custom plan: %s", p.Custom, text)
		}
	}
}

// A program that starts on an empty database plans its reads while the tables are empty, and
// scanning an empty table costs nothing. Such a plan would stay until the tables are analyzed.
func TestPages_EarlyPlansUseIndexes(t *testing.T) {
	s := postgresBackend(t).open(t)
	// Without ANALYZE PostgreSQL assumes larger tables, and the test could not fail.
	must(t, s.Exec(t.Context(), "VACUUM ANALYZE"))
	readPages(t, s, 1)
	plans, err := s.ExplainPages(t.Context())
	must(t, err)
	if len(plans) != len(pageReads()) {
		t.Errorf("%d statements are prepared", len(plans))
	}
	for text, plan := range plans {
		// They have one row, or one while an account is being deleted.
		others := plan
		for _, table := range []string{"feed_state", "live_clock", "change_state", "purges"} {
			others = strings.ReplaceAll(others, "Seq Scan on "+table, "")
		}
		if strings.Contains(others, "Seq Scan") || strings.Contains(others, "Bitmap") || strings.Contains(others, "Hash Join") {
			t.Errorf("%s\nis run by\n%s", text, plan)
		}
		// The statement on posts must not look up each author, except in the indexes of few users.
		authors := plan
		for _, index := range []string{"idx_users_absent", "idx_users_private", "idx_users_suspended"} {
			authors = strings.ReplaceAll(authors, "Index Only Scan using "+index+" on users flagged", "")
		}
		if strings.Contains(text, "c.media") && strings.Contains(authors, "users") {
			t.Errorf("posts are read by\n%s", plan)
		}
	}
}

// The first reader on a connection that has ended, for example because the server restarted, gets
// an error, and later ones do not.
func TestPages_ReplaceEndedConnections(t *testing.T) {
	s := postgresBackend(t).open(t)
	s.OnePageConnection()
	for name, read := range pageReads() {
		if err := read(t.Context(), s); err != nil {
			t.Fatal(name, err)
		}
		must(t, s.EndOtherConnections(t.Context()))
		if err := read(t.Context(), s); err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("%s: the error is %v", name, err)
		}
		if err := read(t.Context(), s); err != nil {
			t.Errorf("%s: the next read fails: %v", name, err)
		}
	}
}

// A survey may be cached under its viewer version only if nothing in it is older.
func TestSurvey_IsNotOlderThanItsVersion(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s, o := openObserved(t, b)
		_, err := s.Survey(t.Context(), 1, 0, false, 10)
		must(t, err)
		o.mu.Lock()
		defer o.mu.Unlock()
		reported := slices.DeleteFunc(o.statements, func(text string) bool {
			return !strings.Contains(text, "SELECT") || strings.HasPrefix(text, "SET ") // a new connection's settings
		})
		if len(reported) == 0 || o.bad != 0 || !strings.Contains(reported[0], "feed_state") {
			t.Errorf("the statements are %q, of which %d failed", reported, o.bad)
		}
		if one := len(reported) == 1; one != (b.name == "postgres") {
			t.Errorf("the statements are %q, want one on PostgreSQL", reported)
		}
	})
}

func TestSurvey_FailsIfAnyReadFails(t *testing.T) {
	for _, table := range []string{"feed_state", "follows", "contents"} {
		onBoth(t, func(t *testing.T, b backend) {
			s := b.open(t)
			must(t, s.Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO gone"))
			if got, err := s.Survey(t.Context(), 1, 0, false, 10); err == nil {
				t.Errorf("without %s: %+v", table, got)
			}
			if _, err := s.Users(t.Context(), []feed.UserID{1}); err != nil {
				t.Errorf("without %s: the part after it: %v", table, err)
			}
		})
	}
}

// village stores users 1 to n with random follows, coverage flags and posts, some of them deleted.
func village(t *testing.T, s *sqlstore.Store, n int, random *rand.Rand) {
	t.Helper()
	var batch []feed.Record
	for id := 1; id <= n; id++ {
		batch = append(batch, feed.Record{User: townUser(feed.UserID(id))})
	}
	for follower := range n {
		for _, followee := range random.Perm(n)[:random.IntN(n)] {
			batch = append(batch, feed.Record{Follow: &feed.FollowRecord{
				Follower: feed.UserID(1 + follower), Followee: feed.UserID(1 + followee), CreatedAt: townStart,
			}})
		}
	}
	for i := range 20 * n {
		p := townPost(i)
		p.Kind, p.RepostOf, p.Author = feed.KindPost, 0, feed.UserID(1+random.IntN(n))
		p.PublishedAt = townStart + int64(random.IntN(n))
		batch = append(batch, feed.Record{Post: p})
	}
	_, err := s.Apply(t.Context(), feed.Batch{Records: slices.DeleteFunc(batch, func(r feed.Record) bool {
		return r.Follow != nil && r.Follow.Follower == r.Follow.Followee
	})})
	must(t, err)
	for _, stmt := range []string{
		`UPDATE users SET mark = id % 3 WHERE id % 4 = 0`, `UPDATE users SET deleted_at = 1 WHERE id % 7 = 0`,
		`UPDATE contents SET deleted_at = 1 WHERE id % 5 = 0`, `UPDATE follows SET active = 0 WHERE follower_id % 3 = followee_id % 5`,
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

// Builds that wait share statements, and each reads what it would read alone.
func TestCovered_BuildsShareStatements(t *testing.T) {
	const viewers = 40
	var o observed
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{}, sqlstore.WithBegin(o.begin))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	village(t, s, viewers, random)
	limits := make([]int, viewers)
	got := make([][]feed.Key, viewers)
	var builds errgroup.Group
	before := o.count()
	for i := range got {
		limits[i] = 1 + random.IntN(300)
		builds.Go(func() (err error) {
			r := feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: limits[i]}
			got[i], err = s.Covered(t.Context(), feed.UserID(1+i), feed.FolloweeFilter{}, r)
			return err
		})
	}
	must(t, builds.Wait())
	if ran := o.count() - before; ran >= viewers {
		t.Errorf("%d builds ran %d statements", viewers, ran)
	}
	found := 0
	for i, keys := range got {
		// A range with another end is not of a build.
		r := feed.Range{Above: feed.Bottom, Below: feed.Key{TS: feed.Top.TS, ID: feed.Top.ID - 1}, Limit: limits[i]}
		want, err := s.Covered(t.Context(), feed.UserID(1+i), feed.FolloweeFilter{}, r)
		must(t, err)
		if !slices.Equal(keys, want) {
			t.Errorf("the build for viewer %d reads %v with others, %v alone", 1+i, keys, want)
		}
		found += len(keys)
	}
	if found == 0 {
		t.Error("no build reads any post")
	}
}

// The limit per author must not count excluded posts, or a page would be short although the feed
// goes on.
func TestFeed_PageFullWhenNewestHidden(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		fillWithHiddenReposts(t, s)
		keys, err := s.Feed(t.Context(), townViewer, feed.HomeAuthors, feed.Range{Below: feed.Top, Limit: 3})
		must(t, err)
		want := []feed.Key{{TS: townStart + 3, ID: 3}, {TS: townStart + 2, ID: 2}, {TS: townStart + 1, ID: 1}}
		same(t, keys, want)
	})
}

// fillWithHiddenReposts gives the viewer's only followee three posts and then ten newer reposts of
// a muted user.
func fillWithHiddenReposts(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	followee, muted := townAuthor(0), townAuthor(1)
	batch := []feed.Record{
		{User: townUser(townViewer)},
		{User: townUser(followee)},
		{User: townUser(muted)},
		{Follow: &feed.FollowRecord{Follower: townViewer, Followee: followee, CreatedAt: townStart}},
		{Relation: &feed.RelationRecord{Kind: feed.RelationMute, User: townViewer, Target: muted, CreatedAt: townStart}},
		{Post: &feed.Post{ID: 100, Author: muted, Kind: feed.KindPost, Text: "mine", PublishedAt: townStart}},
	}
	for i := range 13 {
		p := &feed.Post{ID: feed.PostID(i + 1), Author: followee, Kind: feed.KindPost, Text: "tide", PublishedAt: townStart + int64(i+1)}
		if i >= 3 {
			p.Kind, p.RepostOf = feed.KindRepost, 100
		}
		batch = append(batch, feed.Record{Post: p})
	}
	importAll(t, s, batch)
}
