package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrate brings the database's schema up to this program's and returns the
// versions it applied, in order; none when nothing was left to do. On PostgreSQL
// it holds an advisory lock, so that of several processes that start at once one
// migrates and the others wait.
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	p, err := s.migrator()
	if err != nil {
		return nil, err
	}
	results, err := p.Up(ctx)
	var applied []int64
	for _, r := range results {
		applied = append(applied, r.Source.Version)
	}
	if err != nil {
		return applied, fmt.Errorf("migrate the database: %w", classify(ctx, err))
	}
	return applied, nil
}

func (s *Store) migrator() (*goose.Provider, error) {
	migrations, err := s.migrations()
	if err != nil {
		return nil, err
	}
	opts := []goose.ProviderOption{goose.WithGoMigrations(migrations...)}
	if s.d.isPostgres() {
		// Whoever waits looks every second, for five minutes.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return nil, err
		}
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(goose.Dialect(s.d.name), s.db, nil, opts...)
}

// migrations makes goose's migrations out of the files, each named by its version
// and rendered for the dialect at hand: which is why they are not goose's own SQL
// files.
func (s *Store) migrations() ([]*goose.Migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var out []*goose.Migration
	for _, name := range names {
		ddl, err := migrationFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		number, _, _ := strings.Cut(strings.TrimPrefix(name, "migrations/"), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("migration %s does not begin with a number: %w", name, err)
		}
		stmt := s.d.render(string(ddl))
		out = append(out, goose.NewGoMigration(version, &goose.GoFunc{
			RunTx: func(ctx context.Context, tx *sql.Tx) error {
				if _, err := tx.ExecContext(ctx, stmt); err != nil || version != wordsMigration {
					return err
				}
				return s.fillWords(ctx, tx)
			},
		}, nil))
	}
	return out, nil
}
