package sqlstore_test

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// backend is one of the databases the store runs on.
type backend struct {
	name string
	// emptyURL returns the URL of a new database without tables, and newURL of one that is migrated.
	emptyURL, newURL func(t testing.TB) string
	// open returns a store on a new database that is migrated.
	open func(t testing.TB) *sqlstore.Store
}

// backends are all databases.
func backends(t testing.TB) []backend {
	return []backend{sqliteBackend(t), postgresBackend(t)}
}

// onBoth runs a test on both databases in parallel. They continue after the caller has returned, so
// the caller must do nothing after onBoth.
func onBoth(t *testing.T, test func(t *testing.T, b backend)) {
	for _, b := range backends(t) {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			test(t, b)
		})
	}
}

// sqliteBackend opens a copy of the template for every store.
func sqliteBackend(testing.TB) backend {
	return backend{
		name:     "sqlite",
		emptyURL: func(t testing.TB) string { return "sqlite://" + filepath.Join(testenv.Dir(t), "tideline.db") },
		newURL:   func(t testing.TB) string { return emptyTemplate.url(t, "sqlite") },
		open:     func(t testing.TB) *sqlstore.Store { return opened(t, emptyTemplate.url(t, "sqlite")) },
	}
}

// postgresBackend copies the template once and empties the copy for every store, which takes a
// third of the time of copying and dropping. All stores share connections, because connecting takes
// longer than most tests. So close one store before opening the next.
func postgresBackend(t testing.TB) backend {
	url, taken, used := emptyTemplate.url(t, "postgres"), false, false
	// No test may depend on the defaults of a session.
	testenv.SetDefaults(t, url, testenv.StrictDefaults()...)
	store := opened(t, url)
	return backend{
		name:     "postgres",
		emptyURL: testenv.Postgres,
		newURL:   func(t testing.TB) string { return emptyTemplate.url(t, "postgres") },
		open: func(t testing.TB) *sqlstore.Store {
			if taken {
				t.Fatal("another store opens the database")
			}
			taken = true
			t.Cleanup(func() { taken = false })
			if used {
				must(t, store.Wipe(t.Context()))
			}
			used = true
			return store.Afresh(nil)
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

// opened opens a database for the duration of a test. Its limits only end what hangs, because the
// server is shared and the machine may be busy.
func opened(t testing.TB, url string) *sqlstore.Store {
	t.Helper()
	return openedWith(t, url, sqlstore.Postgres{})
}

// openedWith is opened with PostgreSQL settings under test. If its limits are too short to connect
// on a busy machine, it tries again.
func openedWith(t testing.TB, url string, p sqlstore.Postgres, options ...sqlstore.Option) *sqlstore.Store {
	t.Helper()
	var s *sqlstore.Store
	eventually.Succeeds(t, "opening the database", func() (err error) {
		s, err = sqlstore.Open(t.Context(), url, append(options, sqlstore.WithPostgres(patient(p)))...)
		if err != nil && feed.CodeOf(err) != feed.CodeUnavailable {
			t.Fatal(err)
		}
		return err
	})
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// openWith opens a store with options on a database of its own.
func (b backend) openWith(t testing.TB, options ...sqlstore.Option) *sqlstore.Store {
	t.Helper()
	return openedWith(t, emptyTemplate.url(t, b.name), sqlstore.Postgres{}, options...)
}

// patient sets missing limits to the time after which a test fails anyway.
func patient(p sqlstore.Postgres) sqlstore.Postgres {
	for _, limit := range []*time.Duration{
		&p.WaitFor, &p.ConnectWithin, &p.StatementWithin, &p.LockWithin, &p.IdleInTxWithin,
	} {
		*limit = cmp.Or(*limit, eventually.Limit)
	}
	return p
}

// migrated opens a database for the duration of a test and migrates it.
func migrated(t testing.TB, url string) *sqlstore.Store {
	t.Helper()
	s := opened(t, url)
	_, err := s.Migrate(t.Context())
	must(t, err)
	return s
}

// must ends a test, or one run of a property, if there is an error.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, err error,
) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
