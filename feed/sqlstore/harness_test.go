package sqlstore_test

import (
	"os"
	"path/filepath"
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

// onBoth runs a test on each database.
func onBoth(t *testing.T, test func(t *testing.T, b backend)) {
	for _, b := range backends(t) {
		t.Run(b.name, func(t *testing.T) { test(t, b) })
	}
}

// sqliteBackend migrates one file and opens copies of it, because the suites open a
// store for every promise.
func sqliteBackend(t testing.TB) backend {
	template := filepath.Join(t.TempDir(), "template.db")
	if err := migrated(t, "sqlite://"+template).Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(template)
	if err != nil {
		t.Fatal(err)
	}
	newURL := func(t testing.TB) string { return "sqlite://" + filepath.Join(t.TempDir(), "tideline.db") }
	return backend{
		name:   "sqlite",
		newURL: newURL,
		open: func(t testing.TB) *sqlstore.Store {
			path := filepath.Join(t.TempDir(), "tideline.db")
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			return opened(t, "sqlite://"+path)
		},
	}
}

// postgresBackend migrates one database and empties it for every store, for the
// same reason. So one store must be closed before the next is opened.
func postgresBackend(t testing.TB) backend {
	newURL := func(t testing.TB) string { return testenv.Postgres(t) }
	url, taken := newURL(t), false
	keeper := migrated(t, url)
	return backend{
		name:   "postgres",
		newURL: newURL,
		open: func(t testing.TB) *sqlstore.Store {
			if taken {
				t.Fatal("the database is taken by another store")
			}
			taken = true
			t.Cleanup(func() { taken = false })
			if err := keeper.Wipe(t.Context()); err != nil {
				t.Fatal(err)
			}
			return opened(t, url)
		},
	}
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
