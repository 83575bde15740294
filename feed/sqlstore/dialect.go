package sqlstore

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// dialect holds most of what differs between the two databases.
type dialect struct {
	// name is goose's name of the dialect.
	name string
	// forUpdate ends a SELECT that locks its rows; skipLocked also skips rows that others have
	// locked. NO KEY is the lock of an UPDATE, which lets others insert rows that refer to the
	// locked one. SQLite needs neither: it has one writer, which locks the whole database.
	forUpdate, skipLocked string
	// forShare ends a SELECT that keeps others from changing its rows, and lets them take the same lock.
	forShare string
	// forDeletion ends a SELECT that takes the strongest lock on its rows, against all others.
	forDeletion string
	// holding ends a SELECT that protects the rows of its table u from deletion until the
	// transaction ends, and blocks nothing else. It is the lock of a foreign key, except that the
	// condition is checked again after waiting.
	holding                    string
	absent, private, suspended userFlag
	// now is the time of the database in milliseconds, constant within a statement.
	now      string
	greatest string
	least    string
	// lastChange is the highest number of a change, in a query of change_state as state.
	lastChange string
	// lastCommit is the number of [Store.LastCommit], in a query of change_state as state.
	lastCommit string
	// changesWait is the condition that changes have no numbers yet.
	changesWait string
	// followersIn is the condition of the followers of $1 above $2, also of those above $3 in PostgreSQL.
	// Only the index of an author's followers has the order of these pairs, so it uses no other index,
	// also before it has analyzed a new table. But it does not end a read at (a, b) <= ($1, $3).
	followersIn string
	// The formats of what in, joined, pairs, upTo and texts return.
	inList, joinedText, pairList, before, textRows string
	// tables lists the tables of the schema.
	tables string
	// types replace the {{…}} placeholders in migrations.
	types map[string]string
}

var (
	postgres = dialect{
		name:        "postgres",
		absent:      userFlag{set: isAbsent},
		private:     userFlag{set: isPrivate},
		suspended:   userFlag{set: isSuspended},
		forUpdate:   " FOR NO KEY UPDATE",
		skipLocked:  " FOR NO KEY UPDATE SKIP LOCKED",
		forShare:    " FOR SHARE",
		forDeletion: " FOR UPDATE",
		holding:     " FOR KEY SHARE OF u",
		now:         "CAST(FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) * 1000) AS BIGINT)",
		greatest:    "GREATEST",
		least:       "LEAST",
		lastChange:  "state.last",
		lastCommit:  "CAST(pg_snapshot_xmax(pg_current_snapshot())::text AS bigint)",
		changesWait: "EXISTS (SELECT 1 FROM change_queue)",
		followersIn: "(followee_id, follower_id) > ($1, $2) AND followee_id <= $1",
		inList:      "%s = ANY($%d::bigint[])",
		joinedText:  "string_agg(%s::text, ',')",
		pairList:    "array_agg(ARRAY[%s, %s])",
		before:      "split_part(%s, '%s', 1)",
		textRows:    "unnest($%d::text[]) AS %s(text)",
		tables:      "SELECT tablename FROM pg_tables WHERE schemaname = ANY (current_schemas(FALSE))",
		types: map[string]string{
			"{{id}}":       "BIGINT NOT NULL PRIMARY KEY",
			"{{serial}}":   "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
			"{{number}}":   "BIGINT NOT NULL PRIMARY KEY",
			"{{bytewise}}": `COLLATE "C"`,
			// PostgreSQL would run a query for each new row (docs/adr/0067).
			"{{references users}}": "",
			"{{without rowid}}":    "",
			"{{only postgres}}":    "",
			"{{end postgres}}":     "",
		},
	}
	sqlite = dialect{
		name:      "sqlite3",
		absent:    userFlag{isAbsent, " INDEXED BY idx_users_absent"},
		private:   userFlag{isPrivate, " INDEXED BY idx_users_private"},
		suspended: userFlag{isSuspended, " INDEXED BY idx_users_suspended"},
		// The function returns fractional seconds, possibly inexact.
		now:         "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)",
		greatest:    "MAX",
		least:       "MIN",
		lastChange:  "COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)",
		lastCommit:  "COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)",
		changesWait: "FALSE",
		followersIn: "followee_id = $1 AND follower_id > $2 AND follower_id <= $3",
		inList:      "%s IN (SELECT value FROM json_each($%d))",
		joinedText:  "group_concat(%s, ',')",
		pairList:    "json_group_array(json_array(%s, %s))",
		before:      "substr(%[1]s, 1, instr(%[1]s || '%[2]s', '%[2]s') - 1)",
		textRows:    "(SELECT value AS text FROM json_each($%d)) AS %s",
		tables:      "SELECT name FROM sqlite_master WHERE type = 'table'",
		types: map[string]string{
			// INTEGER PRIMARY KEY makes the id the row number: one B-tree instead of two.
			"{{id}}":     "INTEGER PRIMARY KEY",
			"{{serial}}": "INTEGER PRIMARY KEY AUTOINCREMENT",
			// A key that PostgreSQL's statements name, and SQLite draws.
			"{{number}}":           "INTEGER PRIMARY KEY AUTOINCREMENT",
			"{{bytewise}}":         "",
			"{{references users}}": "REFERENCES users (id)",
			"{{without rowid}}":    "WITHOUT ROWID",
			"{{only postgres}}":    "/*",
			"{{end postgres}}":     "*/",
		},
	}
)

