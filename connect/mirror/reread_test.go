package mirror

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// large is a text of 100 kB that PostgreSQL cannot compress, from a number.
const large = `(SELECT string_agg(md5(%d || '-' || n), '') FROM generate_series(1, 3200) n)`

const rereadTables = `
	CREATE TABLE posts (id bigint PRIMARY KEY, author int NOT NULL, body text, media text);
	CREATE TABLE people (id bigint PRIMARY KEY, name text NOT NULL, profile json);
	CREATE TABLE "Li ve" (room text, "No" uuid, title text, PRIMARY KEY (room, "No"));
	CREATE TABLE fence (n int)`

const rereadFile = `
inputs:
  public.posts: [{type: post, fields: {id: =row.id, author: =row.author, kind: POST, text: =row.body, media: '=row.media == null ? [] : dyn([row.media])', publishedAt: "2026-01-01T00:00:00Z"}}]
  public.people: [{type: user, fields: {id: =row.id, name: =row.name, custom: =row.profile, createdAt: "2026-01-01T00:00:00Z"}}]
  public."Li ve": [{type: live, fields: {id: '=row.room + row.No', host: 1, title: =row.title, scheduledAt: "2026-01-01T00:00:00Z"}}]
`

// rereadTest follows the changes of rows with large values.
type rereadTest struct {
	*streamTest
	*reader
	at  position
	end func()
	// n counts the reads, and most is the number of changes of the largest part.
	n, most int
}

func newRereadTest(s *streamTest) *rereadTest {
	s.Helper()
	r := &rereadTest{streamTest: s}
	r.follow()
	s.Cleanup(func() { r.end() })
	return r
}

// follow begins to read after the last change that was read.
func (r *rereadTest) follow() {
	r.Helper()
	catalog, err := Inspect(r.Context(), r.streamTest.conn)
	check(r.T, err)
	m, err := NewMapper([]byte(rereadFile), catalog)
	check(r.T, err)
	r.reader = &reader{opened: &opened{mapper: m, conn: r.streamTest.conn}, incomplete: map[string]bool{}}
	r.end = r.start(r.at, func(d *changeDecoder, _ *Catalog) { d.uses = m.Uses })
}

// restart ends the reader, runs statements and starts another one.
func (r *rereadTest) restart(statements ...string) {
	r.Helper()
	r.end()
	r.exec(statements...)
	r.follow()
}

// read returns the records of all changes so far, one a line, with the lengths of long texts.
func (r *rereadTest) read() string {
	r.Helper()
	r.n++
	r.exec(fmt.Sprintf("INSERT INTO fence VALUES (%d)", r.n))
	var lines []string
	for {
		p := r.streamTest.next()
		r.at, r.most = p.to, max(r.most, len(p.changes))
		fence := slices.ContainsFunc(p.changes, func(c RowChange) bool { return c.Table.Name == "fence" && string(c.New[0].Text) == fmt.Sprint(r.n) })
		check(r.T, r.lines(r.Context(), &p, func(l *Line) { lines = append(lines, l.short(r.T)) }))
		if fence {
			return strings.Join(lines, "\n")
		}
	}
}

// short returns the key, and the length of the large value.
func (l *Line) short(t *testing.T) string {
	t.Helper()
	var is struct {
		Type, ID, Text, Title, Name, DeletedAt string
		Custom                                 struct{ Text string }
	}
	if l.Bad != "" {
		return "BAD " + l.Bad
	}
	check(t, json.Unmarshal(l.Line(), &is))
	text := is.Type + " " + is.ID
	switch {
	case is.DeletedAt != "":
		return text + " gone"
	case strings.Contains(string(l.Line()), `"partial":true`):
		text += " partial"
	}
	return fmt.Sprint(text, " ", len(is.Text+is.Title+is.Custom.Text))
}

