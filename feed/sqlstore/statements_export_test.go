package sqlstore

import (
	"database/sql"
	"database/sql/driver"
)

// StatementsKept is how many statements a connection keeps.
const StatementsKept = statementsKept

// OpenKeeping makes a pool of connections that keep their statements.
func OpenKeeping(c driver.Connector) *sql.DB { return sql.OpenDB(keepingConnector{Connector: c}) }
