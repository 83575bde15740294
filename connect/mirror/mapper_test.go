package mirror_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/feed"
)

const cells = `
	CREATE TABLE note (id bigint PRIMARY KEY, owner text NOT NULL, body text, shown boolean NOT NULL, kind text NOT NULL, target text);
	INSERT INTO note VALUES (7, 'ann', 'hi', true, 'follow', 'bob');`

const noteFile = `
inputs:
  public.note:
    - type: post
      when: row.shown
      fields: {author: =row.owner, id: =row.id, kind: POST, text: =row.body, publishedAt: "2026-01-01T00:00:00Z"}
    - type: follow
      when: row.kind == "follow"
      decides: {row.shown: nothing}
      fields: {follower: =row.owner, followee: =row.target, createdAt: "2026-01-01T00:00:00Z"}
    - type: mute
      when: row.kind == "mute"
      fields: {user: =row.owner, target: =row.target, createdAt: "2026-01-01T00:00:00Z"}
    - type: seen
      fields: {user: =row.owner, at: "2026-01-01T00:00:00Z"}
`

// cell returns a row of texts; "-" is null, "~" a value that was not sent.
func row(texts ...string) []mirror.Cell {
	var list []mirror.Cell
	for _, text := range texts {
		list = append(list, mirror.Cell{Text: []byte(text), Null: text == "-", Unchanged: text == "~"})
	}
	return list
}

const (
	post   = `{"type":"post","id":"7","author":"ann","kind":"POST","text":"hi","publishedAt":"2026-01-01T00:00:00Z"}`
	follow = `{"type":"follow","follower":"ann","followee":"bob","createdAt":"2026-01-01T00:00:00Z"}`
	mute   = `{"type":"mute","user":"ann","target":"bob","createdAt":"2026-01-01T00:00:00Z"}`
	seen   = `{"type":"seen","user":"ann","at":"2026-01-01T00:00:00Z"}`
	gone   = `"deletedAt":"2026-05-06T07:08:09.123Z"}`
)

func TestLines_FollowOldAndNewRow(t *testing.T) {
	s := newSource(t, cells)
	m := s.mapper(noteFile)
	table := m.Tables()[0]
	stored := s.rows(table, "id")[0]
	for _, c := range []struct {
		name     string
		old, new []mirror.Cell
		want     []string
	}{
		{"a new row", nil, stored, []string{post, follow, seen}},
		{"the same row", stored, stored, nil},
		{"an unsent value is the old one", stored, row("7", "ann", "~", "t", "follow", "bob"), nil},
		{"an unsent value of another column", stored, row("7", "ann", "~", "t", "mute", "bob"), []string{mute, `{"type":"follow","follower":"ann","followee":"bob",` + gone}},
		{"a changed value", stored, row("7", "ann", "ho", "t", "follow", "bob"), []string{strings.Replace(post, "hi", "ho", 1)}},
		{"a value that is null now", stored, row("7", "ann", "-", "t", "follow", "bob"), []string{strings.Replace(post, `"text":"hi",`, "", 1)}},
		{"a row that leaves a condition", stored, row("7", "ann", "hi", "f", "follow", "bob"), []string{`{"type":"post","id":"7",` + gone}},
		{"a row that enters a condition", row("7", "ann", "hi", "f", "follow", "bob"), stored, []string{post}},
		{"a changed key", stored, row("8", "ann", "hi", "t", "follow", "eve"), []string{
			strings.Replace(post, `"7"`, `"8"`, 1), strings.Replace(follow, "bob", "eve", 1),
			`{"type":"post","id":"7",` + gone, `{"type":"follow","follower":"ann","followee":"bob",` + gone,
		}},
		{"a deleted row", stored, nil, []string{`{"type":"post","id":"7",` + gone, `{"type":"follow","follower":"ann","followee":"bob",` + gone}},
		{"a key that becomes null", stored, row("7", "ann", "hi", "t", "follow", "-"), []string{
			`BAD mapping, line 10: the field "followee" identifies the object and is null; add a when that leaves out such rows: {"body":"hi","id":"7","kind":"follow","owner":"ann","shown":"t","target":null}`,
			`{"type":"follow","follower":"ann","followee":"bob","unclear":"mapping, line 10: the field \"followee\" identifies the object and is null; add a when that leaves out such rows"}`,
		}},
		{"a key that was null", row("7", "ann", "hi", "t", "follow", "-"), stored, []string{follow}},
	} {
		t.Run(c.name, func(t *testing.T) {
			same(t, "the lines", lines(m, mirror.RowChange{Table: table, Old: c.old, New: c.new}), strings.Join(c.want, "\n"))
		})
	}
}

