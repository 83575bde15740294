package mirror_test

import (
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
