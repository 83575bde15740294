package sqlstore_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// pageReads are the reads that pages are made of, of the least that they can be asked for: it
// is then that PostgreSQL is most tempted to plan them anew.
func pageReads() map[string]func(context.Context, *sqlstore.Store) error {
	post, author := []feed.PostID{1000}, []feed.UserID{townAuthor(0)}
	return map[string]func(context.Context, *sqlstore.Store) error{
		"stamp": func(ctx context.Context, s *sqlstore.Store) error {
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
			_, err := s.Pulled(ctx, townViewer, 1, true)
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
		"look": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.ChangeLog().Poll(ctx, "")
			return err
		},
		"reactions": func(ctx context.Context, s *sqlstore.Store) error {
			_, err := s.Reactions(ctx, townViewer, post)
			return err
		},
	}
}

// readPages reads all that pages are made of by a single connection, so many times.
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

func TestWhatPagesAreMadeOfIsPlannedOnce(t *testing.T) {
	s := townTemplate.open(t, postgresBackend(t))
	readPages(t, s, 10)
	plans, err := s.PagePlans(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(plans) != len(pageReads()) {
		t.Errorf("%d statements are prepared", len(plans))
	}
	for text, p := range plans {
		if p.Generic != 10 || p.Custom != 0 {
			t.Errorf("of ten times it was planned for its values %d times: %s", p.Custom, text)
		}
	}
}

// A program that starts on an empty database plans its reads while there is nothing in the
// tables, and a table of no pages is read from end to end at no cost. Such a plan would stay
// until somebody has looked how large the tables have become.
func TestPlansMadeWhileTablesAreEmptyDoNotReadTablesFromEndToEnd(t *testing.T) {
	s := postgresBackend(t).open(t)
	// What nobody has looked at is taken to be larger than it is, so that this is to fail.
	if err := s.Exec(t.Context(), "VACUUM ANALYZE"); err != nil {
		t.Fatal(err)
	}
	readPages(t, s, 1)
	plans, err := s.ExplainPages(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(plans) != len(pageReads()) {
		t.Errorf("%d statements are prepared", len(plans))
	}
	for text, plan := range plans {
		// They have one row for good, or one while an account is being deleted.
		others := plan
		for _, table := range []string{"feed_state", "live_clock", "purges"} {
			others = strings.ReplaceAll(others, "Seq Scan on "+table, "")
		}
		if strings.Contains(others, "Seq Scan") || strings.Contains(others, "Bitmap") || strings.Contains(others, "Hash Join") {
			t.Errorf("%s\nis run by\n%s", text, plan)
		}
		// Of contents nothing is asked that takes a look at each of their authors.
		if strings.Contains(text, "c.media") && strings.Contains(plan, "users") {
			t.Errorf("contents are read by\n%s", plan)
		}
	}
}

// Whoever meets a connection that has ended, with a server that was started again for
// example, is told that the database cannot be reached, and nobody meets it again.
func TestAConnectionThatHasEndedIsMetOnceByThoseWhoReadPages(t *testing.T) {
	s := postgresBackend(t).open(t)
	s.OnePageConnection()
	for name, read := range pageReads() {
		if err := read(t.Context(), s); err != nil {
			t.Fatal(name, err)
		}
		if err := s.EndOtherConnections(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := read(t.Context(), s); err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("%s: the error is %v", name, err)
		}
		if err := read(t.Context(), s); err != nil {
			t.Errorf("%s: the next read fails: %v", name, err)
		}
	}
}

func TestWhoAsksIsToldOfStatementsThatShareARoundTrip(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s, o := openObserved(t, b)
		if _, err := s.ViewerVersion(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		told := slices.DeleteFunc(o.statements, func(text string) bool { return !strings.Contains(text, "feed_state") })
		if diff := cmp.Diff(1, len(told)); diff != "" || o.bad != 0 {
			t.Errorf("of one read was told: %q, %d failed", o.statements, o.bad)
		}
	})
}

// What a survey says of a viewer may be remembered with his stamp only if none of it is of an
// earlier moment.
func TestASurveyReadsNothingBeforeTheStamp(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s, o := openObserved(t, b)
		if _, err := s.Survey(t.Context(), 1, 0, false, 10); err != nil {
			t.Fatal(err)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		told := slices.DeleteFunc(o.statements, func(text string) bool {
			return !strings.Contains(text, "SELECT") || strings.HasPrefix(text, "SET ") // a new connection's settings
		})
		if len(told) == 0 || o.bad != 0 || !strings.Contains(told[0], "feed_state") {
			t.Errorf("the statements are %q, of which %d failed", told, o.bad)
		}
		if one := len(told) == 1; one != (b.name == "postgres") {
			t.Errorf("the statements are %q, and must be one moment's on PostgreSQL", told)
		}
	})
}

func TestASurveyFailsWhenAnyOfItDoes(t *testing.T) {
	for _, table := range []string{"feed_state", "follows", "contents"} {
		onBoth(t, func(t *testing.T, b backend) {
			s := b.open(t)
			if err := s.Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO gone"); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Survey(t.Context(), 1, 0, false, 10); err == nil {
				t.Errorf("without %s: %+v", table, got)
			}
			if _, err := s.Users(t.Context(), []feed.UserID{1}); err != nil {
				t.Errorf("without %s: what comes behind it: %v", table, err)
			}
		})
	}
}
