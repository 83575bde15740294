package mirror

import (
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// published opens a mirror of a file, and returns how the publication has its tables, with what check says.
func published(s *streamTest, file string, publish bool) (columns, findings, sql []string) {
	s.Helper()
	catalog, err := Inspect(s.Context(), s.conn)
	check(s.T, err)
	m, err := NewMapper([]byte(file), catalog)
	check(s.T, err)
	o := &opened{Source: &Source{Names: Names{Slot: s.slot(), Publication: "mine"}}, conn: s.conn, mapper: m}
	o.server, err = readServer(s.Context(), s.conn, o.Names)
	check(s.T, err)
	if publish {
		check(s.T, o.publish(s.Context(), m.Tables()))
		o.server, err = readServer(s.Context(), s.conn, o.Names)
		check(s.T, err)
	}
	for _, f := range m.findings(o.server, o.Names) {
		if strings.Contains(f.Text, "public") {
			findings, sql = append(findings, f.String()), append(sql, f.SQL...)
		}
	}
	rows, err := s.conn.Query(s.Context(), `SELECT tablename || ': ' || array_to_string(attnames, ' ') FROM pg_publication_tables WHERE pubname = 'mine' ORDER BY 1`)
	check(s.T, err)
	columns, err = pgx.CollectRows(rows, pgx.RowTo[string])
	check(s.T, err)
	return columns, findings, sql
}

func TestPublication_HasOnlyColumnsThatAreNeeded(t *testing.T) {
	s := newStreamTest(t,
		`CREATE TABLE people (id bigint PRIMARY KEY, name text, password text, api_key text)`,
		`CREATE TABLE votes (id bigint PRIMARY KEY, a bigint NOT NULL, b bigint NOT NULL, secret text); CREATE UNIQUE INDEX pair ON votes (a, b); ALTER TABLE votes REPLICA IDENTITY USING INDEX pair`,
		`CREATE TABLE notes (id bigint PRIMARY KEY, secret text); ALTER TABLE notes REPLICA IDENTITY FULL`,
		`CREATE TABLE parts (id bigint PRIMARY KEY, secret text) PARTITION BY RANGE (id); CREATE TABLE part PARTITION OF parts DEFAULT; ALTER TABLE part REPLICA IDENTITY FULL; ALTER TABLE parts REPLICA IDENTITY FULL`)
	const others = `
  public.votes: [{type: like, fields: {user: =row.a, post: =row.b, createdAt: x}}]
  public.notes: [{type: post, fields: {id: =row.id, author: 1, kind: POST, publishedAt: x}}]
  public.parts: [{type: live, fields: {id: =row.id, host: 1, title: x, scheduledAt: x}}]
`
	file := func(rule string) string {
		return "inputs:\n  public.people: [{type: user, fields: {id: =row.id, createdAt: x}, " + rule + "}]" + others
	}
	expect := func(step, rule string, publish bool, people, finding string) []string {
		t.Helper()
		columns, findings, sql := published(s, strings.Replace(file(rule), "}, fields: {", ", ", 1), publish)
		want := []string{"notes: id secret", "parts: id secret", "people: " + people, "votes: a b"}
		if !slices.Equal(columns, want) {
			t.Errorf("%s: the columns are %q, want %q", step, columns, want)
		}
		if finding == "" && len(findings) > 0 || finding != "" && (len(findings) == 0 || !strings.Contains(findings[0], finding)) {
			t.Errorf("%s: the findings are %q, want %q", step, findings, finding)
		}
		s.exec("UPDATE people SET password = 'y'", "UPDATE votes SET secret = 'y'", "UPDATE notes SET secret = 'y'", "UPDATE parts SET secret = 'y'")
		return sql
	}
	s.exec("INSERT INTO people VALUES (1); INSERT INTO votes VALUES (1, 2, 3); INSERT INTO notes VALUES (1); INSERT INTO parts VALUES (1)")
	expect("at first", "fields: {name: =row.name}", true, "id name", "")
	expect("another mapping", "fields: {name: =row.api_key}", false, "id name", "warning: line 2: the publication mine lacks columns of the table public.people; the mirror adds them")
	expect("after its snapshot", "fields: {name: =row.api_key}", true, "id api_key", "")
	s.exec(`ALTER PUBLICATION mine DROP TABLE people; ALTER PUBLICATION mine ADD TABLE people`)
	expect("an older publication", "fields: {name: =row.name}", false, "id name password api_key", "warning: line 2: the publication mine has columns of the table public.people that the mapping does not use")
	expect("after a snapshot", "fields: {name: =row.name}", true, "id name", "")
	// PostgreSQL refuses updates of a table with FULL whose list of columns is not whole.
	sql := expect("a condition", "when: row.password == 'x'", false, "id name", "has only some rows or columns of the table public.people")
	s.exec(sql...)
	expect("after its statements", "when: row.password == 'x'", true, "id name password api_key", "")
}
