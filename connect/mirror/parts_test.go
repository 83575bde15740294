package mirror_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

const loginsAndProfiles = `
	CREATE TABLE login (id int PRIMARY KEY, mail text, made timestamptz NOT NULL); ALTER TABLE login REPLICA IDENTITY FULL;
	CREATE TABLE profile (id int PRIMARY KEY, login int NOT NULL, name text, locked int); ALTER TABLE profile REPLICA IDENTITY FULL;
	INSERT INTO login VALUES (7, 'x', '2026-01-01'); INSERT INTO profile VALUES (1, 7, 'Ann', 0), (2, 8, 'Bob', 1), (3, 9, NULL, 5), (4, 9, 'Eve', 2)`

const partsFile = `
inputs:
  public.login:
    - {type: user, fields: {id: =row.id, createdAt: =row.made}}
  public.profile:
    - {type: user, decides: {row.locked: {0: PUBLIC, 1: FOLLOWERS, 2: hidden}}, fields: {id: =row.login, name: =row.name, partial: true}}
`

// The end of one part never ends the object that the other still makes, and neither empties the fields of the
// other.
func TestLines_MakePartsOfOneObject(t *testing.T) {
	s := newSource(t, loginsAndProfiles)
	m := s.mapper(partsFile)
	login, profile := m.Tables()[0], m.Tables()[1]
	logins, profiles := s.rows(login, "id"), s.rows(profile, "id")
	const user = `{"type":"user","id":"7","createdAt":"2026-01-01T00:00:00.000Z","deletedAt":null,"partial":true}`
	for name, c := range map[string]struct {
		change mirror.RowChange
		want   string
	}{
		"a login":               {mirror.RowChange{Table: login, New: logins[0]}, user},
		"the end of a login":    {mirror.RowChange{Table: login, Old: logins[0]}, `{"type":"user","id":"7",` + gone},
		"a profile":             {mirror.RowChange{Table: profile, New: profiles[0]}, `{"type":"user","id":"7","name":"Ann","partial":true,"private":false,"suspended":false}`},
		"a private one":         {mirror.RowChange{Table: profile, New: profiles[1]}, `{"type":"user","id":"8","name":"Bob","partial":true,"private":true,"suspended":false}`},
		"a hidden one":          {mirror.RowChange{Table: profile, New: profiles[3]}, `{"type":"user","id":"9","suspended":true,"partial":true}`},
		"the end of a profile":  {mirror.RowChange{Table: profile, Old: profiles[0]}, `{"type":"user","id":"7","name":null,"partial":true}`},
		"a profile that leaves": {mirror.RowChange{Table: profile, Old: profiles[0], New: profiles[1]}, `{"type":"user","id":"8","name":"Bob","partial":true,"private":true,"suspended":false}` + "\n" + `{"type":"user","id":"7","name":null,"partial":true}`},
		"an unclear one": {
			mirror.RowChange{Table: profile, New: profiles[2]},
			`{"type":"user","id":"9","suspended":true,"partial":true}` + "\n" + `BAD mapping, line 6: row.locked is "5", which decides nothing in the mapping: {"id":"3","locked":"5","login":"9","name":null}`,
		},
	} {
		t.Run(name, func(t *testing.T) { same(t, "the lines", lines(m, c.change), c.want) })
	}
	samples, err := m.Sample(t.Context(), s.conn, changedAt)
	check(t, err)
	for _, table := range samples.Tables {
		for _, b := range table.Bad {
			if !strings.Contains(b.Reason, "decides nothing") {
				t.Errorf("a bad part: %s", b.Reason)
			}
		}
	}
}

// An application may delete the request once it has made the follow.
func TestLines_EndRequestsByTheirState(t *testing.T) {
	s := newSource(t, `
		CREATE TABLE asked (a int, b int, made timestamptz NOT NULL, PRIMARY KEY (a, b)); INSERT INTO asked VALUES (1, 2, '2026-01-01');
		CREATE TABLE pairs (a int, b int, status text, made timestamptz NOT NULL, PRIMARY KEY (a, b)); ALTER TABLE pairs REPLICA IDENTITY FULL;
		INSERT INTO pairs VALUES (1, 3, 'asked', '2026-01-01'), (1, 4, 'yes', '2026-01-01');
		CREATE TABLE refused (a int, b int, refused bool, made timestamptz NOT NULL, PRIMARY KEY (a, b)); INSERT INTO refused VALUES (1, 5, false, '2026-01-01')`)
	m := s.mapper(`
inputs:
  public.asked:
    - {type: follow, fields: {follower: =row.a, followee: =row.b, state: REQUESTED, createdAt: =row.made}}
  public.refused:
    - {type: follow, decides: {row.refused: {false: REQUESTED, true: hidden}}, fields: {follower: =row.a, followee: =row.b, createdAt: =row.made}}
  public.pairs:
    - {type: follow, decides: {row.status: {asked: REQUESTED, yes: shown}}, fields: {follower: =row.a, followee: =row.b, createdAt: =row.made}}
`)
	asked, refused, pairs := m.Tables()[0], m.Tables()[1], m.Tables()[2]
	rows := s.rows(pairs, "b")
	for name, c := range map[string]struct {
		change mirror.RowChange
		want   string
	}{
		"a row with its key only":  {mirror.RowChange{Table: asked, Old: row("1", "2", "-"), OldIsKey: true}, `{"type":"follow","follower":"1","followee":"2","state":"REQUESTED",` + gone},
		"a row that was a request": {mirror.RowChange{Table: pairs, Old: rows[0]}, `{"type":"follow","follower":"1","followee":"3",` + gone},
		"a refused request":        {mirror.RowChange{Table: refused, Old: s.rows(refused, "b")[0]}, `{"type":"follow","follower":"1","followee":"5","state":"REQUESTED",` + gone},
		"a follow":                 {mirror.RowChange{Table: pairs, Old: rows[1]}, `{"type":"follow","follower":"1","followee":"4",` + gone},
	} {
		t.Run(name, func(t *testing.T) { same(t, "the lines", lines(m, c.change), c.want) })
	}
}
