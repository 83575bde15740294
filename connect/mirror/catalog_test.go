package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// counting counts statements.
type counting struct {
	mirror.Querier
	statements int
}

func (c *counting) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	c.statements++
	return c.Querier.Query(ctx, sql, args...)
}

func TestInspect_ReadsStrangeTables(t *testing.T) {
	var others strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&others, "CREATE TABLE other.t%d (id int, a text); ", i)
	}
	s := newSource(t, `
		CREATE SCHEMA other; CREATE SCHEMA "Ö x";
		CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN many AS mood[];
		CREATE TABLE "Ö x"."user" (a int, "B b" uuid, c text DEFAULT 'x', d text GENERATED ALWAYS AS (a::text) STORED, m many, PRIMARY KEY ("B b", a));
		ALTER TABLE "Ö x"."user" DROP COLUMN c;
		CREATE TABLE bare (x int, y uuid NOT NULL, FOREIGN KEY (y, x) REFERENCES "Ö x"."user" ("B b", a));
		CREATE TABLE indexed (x int NOT NULL UNIQUE, y int NOT NULL, z text); CREATE UNIQUE INDEX best ON indexed (y) INCLUDE (z);
		CREATE UNIQUE INDEX partial ON indexed (z) WHERE x > 1; CREATE UNIQUE INDEX lowered ON indexed (lower(z));
		ALTER TABLE indexed REPLICA IDENTITY USING INDEX best;
		CREATE TABLE parts (id int, at date, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
		CREATE TABLE p1 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2027-01-01') PARTITION BY LIST (id);
		CREATE TABLE p11 PARTITION OF p1 DEFAULT; ALTER TABLE p11 REPLICA IDENTITY FULL;
		CREATE VIEW looked AS SELECT 1 AS x;`+others.String())
	q := &counting{Querier: s.conn}
	c, err := mirror.Inspect(t.Context(), q)
	check(t, err)
	if q.statements != 5 || len(c.Tables) != 1005 {
		t.Errorf("%d statements found %d tables", q.statements, len(c.Tables))
	}
	user := c.Named(`"Ö x"."user"`)
	if user == nil || user != c.Table("Ö x", "user") {
		t.Fatal("the quoted table is not found")
	}
	var got []string
	for _, name := range []string{`"Ö x"."user"`, "public.bare", "public.indexed", "public.parts", "public.looked"} {
		got = append(got, describe(c.Named(name)))
	}
	want := []string{
		`"Ö x"."user" r d: a integer! id, B b uuid! id, m many; generated [d]; key [B b a]; unique [[B b a]]; parts; to`,
		`public.bare r d: x integer, y uuid!; generated []; key []; unique []; parts; to [y x] "Ö x"."user"`,
		`public.indexed r i: x integer!, y integer! id, z text; generated []; key []; unique [[x] [y]]; parts; to`,
		`public.parts p d: id integer! id, at date! id; generated []; key [id at]; unique [[id at]]; parts public.p1 d public.p11 f; to`,
		`public.looked v n: x integer; generated []; key []; unique []; parts; to`,
	}
	same(t, "the tables", got, want)
	many := user.Column("m").Type
	if many.Base == nil || many.Base.Element == nil || !cmp.Equal(many.Base.Element.Labels, []string{"sad", "ok"}) {
		t.Errorf("the domain of an array of an enum is %+v", many)
	}
}

func describe(t *mirror.Table) string {
	var columns []string
	for _, c := range t.Columns {
		text := c.Name + " " + c.Type.Name
		if c.NotNull {
			text += "!"
		}
		if c.InIdentity {
			text += " id"
		}
		columns = append(columns, text)
	}
	text := fmt.Sprintf("%s %s %s: %s; generated %v; key %v; unique %v; parts", t.Quoted, t.Kind, t.Identity, strings.Join(columns, ", "), t.Generated, t.PrimaryKey, t.Unique)
	for _, p := range t.Partitions {
		text += " " + p.Quoted + " " + string(p.Identity)
	}
	text += "; to"
	for _, r := range t.References {
		text += fmt.Sprintf(" %v %s", r.Columns, r.Table.Quoted)
	}
	return text
}

