package mirror_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

var names = mirror.Names{Slot: "tideline", Publication: "tideline"}

// findings returns the findings that q sees, and all their statements.
func findings(t *testing.T, q mirror.Querier, file string) (texts, sql []string) {
	t.Helper()
	c, err := mirror.Inspect(t.Context(), q)
	check(t, err)
	m, err := mirror.NewMapper([]byte(file), c)
	check(t, err)
	list, err := m.Requirements(t.Context(), q, names)
	check(t, err)
	for _, f := range list {
		texts, sql = append(texts, f.String()), append(sql, f.SQL...)
	}
	return texts, sql
}

const demanding = `
inputs:
  public.noid:
    - {type: user, fields: {id: =row.id, name: =row.name, createdAt: x}}
  public.parts:
    - {type: post, when: row.shown, fields: {id: =row.id, author: =row.author, kind: POST, publishedAt: x}}
  public.secret:
    - {type: like, fields: {user: =row.who, post: =row.post, createdAt: x}}
`

const demandingTables = `
	CREATE TABLE noid (id int, name text);
	CREATE TABLE parts (id int PRIMARY KEY, author int, shown boolean) PARTITION BY RANGE (id);
	CREATE TABLE part1 PARTITION OF parts FOR VALUES FROM (0) TO (10); CREATE TABLE part2 PARTITION OF parts DEFAULT;
	ALTER TABLE part2 REPLICA IDENTITY FULL;
	CREATE TABLE secret (who int, post int, PRIMARY KEY (who, post)); ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
	CREATE ROLE "mirror er" LOGIN;`

// The statements of the findings mend them.
func TestRequirements_AreMetByTheirStatements(t *testing.T) {
	server := testenv.StartPostgres(t, "wal_level=logical", "max_replication_slots=2")
	connect := func(user string) *pgx.Conn {
		config, err := pgx.ParseConfig(server.URL())
		check(t, err)
		config.User = user
		conn, err := pgx.ConnectConfig(t.Context(), config)
		check(t, err)
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		return conn
	}
	owner := &source{t, connect("postgres")}
	owner.exec(demandingTables)
	owner.exec("SELECT pg_create_physical_replication_slot('one'), pg_create_physical_replication_slot('two')")
	mirrorer := connect("mirror er")

	got, sql := findings(t, mirrorer, demanding)
	want := []string{
		"all 2 replication slots are in use; raise max_replication_slots, then restart PostgreSQL",
		"the role mirror er may not replicate; as an administrator, allow it",
		"warning: max_slot_wal_keep_size is -1: while the mirror is down, the source keeps its log until its disk is full; set a limit",
		"the role mirror er may not make the publication tideline: that needs CREATE on the database and the ownership of the tables; as their owner, make it",
		"line 3: the role mirror er may not read the table public.noid",
		"line 3: public.noid needs REPLICA IDENTITY FULL: it has no primary key that identifies rows, and PostgreSQL refuses to update rows without identity once the table is published",
		"warning: line 4: no unique index of public.noid is within the columns that identify the record of type user: if two rows make the same, the end of one ends it",
		"line 5: the role mirror er may not read the table public.parts",
		"line 5: public.parts needs REPLICA IDENTITY FULL: the condition in line 6 must be known of old rows, and changes have only their primary key; set it for each new partition, too",
		"line 7: the role mirror er may not read the table public.secret",
	}
	same(t, "the findings", got, want)
	for _, statement := range sql {
		owner.exec(statement)
	}
	owner.exec("SELECT pg_drop_replication_slot('one')") // raising the limit takes a restart

	got, sql = findings(t, mirrorer, demanding)
	want = []string{want[6], "line 7: row security hides rows of public.secret from the role mirror er"}
	slices.Sort(got)
	slices.Sort(want)
	same(t, "the findings", got, want)
	owner.exec(strings.Join(sql, ""))
	if got, _ = findings(t, mirrorer, demanding); len(got) != 1 {
		t.Errorf("these findings stay: %q", got)
	}
	owner.exec("ALTER PUBLICATION tideline DROP TABLE parts")
	if got, sql = findings(t, mirrorer, demanding); len(got) != 2 || !slices.Equal(sql, []string{`ALTER PUBLICATION "tideline" ADD TABLE public.parts;`}) {
		t.Errorf("without a table of others, the findings are %q, and the statements %q", got, sql)
	}
}

