package sqlstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// backend is one of the databases the store runs on.
type backend struct {
	name string
	// newURL returns the URL of a new, empty database.
	newURL func(t testing.TB) string
	// open returns a store on a new database that is migrated.
	open func(t testing.TB) *sqlstore.Store
}

// backends are all there are.
func backends(t testing.TB) []backend {
	return []backend{sqliteBackend(t), postgresBackend(t)}
}

// onBoth runs a test on both databases at once. They go on after the caller has
// returned, so it must not do anything behind onBoth.
func onBoth(t *testing.T, test func(t *testing.T, b backend)) {
	for _, b := range backends(t) {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
}

// onBothInTurn runs a test on one database after the other, as a test must be that
// sets the flags of rapid, which the whole process shares.
func onBothInTurn(t *testing.T, test func(t *testing.T, b backend)) {
	for _, b := range backends(t) {
		t.Run(b.name, func(t *testing.T) { test(t, b) })
	}
}

// The suites open a store for every promise and migrating takes longer than most of
// them, so each database is migrated once and then copied. What unrelated tests
// share has no other place to live than these two variables.
var (
	// sqliteTemplate returns a migrated database, as the bytes of its file.
	sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "tideline-template-")
		if err != nil {
			return nil, err
		}
		path := filepath.Join(dir, "template.db")
		file, err := []byte(nil), migrate("sqlite://"+path)
		if err == nil {
			// Closing it has brought everything from the log into the file.
			file, err = os.ReadFile(path)
		}
		return file, errors.Join(err, os.RemoveAll(dir))
	})
	// postgresTemplate returns a migrated database to be copied.
	postgresTemplate = sync.OnceValues(func() (*testenv.PostgresTemplate, error) {
		return testenv.NewPostgresTemplate(context.Background(), migrate)
	})
)

// sqliteBackend opens a copy of the template for every store.
func sqliteBackend(t testing.TB) backend {
	template, err := sqliteTemplate()
	if err != nil {
		t.Fatal(err)
	}
	newPath := func(t testing.TB) string { return filepath.Join(testenv.Dir(t), "tideline.db") }
	return backend{
		name:   "sqlite",
		newURL: func(t testing.TB) string { return "sqlite://" + newPath(t) },
		open: func(t testing.TB) *sqlstore.Store {
			path := newPath(t)
			if err := os.WriteFile(path, template, 0o600); err != nil {
				t.Fatal(err)
			}
			return opened(t, "sqlite://"+path)
		},
	}
}

// postgresBackend copies the template once and empties the copy for every store,
// which takes a third of the time of copying and dropping one each. All have the same
// connections, each of which takes the server longer to make than most promises take to
// be kept. So one store must be done with before the next is opened.
func postgresBackend(t testing.TB) backend {
	template, err := postgresTemplate()
	if err != nil {
		t.Fatal(err)
	}
	// The server may be busy with other tests: more so than one of production, where a second
	// without an answer is one too many.
	url, taken := template.Copy(t)+"&connect_timeout=10", false
	keeper := opened(t, url)
	return backend{
		name:   "postgres",
		newURL: testenv.Postgres,
		open: func(t testing.TB) *sqlstore.Store {
			if taken {
				t.Fatal("the database is taken by another store")
			}
			taken = true
			t.Cleanup(func() { taken = false })
			if err := keeper.Wipe(t.Context()); err != nil {
				t.Fatal(err)
			}
			return keeper.Afresh()
		},
	}
}

// migrate brings a database up to date and closes it.
func migrate(url string) error {
	ctx := context.Background()
	s, err := sqlstore.Open(ctx, url)
	if err != nil {
		return err
	}
	_, err = s.Migrate(ctx)
	return errors.Join(err, s.Close())
}

// opened opens a database for the time of a test.
func opened(t testing.TB, url string) *sqlstore.Store {
	t.Helper()
	s, err := sqlstore.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// migrated opens a database for the time of a test and brings it up to date.
func migrated(t testing.TB, url string) *sqlstore.Store {
	t.Helper()
	s := opened(t, url)
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
