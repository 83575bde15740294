package testenv

import (
	"context"
	"testing"
)

// PostgresTemplate is a database that is copied for every test, which takes a
// fraction of the time of filling each test's own. It stays until the test binary
// ends, so that its tests can share it.
type PostgresTemplate struct {
	server *postgresServer
	name   string
}

// NewPostgresTemplate makes a database, empty as those of [Postgres] are, and lets
// fill fill it. fill gets its URL and must close its connections, because PostgreSQL
// copies no database that somebody uses.
func NewPostgresTemplate(ctx context.Context, fill func(databaseURL string) error) (*PostgresTemplate, error) {
	server, err := sharedPostgres()
	if err != nil {
		return nil, err
	}
	name, err := server.create(ctx, "template1")
	if err != nil {
		return nil, err
	}
	if err := fill(server.url(name)); err != nil {
		return nil, err
	}
	return &PostgresTemplate{server: server, name: name}, nil
}

// Copy returns the URL of a new database with everything that the template has. It
// is dropped when the test ends, connections or not.
func (p *PostgresTemplate) Copy(t testing.TB) string {
	t.Helper()
	return p.server.newDatabase(t, p.name)
}
