package mirror_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSample_TriesRows(t *testing.T) {
	s := newSource(t, `
		CREATE TABLE person (id int PRIMARY KEY, nick text, unused text, at timestamptz NOT NULL);
		INSERT INTO person SELECT i, 'nick' || i, repeat('x', 99), '2026-01-01' FROM generate_series(1, 12) i;
		UPDATE person SET nick = 'a b' WHERE id > 10; UPDATE person SET at = '2030-01-01' WHERE id = 3;
		CREATE TABLE pal (a int, b int, at timestamptz NOT NULL); INSERT INTO pal VALUES (1, 2, '2026-01-01'), (1, 1, '2026-01-01'), (NULL, 1, '2026-01-01');
		CREATE TABLE note (id uuid PRIMARY KEY, author int, body text, at timestamptz NOT NULL);
		INSERT INTO note VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 1, '', '2026-01-01');
		CREATE TABLE nothing (id int PRIMARY KEY, at timestamptz)`)
	m := s.mapper(`
inputs:
  public.person:
    - {type: user, fields: {id: =row.id, handle: =row.nick, createdAt: =row.at}}
    - {type: user, when: row.id == 4, fields: {id: =row.id, name: Four, partial: true}}
  public.pal:
    - {type: follow, fields: {follower: =row.a, followee: =row.b, createdAt: =row.at}}
  public.note:
    - {type: post, fields: {id: =row.id, author: =row.author, kind: POST, text: =row.body, publishedAt: =row.at}}
  public.nothing:
    - {type: user, fields: {id: =row.id, createdAt: =row.at}}
`)
	samples, err := m.Sample(t.Context(), s.conn, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	check(t, err)
	var got []string
	for _, sample := range samples.Tables {
		got = append(got, fmt.Sprintf("%s, line %d: %d of %d", sample.Table.Quoted, sample.Line, len(sample.Shown), sample.Read))
		for _, b := range sample.Bad {
			got = append(got, fmt.Sprintf("%d %s %s", b.Count, b.Reason, b.Row))
		}
	}
	want := []string{
		"public.person, line 3: 10 of 12",
		`2 the field "handle": a handle must consist of`,
		`1 the field "createdAt": the time must not be in the future, nor before 1970 {"at":"2030-01-01 00:00:00+00","id":"3","nick":"nick3"}`,
		"public.pal, line 6: 3 of 3",
		`1 mapping, line 7: the field "follower" identifies the object and is null; add a when that leaves out such rows {"a":null`,
		`1 user 1 cannot follow themselves {`,
		"public.note, line 8: 1 of 1",
		`1 the field "text": the text must contain a visible character`,
		"public.nothing, line 10: 0 of 0",
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) })); diff != "" {
		t.Error(diff)
	}
	if !samples.TextIDs {
		t.Error("UUIDs are no texts")
	}
	shown := samples.Tables[0].Shown
	if len(shown[0].Lines) != 1 || string(shown[0].Text) != `{"at":"2026-01-01 00:00:00+00","id":"1","nick":"nick1"}` {
		t.Errorf("the first row is %s with %d lines", shown[0].Text, len(shown[0].Lines))
	}
}

func TestCheck_PrintsRowsAndFaults(t *testing.T) {
	s := newSource(t, `
		CREATE TABLE note (id uuid PRIMARY KEY, author int, body text, shown boolean, at timestamptz NOT NULL);
		INSERT INTO note VALUES ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 1, repeat('ä', 100), true, '2026-01-01'),
			('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12', 1, ' ', true, '2026-01-01'), ('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a13', 1, '', false, '2026-01-01');
		CREATE TABLE nothing (id int PRIMARY KEY, at timestamptz)`)
	m := s.mapper(`
inputs:
  public.note:
    - {type: post, when: row.shown, fields: {id: =row.id, author: =row.author, kind: POST, text: =row.body, publishedAt: =row.at}}
  public.nothing:
    - {type: user, fields: {id: =row.id, createdAt: =row.at}}
    - {type: counters, fields: {user: =row.id}}
`)
	report, err := m.Check(t.Context(), s.conn, names, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	check(t, err)
	var out bytes.Buffer
	check(t, report.Write(&out))
	long := strings.Repeat("ä", 80) + "…"
	want := `public.note (line 3)
  {"at":"2026-01-01 00:00:00+00","author":"1","body":"` + long + `","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","shown":"t"}
    {"type":"post","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","author":"1","kind":"POST","text":"` + long + `","publishedAt":"2026-01-01T00:00:00.000Z"}
  {"at":"2026-01-01 00:00:00+00","author":"1","body":" ","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12","shown":"t"}
    BAD: the field "text": the text must contain a visible character, unless there are media or it is a repost
  {"at":"2026-01-01 00:00:00+00","author":"1","body":"","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a13","shown":"f"}
    makes no record
  line 4, post: 2 shown, 1 hidden
    shown t: 2 shown
    shown f: 1 hidden
  bad records among the first 3 rows, which would become dead letters:
    1: the field "text": the text must contain a visible character, unless there are media or it is a repost
       such as {"at":"2026-01-01 00:00:00+00","author":"1","body":" ","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12","shown":"t"}

public.nothing (line 5)
  has no rows

the newest posts among these rows, as an anonymous visitor, a user who does not follow the author, and a follower see them
  anonymous -     other -     follower -     2026-01-01T00:00:00.000Z  post a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 by 1: ` + long + `
  anonymous -     other -     follower -     2026-01-01T00:00:00.000Z  post a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12 by 1: 

wal_level is replica and must be logical; set it, then restart PostgreSQL
warning: max_slot_wal_keep_size is -1: while the mirror is down, the source keeps its log until its disk is full; set a limit
line 3: public.note needs REPLICA IDENTITY FULL: the condition in line 4 must be known of old rows, and changes have only their primary key

Run in the source:

  ALTER SYSTEM SET wal_level = logical;
  ALTER SYSTEM SET max_slot_wal_keep_size = '50GB';
  SELECT pg_reload_conf();
  ALTER TABLE public.note REPLICA IDENTITY FULL;

Start all processes with TIDELINE_SOURCE_OWNS=user,post TIDELINE_IDS=text TIDELINE_COUNTERS=source.
`
	same(t, "the report", out.String(), want)
	if report.Faults() != 2 {
		t.Errorf("%d faults", report.Faults())
	}
}
