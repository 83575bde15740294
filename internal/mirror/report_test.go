package mirror_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

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
  bad records among the first 3 rows, which would become dead letters:
    1: the field "text": the text must contain a visible character, unless there are media or it is a repost
       such as {"at":"2026-01-01 00:00:00+00","author":"1","body":" ","id":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12","shown":"t"}

public.nothing (line 5)
  has no rows

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
