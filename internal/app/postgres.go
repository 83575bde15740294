package app

import (
	"cmp"
	"time"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// postgresSettings configure connections to PostgreSQL. SQLite ignores them.
type postgresSettings struct {
	DatabaseConnections        int           `env:"TIDELINE_DATABASE_CONNECTIONS" default:"16" placeholder:"N" help:"Maximum number of PostgreSQL connections of this process (${default})."`
	DatabaseIdleFor            time.Duration `env:"TIDELINE_DATABASE_IDLE_FOR" default:"5m" placeholder:"DURATION" help:"Close a connection that is idle this long (${default})."`
	DatabaseLivesFor           time.Duration `env:"TIDELINE_DATABASE_LIVES_FOR" default:"30m" placeholder:"DURATION" help:"Maximum age of a connection. After a failover, no connection stays at the old server longer (${default})."`
	DatabaseWait               time.Duration `env:"TIDELINE_DATABASE_WAIT" default:"5s" placeholder:"DURATION" help:"How long a statement waits for a free connection (${default})."`
	DatabaseConnectTimeout     time.Duration `env:"TIDELINE_DATABASE_CONNECT_TIMEOUT" default:"3s" placeholder:"DURATION" help:"Time limit for opening a connection, per host of the URL (${default})."`
	DatabaseStatementTimeout   time.Duration `env:"TIDELINE_DATABASE_STATEMENT_TIMEOUT" default:"30s" placeholder:"DURATION" help:"PostgreSQL cancels a statement after this long, even if its process has died (${default})."`
	DatabaseLockTimeout        time.Duration `env:"TIDELINE_DATABASE_LOCK_TIMEOUT" default:"5s" placeholder:"DURATION" help:"PostgreSQL cancels a statement that waits this long for a lock (${default})."`
	DatabaseTransactionTimeout time.Duration `env:"TIDELINE_DATABASE_TRANSACTION_TIMEOUT" default:"10s" placeholder:"DURATION" help:"PostgreSQL ends a transaction that is idle this long (${default})."`
	DatabaseSilence            time.Duration `env:"TIDELINE_DATABASE_SILENCE" default:"1s" placeholder:"DURATION" help:"After this long without any response, probe PostgreSQL over a new connection. If the probe exceeds the connect timeout, refuse requests until one succeeds (${default})."`
}

// Pages need a second connection. More than a thousand overload any PostgreSQL.
const (
	leastConnections = 2
	mostConnections  = 1000
	shortestWait     = 10 * time.Millisecond
	longestWait      = 24 * time.Hour
)

func (s postgresSettings) Check() error {
	inRange := func(flag string, d time.Duration) error { return InRange(flag, d, shortestWait, longestWait) }
	return cmp.Or(
		inRange("--database-idle-for", s.DatabaseIdleFor),
		inRange("--database-lives-for", s.DatabaseLivesFor),
		inRange("--database-wait", s.DatabaseWait),
		inRange("--database-connect-timeout", s.DatabaseConnectTimeout),
		inRange("--database-statement-timeout", s.DatabaseStatementTimeout),
		inRange("--database-lock-timeout", s.DatabaseLockTimeout),
		inRange("--database-transaction-timeout", s.DatabaseTransactionTimeout),
		inRange("--database-silence", s.DatabaseSilence),
		InRange("--database-connections", s.DatabaseConnections, leastConnections, mostConnections),
	)
}

func (s postgresSettings) option() sqlstore.Option {
	return sqlstore.WithPostgres(sqlstore.Postgres{
		Conns: s.DatabaseConnections, IdleFor: s.DatabaseIdleFor, LivesFor: s.DatabaseLivesFor,
		WaitFor: s.DatabaseWait, ConnectWithin: s.DatabaseConnectTimeout,
		StatementWithin: s.DatabaseStatementTimeout, LockWithin: s.DatabaseLockTimeout, IdleInTxWithin: s.DatabaseTransactionTimeout,
		SilentFor: s.DatabaseSilence,
	})
}
