package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	sqlitedriver "modernc.org/sqlite"
)

// statementsKept is how many prepared statements a connection to SQLite keeps. The store has about
// seventy for reads and as many for writes, so all stay.
const statementsKept = 128

// openKeeping opens a pool of SQLite connections that keep statements prepared. Preparing takes
// SQLite as long as running, and the driver prepares for every call; pgx has its own cache.
func openKeeping(dsn string, begin Begin) (*sql.DB, error) {
	connector, err := sqlitedriver.NewConnector(dsn)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keepingConnector{connector, begin}), nil
}

// keepingConnector opens connections that keep their statements.
type keepingConnector struct {
	driver.Connector
	// begin is called with every statement, unless it is nil.
	begin Begin
}

// Connect opens a connection.
func (c keepingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	opened, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn, ok := opened.(sqliteConn)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a connection of type %T cannot keep statements", opened), opened.Close())
	}
	return &keepingConn{sqliteConn: conn, idle: map[string]sqliteStmt{}, begin: c.begin}, nil
}

// sqliteConn is what database/sql needs of a connection, without the methods for unprepared
// statements. So it prepares each statement, runs it, and closes it with its rows.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// sqliteStmt is what database/sql needs of a statement.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keepingConn is a connection that keeps closed statements prepared, for one goroutine.
type keepingConn struct {
	sqliteConn
	// idle has the closed statements by their text. A second use of a text before the first is
	// closed prepares another statement. It is nil when the connection is closed.
	idle  map[string]sqliteStmt
	begin Begin
}

// PrepareContext returns an idle statement, or prepares one.
func (c *keepingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if stmt, ok := c.idle[text]; ok {
		delete(c.idle, text)
		return c.kept(stmt, text), nil
	}
	// If the limit is a parameter alone, SQLite plans for its value, and prepares the statement again
	// for every call.
	prepared, err := c.sqliteConn.PrepareContext(ctx, strings.ReplaceAll(text, "LIMIT $", "LIMIT +$"))
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(sqliteStmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a statement of type %T cannot be kept", prepared), prepared.Close())
	}
	return c.kept(stmt, text), nil
}

// kept wraps a statement so that closing it returns it to the connection.
func (c *keepingConn) kept(stmt sqliteStmt, text string) driver.Stmt {
	kept := &keptStmt{sqliteStmt: stmt, conn: c, text: text}
	if c.begin == nil {
		return kept
	}
	return observedStmt{kept, c.begin}
}

// keep stores a closed statement. If there are too many, it closes any other.
func (c *keepingConn) keep(text string, stmt sqliteStmt) error {
	if _, twin := c.idle[text]; twin || c.idle == nil {
		return stmt.Close()
	}
	var err error
	for other, victim := range c.idle {
		if len(c.idle) < statementsKept {
			break
		}
		delete(c.idle, other)
		err = errors.Join(err, victim.Close())
	}
	c.idle[text] = stmt
	return err
}

// Close closes the connection and its statements.
func (c *keepingConn) Close() error {
	var err error
	for _, stmt := range c.idle {
		err = errors.Join(err, stmt.Close())
	}
	c.idle = nil
	return errors.Join(err, c.sqliteConn.Close())
}

type keptStmt struct {
	sqliteStmt
	conn *keepingConn
	text string
}

// Close returns the statement to the connection.
func (s *keptStmt) Close() error { return s.conn.keep(s.text, s.sqliteStmt) }
