package sqlstore_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestMigrate_SecondRunAppliesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := opened(t, b.emptyURL(t))
		first, err := s.Migrate(t.Context())
		if err != nil || len(first) == 0 || first[0] != 1 {
			t.Fatalf("the first run applied %v (%v), want all from 1 on", first, err)
		}
		importAll(t, s, []feed.Record{{User: townUser(1)}})
		second, err := s.Migrate(t.Context())
		if err != nil || len(second) != 0 {
			t.Fatalf("the second run applied %v (%v), want nothing", second, err)
		}
		if u, err := s.UserByHandle(t.Context(), "u1"); u == nil || err != nil {
			t.Errorf("the user is gone: %v", err)
		}
	})
}

func TestMigrate_ConcurrentPostgresProcessesRunOnce(t *testing.T) {
	const processes = 4
	b := postgresBackend(t)
	address := b.emptyURL(t)
	applied := make([][]int64, processes)
	errs := make([]error, processes)
	var all sync.WaitGroup
	for i := range processes {
		s := opened(t, address)
		all.Go(func() { applied[i], errs[i] = s.Migrate(t.Context()) })
	}
	all.Wait()
	did := 0
	for i := range processes {
		if errs[i] != nil {
			t.Error(errs[i])
		}
		if len(applied[i]) > 0 {
			did++
		}
	}
	if did != 1 {
		t.Errorf("%d processes applied migrations, want one: %v", did, applied)
	}
}

// A foreign key would cost a query for each row of an import.
func TestMigrate_LeavesNoForeignKeysInPostgres(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), emptyTemplate.url(t, "postgres"))
	must(t, err)
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), `SELECT conname FROM pg_constraint WHERE contype = 'f'`)
	must(t, err)
	if keys, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(keys) > 0 {
		t.Errorf("there are foreign keys: %v, %v", keys, err)
	}
}

func TestOpen_ExplainsInvalidURLs(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "such", "folder", "tideline.db")
	for name, c := range map[string]struct{ url, want string }{
		"another database":            {"mysql://localhost/db", "must start with sqlite:// or postgres://"},
		"nothing at all":              {"", "must start with sqlite:// or postgres://"},
		"SQLite without a path":       {"sqlite://", "needs the path of a file"},
		"SQLite in a missing folder":  {"sqlite://" + missing, "open the database file tideline.db"},
		"a PostgreSQL URL to no port": {"postgres://localhost:port/db", "cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := sqlstore.Open(t.Context(), c.url)
			if err == nil {
				_ = s.Close()
				t.Fatal("Open succeeded")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, want it to contain %q", err, c.want)
			}
		})
	}
}

func TestOpen_ErrorsHideThePassword(t *testing.T) {
	const secret = "h4rd-to-guess"
	for name, address := range map[string]string{
		"no server listens":      "postgres://ann:" + secret + "@127.0.0.1:1/db?connect_timeout=2",
		"the host has a bracket": "postgres://ann:" + secret + "@[::1/db",
		"the password is quoted": "postgres://ann:%zz" + secret + "@localhost/db",
		"a keyword is wrong":     "postgres://localhost/db?password=" + secret + "&port=x",
	} {
		t.Run(name, func(t *testing.T) {
			s, err := sqlstore.Open(t.Context(), address)
			if err == nil {
				_ = s.Close()
				t.Fatal("Open succeeded")
			}
			if strings.Contains(err.Error(), secret) {
				t.Errorf("the error shows the password: %v", err)
			}
		})
	}
}

// The name of a file may contain special characters of URLs.
func TestOpen_SQLiteUsesTheExactPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "50% of #1?.db")
	migrated(t, "sqlite://"+path)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestStore_LostDatabaseIsUnavailable(t *testing.T) {
	address := emptyTemplate.url(t, "postgres")
	s := opened(t, address)
	takeAway(t, address)
	for range 2 { // once on a connection that was cut, once without any
		_, err := s.ViewerVersion(t.Context(), 1)
		mustBe(t, feed.CodeUnavailable, err)
		mustBe(t, feed.CodeUnavailable, s.Follow(t.Context(), 1, 2, townStart, 10, feed.FollowChoice{}))
	}
}