func TestRequirements_CheckThePublication(t *testing.T) {
	s := newSource(t, demandingTables[:strings.Index(demandingTables, "CREATE ROLE")]+`
		ALTER TABLE noid REPLICA IDENTITY FULL; ALTER TABLE parts REPLICA IDENTITY FULL; ALTER TABLE part1 REPLICA IDENTITY FULL;
		ALTER TABLE secret DISABLE ROW LEVEL SECURITY;
		CREATE PUBLICATION tideline FOR TABLE noid (id), secret WITH (publish = 'insert');`)
	got, sql := findings(t, s.conn, demanding)
	want := []string{
		"wal_level is replica and must be logical; set it, then restart PostgreSQL",
		"warning: max_slot_wal_keep_size is -1: while the mirror is down, the source keeps its log until its disk is full; set a limit",
		"the publication tideline does not publish all changes, or not those of partitions by their table",
		"line 3: the publication tideline has only some rows or columns of the table public.noid",
		"warning: line 5: the table public.parts is not in the publication tideline yet; the mirror adds it when it reads the table",
		"warning: line 4: no unique index of public.noid is within the columns that identify the record of type user: if two rows make the same, the end of one ends it",
	}
	same(t, "the findings", got, want)
	for _, statement := range sql {
		if strings.Contains(statement, "PUBLICATION") {
			s.exec(statement)
		}
	}
	if got, _ = findings(t, s.conn, demanding); len(got) != 4 {
		t.Errorf("these findings stay: %q", got)
	}
	s.exec("DROP PUBLICATION tideline; CREATE PUBLICATION tideline FOR TABLES IN SCHEMA public WITH (publish_via_partition_root = true)")
	if got, _ = findings(t, s.conn, demanding); len(got) != 3 {
		t.Errorf("a publication of a schema has the findings %q", got)
	}
}