func (d dialect) render(ddl string) string {
	for mark, typ := range d.types {
		ddl = strings.ReplaceAll(ddl, mark, typ)
	}
	return ddl
}

func (d dialect) isPostgres() bool { return d.name == postgres.name }

// in returns the condition that expr, a number, is in the list of parameter $n, made by ids. The
// text does not depend on the length of the list, so the statement stays prepared.
func (d dialect) in(expr string, n int) string { return fmt.Sprintf(d.inList, expr, n) }

// joined returns an aggregate: the numbers of a column as one text, separated by commas.
func (d dialect) joined(column string) string { return fmt.Sprintf(d.joinedText, column) }

// unnest returns a FROM item with a column alias.id and a row per element of parameter $1.
func (d dialect) unnest(alias string) string {
	if d.isPostgres() {
		return "unnest($1::bigint[]) AS " + alias + "(id)"
	}
	return "(SELECT value AS id FROM json_each($1)) AS " + alias
}

// pairs returns an aggregate: two numbers of each row as one value, which [keyList] scans.
func (d dialect) pairs(a, b string) string { return fmt.Sprintf(d.pairList, a, b) }

// upTo returns the part of a text before the first separator, or the whole text.
func (d dialect) upTo(text, separator string) string { return fmt.Sprintf(d.before, text, separator) }

// texts returns a FROM item with a column alias.text and a row per element of parameter $n.
func (d dialect) texts(n int, alias string) string { return fmt.Sprintf(d.textRows, n, alias) }

// eachAuthor returns a join that runs a subquery over a table of posts, as c, for each row of the
// FROM items before it. It yields the posts as found. rest is the subquery after its FROM. It reads
// the newest posts of each author from the index, instead of sorting all their posts.
func (d dialect) eachAuthor(table, rest string) string {
	if d.isPostgres() {
		return "CROSS JOIN LATERAL (SELECT c.published_at, c.id FROM " + table + " AS c " + rest + ") AS found"
	}
	// SQLite has no LATERAL but runs a correlated IN like one. CROSS keeps the order of the join.
	return "CROSS JOIN " + table + " AS found ON found.id IN (SELECT c.id FROM " + table + " AS c " + rest + ")"
}

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

func textList(d dialect, list []string) any {
	if d.isPostgres() {
		return list
	}
	text, _ := json.Marshal(list) // strings always marshal
	return string(text)
}

// flag makes the argument for a column of 0 or 1.
func flag(on bool) int {
	if on {
		return 1
	}
	return 0
}
