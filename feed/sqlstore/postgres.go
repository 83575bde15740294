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

// Postgres configures the connections to PostgreSQL. A field that is 0 has the value of
// [DefaultPostgres].
type Postgres struct {
	// Conns is the number of connections that the process opens at most, and keeps open; at least
	// 2. Pages have a pool of their own, with at most half of them.
	Conns int
	// A connection closes after IdleFor without work, and after LivesFor in any case.
	IdleFor, LivesFor time.Duration
	// WaitFor is how long a statement waits for a connection while all are busy.
	WaitFor time.Duration
	// ConnectWithin limits connecting to each of the hosts in the URL.
	ConnectWithin time.Duration
	// PostgreSQL itself cancels a statement after StatementWithin, a wait for a lock after
	// LockWithin, and a transaction that is idle for IdleInTxWithin.
	StatementWithin, LockWithin, IdleInTxWithin time.Duration
	// If the server sends nothing for SilentFor, a new connection probes it.
	SilentFor time.Duration
	// Standby accepts a server that takes no writes, for example to export from a replica. Without
	// it a connection needs a server that takes writes, unless the URL sets target_session_attrs.
	Standby bool
}

// DefaultPostgres returns the settings for production.
func DefaultPostgres() Postgres {
	return Postgres{
		// Enough to keep a few cores of PostgreSQL busy, few enough that twenty processes stay
		// within its usual limit of a few hundred.
		Conns: 16,
		// In a quiet night the server gets its memory back.
		IdleFor: 5 * time.Minute,
		// After a failover behind one name, or when a server is added, the connections are
		// distributed correctly half an hour later.
		LivesFor: 30 * time.Minute,
		// Half of the time that an operation has: a statement that has not begun by then will not
		// end in time, and only delays others.
		WaitFor: 5 * time.Second,
		// A server in the same region takes milliseconds.
		ConnectWithin: 3 * time.Second,
		// Three times what an operation may take. It ends the statements of a process that died; a
		// living process cancels its own.
		StatementWithin: 30 * time.Second,
		// Locks are held for milliseconds. A transaction that waits for seconds waits for a stuck
		// one, and holds locks that others need.
		LockWithin: 5 * time.Second,
		// No transaction waits for anything but the database. An idle one belongs to a process that
		// was stopped or cut off, and holds locks that others need.
		IdleInTxWithin: 10 * time.Second,
		// Statements take milliseconds, and a false alarm costs one connection per second.
		SilentFor: time.Second,
	}
}

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

// WithPostgres configures the connections to PostgreSQL. It has no effect on SQLite.
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
	setup := p.session(config)
	forPages := min(pageConns, p.Conns/2)
	rest := p.Conns - forPages
	w.start(ctx)
	db, pages := p.pool(config, rest, setup), p.pool(config, forPages, setup+"; "+planOnce)
	pages.SetConnMaxLifetime(min(p.LivesFor, plannedFor))
	return &Store{
		d: postgres, db: db, ro: db, pages: pages,
		postgres: p, watch: w, conns: newConnLimit(rest, p.WaitFor), config: config,
	}, nil
}

// writable makes the connections refuse a server that takes no writes, and close when a server
// stops taking them. After a switchover the old primary may still run, and reads from it are stale
// without any error.
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

// pool returns a pool of conns connections, each of which runs setup first.
func (p Postgres) pool(config *pgx.ConnConfig, conns int, setup string) *sql.DB {
	db := stdlib.OpenDB(*config, stdlib.OptionAfterConnect(session(setup)))
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	db.SetConnMaxIdleTime(p.IdleFor)
	db.SetConnMaxLifetime(p.LivesFor)
	return db
}

// unlimitedDB returns a pool without statement timeouts, for work of any length, such as migrating
// a large table. Waits for locks stay limited, because other transactions queue behind them.
func (s *Store) unlimitedDB() *sql.DB {
	config, unlimited := s.config.Copy(), s.postgres
	delete(config.RuntimeParams, "statement_timeout")
	delete(config.RuntimeParams, "idle_in_transaction_session_timeout")
	unlimited.StatementWithin, unlimited.IdleInTxWithin = 0, 0
	return stdlib.OpenDB(*config, stdlib.OptionAfterConnect(session(unlimited.session(config))))
}

// TCP keep-alives find idle connections whose other end is gone: the first probe after fifteen
// seconds, and three unanswered ones end the connection.
const (
	aliveIdle  = 15 * time.Second
	aliveEvery = 5 * time.Second
	aliveTries = 3
)

// dialer returns the dialer of connections. The kernel closes one whose other end acknowledges
// nothing for three times SilentFor.
func dialer(p Postgres) *net.Dialer {
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: aliveIdle, Interval: aliveEvery, Count: aliveTries},
		Control:         unacknowledged(3 * p.SilentFor),
	}
}
