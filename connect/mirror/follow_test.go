package mirror

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed/records"
)

// Each table needs something else of its changes: whole old rows, the key only, or its partitions.
const followedTables = `
	CREATE TABLE whole (id int UNIQUE, author int, body text, shown boolean, kind text, target int, who smallint, lang smallint); ALTER TABLE whole REPLICA IDENTITY FULL;
	CREATE TABLE keyed (id int PRIMARY KEY, author int NOT NULL, body text, media text);
	CREATE TABLE parted (id int, part int, body text, author int NOT NULL, PRIMARY KEY (id, part)) PARTITION BY LIST (part);
	CREATE TABLE parted1 PARTITION OF parted FOR VALUES IN (1); CREATE TABLE parted2 PARTITION OF parted DEFAULT;
	CREATE TABLE pairs (a int, b int, at timestamptz, PRIMARY KEY (a, b));
	ALTER TABLE whole ALTER body SET STORAGE EXTERNAL; ALTER TABLE keyed ALTER body SET STORAGE EXTERNAL, ALTER media SET STORAGE EXTERNAL; ALTER TABLE parted ALTER body SET STORAGE EXTERNAL;
	CREATE TABLE fence (n int)`

const followedFile = `
inputs:
  public.whole:
    - {type: post, when: row.shown == true, decides: {row.who: nothing, row.lang: nothing}, fields: {id: '="w" + string(row.id)', author: =row.author, kind: POST, text: =row.body, publishedAt: "2026-01-01T00:00:00Z"}}
    - {type: post, decides: {row.who: {0: PUBLIC, 1: FOLLOWERS, 2: hidden}, row.shown: {true: shown, null: hidden}, row.lang: nothing}, fields: {id: '="d" + string(row.id)', author: =row.author, kind: POST, text: =row.body, publishedAt: "2026-01-01T00:00:00Z"}}
    - {type: mute, when: row.kind == "mute" && row.target != null, fields: {user: =row.id, target: =row.target, createdAt: "2026-01-01T00:00:00Z"}}
    - {type: block, when: row.kind == "block" && row.target != null && row.body != null && size(row.body) > 1000, fields: {user: =row.id, target: =row.target, createdAt: "2026-01-01T00:00:00Z"}}
  public.keyed:
    - type: post
      fields: {id: '="k" + string(row.id)', author: =row.author, kind: POST, text: =row.body, media: '=row.media == null ? null : dyn([row.media])', publishedAt: "2026-01-01T00:00:00Z"}
    - {type: user, fields: {id: =row.id, name: =row.body, createdAt: "2026-01-01T00:00:00Z"}}
  public.parted:
    - {type: post, when: row.part != 3, fields: {id: '="p" + string(row.id) + "-" + string(row.part)', author: =row.author, kind: POST, text: =row.body, publishedAt: "2026-01-01T00:00:00Z"}}
  public.pairs:
    - {type: follow, fields: {follower: =row.a, followee: =row.b, createdAt: '=row.at == null ? timestamp("1970-01-01T00:00:00Z") : row.at'}}
`

// objects are the objects that records have made, as JSON members by their keys.
type objects map[string]map[string]any

// apply applies lines as an ordered source does.
func (o objects) apply(t *testing.T, lines []Line) {
	t.Helper()
	for _, line := range lines {
		if line.Bad != "" {
			t.Fatalf("a bad line: %s: %s", line.Bad, line.Text())
		}
		var members map[string]any
		check(t, json.Unmarshal(line.Text(), &members))
		shape, _ := records.ShapeOf(members["type"].(string))
		key := fmt.Sprint(members["type"])
		for _, name := range shape.Keys {
			key += " " + fmt.Sprint(members[name])
		}
		switch {
		case members["deletedAt"] != nil, members["unclear"] != nil:
			delete(o, key)
		case members["partial"] != nil:
			if o[key] == nil {
				t.Fatalf("a partial record of an object that is not there: %s", line.Text())
			}
			delete(members, "partial")
			for name, value := range members {
				if o[key][name] = value; value == nil {
					delete(o[key], name)
				}
			}
		default:
			o[key] = members
		}
	}
}

