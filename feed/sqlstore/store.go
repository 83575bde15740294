package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tideline-feeds/tideline/feed"
)

// Store implements the ports of package feed over one SQL database.
type Store struct {
	d dialect
	// db writes. On SQLite it has one connection, so that writers wait for each other in this
	// process instead of failing with "database is locked".
	db *sql.DB
	// ro reads. On PostgreSQL it is db. On SQLite its connections never wait for a writer.
	ro *sql.DB
	// pages runs the batched reads of pages on PostgreSQL; nil on SQLite.
	pages *sql.DB
	// clock replaces the clock of the database; nil except in tests.
	clock feed.Clock
	// begin is called with every statement; nil if no one observes them.
	begin        Begin
	lookups      *lookups
	groupCommits *groupCommits
	// leases caches the leases that fan-outs have read.
	leases leases
	// spread returns numbers in [0,1) that randomize the wait before a retry.
	spread func() float64
	// epochs draws epochs of the change log.
	epochs func() int64
	// onChange is called after each commit that has logged changes; nil for none. loggers are the
	// transactions that have logged some and have not ended.
	onChange func()
	loggers  sync.Map
	// hidden is what the caches of the process have evicted.
	hidden hidden
	// newID draws post ids, from which the numbers of external ids continue.
	newID func() (feed.PostID, error)
	// textIDs reports whether ids are text ([Store.UseIDs]).
	textIDs bool
	// refusal is the last write that failed because of the storage.
	refusal refusal
	// file is the path of the database on SQLite.
	file string
	// further are migrations of [WithMigration].
	further []migration
	// The fields below are for PostgreSQL only.
	postgres Postgres
	config   *pgx.ConnConfig
	conns    *connLimit
	watch    *watch
	// numberFrom is the number of changes from which a batch numbers them itself.
	numberFrom int
	// settleMax is the number of posts that a batch settles.
	settleMax int
}

// Open connects to the database at a URL, sqlite://PATH or postgres://…, and checks that it
// responds. Call [Store.Migrate] before anything else. The error for an unknown scheme says which
// ones are allowed; no error contains a password. Options are mostly for tests.
func Open(ctx context.Context, databaseURL string, options ...Option) (*Store, error) {
	scheme, rest, _ := strings.Cut(databaseURL, "://")
	var s *Store
	var asked Store
	for _, option := range options {
		option(&asked)
	}
	var err error
	switch scheme {
	case "sqlite":
		s, err = openSQLite(ctx, rest, asked.begin)
	case "postgres", "postgresql":
		s, err = openPostgres(ctx, databaseURL, asked.postgres, asked.begin)
	default:
		return nil, errors.New("the database URL must start with sqlite:// or postgres://")
	}
	if err != nil {
		return nil, err
	}
	s.clock, s.begin, s.further, s.spread, s.epochs = asked.clock, asked.begin, asked.further, rand.Float64, randomEpoch
	s.newID, s.numberFrom, s.settleMax = feed.NewPostIDs(time.Now, nil), numberFrom, settleMax
	if err := s.ro.PingContext(ctx); err != nil {
		_ = s.Close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	return s.withLookups().withGroupCommits(), nil
}

// openSQLite opens the file for one writer and several readers, which do not block each other in
// WAL mode. With synchronous NORMAL a killed process loses nothing, and a power failure loses at
// most the last commits. Transactions take the write lock when they begin, because a transaction
// that begins with a read cannot wait for the lock later.
func openSQLite(ctx context.Context, path string, begin Begin) (*Store, error) {
	if path == "" || path == ":memory:" {
		return nil, errors.New("the database URL sqlite:// needs the path of a file, as in sqlite://data/tideline.db")
	}
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("open the database file %s: %w", filepath.Base(path), err)
	}
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(ON)"}
	db, err := openKeeping(sqliteDSN(path, append(pragmas, "cache_size(-32000)"), "immediate"), begin)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	// The first connection creates the file and its log, which readers need.
	if err := firstPing(ctx, db); err != nil {
		_ = db.Close()
		return nil, fmt.Errorf("open the database file %s: %w", filepath.Base(path), err)
	}
	ro, err := openKeeping(sqliteDSN(path, append(pragmas, "query_only(ON)"), "deferred"), begin)
	if err != nil {
		_ = db.Close()
		return nil, err
	}
	ro.SetMaxOpenConns(max(4, runtime.GOMAXPROCS(0)))
	ro.SetMaxIdleConns(max(4, runtime.GOMAXPROCS(0)))
	return &Store{d: sqlite, db: db, ro: ro, file: path}, nil
}

// createPrivate creates the file if it does not exist, readable by its owner only: it holds the
// posts, mutes and blocks of all users. SQLite gives its other files the same mode.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // the operator names it
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		return err
	}
	return f.Close()
}

// createWithin limits how long firstPing retries while other processes create the file, which takes
// them milliseconds, and createAfter is the wait between tries. A file that is locked for another
// reason needs no retry: the first try has waited for the busy timeout.
const (
	createWithin = time.Second
	createAfter  = 10 * time.Millisecond
)

// firstPing opens the first connection to a SQLite file. If several processes create the log of a
// new file at once, SQLite refuses all but one without waiting for the busy timeout.
func firstPing(ctx context.Context, db *sql.DB) error {
	began, err := time.Now(), db.PingContext(ctx)
	for sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY {
		if time.Since(began) > createWithin || !waited(ctx, createAfter) {
			break
		}
		err = db.PingContext(ctx)
	}
	return err
}

func sqliteDSN(path string, pragmas []string, txlock string) string {
	q := url.Values{"_pragma": pragmas, "_txlock": {txlock}}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

// Close closes the connections. It does not wait for transactions.
func (s *Store) Close() error {
	if s.pages != nil {
		_ = s.pages.Close()
	}
	if s.watch != nil {
		s.watch.close()
	}
	if s.ro != s.db {
		_ = s.ro.Close()
	}
	return s.db.Close()
}
