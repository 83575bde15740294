package sqlstore_test

import (
	"context"
	"database/sql/driver"
)

// counter counts the calls of the driver by the connections under test.
type counter struct {
	driver.Connector
	prepared, closed int
	// text is that of the last prepared statement.
	text string
}

func (c *counter) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &countedConn{fullConn: conn.(fullConn), to: c}, nil
}

type fullConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

type countedConn struct {
	fullConn
	to *counter
}

func (c *countedConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	stmt, err := c.fullConn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	c.to.prepared++
	c.to.text = text
	return &countedStmt{fullStmt: stmt.(fullStmt), to: c.to}, nil
}

type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type countedStmt struct {
	fullStmt
	to *counter
}

func (s *countedStmt) Close() error {
	s.to.closed++
	return s.fullStmt.Close()
}

// lesser is a driver with only the required methods.
type lesser struct {
	driver.Connector
	conn driver.Conn
}

func (l lesser) Connect(context.Context) (driver.Conn, error) { return l.conn, nil }

type lesserConn struct{ driver.Conn }

func (lesserConn) Close() error { return nil }

// lesserStmts is a connection whose statements have only the required methods.
type lesserStmts struct{ fullConn }

func (lesserStmts) PrepareContext(context.Context, string) (driver.Stmt, error) {
	return lesserStmt{}, nil
}
func (lesserStmts) Close() error  { return nil }
func (lesserStmts) IsValid() bool { return true }

type lesserStmt struct{ driver.Stmt }

func (lesserStmt) Close() error { return nil }