// After random transactions, the records of all changes have made the objects that the rows make.
func TestLines_FollowRandomChanges(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	s := newStreamTest(t, followedTables)
	catalog, err := Inspect(t.Context(), s.conn)
	check(t, err)
	m, err := NewMapper([]byte(followedFile), catalog)
	check(t, err)
	if faults, err := m.Requirements(t.Context(), s.conn, Names{s.slot(), "pub"}); err != nil || anyFault(faults) {
		t.Fatalf("%v, %v", faults, err)
	}
	defer s.start(position{}, func(d *changeDecoder, _ *Catalog) { d.uses = m.Uses })()
	r := &reader{opened: &opened{mapper: m, conn: s.conn}, incomplete: map[string]bool{}}
	got := objects{}
	for n := range 20 {
		for range 1 + random.IntN(12) {
			s.exec(randomTransaction(random))
		}
		s.exec(fmt.Sprintf("INSERT INTO fence VALUES (%d)", n))
		for fenced := false; !fenced; {
			p := s.next()
			fenced = slices.ContainsFunc(p.changes, func(c RowChange) bool { return c.Table.Name == "fence" })
			check(t, r.lines(t.Context(), &p, func(l *Line) { got.apply(t, []Line{*l}) }))
		}
		want := objects{}
		for _, table := range m.Tables() {
			err := texts(t.Context(), s.conn, "SELECT * FROM "+table.Quoted, func(row []Cell) error {
				want.apply(t, m.Lines(RowChange{Table: table, New: row}, changedAtTest))
				return nil
			})
			check(t, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("seed %d, after %d: %.2000s", seed, n, diff)
		}
	}
	if len(got) < 5 {
		t.Errorf("seed %d: there are %d objects in the end", seed, len(got))
	}
}

var changedAtTest = time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)

func anyFault(list []Finding) bool {
	for _, f := range list {
		if !f.Warning {
			return true
		}
	}
	return false
}

// randomTransaction returns statements on few rows, so that they meet often. Those that break a
// constraint do nothing. PostgreSQL does not send the large values of a row whose key changes.
func randomTransaction(random *rand.Rand) string {
	n := func(max int) string { return fmt.Sprint(1 + random.IntN(max)) }
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	body := func() string {
		return pick("NULL", "'short'", "'other'", "repeat(md5(random()::text), 100)", "repeat(md5(random()::text), 200)")
	}
	who := func() string { return pick("0", "1", "2", "3", "NULL") } // 3 and NULL are not in the mapping
	const moved = "CASE WHEN id > 9 THEN id - 9 ELSE id + 9 END"
	var statements []string
	for range 1 + random.IntN(5) {
		statement := pick(
			"INSERT INTO whole VALUES ("+n(9)+", "+n(3)+", "+body()+", "+pick("true", "false", "NULL")+", "+pick("'mute'", "'block'", "NULL")+", "+pick("1", "2", "NULL")+", "+who()+")",
			"UPDATE whole SET "+pick("shown = NOT shown", "who = "+who(), "who = "+who(), "lang = 1", "kind = "+pick("'mute'", "'block'", "NULL"), "body = "+body(), "target = "+n(3), "id = "+n(9), "author = author")+" WHERE id <= "+n(9),
			"DELETE FROM whole WHERE id = "+n(9),
			"INSERT INTO keyed VALUES ("+n(9)+", "+n(3)+", "+body()+", "+body()+")",
			"UPDATE keyed SET "+pick("author = "+n(3), "body = "+body(), "media = "+body(), "id = "+moved, "id = "+moved+", body = "+body(), "media = NULL, author = 1")+" WHERE id % 9 < "+n(9),
			"DELETE FROM keyed WHERE id = "+n(9),
			"INSERT INTO parted VALUES ("+n(9)+", "+n(3)+", "+body()+", "+n(3)+")",
			"UPDATE parted SET "+pick("part = CASE WHEN part = 3 THEN 1 ELSE "+n(3)+" END", "body = "+body(), "author = "+n(3), "id = "+moved)+" WHERE id % 9 < "+n(9),
			"DELETE FROM parted WHERE id = "+n(9),
			"INSERT INTO pairs VALUES ("+n(4)+", "+n(4)+", "+pick("now()", "NULL")+") ON CONFLICT (a, b) DO UPDATE SET at = excluded.at",
			"UPDATE pairs SET "+pick("at = now()", "b = "+n(4))+" WHERE a = "+n(4),
			"DELETE FROM pairs WHERE b = "+n(4),
		)
		statements = append(statements, "BEGIN "+statement+"; EXCEPTION WHEN unique_violation THEN NULL; END;")
	}
	return "DO $$ BEGIN " + strings.Join(statements, " ") + " END $$"
}
