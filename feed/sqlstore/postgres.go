package sqlstore

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// Postgres says how a process works with PostgreSQL. A field that is 0 stands for what
// [DefaultPostgres] says.
type Postgres struct {
	// Conns is how many connections the process opens at most, and keeps: two or more, of
	// which pages have their own, at most half of them.
	Conns int
	// IdleFor is after how long without work a connection is closed, and LivesFor after
	// how long it is in any case.
	IdleFor, LivesFor time.Duration
	// WaitFor is how long a statement waits for a connection while all are busy.
	WaitFor time.Duration
	// ConnectWithin is how long making a connection may take, for each of the hosts that
	// the URL names.
	ConnectWithin time.Duration
	// StatementWithin, LockWithin and IdleInTxWithin are when PostgreSQL itself breaks off
	// a statement, one that waits for a lock, and a transaction in which nothing happens.
	StatementWithin, LockWithin, IdleInTxWithin time.Duration
	// SilentFor is after how long without any answer the server is asked by a new
	// connection whether it is there.
	SilentFor time.Duration
	// Standby says that a server which takes no writes will do, as for an export. Without
	// it connections are made to one that takes them, unless the URL says what it wants.
	Standby bool
}

// DefaultPostgres returns what production needs.
func DefaultPostgres() Postgres {
	return Postgres{
		// Enough to keep a few cores of PostgreSQL busy, few enough that twenty processes
		// stay within its usual limit of a few hundred.
		Conns: 16,
		// A quiet night gives the server its memory back.
		IdleFor: 5 * time.Minute,
		// After a failover behind one name, and when a server is added, the connections
		// are where they belong half an hour later.
		LivesFor: 30 * time.Minute,
		// Half of the time that an operation has: what has not even begun by then will
		// not end in time, and only stands in the way of the rest.
		WaitFor: 5 * time.Second,
		// A server in the same region takes milliseconds.
		ConnectWithin: 3 * time.Second,
		// Three times what an operation may take. It is for statements that nobody waits
		// for any more, since their process died; a living one breaks off its own.
		StatementWithin: 30 * time.Second,
		// Locks are held for milliseconds. Who waits for seconds waits for somebody who
		// is stuck, and holds locks that others wait for.
		LockWithin: 5 * time.Second,
		// No transaction waits for anything but the database. One that is idle belongs to
		// a process that has been stopped or cut off, whose locks others need.
		IdleInTxWithin: 10 * time.Second,
		// Statements take milliseconds, and a slow one costs a connection a second.
		SilentFor: time.Second,
	}
}

// withDefaults puts the defaults where nothing is said.
func (p Postgres) withDefaults() Postgres {
	d := DefaultPostgres()
	return Postgres{
		Conns: cmp.Or(p.Conns, d.Conns), IdleFor: cmp.Or(p.IdleFor, d.IdleFor), LivesFor: cmp.Or(p.LivesFor, d.LivesFor),
		WaitFor: cmp.Or(p.WaitFor, d.WaitFor), ConnectWithin: cmp.Or(p.ConnectWithin, d.ConnectWithin),
		StatementWithin: cmp.Or(p.StatementWithin, d.StatementWithin), LockWithin: cmp.Or(p.LockWithin, d.LockWithin),
		IdleInTxWithin: cmp.Or(p.IdleInTxWithin, d.IdleInTxWithin), SilentFor: cmp.Or(p.SilentFor, d.SilentFor),
		Standby: p.Standby,
	}
}

// WithPostgres says how to work with PostgreSQL. SQLite needs none of it.
func WithPostgres(p Postgres) Option {
	return func(s *Store) { s.postgres = p }
}

func openPostgres(ctx context.Context, databaseURL string, p Postgres, begin Begin) (*Store, error) {
	config, err := pgx.ParseConfig(databaseURL)
	if err != nil {
		return nil, fmt.Errorf("the database URL cannot be read: %w", redactURL(err))
	}
	if begin != nil {
		config.Tracer = queryTracer{begin}
	}
	p = p.withDefaults()
	config.ConnectTimeout = cmp.Or(config.ConnectTimeout, p.ConnectWithin)
	w := newWatch(config.Config, p.SilentFor, dialer(p))
	config.DialFunc = w.dial
	p.writable(config, databaseURL)
	told := p.session(config)
	forPages := min(pageConns, p.Conns/2)
	rest := p.Conns - forPages
	w.start(ctx)
	db, pages := p.pool(config, rest, told), p.pool(config, forPages, told+"; "+planOnce)
	pages.SetConnMaxLifetime(min(p.LivesFor, plannedFor))
	return &Store{
		d: postgres, db: db, ro: db, pages: pages,
		postgres: p, watch: w, turns: newTurns(rest, p.WaitFor), config: config,
	}, nil
}

// writable keeps connections to a server that takes no writes from being made, and from
// being kept when one takes them no more. After a switchover the old primary may be there
// still, or again: who reads from it sees what is old and is not told so.
func (p Postgres) writable(config *pgx.ConnConfig, databaseURL string) {
	u, err := url.Parse(databaseURL)
	says := err == nil && u.Query().Has("target_session_attrs")
	if !says && !p.Standby && config.ValidateConnect == nil {
		config.ValidateConnect = takesWrites
	}
	config.ValidateConnect = withTransactionDefaults(config.ValidateConnect)
	keeps := config.OnPgError
	config.OnPgError = func(conn *pgconn.PgConn, said *pgconn.PgError) bool {
		return said.Code != readOnly && keeps(conn, said)
	}
}

// pool makes a pool of so many connections, each of which is told something first.
func (p Postgres) pool(config *pgx.ConnConfig, conns int, told string) *sql.DB {
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(session(told)))
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(p.IdleFor)
	db.SetConnMaxLifetime(p.LivesFor)
	return db
}

// patientDB returns a connection of its own for what may take any time, such as migrating
// a large table: nothing breaks off its statements. But nobody may wait behind one that
// waits for a lock, so such a wait ends as any other does.
func (s *Store) patientDB() *sql.DB {
	patient := s.config.Copy()
	patient.RuntimeParams["statement_timeout"] = "0"
	patient.RuntimeParams["idle_in_transaction_session_timeout"] = "0"
	return stdlib.OpenDB(*patient, stdlib.OptionAfterConnect(session(s.postgres.session(patient))))
}

// How connections that have nothing to say are found out when their other end has gone:
// the first question after fifteen seconds, for which nobody waits, and three unanswered
// ones are the end.
const (
	aliveIdle  = 15 * time.Second
	aliveEvery = 5 * time.Second
	aliveTries = 3
)

// dialer returns what makes connections. One whose other end acknowledges nothing for
// three times as long as the server may be silent is given up by the kernel.
func dialer(p Postgres) *net.Dialer {
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: aliveIdle, Interval: aliveEvery, Count: aliveTries},
		Control:         unacknowledged(3 * p.SilentFor),
	}
}