func (r *rereadTest) expect(want ...string) {
	r.Helper()
	if got := r.read(); got != strings.Join(want, "\n") {
		r.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestReread_CompletesRowsWithChangedKeys(t *testing.T) {
	const uuid = "00000000-0000-0000-0000-000000000001"
	insert := []string{
		fmt.Sprintf("INSERT INTO posts VALUES (1, 1, "+large+")", 1),
		fmt.Sprintf("INSERT INTO people SELECT 1, 'Ann', json_build_object('text', "+large+")", 2),
		fmt.Sprintf(`INSERT INTO "Li ve" VALUES ('a', '`+uuid+`', `+large+`)`, 3),
	}
	change := []string{"UPDATE posts SET id = id + 1, author = author", "UPDATE people SET id = id + 1, name = 'Bob'", `UPDATE "Li ve" SET room = room || '\''"'`}
	for _, identity := range []string{"DEFAULT", "FULL"} {
		t.Run(identity, func(t *testing.T) {
			t.Parallel()
			s := newStreamTest(t, rereadTables)
			for _, table := range []string{"posts", "people", `"Li ve"`} {
				s.exec("ALTER TABLE " + table + " REPLICA IDENTITY " + identity)
			}
			r := newRereadTest(s)
			r.exec(insert...)
			r.expect("post 1 102400", "user 1 102400", "live a"+uuid+" 102400")
			r.exec(change...)
			r.expect("post 2 102400", "post 1 gone", "user 2 102400", "user 1 gone", `live a\'"`+uuid+" 102400", "live a"+uuid+" gone")
			r.restart(change...)
			r.expect("post 3 102400", "post 2 gone", "user 3 102400", "user 2 gone", `live a\'"\'"`+uuid+" 102400", `live a\'"`+uuid+" gone")
		})
	}
}

// The rows are read when they have changed further.
func TestReread_LaterChangesComplete(t *testing.T) {
	t.Parallel()
	r := newRereadTest(newStreamTest(t, rereadTables))
	r.exec(fmt.Sprintf("INSERT INTO posts VALUES (1, 1, "+large+", NULL), (2, 1, "+large+", NULL), (3, 1, "+large+", "+large+")", 1, 2, 3, 4))
	r.expect("post 1 102400", "post 2 102400", "post 3 102400")
	r.exec(
		"UPDATE posts SET id = id + 10", "UPDATE posts SET media = 'x' WHERE id < 13", "UPDATE posts SET body = 'x' WHERE id = 13",
		"UPDATE posts SET id = 21 WHERE id = 11", "DELETE FROM posts WHERE id = 12", "UPDATE posts SET body = 'xy' WHERE id = 13",
	)
	r.expect(
		"post 1 gone", "post 2 gone", "post 13 2", "post 3 gone", "post 13 partial 1", "post 21 102400", "post 11 gone", "post 12 gone", "post 13 partial 2",
	)
	if len(r.incomplete) > 0 {
		t.Errorf("these objects are still incomplete: %v", r.incomplete)
	}
	// A row that comes back before it is gone for good.
	r.exec("BEGIN; UPDATE posts SET id = 31 WHERE id = 21; UPDATE posts SET media = 'y' WHERE id = 31; UPDATE posts SET body = 'xyz' WHERE id = 31; DELETE FROM posts WHERE id = 31; COMMIT")
	r.expect("post 21 gone", "post 31 3", "post 31 gone")
}

func TestReread_ManyRowsComeInParts(t *testing.T) {
	t.Parallel()
	r := newRereadTest(newStreamTest(t, rereadTables))
	const most = partBytes / rereadBytes
	r.exec("ALTER TABLE posts ALTER body SET STORAGE EXTERNAL", fmt.Sprintf("INSERT INTO posts SELECT n, 1, repeat('x', 3000) FROM generate_series(1, %d) n", most+500))
	r.read()
	r.most = 0
	r.exec("UPDATE posts SET id = id + 1000000")
	got := r.read()
	if n, gone := strings.Count(got, " 3000"), strings.Count(got, " gone"); n != most+500 || gone != n || r.most > most {
		t.Errorf("%d posts are complete, %d are gone; the largest part has %d changes", n, gone, r.most)
	}
}

// A comparison holds the mirror at the place of its snapshot, so values of later changes would differ.
func TestReread_HeldMirrorReadsSnapshot(t *testing.T) {
	t.Parallel()
	r := newRereadTest(newStreamTest(t, rereadTables))
	r.exec(fmt.Sprintf("INSERT INTO posts VALUES (1, 1, "+large+")", 1))
	r.expect("post 1 102400")
	comparer, err := Connect(t.Context(), r.url)
	check(t, err)
	r.exec("UPDATE posts SET id = 2")
	_, err = comparer.Exec(t.Context(), "BEGIN ISOLATION LEVEL REPEATABLE READ")
	check(t, err)
	check(t, comparer.QueryRow(t.Context(), "SELECT pg_export_snapshot()").Scan(&r.hold.Snapshot))
	r.exec("UPDATE posts SET body = 'later'")
	r.expect("post 2 102400", "post 1 gone", "post 2 5")
	check(t, comparer.Close(t.Context()))
	r.exec(fmt.Sprintf("UPDATE posts SET body = "+large, 2), "UPDATE posts SET id = 3")
	r.expect("post 2 102400", "post 3 102400", "post 2 gone")
}

// PostgreSQL sends a transaction before others see it, above all with synchronous replicas.
func TestReread_WaitsUntilChangeIsVisible(t *testing.T) {
	t.Parallel()
	server := testenv.StartPostgres(t, "wal_level=logical", "synchronous_standby_names=none")
	url := server.URL() + "&synchronous_commit=local"
	r := newRereadTest(newStreamTestOf(t, url, rereadTables))
	r.exec(fmt.Sprintf("INSERT INTO posts VALUES (1, 1, "+large+")", 1))
	r.expect("post 1 102400")
	writer, err := Connect(t.Context(), url)
	check(t, err)
	_, err = writer.Exec(t.Context(), "SET synchronous_commit = on")
	check(t, err)
	written := make(chan error, 1)
	go func() {
		_, err := writer.Exec(t.Context(), "UPDATE posts SET id = 2")
		written <- err
	}()
	p := r.streamTest.next()
	var lines []string
	read := make(chan error, 1)
	reading, err := Connect(t.Context(), url)
	check(t, err)
	r.reader.conn = reading
	go func() { read <- r.lines(t.Context(), &p, func(l *Line) { lines = append(lines, l.short(t)) }) }()
	eventually.True(t, "the reader looks for the end of the commit", func() bool {
		return len(read) > 0 || r.number(fmt.Sprintf("SELECT count(*) FROM pg_stat_activity WHERE pid = %d AND query LIKE '%%pg_locks%%' AND state = 'idle'", reading.PgConn().PID())) == 1
	})
	if pid := writer.PgConn().PID(); r.number("SELECT count(*) FROM posts WHERE id = 1") != 1 || r.number(fmt.Sprintf("SELECT pg_cancel_backend(%d)::int", pid)) != 1 {
		t.Error("the commit is not waiting for a replica")
	}
	check(t, <-written)
	check(t, <-read)
	if got, want := strings.Join(lines, ", "), "post 2 102400, post 1 gone"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
