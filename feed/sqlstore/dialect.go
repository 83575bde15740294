package sqlstore

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// dialect is all that differs between the two databases.
type dialect struct {
	// name is goose's name of the dialect.
	name string
	// forUpdate ends a SELECT that locks the rows it returns; skipLocked ends one
	// that passes over rows others have locked. NO KEY is the lock that an UPDATE
	// takes: it does not stand in the way of those who insert rows that refer to
	// the locked one. SQLite locks the whole database for its only writer, so it
	// needs neither.
	forUpdate, skipLocked string
	// forDeletion ends a SELECT that waits for everybody who has locked the rows it
	// returns, in whatever way, and keeps everybody from locking them.
	forDeletion string
	// holding ends a SELECT that keeps the rows of its table u from being deleted
	// for as long as the transaction lasts, and stands in nobody else's way. It is what
	// a foreign key does on its own, only that this looks at the row again after having
	// waited for it.
	holding string
	// now is the database's own clock as a number of milliseconds. Wherever it stands
	// in a statement it is the same moment, that at which the statement was begun.
	now string
	// greatest is the function that returns the greatest of its arguments.
	greatest string
	// The formats of what in, joined, pairs and texts return.
	inList, joinedText, pairList, textRows string
	// types replace the {{…}} marks in migrations.
	types map[string]string
}

var (
	postgres = dialect{
		name:        "postgres",
		forUpdate:   " FOR NO KEY UPDATE",
		skipLocked:  " FOR NO KEY UPDATE SKIP LOCKED",
		forDeletion: " FOR UPDATE",
		holding:     " FOR KEY SHARE OF u",
		now:         "CAST(FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) * 1000) AS BIGINT)",
		greatest:    "GREATEST",
		inList:      "%s = ANY($%d::bigint[])",
		joinedText:  "string_agg(%s::text, ',')",
		pairList:    "array_agg(ARRAY[%s, %s])",
		textRows:    "unnest($%d::text[]) AS %s(text)",
		types: map[string]string{
			"{{id}}":            "BIGINT NOT NULL PRIMARY KEY",
			"{{serial}}":        "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
			"{{without rowid}}": "",
			"{{only postgres}}": "",
			"{{end postgres}}":  "",
		},
	}
	sqlite = dialect{
		name: "sqlite3",
		// The function returns seconds, with a fraction that need not be exact.
		now:        "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)",
		greatest:   "MAX",
		inList:     "%s IN (SELECT value FROM json_each($%d))",
		joinedText: "group_concat(%s, ',')",
		pairList:   "json_group_array(json_array(%s, %s))",
		textRows:   "(SELECT value AS text FROM json_each($%d)) AS %s",
		types: map[string]string{
			// INTEGER PRIMARY KEY makes the id the table's own row number: one
			// B-tree instead of two.
			"{{id}}":            "INTEGER PRIMARY KEY",
			"{{serial}}":        "INTEGER PRIMARY KEY AUTOINCREMENT",
			"{{without rowid}}": "WITHOUT ROWID",
			"{{only postgres}}": "/*",
			"{{end postgres}}":  "*/",
		},
	}
)

// render puts the dialect's types into a migration.
func (d dialect) render(ddl string) string {
	for mark, typ := range d.types {
		ddl = strings.ReplaceAll(ddl, mark, typ)
	}
	return ddl
}

// isPostgres says whether the database is PostgreSQL.
func (d dialect) isPostgres() bool { return d.name == postgres.name }

// in returns the condition that expr, a number, is in the list of parameter $n,
// which ids has made. The statement's text does not depend on the list's length,
// so it stays prepared.
func (d dialect) in(expr string, n int) string { return fmt.Sprintf(d.inList, expr, n) }

// joined returns an aggregate of the numbers in a column as one text, with commas between.
func (d dialect) joined(column string) string { return fmt.Sprintf(d.joinedText, column) }

// unnest returns a FROM item with one row per element of parameter $1, which ids
// has made; its column is alias.id.
func (d dialect) unnest(alias string) string {
	if d.isPostgres() {
		return "unnest($1::bigint[]) AS " + alias + "(id)"
	}
	return "(SELECT value AS id FROM json_each($1)) AS " + alias
}

// pairs returns the aggregate that makes one value of two numbers of each row, which
// [keyList] scans.
func (d dialect) pairs(a, b string) string { return fmt.Sprintf(d.pairList, a, b) }

// texts returns a FROM item with one row per element of parameter $n, which textList
// has made; its column is alias.text.
func (d dialect) texts(n int, alias string) string { return fmt.Sprintf(d.textRows, n, alias) }

// eachAuthor returns a join that runs a subquery over a table of contents, under the
// alias c, once for every row of the FROM items before it, and yields the contents it
// finds under the alias found. rest is all of the subquery that follows its FROM.
// It is how the newest of every author are read from the index, one author after
// the other, instead of sorting all that they ever wrote.
func (d dialect) eachAuthor(table, rest string) string {
	if d.isPostgres() {
		return "CROSS JOIN LATERAL (SELECT c.published_at, c.id FROM " + table + " AS c " + rest + ") AS found"
	}
	// SQLite has no LATERAL, but runs a correlated IN as one. CROSS keeps it from
	// turning the join round.
	return "CROSS JOIN " + table + " AS found ON found.id IN (SELECT c.id FROM " + table + " AS c " + rest + ")"
}

// ids makes the argument for in and unnest.
func ids[T ~int64](d dialect, list []T) any {
	if d.isPostgres() {
		return mapped(list, func(id T) int64 { return int64(id) })
	}
	b := make([]byte, 0, 2+20*len(list))
	b = append(b, '[')
	for i, id := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, int64(id), 10)
	}
	return string(append(b, ']'))
}

// textList makes the argument for texts.
func textList(d dialect, list []string) any {
	if d.isPostgres() {
		return list
	}
	text, _ := json.Marshal(list) // strings always marshal
	return string(text)
}

// flag makes the argument for a column that holds 0 or 1.
func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}
