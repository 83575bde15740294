package sqlstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// column is one column of a list of rows. The list is one argument, or one per column, so that the
// text of a statement does not depend on the number of rows. Either ints or texts is set.
type column struct {
	name  string
	text  bool
	ints  []int64
	texts []string
	// fixed excludes the column from updates.
	fixed bool
}

func intColumn[R any, N ~int | ~int64 | ~uint8](name string, rows []R, value func(R) N) column {
	return column{name: name, ints: mapped(rows, func(r R) int64 { return int64(value(r)) })}
}

// placeColumn makes the column place: the indexes of n rows.
func placeColumn(n int) column {
	c := column{name: "place", ints: make([]int64, n)}
	for i := range c.ints {
		c.ints[i] = int64(i)
	}
	return c
}

// keyColumns makes the columns NAME_ts and NAME_id of keys from rows.
func keyColumns[R any](name string, rows []R, key func(R) feed.Key) []column {
	return []column{
		intColumn(name+"_ts", rows, func(r R) int64 { return key(r).TS }),
		intColumn(name+"_id", rows, func(r R) int64 { return key(r).ID }),
	}
}

func textColumn[R any, S ~string](name string, rows []R, value func(R) S) column {
	return column{name: name, text: true, texts: mapped(rows, func(r R) string { return string(value(r)) })}
}

func (c column) rows() int { return len(c.ints) + len(c.texts) }

// typeName is PostgreSQL's type of a value.
func (c column) typeName() string {
	if c.text {
		return "text"
	}
	return "bigint"
}

func (c column) values() any {
	if c.text {
		return c.texts
	}
	return c.ints
}

func (c column) first() any { return c.at(0) }

func (c column) at(row int) any {
	if c.text {
		return c.texts[row]
	}
	return c.ints[row]
}

// table returns a FROM item r with the columns and their rows, and its arguments from $1 on.
func (d dialect) table(columns []column) (from string, args []any) { return d.tableAfter(0, columns) }

// tableAfter is table with its arguments after others; on SQLite there must be none.
func (d dialect) tableAfter(before int, columns []column) (from string, args []any) {
	if d.isPostgres() {
		return postgresTable(before, columns)
	}
	picks := make([]string, len(columns))
	for i, c := range columns {
		picks[i] = fmt.Sprintf("value ->> %d AS %s", i, c.name)
	}
	return "(SELECT " + strings.Join(picks, ", ") + " FROM json_each($1)) AS r", []any{jsonRows(columns)}
}

func postgresTable(before int, columns []column) (from string, args []any) {
	if columns[0].rows() == 1 {
		return postgresRow(before, columns)
	}
	params := make([]string, len(columns))
	for i, c := range columns {
		params[i] = fmt.Sprintf("$%d::%s[]", before+i+1, c.typeName())
		args = append(args, c.values())
	}
	return "unnest(" + strings.Join(params, ", ") + ") AS r (" + columnNames(columns, "") + ")", args
}

// postgresRow is a table of one row, as in most changes. Its values are single parameters, so that
// PostgreSQL keeps the plan. For lists it plans each time, which takes longer than the insert.
func postgresRow(before int, columns []column) (from string, args []any) {
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = fmt.Sprintf("$%d::%s AS %s", before+i+1, c.typeName(), c.name)
		args = append(args, c.first())
	}
	return "(SELECT " + strings.Join(values, ", ") + ") AS r", args
}

// jsonRows encodes the rows as a JSON array of arrays.
func jsonRows(columns []column) string {
	rows := columns[0].rows()
	b := make([]byte, 0, 2+24*rows*len(columns))
	b = append(b, '[')
	for row := range rows {
		if row > 0 {
			b = append(b, ',')
		}
		for i, c := range columns {
			b = append(b, "[,"[min(i, 1)])
			if c.text {
				text, _ := json.Marshal(c.texts[row])
				b = append(b, text...)
			} else {
				b = strconv.AppendInt(b, c.ints[row], 10)
			}
		}
		b = append(b, ']')
	}
	return string(append(b, ']'))
}

// columnNames lists the names of the columns, each with a prefix such as "r.".
func columnNames(columns []column, prefix string) string {
	return strings.Join(mapped(columns, func(c column) string { return prefix + c.name }), ", ")
}

// insertRows inserts the rows into a table, in their order, and returns the number of rows it
// affected. onConflict is the clause for rows that exist. For no rows it runs no statement.
func (d dialect) insertRows(ctx context.Context, tx *sql.Tx, table, onConflict string, columns ...column) (int64, error) {
	if columns[0].rows() == 0 {
		return 0, nil
	}
	stmt, args := d.insert(table, onConflict, columns)
	return execRows(ctx, tx, stmt, args...)
}

// insert returns the statement of insertRows and its arguments.
func (d dialect) insert(table, onConflict string, columns []column) (stmt string, args []any) {
	from, args := d.table(columns)
	// Without the WHERE SQLite parses ON as the condition of a join.
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s WHERE TRUE ON CONFLICT %s",
		table, columnNames(columns, ""), columnNames(columns, "r."), from, onConflict), args
}
