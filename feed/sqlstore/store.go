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
	"time"

	"github.com/jackc/pgx/v5"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tideline-feeds/tideline/feed"
)

// Store implements the domain's ports over one SQL database.
type Store struct {
	d dialect
	// db writes. On SQLite it has one connection, which makes writers wait for
	// each other here rather than fail with "database is locked".
	db *sql.DB
	// ro reads. On PostgreSQL it is db; on SQLite it has connections of its own, so
	// that a read never waits for a writer.
	ro *sql.DB
	// pages reads what pages are made of, on PostgreSQL; elsewhere it is nil.
	pages *sql.DB
	// clock, if any, stands for the database's own.
	clock feed.Clock
	// begin, if any, is told of every statement.
	begin        Begin
	lookups      *lookups
	groupCommits *groupCommits
	// leases are those found by fan-outs.
	leases leases
	// spread returns numbers in [0,1), by which transactions that met wait for different
	// times before they are tried again.
	spread func() float64
	// refusal is the last write that the storage refused.
	refusal refusal
	// file is the path of the database on SQLite.
	file string
	// further are migrations that are not among this program's own.
	further []migration
	// What follows is for PostgreSQL only: how to work with it, how to reach it, who is
	// let to a connection, and whether it answers.
	postgres Postgres
	config   *pgx.ConnConfig
	turns    *turns
	watch    *watch
}

// Open connects to the database at a URL, sqlite://PATH or postgres://…, and
// checks that it answers. Call [Store.Migrate] before anything else. An unknown
// scheme is an error that says what is allowed; no error shows a password. Options
// are hardly ever needed outside of tests.
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
	s.clock, s.begin, s.further, s.spread = asked.clock, asked.begin, asked.further, rand.Float64
	if err := s.ro.PingContext(ctx); err != nil {
		_ = s.Close()
		return nil, fmt.Errorf("the database does not answer: %w", err)
	}
	return s.withLookups().withGroupCommits(), nil
}

// openSQLite opens the file for one writer and several readers. The write-ahead
// log lets readers and the writer work side by side; synchronous NORMAL loses
// nothing when the process is killed, and at most the last commits when the
// machine loses power. Transactions take the write lock when they begin, because
// one that starts by reading could not wait for it any more.
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
	// The first connection creates the file and its log before readers look.
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

// createPrivate makes the file unless it is there, for its owner alone: it holds the
// posts, mutes and blocks of all users. SQLite gives the files beside it, of the
// log and of the shared memory, the same mode.
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

// For how long a new file is tried that others are creating, and how long after each try.
// It takes them milliseconds. One that is locked for another reason is not tried again,
// because the first try has waited for the busy timeout.
const (
	createWithin = time.Second
	createAfter  = 10 * time.Millisecond
)

// firstPing makes the first connection to a SQLite file. Of several that would give a new
// file its log at once SQLite refuses all but one, without waiting for the busy timeout.
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
