package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/internal/mirror"
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
