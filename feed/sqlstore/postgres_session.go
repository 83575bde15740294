package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A server, a database or a role may have defaults for session settings under which the statements
// of this package fail. So each connection sets what it relies on.
// docs/adr/0022-postgresql.md has the reasons.

// transactionDefaults is the first statement on a new connection.
//
// Every transaction is READ COMMITTED. It takes its row locks first, and each later statement sees
// what was committed until then. So of two transactions that change the same row, one waits for the
// other. At a higher level the second would fail, and with many writers it might never succeed.
const transactionDefaults = "SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off"

// withTransactionDefaults sets the defaults before validate runs. Otherwise a primary with
// default_transaction_read_only would pass for a replica, and a replica cannot run serializable
// transactions.
func withTransactionDefaults(validate pgconn.ValidateConnectFunc) pgconn.ValidateConnectFunc {
	return func(ctx context.Context, conn *pgconn.PgConn) error {
		if _, err := conn.Exec(ctx, transactionDefaults).ReadAll(); err != nil {
			return err
		}
		if validate == nil {
			return nil
		}
		return validate(ctx, conn)
	}
}

// errTakesNoWrites is the reason not to use a server that is a replica.
var errTakesNoWrites = errors.New("the server takes no writes")

// takesWrites returns errTakesNoWrites if the server takes no writes.
func takesWrites(ctx context.Context, conn *pgconn.PgConn) error {
	results, err := conn.Exec(ctx, "SHOW transaction_read_only").ReadAll()
	if err != nil {
		return err
	}
	if len(results) == 1 && len(results[0].Rows) == 1 && string(results[0].Rows[0][0]) == "on" {
		return errTakesNoWrites
	}
	return nil
}

// formats sets how the server parses statements and prints values. Most values are binary; this is
// for the others.
const formats = "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET bytea_output = 'hex'; " +
	"SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'"

// limitsOff turns off limits that only some versions have. A limit on transactions would end long
// exports, and one on idle sessions would close connections of the pool. Single statements and idle
// transactions have their own limits.
const limitsOff = "SELECT set_config(name, '0', false) FROM unnest(ARRAY['transaction_timeout', 'idle_session_timeout']) AS name " +
	"WHERE current_setting(name, true) IS NOT NULL"

// durable makes commits wait for the disk: a server that is killed must not lose what was
// acknowledged. Stricter levels, and levels that concern replicas, stay.
const durable = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

// session returns the statements that set up a connection. Limits in the URL stay, and so does
// synchronous_commit.
//
// It turns JIT off: PostgreSQL overestimates the cost of the reference query so far that it would
// compile it, which takes many times as long as running it.
func (p Postgres) session(config *pgx.ConnConfig) string {
	settings := map[string]any{
		"jit":                                 "off",
		"statement_timeout":                   p.StatementWithin.Milliseconds(),
		"lock_timeout":                        p.LockWithin.Milliseconds(),
		"idle_in_transaction_session_timeout": p.IdleInTxWithin.Milliseconds(),
	}
	var set []string
	for name, value := range settings {
		if _, said := config.RuntimeParams[name]; !said {
			set = append(set, fmt.Sprintf("SET %s = %v", name, value))
		}
	}
	slices.Sort(set)
	set = append(set, formats, limitsOff)
	if _, said := config.RuntimeParams["synchronous_commit"]; !said {
		set = append(set, durable)
	}
	return strings.Join(set, "; ")
}

// session returns a hook that runs statements on a new connection in one round trip, and installs
// the encoder of [bigints].
func session(statements string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		useBigints(conn.TypeMap())
		_, err := conn.Exec(ctx, statements)
		return err
	}
}
