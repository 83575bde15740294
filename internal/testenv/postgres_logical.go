package testenv

import (
	"context"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// LogicalPostgres is [Postgres] on another server, with wal_level=logical: another system's database
// whose changes a test reads. Its slots are dropped with the database.
func LogicalPostgres(t testing.TB) string {
	t.Helper()
	server, err := sharedLogicalPostgres()
	check(t, err)
	database := server.newDatabase(t, "template1")
	t.Cleanup(func() {
		u, err := url.Parse(database)
		check(t, err)
		drop := "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE database = '" + filepath.Base(u.Path) + "'"
		// The process of a connection that was closed a moment ago still has its slot.
		eventually.Succeeds(t, "dropping the slots", func() error { return server.execute(context.Background(), drop) })
	})
	return database
}

// sharedLogicalPostgres starts the server on the first call, as sharedPostgres does.
var sharedLogicalPostgres = sync.OnceValues(func() (*postgresServer, error) { return startPostgres(logicalSettings...) })

// logicalSettings let tests have many slots at a time.
var logicalSettings = []string{"wal_level=logical", "max_replication_slots=100", "max_wal_senders=100"}
