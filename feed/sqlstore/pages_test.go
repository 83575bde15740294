package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

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
			_, err := s.Outbox(ctx, author, firstPage())
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
		// The statement on posts must not look up each author, except in the index of absent users.
		authors := strings.ReplaceAll(plan, "Index Only Scan using idx_users_absent on users gone", "")
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