// Each expression returns true of a value that PostgreSQL writes.
func TestValues_HaveTheirTypes(t *testing.T) {
	s := newSource(t, `
		CREATE TYPE mood AS ENUM ('sad', 'Überglücklich');
		CREATE DOMAIN positive AS bigint CHECK (VALUE > 0);
		CREATE DOMAIN several AS positive[];
		CREATE TABLE v (id int);
		SET timezone TO 'Asia/Kathmandu';`)
	for _, c := range []struct{ column, value, holds string }{
		{"boolean", "true", `row.v == true`},
		{"boolean", "false", `!row.v`},
		{"smallint", "-32768", `row.v == -32768`},
		{"bigint", "9223372036854775807", `row.v == 9223372036854775807`},
		{"positive", "7", `row.v + 1 == 8`},
		{"numeric", "12345678901234567890", `row.v == 12345678901234567890u`},
		{"numeric(20,0)", "7", `row.v == 7`},
		{"numeric", "123456789012345678901234567890", `row.v == "123456789012345678901234567890"`},
		{"numeric(6,2)", "1.5", `row.v == "1.50"`},
		{"numeric", "'NaN'", `row.v == "NaN"`},
		{"real", "1.5", `row.v == 1.5`},
		{"double precision", "-1e300", `row.v == -1e300`},
		{"double precision", "'-Infinity'", `row.v < -1e308`},
		{"text", "''", `row.v == ""`},
		{"text", "NULL", `row.v == null`},
		{"varchar(9)", "E'a\\\\b\\n\"é'", `row.v == "a\\b\n\"é"`},
		{"char(3)", "'a'", `row.v == "a  "`},
		{"mood", "'Überglücklich'", `row.v == "Überglücklich"`},
		{"uuid", "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'", `row.v == "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`},
		{"date", "'2026-01-02'", `row.v == "2026-01-02"`},
		{"bytea", `'\x00ff'`, `row.v == "\\x00ff"`},
		{"inet", "'10.0.0.1/8'", `row.v == "10.0.0.1/8"`},
		{"timestamptz", "'2026-07-01 12:00:00.123456+00'", `row.v == timestamp("2026-07-01T12:00:00.123456Z")`},
		{"timestamptz", "'1900-01-01 00:00:00+00'", `row.v == millis(1)`}, // +05:41:16
		{"timestamptz", "'1970-01-01 00:00:00.001+00'", `row.v == millis(1)`},
		{"timestamptz", "'1970-01-01 00:00:00.002+00'", `row.v == millis(2)`},
		{"timestamptz", "'infinity'", `row.v == null`},
		{"timestamptz", "'-infinity'", `row.v == millis(1)`},
		{"timestamptz", "'0044-03-15 00:00:00+00 BC'", `row.v == millis(1)`},
		{"timestamptz", "'9999-12-31 12:00:00+00'", `row.v == timestamp("9999-12-31T12:00:00Z")`},
		{"timestamptz[]", "'{infinity,-infinity,10000-01-01}'", `row.v == [null, millis(1), null]`},
		{"timestamp", "'2026-07-01 12:00:00'", `row.v == timestamp("2026-07-01T10:00:00Z")`},
		{"timestamp(0)", "'2026-01-01 12:00:00'", `row.v == timestamp("2026-01-01T11:00:00Z")`},
		{"timestamp", "'10000-01-01 00:00:00'", `row.v == null`},
		{"timestamp", "'-infinity'", `row.v == millis(1)`},
		{"timestamp[]", "'{2026-07-01 12:00:00}'", `row.v[0] == timestamp("2026-07-01T10:00:00Z")`},
		{"jsonb", `'{"a": [1, 9223372036854775807, 1.50, null, "\u00e9"]}'`, `row.v.a == [1, 9223372036854775807, 1.5, null, "é"]`},
		{"json", `'"x"'`, `row.v == "x"`},
		{"jsonb", `'null'`, `row.v == null`},
		{"jsonb[]", `ARRAY['{"a": "\\ \""}'::jsonb]`, `row.v[0].a == "\\ \""`},
		{"int[]", "'{1,NULL,3}'", `row.v == [1, null, 3]`},
		{"int[]", "'[2:3]={1,2}'", `row.v == [1, 2]`},
		{"int[]", "'{{1,2},{3,4}}'", `row.v == [[1, 2], [3, 4]]`},
		{"int[]", "'{}'", `row.v == []`},
		{"text[]", `ARRAY['a,b', 'NULL', NULL, '"\{', '', ' é']`, `row.v == ["a,b", "NULL", null, "\"\\{", "", " é"]`},
		{"mood[]", "'{sad}'", `row.v == ["sad"]`},
		{"several", "'{1,2}'", `row.v == [1, 2]`},
		{"point", "'(1,2)'", `row.v == "(1,2)"`},
		{"int4range", "'[1,3)'", `row.v == "[1,3)"`},
	} {
		t.Run(c.column+" "+c.value, func(t *testing.T) {
			s.exec(`DROP TABLE v; CREATE TABLE v (v ` + c.column + `); INSERT INTO v VALUES (` + c.value + `)`)
			m := s.mapper("zone: Europe/Berlin\ninputs:\n  public.v:\n    - {type: user, when: '" + c.holds + "', fields: {id: x, createdAt: y}}")
			table := m.Tables()[0]
			got := lines(m, mirror.RowChange{Table: table, New: s.rows(table, "ctid")[0]})
			if got != `{"type":"user","id":"x","createdAt":"y"}` {
				t.Errorf("%s is not true: %s", c.holds, got)
			}
		})
	}
}
