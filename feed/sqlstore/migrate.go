package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
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
// migrates and the others wait; on SQLite each migration is done by one of them. Each is
// one transaction, so one that is broken off has done nothing, and whoever comes next goes
// on from there. One that waits for a lock gives way to those who wait behind it and is
// tried again, for a minute or so.
//
// A schema that is newer than this program's is left as it is. When it lacks what this
// program makes use of that is an [ErrNewerSchema].
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	db := s.db
	if s.d.isPostgres() {
		db = s.patientDB()
		defer func() { _ = db.Close() }()
	}
	p, err := s.migrator(db)
	if err != nil {
		return nil, err
	}
	var applied []int64
	for range migrateTries {
		err = s.retrying(ctx, func() error {
			more, err := up(ctx, p)
			applied = append(applied, more...)
			return err
		})
		if postgresCode(err) != lockNotAvailable {
			break
		}
	}
	if err != nil {
		return applied, fmt.Errorf("migrate the database: %w", err)
	}
	sources := p.ListSources()
	return applied, s.checkSchema(ctx, sources[len(sources)-1].Version)
}

// up applies what is left to do, and returns what it applied, also with an error. When
// another process has done some of it meanwhile, it looks again at what is left.
func up(ctx context.Context, p *goose.Provider) (applied []int64, err error) {
	for {
		results, err := p.Up(ctx)
		if broken, ok := errors.AsType[*goose.PartialError](err); ok {
			results = broken.Applied
		}
		for _, r := range results {
			applied = append(applied, r.Source.Version)
		}
		if !errors.Is(err, errDone) {
			return applied, err
		}
	}
}

// errDone says that another process has done a migration since this one looked.
var errDone = errors.New("the migration has been done meanwhile")

// unlessDone returns a migration that is not done twice. SQLite has no lock that could be
// held over several migrations; but the transaction of each has the lock of those who
// write, so what it finds done is done, and what it does not find nobody does beside it.
func (s *Store) unlessDone(version int64, do func(context.Context, *sql.Tx) error) func(context.Context, *sql.Tx) error {
	if s.d.isPostgres() {
		return do
	}
	return func(ctx context.Context, tx *sql.Tx) error {
		stmt := "SELECT EXISTS (SELECT 1 FROM " + goose.DefaultTablename + " WHERE version_id = $1)"
		done, err := one[bool](tx.QueryRowContext(ctx, stmt, version))
		switch {
		case err != nil:
			return err
		case done:
			return errDone
		}
		return do(ctx, tx)
	}
}

// ErrNewerSchema says that a database lacks what this program makes use of, because a
// newer one has migrated it.
type ErrNewerSchema struct {
	// Knows is the newest version of the schema that this program knows, and Needs the one
	// that a program must know.
	Knows, Needs int64
}

// Error says what to do about it.
func (e *ErrNewerSchema) Error() string {
	return fmt.Sprintf("the database needs a program that knows version %d of its schema, and this one knows %d: start a newer version of the program, or restore a backup from before the upgrade", e.Needs, e.Knows)
}

// checkSchema refuses a database that a program which knows the schema up to a version
// cannot work with.
func (s *Store) checkSchema(ctx context.Context, knows int64) error {
	e := &ErrNewerSchema{Knows: knows}
	err := s.row(ctx, "SELECT least_schema FROM feed_state WHERE id = 1", nil, &e.Needs)
	if err != nil || e.Needs <= knows {
		return err
	}
	return e
}

// migrateTries is how often a migration waits for a lock, five seconds each time unless
// that was set otherwise.
const migrateTries = 12

func (s *Store) migrator(db *sql.DB) (*goose.Provider, error) {
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
	return goose.NewProvider(goose.Dialect(s.d.name), db, nil, opts...)
}

// migrations makes goose's migrations out of the files, each named by its version
// and rendered for the dialect at hand: which is why they are not goose's own SQL
// files.
func (s *Store) migrations() ([]*goose.Migration, error) {
	names, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	out := make([]*goose.Migration, 0, len(names)+len(s.further))
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
		out = append(out, s.migration(migration{version, s.d.render(string(ddl))}))
	}
	return append(out, mapped(s.further, s.migration)...), nil
}

// migration makes one of goose's migrations.
func (s *Store) migration(m migration) *goose.Migration {
	return goose.NewGoMigration(m.version, &goose.GoFunc{
		RunTx: s.unlessDone(m.version, func(ctx context.Context, tx *sql.Tx) error {
			if err := exec(ctx, tx, m.ddl); err != nil {
				return err
			}
			return s.fill(ctx, tx, m.version)
		}),
	}, nil)
}

// fill stores what the rows that a migration finds need besides its SQL.
func (s *Store) fill(ctx context.Context, tx *sql.Tx, version int64) error {
	switch version {
	case wordsMigration:
		return s.fillWords(ctx, tx)
	case skeletonsMigration:
		return s.fillSkeletons(ctx, tx)
	}
	return nil
}

// migration is a version of the schema and the statements that make it of the one before.
type migration struct {
	version int64
	ddl     string
}

// WithMigration adds a migration behind all others: it is for trying what an upgrade that
// brings one does.
func WithMigration(version int64, ddl string) Option {
	return func(s *Store) { s.further = append(s.further, migration{version, ddl}) }
}