const keyedFile = `
inputs:
  public.note:
    - type: post
      decides: {row.shown: nothing}
      fields: {id: =row.id, author: =row.owner, kind: POST, text: =row.body, media: '=row.target == null ? null : dyn([row.target])', publishedAt: "2026-01-01T00:00:00Z"}
`

func TestLines_WithoutFullIdentity(t *testing.T) {
	s := newSource(t, cells)
	m := s.mapper(keyedFile)
	table := m.Tables()[0]
	key := row("7", "-", "-", "-", "-", "-")
	for _, c := range []struct {
		name   string
		change mirror.RowChange
		want   string
	}{
		{"a deleted row", mirror.RowChange{Old: key, OldIsKey: true}, `{"type":"post","id":"7",` + gone},
		{
			"a changed key",
			mirror.RowChange{Old: key, OldIsKey: true, New: row("8", "ann", "hi", "t", "~", "-")},
			strings.Replace(post, `"7"`, `"8"`, 1) + "\n" + `{"type":"post","id":"7",` + gone,
		},
		{
			"a changed key and an unsent value",
			mirror.RowChange{Old: key, OldIsKey: true, New: row("8", "ann", "~", "t", "", "-")},
			`BAD mapping, line 4: PostgreSQL did not send this large value, which is as before; the table needs REPLICA IDENTITY FULL: {"id":"8","owner":"ann","target":null}` + "\n" + `{"type":"post","id":"7",` + gone,
		},
		{
			"an unsent value",
			mirror.RowChange{New: row("7", "ann", "~", "t", "", "-")},
			`{"type":"post","id":"7","author":"ann","kind":"POST","media":null,"publishedAt":"2026-01-01T00:00:00Z","deletedAt":null,"partial":true}`,
		},
		{"an unsent value that no rule uses", mirror.RowChange{New: row("7", "ann", "hi", "t", "~", "-")}, post},
		{
			"an unsent author",
			mirror.RowChange{New: row("7", "~", "hi", "t", "", "-")},
			`BAD mapping, line 6: PostgreSQL did not send this large value, which is as before; the table needs REPLICA IDENTITY FULL: {"body":"hi","id":"7","target":null}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.change.Table = table
			same(t, "the lines", lines(m, c.change), c.want)
		})
	}
	// The conditions of the other file need more than the key.
	got := lines(s.mapper(noteFile), mirror.RowChange{Table: table, Old: key, OldIsKey: true})
	if want := "BAD mapping, line 5: PostgreSQL did not send this column of the old row"; !strings.HasPrefix(got, want) {
		t.Errorf("the lines are %s, want %s", got, want)
	}
}

func TestMapper_DescribesTables(t *testing.T) {
	s := newSource(t, cells+`CREATE TABLE other (id int, name text)`)
	m := s.mapper(noteFile + "  public.other:\n    - {type: user, fields: {id: '=row[\"id\"]', name: '=size(row) > 1 ? \"a\" : \"b\"', createdAt: x}}\n")
	note, other := m.Tables()[0], m.Tables()[1]
	same(t, "the columns in use", m.Uses(note), []string{"id", "owner", "body", "shown", "kind", "target"})
	same(t, "the columns in use", m.Uses(other), []string{"id", "name"})
	same(t, "the types", m.Types(note), feed.RecordTypes{"follow", "mute", "post", "seen"})
	commented := s.mapper("# a comment\n" + noteFile)
	if m.Digest(note) != commented.Digest(note) || m.Digest(note) == m.Digest(other) {
		t.Error("a comment changes the digest, or tables share one")
	}
	for _, edited := range []string{"zone: Europe/Berlin\n" + noteFile, strings.Replace(noteFile, "row.shown", "row.shown == false", 1), strings.Replace(noteFile, "POST", "COMMENT", 1)} {
		if s.mapper(edited).Digest(note) == m.Digest(note) {
			t.Errorf("the digest ignores an edit:\n%s", edited)
		}
	}
}

func TestNewMapper_NamesLinesOfMistakes(t *testing.T) {
	s := newSource(t, cells+`
		CREATE VIEW seen AS SELECT 1 AS id;
		CREATE UNLOGGED TABLE fast (id int);
		CREATE TABLE "Größe" (id int, "at" timestamp, big text GENERATED ALWAYS AS (id::text) STORED);
		CREATE TABLE parts (id int) PARTITION BY LIST (id);
		CREATE TABLE part1 PARTITION OF parts DEFAULT;`)
	_, err := mirror.NewMapper([]byte(`
inputs:
  public.seen: []
  public.fast: []
  note: []
  public.Größe: []
  public.part1: []
  missing: []
  "*": []
  public."Größe":
    - type: post
      when: row.big == "1"
      fields:
        id: =row.Id
        text: =row.at
    - type: counters
      fields: {likes: 1}
    - type: post
      fields: {id: 1, partial: true}
`), s.catalog())
	want := `line 3: public.seen is a view or a foreign table, and has no changes; map the tables behind it
line 4: the table public.fast is unlogged, so PostgreSQL sends no changes; run: ALTER TABLE public.fast SET LOGGED;
line 5: there is no table note; write public.note
line 6: there is no table public.Größe; write public."Größe"
line 7: public.part1 is a partition; write public.parts
line 8: there is no table missing; write names as in SQL, with the schema, such as public.users
line 9: "*" is not possible here; name each table
line 11: records of type post need the field "author"
line 11: records of type post need the field "kind"
line 11: records of type post need the field "publishedAt"
line 12: the column "big" of public."Größe" is generated, and changes do not have it; use the columns that it is made of
line 14: public."Größe" has no column "Id"; its columns are id, at
line 15: the column at has timestamps without a time zone; add theirs at the top of the file, such as "zone: UTC"
line 16: records of type counters need the field "user"
line 16: records of type counters need the field "post"
line 18: columns of public."Größe" that may decide who sees a post are not mentioned: at; add each to decides, with a table of its values or "nothing"
line 18: records of type post need the field "author"`
	if err == nil {
		t.Fatal("a file with mistakes is accepted")
	}
	same(t, "the mistakes", err.Error(), want)
	if _, err := mirror.NewMapper([]byte("inputs: {public.note: []}"), s.catalog()); err == nil {
		t.Error("a file without rules is accepted")
	}
}

// Rows that are kept as dead letters have only mapped columns, so no passwords.
func TestLines_BadRowsKeepMappedColumns(t *testing.T) {
	s := newSource(t, `CREATE TABLE people (id int PRIMARY KEY, born int, name text, password text); ALTER TABLE people REPLICA IDENTITY FULL; INSERT INTO people VALUES (1, 0, 'Ann', 'secret')`)
	m := s.mapper(`
inputs:
  public.people: [{type: user, fields: {id: '=string(1 / row.born)', name: =row.name, createdAt: x}}]
`)
	table := m.Tables()[0]
	row := s.rows(table, "id")[0]
	for name, change := range map[string]mirror.RowChange{
		"a new row": {Table: table, New: row}, "a changed row": {Table: table, New: row, Old: row}, "an old key": {Table: table, Old: row, OldIsKey: true},
	} {
		if got := lines(m, change); !strings.HasSuffix(got, `: {"born":"0","id":"1","name":"Ann"}`) {
			t.Errorf("%s makes %s", name, got)
		}
	}
}
