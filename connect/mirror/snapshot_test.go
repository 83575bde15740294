package mirror

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// Rows of relations come by key, so that a batch changes each user once; others come as stored. Columns
// that no rule needs are not read, and those that PostgreSQL cannot sort do not order.
func TestSnapshot_ReadsRelationsByKey(t *testing.T) {
	s := newStreamTest(t,
		`CREATE TABLE people (id bigint PRIMARY KEY)`, `INSERT INTO people VALUES (3), (1), (2)`,
		`CREATE TABLE edges (place int, a bigint, b bigint)`, `INSERT INTO edges VALUES (1, 2, 1), (2, 10, 1), (3, 2, 3), (4, 1, 9)`,
		`CREATE TABLE likes (who text COLLATE "C", what bigint)`, `INSERT INTO likes VALUES ('c', 2), ('b', 3), ('a', 2)`,
		`CREATE TABLE mutes (who json, target bigint)`, `INSERT INTO mutes VALUES ('{"id": "b"}', 7), ('{"id": "a"}', 8)`)
	catalog, err := Inspect(t.Context(), s.conn)
	check(t, err)
	m, err := NewMapper([]byte(`
inputs:
  public.people: [{type: user, fields: {id: =row.id, name: x, createdAt: "2026-01-01T00:00:00Z"}}]
  public.edges: [{type: follow, fields: {followee: =row.b, createdAt: "2026-01-01T00:00:00Z", follower: =row.a}}]
  public.likes: [{type: like, fields: {user: =row.who, post: =row.what, createdAt: "2026-01-01T00:00:00Z"}}]
  public.mutes: [{type: mute, fields: {user: =row.who.id, target: =row.target, createdAt: "2026-01-01T00:00:00Z"}}]
`), catalog)
	check(t, err)
	read := &snapshot{opened: &opened{Source: &Source{Clock: time.Now}, conn: s.conn, mapper: m}, batches: make(chan *rowsBatch, batchesMax)}
	for i, want := range []string{
		`"id":"3" "id":"1" "id":"2"`,
		`"followee":"9","follower":"1" "followee":"1","follower":"2" "followee":"3","follower":"2" "followee":"1","follower":"10"`,
		`"user":"a","post":"2" "user":"c","post":"2" "user":"b","post":"3"`, `"user":"b","target":"7" "user":"a","target":"8"`,
	} {
		check(t, read.readTable(t.Context(), m.Tables()[i]))
		var keys []string
		message := <-read.batches
		for _, l := range message.Lines {
			line := l.Line(records.Format{})
			_, rest, _ := strings.Cut(string(line.Record.LineText()), ",")
			key, _, _ := strings.Cut(rest, `,"name"`)
			key, _, _ = strings.Cut(key, `,"createdAt"`)
			keys = append(keys, key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("%s is read as %s, want %s", m.Tables()[i].Quoted, got, want)
		}
	}
}

// All follows of a user are in one batch unless they are very many, so batches do not wait for each
// other. Only the last batch of a table waits, and where records are partial, each.
func TestSnapshot_BatchesEndWithTheirUser(t *testing.T) {
	const full = ingest.PollMessages
	follows := func(user, n int) string {
		return fmt.Sprintf(`INSERT INTO edges SELECT %d, 100 + i FROM generate_series(1, %d) AS i`, user, n)
	}
	s := newStreamTest(t,
		`CREATE TABLE edges (a bigint, b bigint)`, follows(1, full-10), follows(2, 30), follows(3, 2*full+500),
		`CREATE TABLE names (id bigint)`, fmt.Sprintf(`INSERT INTO names SELECT i FROM generate_series(1, %d) AS i`, full+500),
		`CREATE TABLE pages (id bigint, body text)`, `INSERT INTO pages SELECT i, repeat('x', 1000000) FROM generate_series(1, 10) AS i`)
	catalog, err := Inspect(t.Context(), s.conn)
	check(t, err)
	m, err := NewMapper([]byte(`
inputs:
  public.edges: [{type: follow, fields: {follower: =row.a, followee: =row.b, createdAt: "2026-01-01T00:00:00Z"}}]
  public.names: [{type: user, fields: {id: =row.id, name: x, partial: true}}]
  public.pages: [{type: post, fields: {id: =row.id, author: 1, kind: POST, text: =row.body, publishedAt: "2026-01-01T00:00:00Z"}}]
`), catalog)
	check(t, err)
	read := &snapshot{opened: &opened{Source: &Source{Clock: time.Now}, conn: s.conn, mapper: m}, batches: make(chan *rowsBatch, batchesMax)}
	for i, want := range []string{
		fmt.Sprintf("%d true, %d true, 500 false", full+20, 2*full), fmt.Sprintf("%d false, 500 false", full), "5 true, 5 false",
	} {
		check(t, read.readTable(t.Context(), m.Tables()[i]))
		var got []string
		for range len(read.batches) {
			b := <-read.batches
			got = append(got, fmt.Sprint(len(b.Lines), " ", b.concurrent))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("the batches of %s are %s, want %s", m.Tables()[i].Quoted, got, want)
		}
	}
}