// takeAway cuts every connection to a PostgreSQL database and refuses new ones.
func takeAway(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	outside := opened(t, u.String())
	for _, stmt := range []string{
		"ALTER DATABASE " + name + " ALLOW_CONNECTIONS false",
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'",
	} {
		must(t, outside.Exec(t.Context(), stmt))
	}
}

// Commands may run concurrently on a file that does not exist yet. The first migration fails when it
// runs twice; the last of these would not.
func TestMigrate_ConcurrentSQLiteProcessesRunOnce(t *testing.T) {
	const processes, files = 4, 5
	b := sqliteBackend(t)
	further := sqlstore.WithMigration(900, "UPDATE feed_state SET generation = generation + 1")
	want, err := migrateFile(t.Context(), b.emptyURL(t), further)
	mustBe(t, "", err)
	for range files {
		address := b.emptyURL(t)
		applied := make([][]int64, processes)
		errs := make([]error, processes)
		var all sync.WaitGroup
		for i := range processes {
			all.Go(func() { applied[i], errs[i] = migrateFile(t.Context(), address, further) })
		}
		all.Wait()
		must(t, errors.Join(errs...))
		same(t, slices.Sorted(slices.Values(slices.Concat(applied...))), want)
	}
}

// migrateFile migrates like a process.
func migrateFile(ctx context.Context, address string, further sqlstore.Option) ([]int64, error) {
	s, err := sqlstore.Open(ctx, address, further)
	if err != nil {
		return nil, err
	}
	applied, err := s.Migrate(ctx)
	return applied, errors.Join(err, s.Close())
}

// later migrates a database like a later program would: to version 900, by an addition.
func later(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	for _, stmt := range []string{
		"ALTER TABLE users ADD COLUMN of_later BIGINT NOT NULL DEFAULT 7",
		"INSERT INTO schema_versions (version_id, is_applied) VALUES (900, TRUE)",
	} {
		must(t, s.Exec(t.Context(), stmt))
	}
}

func TestMigrate_AcceptsCompatibleNewerSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		later(t, opened(t, url))
		s := opened(t, url)
		if applied, err := s.Migrate(t.Context()); len(applied) > 0 || err != nil {
			t.Fatalf("Migrate returned %v, %v", applied, err)
		}
		importAll(t, s, []feed.Record{{User: townUser(1)}, {User: townUser(2)}})
		mustBe(t, "", s.Follow(t.Context(), 1, 2, townStart, 10, feed.FollowChoice{}))
	})
}

func TestMigrate_RefusesIncompatibleNewerSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		first := opened(t, url)
		later(t, first)
		must(t, first.Exec(t.Context(), "UPDATE feed_state SET least_schema = 900"))
		_, err := opened(t, url).Migrate(t.Context())
		var newer *sqlstore.ErrNewerSchema
		if !errors.As(err, &newer) || newer.Needs != 900 || newer.Knows >= 900 {
			t.Errorf("the error is %v", err)
		}
	})
}

// A development version wrote its versions into another table.
func TestMigrate_RefusesDevelopmentSchema(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		for name, c := range map[string]struct {
			url  string
			made []string
		}{
			"all its migrations": {b.newURL(t), []string{"ALTER TABLE schema_versions RENAME TO goose_db_version"}},
			"only its first":     {b.emptyURL(t), []string{"CREATE TABLE goose_db_version (version_id BIGINT)", "CREATE TABLE feed_state (id BIGINT)"}},
		} {
			t.Run(name, func(t *testing.T) {
				s := opened(t, c.url)
				for _, stmt := range c.made {
					mustBe(t, "", s.Exec(t.Context(), stmt))
				}
				before, err := s.Tables(t.Context())
				mustBe(t, "", err)
				if applied, err := s.Migrate(t.Context()); !errors.Is(err, sqlstore.ErrDevelopmentSchema) || len(applied) > 0 {
					t.Errorf("Migrate returned %v, %v", applied, err)
				}
				after, err := s.Tables(t.Context())
				mustBe(t, "", err)
				same(t, after, before)
			})
		}
	})
}

// A column that a migration adds and tables.go lacks would be neither imported nor exported.
func TestColumns_AreDescribed(t *testing.T) {
	// Columns that are not a field of an object.
	kept := map[string][]string{
		"users":         {"version", "active_until", "absent", "awaited_at", "low_since", "mark_reason", "marked_at", "privacy_changed_at", "privacy_changed_before"},
		"contents":      {"repost_depth"},
		"live_sessions": {"score"},
		"follows":       {"version", "active", "followed"},
	}
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		for table, names := range sqlstore.DescribedColumns() {
			got, err := s.ColumnsOf(t.Context(), table)
			must(t, err)
			want := append(strings.Split(names, ", "), kept[table]...)
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-described +stored):\n%s", table, diff)
			}
		}
	})
}

