package sqlstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestPlace_NamesHostAndDatabaseOnly(t *testing.T) {
	t.Setenv("PGDATABASE", "")
	for url, want := range map[string]string{
		"sqlite:///var/lib/tideline.db":                                    "SQLite file /var/lib/tideline.db",
		"postgres://ann:hunter2@db/feeds":                                  "PostgreSQL at db:5432, database feeds",
		"postgresql://ann:hunter2@db:6000,other:6001/feeds?sslmode=prefer": "PostgreSQL at db:6000, other:6001, database feeds",
		"postgres:///feeds?host=/run/postgresql&user=ann&password=hunter2": "PostgreSQL at /run/postgresql, database feeds",
		"postgres://[2001:db8::1]:5433/feeds?user=ann&password=hunter2":    "PostgreSQL at [2001:db8::1]:5433, database feeds",
		"postgres://ann:hunter2@%zz/feeds":                                 "",
		"postgres://ann:hunter2@db:port/feeds":                             "",
	} {
		if got := sqlstore.Place(url); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
}
