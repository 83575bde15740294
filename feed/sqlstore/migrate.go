package sqlstore

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// Migrate brings the schema of the database up to date and returns the versions it applied, in
// order. On PostgreSQL it holds an advisory lock: of several processes that start at once, one
// migrates and the others wait. On SQLite each migration runs in one of them. Each migration is one
// transaction, so an interrupted one has no effect and the next call continues there. A migration
// that waits for a lock gives up, so that transactions behind it can run, and is retried for about
// a minute.
//
// A schema that is newer than the program's is left as it is. If it lacks something that the
// program uses, the error is [ErrNewerSchema]. A database of an earlier development version is left
// as it is, with [ErrDevelopmentSchema].
func (s *Store) Migrate(ctx context.Context) ([]int64, error) {
	if err := s.checkSeries(ctx); err != nil {
		return nil, err
	}
	db := s.db
	if s.d.isPostgres() {
		db = s.unlimitedDB()
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

// up applies the remaining migrations and returns those it applied, also with an error. If another
// process has applied some of them meanwhile, it reads again which ones remain.
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

// errDone says that another process has applied the migration meanwhile.
var errDone = errors.New("another process has applied the migration")

// unlessDone makes a migration run once. SQLite has no lock that spans several migrations, but each
// holds the write lock, so no other process can run a migration that it finds missing.
func (s *Store) unlessDone(version int64, do func(context.Context, *sql.Tx) error) func(context.Context, *sql.Tx) error {
	if s.d.isPostgres() {
		return do
	}
	return func(ctx context.Context, tx *sql.Tx) error {
		stmt := "SELECT EXISTS (SELECT 1 FROM " + versionsTable + " WHERE version_id = $1)"
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

// versionsTable has the applied versions. Development versions before the first release had other
// migrations, and wrote their versions into another table, goose_db_version.
const versionsTable = "schema_versions"

// ErrDevelopmentSchema says that a development version from before the first release has made the
// database. Its schema has other version numbers, so this program cannot migrate it.
var ErrDevelopmentSchema = errors.New("an earlier development version made the database: " +
	"export it with that program, import the file into an empty database, and let mirrors read a new snapshot")

// checkSeries returns ErrDevelopmentSchema if the database has tables of Tideline, but not that of
// the versions.
func (s *Store) checkSeries(ctx context.Context) error {
	tables, err := s.tables(ctx)
	if err != nil {
		return err
	}
	if slices.Contains(tables, "feed_state") && !slices.Contains(tables, versionsTable) {
		return ErrDevelopmentSchema
	}
	return nil
}

// tables lists the tables as of one moment: another process may be migrating.
func (s *Store) tables(ctx context.Context) ([]string, error) {
	return query(ctx, s, s.d.tables, nil, one[string])
}

// ErrNewerSchema says that a newer program has migrated the database and removed something that
// this program uses.
type ErrNewerSchema struct {
	// Knows is the newest schema version of this program, and Needs the one that is needed.
	Knows, Needs int64
}

func (e *ErrNewerSchema) Error() string {
	return fmt.Sprintf("the database needs a program that knows version %d of its schema, and this one knows %d: start a newer version of the program, or restore a backup from before the upgrade", e.Needs, e.Knows)
}

// checkSchema returns ErrNewerSchema if the database needs a later version than knows.
func (s *Store) checkSchema(ctx context.Context, knows int64) error {
	e := &ErrNewerSchema{Knows: knows}
	err := s.row(ctx, "SELECT least_schema FROM feed_state WHERE id = 1", nil, &e.Needs)
	if err != nil || e.Needs <= knows {
		return err
	}
	return e
}

// migrateTries is how often a migration waits for a lock, by default five seconds each time.
const migrateTries = 12

func (s *Store) migrator(db *sql.DB) (*goose.Provider, error) {
	migrations, err := s.migrations()
	if err != nil {
		return nil, err
	}
	opts := []goose.ProviderOption{goose.WithTableName(versionsTable), goose.WithGoMigrations(migrations...)}
	if s.d.isPostgres() {
		// Other processes poll the lock every second, for five minutes.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
		if err != nil {
			return nil, err
		}
		opts = append(opts, goose.WithSessionLocker(locker))
	}
	return goose.NewProvider(goose.Dialect(s.d.name), db, nil, opts...)
}

// migrations returns the migrations of the embedded files. Goose cannot read them itself, because
// each must be rendered for the dialect.
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

func (s *Store) migration(m migration) *goose.Migration {
	return goose.NewGoMigration(m.version, &goose.GoFunc{
		RunTx: s.unlessDone(m.version, func(ctx context.Context, tx *sql.Tx) error { return exec(ctx, tx, m.ddl) }),
	}, nil)
}

// migration is a schema version and the statements that lead to it.
type migration struct {
	version int64
	ddl     string
}

// WithMigration adds a migration after all others, to try an upgrade that has one.
func WithMigration(version int64, ddl string) Option {
	return func(s *Store) { s.further = append(s.further, migration{version, ddl}) }
}
