package sqlstore_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

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
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(t.Context(), `SELECT conname FROM pg_constraint WHERE contype = 'f'`)
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := pgx.CollectRows(rows, pgx.RowTo[string]); err != nil || len(keys) > 0 {
		t.Errorf("there are foreign keys: %v, %v", keys, err)
	}
}

func TestOpen_ExplainsInvalidURLs(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no", "such", "folder", "tideline.db")
	for name, c := range map[string]struct{ url, want string }{
		"another database":            {"mysql://localhost/db", "must start with sqlite:// or postgres://"},
		"no scheme":                   {"tideline.db", "must start with sqlite:// or postgres://"},
		"nothing at all":              {"", "must start with sqlite:// or postgres://"},
		"SQLite without a path":       {"sqlite://", "needs the path of a file"},
		"SQLite in memory":            {"sqlite://:memory:", "needs the path of a file"},
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
		"the port is no number":  "postgres://ann:" + secret + "@localhost:port/db",
		"the host has a bracket": "postgres://ann:" + secret + "@[::1/db",
		"a setting is wrong":     "postgres://ann:" + secret + "@localhost/db?sslmode=perhaps",
		"the password is quoted": "postgres://ann:%zz" + secret + "@localhost/db",
		"a keyword is wrong":     "postgres://localhost/db?password=" + secret + "&port=x",
		"another database":       "mysql://ann:" + secret + "@localhost/db",
		"no scheme":              "ann:" + secret + "@localhost/db",
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
		mustBe(t, feed.CodeUnavailable, s.Follow(t.Context(), 1, 2, townStart, 10))
	}
}

// takeAway cuts every connection to a PostgreSQL database and refuses new ones.
func takeAway(t *testing.T, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	outside := opened(t, u.String())
	for _, stmt := range []string{
		"ALTER DATABASE " + name + " ALLOW_CONNECTIONS false",
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'",
	} {
		if err := outside.Exec(t.Context(), stmt); err != nil {
			t.Fatal(err)
		}
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
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
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
