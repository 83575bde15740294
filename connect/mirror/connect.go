package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tideline-feeds/tideline/feed"
)

// sessionSettings make values texts of one form, in snapshots and in changes. Queries of the catalog read
// few rows, and PostgreSQL would compile those that it expects to read many.
func sessionSettings() map[string]string {
	return map[string]string{
		"client_encoding": "UTF8", "standard_conforming_strings": "on", "DateStyle": "ISO, MDY", "TimeZone": "UTC", "IntervalStyle": "postgres",
		"bytea_output": "hex", "extra_float_digits": "1", "application_name": "tideline mirror", "jit": "off",
		"statement_timeout": "0", "lock_timeout": "0", "idle_in_transaction_session_timeout": "0", "default_transaction_read_only": "off",
	}
}

// Connect opens a connection to a source for statements. Errors show no password.
func Connect(ctx context.Context, url string) (*pgx.Conn, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errNoPostgres()
	}
	// PgBouncer refuses most settings when a connection starts.
	config.AfterConnect = func(ctx context.Context, conn *pgconn.PgConn) error {
		_, err := conn.Exec(ctx, sessionStatements()).ReadAll()
		return err
	}
	// Catalogs change while a mirror runs, and a pooler may be in between.
	config.DefaultQueryExecMode = pgx.QueryExecModeExec
	return pgx.ConnectConfig(ctx, config)
}

func errNoPostgres() error {
	return feed.Errorf(feed.CodeInvalid, "the URL of the source is not one of PostgreSQL, such as postgres://USER:PASSWORD@HOST/DATABASE")
}

// connectReplication opens a connection for replication.
func connectReplication(ctx context.Context, url string) (*pgconn.PgConn, error) {
	config, err := pgconn.ParseConfig(url)
	if err != nil {
		return nil, errNoPostgres()
	}
	maps.Copy(config.RuntimeParams, sessionSettings())
	config.RuntimeParams["replication"] = "database"
	return pgconn.ConnectConfig(ctx, config)
}

// sessionStatements set the session's settings.
func sessionStatements() string {
	settings := sessionSettings()
	var set strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		set.WriteString("SET " + name + " = " + quoteText(settings[name]) + ";")
	}
	return set.String()
}

// quoteText quotes a text for SQL.
func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// pgCode returns the code of an error of PostgreSQL, and an empty text for any other error.
func pgCode(err error) string {
	if pg, is := errors.AsType[*pgconn.PgError](err); is {
		return pg.Code
	}
	return ""
}

// Codes of PostgreSQL.
const (
	codeUndefined = "42704"
	codeDuplicate = "42710"
	codeInUse     = "55006"
)

func failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