// A column that no statement computes with is named once, so that adding one is simple.
func TestColumns_NamedInOneFile(t *testing.T) {
	files, err := filepath.Glob("*.go")
	must(t, err)
	column := regexp.MustCompile(`\b(avatar_url|title|replay_url|scheduled_at|cancelled_at)\b`)
	for _, file := range files {
		if file == "tables.go" || strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		must(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
				for _, name := range column.FindAllString(text.Value, -1) {
					t.Errorf("%s names the column %s", file, name)
				}
			}
			return true
		})
	}
}

// Comments and reposts have the author at the top of their thread as audience author, also those of
// deleted posts. A post whose parent has not arrived has none, nor do reposts of each other.
func TestMigrate_FindsAudienceAuthors(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		url := b.newURL(t)
		before := opened(t, url)
		for _, stmt := range append(undoAudiences(), "DELETE FROM schema_versions WHERE version_id > 9",
			`INSERT INTO users (id, handle, handle_fold, name, created_at) VALUES (1, 'a', 'a', '', 0), (2, 'b', 'b', '', 0), (3, 'c', 'c', '', 0)`,
			`INSERT INTO contents (id, author_id, kind, text, reply_to, repost_of, published_at, deleted_at) VALUES
			 (10, 1, 'POST', '', 0, 0, 0, 0), (11, 2, 'COMMENT', '', 10, 0, 0, 9), (12, 3, 'COMMENT', '', 11, 0, 0, 0), (9, 3, 'REPOST', '', 0, 12, 0, 0),
			 (13, 2, 'COMMENT', '', 99, 0, 0, 0), (14, 3, 'COMMENT', '', 13, 0, 0, 0), (15, 3, 'REPOST', '', 0, 16, 0, 0), (16, 3, 'REPOST', '', 0, 15, 0, 0)`,
		) {
			must(t, before.Exec(t.Context(), stmt))
		}
		s := opened(t, url)
		_, err := s.Migrate(t.Context())
		must(t, err)
		posts, err := s.Posts(t.Context(), []feed.PostID{10, 11, 12, 9, 13, 14, 15, 16})
		must(t, err)
		var got []feed.UserID
		for _, p := range posts {
			got = append(got, p.AudienceAuthor)
		}
		same(t, got, []feed.UserID{1, 1, 1, 1, 0, 0, 0, 0})
	})
}

// undoAudiences undoes the migration of audiences and all later ones.
func undoAudiences() []string {
	return []string{
		"DROP TABLE read_positions", // later migrations of lists are undone with these
		"DROP TABLE list_members", "DROP TABLE author_lists",
		"DROP INDEX idx_special_follows", "DROP INDEX idx_special_followers", "ALTER TABLE follows DROP COLUMN options", "ALTER TABLE follow_requests DROP COLUMN options",
		"ALTER TABLE object_versions DROP COLUMN unsettled", "DROP INDEX idx_relations_until", "ALTER TABLE relations DROP COLUMN until",
		"DROP TABLE sanctions", "DROP INDEX idx_users_suspended", "ALTER TABLE contents DROP COLUMN taken_down", "ALTER TABLE users DROP COLUMN suspended",
		"ALTER TABLE feed_state DROP COLUMN private_placeholders", "DROP TABLE audience_changes", "ALTER TABLE repost_changes DROP COLUMN kind", "ALTER TABLE repost_changes DROP COLUMN other_id", "DROP TABLE follow_requests",
		"DROP INDEX idx_outbox_strangers", "DROP INDEX idx_unsettled_comments", "DROP INDEX idx_unsettled_reposts",
		"DROP INDEX idx_audience_author", "DROP INDEX idx_users_private",
		"ALTER TABLE contents DROP COLUMN audience", "ALTER TABLE contents DROP COLUMN audience_author",
		"ALTER TABLE users DROP COLUMN private", "ALTER TABLE users DROP COLUMN privacy_changed_at", "ALTER TABLE users DROP COLUMN privacy_changed_before",
	}
}