func TestRequirements_OldRows(t *testing.T) {
	const fields = `user: =row.a, target: =row.b, createdAt: x`
	const posts = `id: =row.a, author: =row.b, kind: POST, publishedAt: x`
	for name, c := range map[string]struct{ table, rule, want string }{
		"key in the primary key":       {`a text, b text, PRIMARY KEY (a, b)`, `type: mute, fields: {` + fields + `}`, ""},
		"key outside":                  {`a int PRIMARY KEY, b int`, `type: mute, fields: {` + fields + `}`, `the field "target" in line 3 identifies`},
		"key of the whole row":         {`a int PRIMARY KEY, b int`, `type: user, fields: {id: '=string(size(row))', createdAt: x}`, `the field "id" in line 3`},
		"condition on the primary key": {`a int, b int, PRIMARY KEY (a, b)`, `type: mute, when: row.a > 1, fields: {` + fields + `}`, ""},
		"condition outside":            {`a int, b int, c int, PRIMARY KEY (a, b)`, `type: mute, when: row.c > 1, fields: {` + fields + `}`, "the condition in line 3 must be known"},
		"large field that may stay":    {`a int PRIMARY KEY, b int, c text`, `type: post, fields: {` + posts + `, text: =row.c}`, ""},
		"large field and another":      {`a int PRIMARY KEY, b int, c text, d int`, `type: post, fields: {` + posts + `, text: '=row.c + string(row.d)'}`, `the field "text" in line 3 uses a large column, which PostgreSQL does not send while it stays as it is, with others`},
		"large field and the key":      {`a int PRIMARY KEY, b int, c text`, `type: post, fields: {` + posts + `, text: '=row.c + string(row.a)'}`, ""},
		"large field and a deletion":   {`a int PRIMARY KEY, b int, c text, d timestamptz`, `type: post, fields: {` + posts + `, text: =row.c, deletedAt: =row.d}`, `the field "text" in line 3 uses a large column, which PostgreSQL does not send when the row is shown again`},
		"small fields and a deletion":  {`a int PRIMARY KEY, b int, c int, d timestamptz`, `type: post, fields: {` + posts + `, text: =string(row.c), deletedAt: =row.d}`, ""},
		"large author":                 {`a int PRIMARY KEY, b text`, `type: post, fields: {` + posts + `}`, `the field "author" in line 3 uses a large column`},
		"activity in any column":       {`a int PRIMARY KEY, b int, c int`, `type: seen, when: row.c > 1, fields: {user: =row.b, at: x}`, ""},
		"activity in a large column":   {`a int PRIMARY KEY, b int, c text`, `type: seen, when: row.c == "1", fields: {user: =row.b, at: x}`, "the condition in line 3 uses a large column"},
		"activity without a key":       {`a int, b int`, `type: seen, fields: {user: =row.b, at: x}`, "it has no primary key"},
		"key in a unique index":        {`id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, CONSTRAINT "one pair" UNIQUE (a, b)`, `type: mute, fields: {` + fields + `}`, `t needs REPLICA IDENTITY USING INDEX "one pair", or FULL: the field "user" in line 3`},
		"a unique index with null":     {`id int PRIMARY KEY, a int NOT NULL, b int, UNIQUE (a, b)`, `type: mute, fields: {` + fields + `}`, `t needs REPLICA IDENTITY FULL: the field "user" in line 3`},
		"a unique index of some rows":  {`id int PRIMARY KEY, a int NOT NULL, b int NOT NULL; CREATE UNIQUE INDEX ON t (a, b) WHERE a > 0`, `type: mute, fields: {` + fields + `}`, `t needs REPLICA IDENTITY FULL`},
		"a deferrable constraint":      {`id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, UNIQUE (a, b) DEFERRABLE`, `type: mute, fields: {` + fields + `}`, `t needs REPLICA IDENTITY FULL`},
		"a unique index is not enough": {`id int PRIMARY KEY, a int NOT NULL, b int NOT NULL, c int, UNIQUE (a, b)`, `type: mute, when: row.c > 1, fields: {` + fields + `}`, `t needs REPLICA IDENTITY FULL`},
		"a unique index for no key":    {`a int NOT NULL UNIQUE, b text`, `type: user, fields: {id: =row.a, name: =row.b, createdAt: x}`, `t needs REPLICA IDENTITY USING INDEX t_a_key, or FULL: it has no primary key`},
		"identity by an index":         {`a int NOT NULL, b int NOT NULL; CREATE UNIQUE INDEX i ON t (a, b); ALTER TABLE t REPLICA IDENTITY USING INDEX i`, `type: mute, fields: {` + fields + `}`, ""},
		"identity is switched off":     {`a int, b int, PRIMARY KEY (a, b); ALTER TABLE t REPLICA IDENTITY NOTHING`, `type: mute, fields: {` + fields + `}`, "t needs REPLICA IDENTITY DEFAULT, or FULL: it has no primary key"},
		"identity is full":             {`a int, b int; ALTER TABLE t REPLICA IDENTITY FULL`, `type: mute, when: row.a > 1, fields: {` + fields + `}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			table := strings.SplitN(c.table, ";", 2)
			s := newSource(t, "CREATE TABLE t ("+table[0]+");"+strings.Join(table[1:], ""))
			file := "inputs:\n  public.t:\n    - {" + c.rule + "}"
			got, sql := findings(t, s.conn, file)
			i := slices.IndexFunc(got, func(text string) bool { return strings.Contains(text, "REPLICA IDENTITY") })
			if c.want == "" && i >= 0 || c.want != "" && (i < 0 || !strings.Contains(got[i], c.want)) {
				t.Errorf("the findings are %q, want %q", got, c.want)
			}
			for _, statement := range sql {
				if strings.HasPrefix(statement, "ALTER TABLE") {
					s.exec(statement)
				}
			}
			got, _ = findings(t, s.conn, file)
			if slices.ContainsFunc(got, func(text string) bool { return strings.Contains(text, "REPLICA IDENTITY") }) {
				t.Errorf("after %q, the findings are %q", sql, got)
			}
		})
	}
}
