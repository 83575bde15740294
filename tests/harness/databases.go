package harness

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Postgres returns the URL of a new database that is migrated. It is dropped when the test ends, even
// with open connections. A test of migrations needs [testenv.Postgres], which is empty.
//
// The first test of the test binary migrates a template, and all copy it.
func Postgres(t testing.TB) string {
	t.Helper()
	template, err := migratedPostgres()
	if err != nil {
		t.Fatal(err)
	}
	return template.Copy(t)
}

// migratedPostgres makes the template on the first call. It is package state because unrelated tests
// share it nowhere else.
var migratedPostgres = sync.OnceValues(func() (*testenv.PostgresTemplate, error) {
	return testenv.NewPostgresTemplate(context.Background(), func(url string) error {
		store, err := sqlstore.Open(context.Background(), url)
		if err != nil {
			return err
		}
		_, err = store.Migrate(context.Background())
		return errors.Join(err, store.Close())
	})
})
