package testenv

import (
	"context"
	"testing"
)

// PostgresTemplate is a filled database that tests copy. A copy takes a fraction of the time of
// filling. The template stays until the test binary ends, so tests can share it.
type PostgresTemplate struct {
	server *postgresServer
	name   string
}

// NewPostgresTemplate makes an empty database and calls fill with its URL. fill must close its
// connections, because PostgreSQL copies no database in use.
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

// Copy returns the URL of a new database with all data of the template. It is dropped when the test
// ends, even with open connections.
func (p *PostgresTemplate) Copy(t testing.TB) string {
	t.Helper()
	return p.server.newDatabase(t, p.name)
}
