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

// A server, a database or a role may have defaults for the settings of a session that this
// package's statements do not work with. So each connection sets what it relies on, whatever
// the defaults are. docs/adr/0022-postgresql.md says why.

// transactionDefaults is what a new connection is told before anything else.
//
// Every transaction is READ COMMITTED. It takes its row locks first, and each of its statements
// then sees what was committed until then, so of two that change the same one waits for the
// other. At a higher level the second one would fail instead, and with many writers for ever.
const transactionDefaults = "SET default_transaction_isolation = 'read committed'; SET default_transaction_read_only = off"

// withTransactionDefaults has a connection take the defaults before it is validated: a server
// that takes writes only if they are asked for must not pass for a replica, and one that
// follows another runs no serializable transaction at all.
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

// errTakesNoWrites is why a connection was not made to a server that follows another one.
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

// formats are settings that decide how statements are read and values written. Values come in
// binary form as a rule; these are for the rest.
const formats = "SET client_encoding = 'UTF8'; SET standard_conforming_strings = on; SET bytea_output = 'hex'; " +
	"SET TimeZone = 'UTC'; SET DateStyle = 'ISO, MDY'; SET IntervalStyle = 'postgres'"

// limitsOff turns limits off that not every version knows. One on transactions would break
// off long exports; those on single statements and on idle transactions are set apart. One on
// idle sessions would end connections that the pool is about to use.
const limitsOff = "SELECT set_config(name, '0', false) FROM unnest(ARRAY['transaction_timeout', 'idle_session_timeout']) AS name " +
	"WHERE current_setting(name, true) IS NOT NULL"

// durable has a commit be on disk when it returns. What has been acknowledged must not be lost
// when the server is killed. Levels that ask for more, or for less of replicas, stay.
const durable = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

// session returns what every connection is told when it is made. Limits that the URL sets
// itself are left as they are, and so is synchronous_commit.
//
// It keeps PostgreSQL from compiling queries: it overestimates the cost of the reference
// query so far that it would compile it, and compiling takes many times as long as running
// it does.
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

// session tells a new connection something, in one round trip, and has it send lists of numbers
// as [bigints] do.
func session(statements string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		useBigints(conn.TypeMap())
		_, err := conn.Exec(ctx, statements)
		return err
	}
}
