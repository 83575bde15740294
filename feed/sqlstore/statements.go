package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	sqlitedriver "modernc.org/sqlite"
)

// statementsKept is how many prepared statements a connection to SQLite keeps. One
// connection writes and the others read, and the store has some seventy statements
// for either, so all of them stay.
const statementsKept = 128

// openKeeping makes a pool of connections to SQLite that keep their statements
// prepared. SQLite takes as long to prepare a statement as to run it, and its driver
// prepares it anew for every call; PostgreSQL's keeps them by itself.
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
	// begin is told of every statement; nobody when it is nil.
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

// sqliteConn is what database/sql makes use of in a connection, but for the ways to
// run a statement that is not prepared. Where it finds none it prepares the
// statement, runs it, and closes it when its rows are closed.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// sqliteStmt is what database/sql makes use of in a statement.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keepingConn is a connection whose statements stay prepared when they are closed.
// Only one goroutine uses it at a time, as database/sql promises.
type keepingConn struct {
	sqliteConn
	// idle has the statements that wait to be used again, by their text. One in use
	// is not among them, so whoever runs the same text before its rows are closed
	// gets another. It is nil when the connection is closed.
	idle  map[string]sqliteStmt
	begin Begin
}

// PrepareContext returns an idle statement, or else prepares it.
func (c *keepingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if stmt, ok := c.idle[text]; ok {
		delete(c.idle, text)
		return c.kept(stmt, text), nil
	}
	prepared, err := c.sqliteConn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	stmt, ok := prepared.(sqliteStmt)
	if !ok {
		return nil, errors.Join(fmt.Errorf("a statement of type %T cannot be kept", prepared), prepared.Close())
	}
	return c.kept(stmt, text), nil
}

// kept makes a statement one that the connection keeps.
func (c *keepingConn) kept(stmt sqliteStmt, text string) driver.Stmt {
	kept := &keptStmt{sqliteStmt: stmt, conn: c, text: text}
	if c.begin == nil {
		return kept
	}
	return observedStmt{kept, c.begin}
}

// keep takes a statement back that is no longer used. When there are too many, any
// one has to go.
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

// keptStmt is a statement of a keepingConn.
type keptStmt struct {
	sqliteStmt
	conn *keepingConn
	text string
}

// Close gives the statement back to the connection.
func (s *keptStmt) Close() error { return s.conn.keep(s.text, s.sqliteStmt) }
