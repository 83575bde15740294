package propose_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/connect/mirror/propose"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

var update = flag.Bool("update", false, "write the files that proposals are compared with")

func connect(t *testing.T, sql string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), testenv.Postgres(t))
	check(t, err)
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	if _, err := conn.Exec(t.Context(), "SET timezone TO 'UTC';"+sql); err != nil {
		t.Fatal(err)
	}
	return conn
}

// proposed returns the proposal for a database, and its mapper.
func proposed(t *testing.T, conn *pgx.Conn, asker propose.Asker) (string, *mirror.Mapper) {
	t.Helper()
	c, err := mirror.Inspect(t.Context(), conn)
	check(t, err)
	var file bytes.Buffer
	check(t, propose.Write(t.Context(), &file, c, conn, asker))
	m, err := mirror.NewMapper(file.Bytes(), c)
	if err != nil && !strings.Contains(file.String(), "inputs: {}") {
		t.Fatalf("the proposal has mistakes:\n%v\n%s", err, file.String())
	}
	return file.String(), m
}

// The proposals for schemas of common frameworks, and the records that they make, are reviewed
// files. All rows make good records.
func TestWrite_ProposesForFrameworks(t *testing.T) {
	schemas, err := filepath.Glob("testdata/*.sql")
	if err != nil || len(schemas) < 7 {
		t.Fatalf("%d schemas, %v", len(schemas), err)
	}
	for _, schema := range schemas {
		name := strings.TrimSuffix(filepath.Base(schema), ".sql")
		t.Run(name, func(t *testing.T) {
			sql, err := os.ReadFile(schema)
			check(t, err)
			conn := connect(t, string(sql))
			file, m := proposed(t, conn, answersOf(t, "testdata/"+name+".answers"))
			compare(t, "testdata/"+name+".yaml", file)
			samples, err := m.Sample(t.Context(), conn, time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC))
			check(t, err)
			var records strings.Builder
			for _, table := range samples.Tables {
				for _, row := range table.Shown {
					for _, line := range row.Lines {
						records.Write(line.Text())
						records.WriteByte('\n')
					}
				}
				for _, bad := range table.Bad {
					t.Errorf("a bad record: %s; %s", bad.Reason, bad.Row)
				}
			}
			compare(t, "testdata/"+name+".ndjson", records.String())
			if text := strings.Contains(file, "TIDELINE_IDS=text"); text != samples.TextIDs {
				t.Errorf("the file says text ids: %v; the rows have them: %v", text, samples.TextIDs)
			}
		})
	}
}

// answers are those about columns, by "table.column value". A column without answers decides nothing.
type answers map[string]propose.Seen

// answersOf reads a file with a line for each answer, such as "public.posts.status draft: hidden".
func answersOf(t *testing.T, path string) answers {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	a := answers{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		about, who, found := strings.Cut(line, ": ")
		if seen, known := map[string]propose.Seen{"all": propose.ForAll, "followers": propose.ForFollowers, "hidden": propose.NotSeen}[who]; found && known {
			a[about] = seen
		} else if line != "" {
			t.Fatalf("%s: %q is no answer", path, line)
		}
	}
	return a
}

func (a answers) Deciding(q propose.Question) ([]string, error) {
	var names []string
	for _, c := range q.Columns {
		for about := range a {
			if strings.HasPrefix(about, q.Table+"."+c.Name+" ") {
				names = append(names, c.Name)
			}
		}
	}
	return names, nil
}

func (a answers) Seen(q propose.ValuesQuestion) (list []propose.Seen, err error) {
	for _, v := range q.Values {
		seen, known := a[q.Table+"."+q.Column+" "+v.Value]
		if !known {
			return nil, fmt.Errorf("no answer about %s.%s %s: %d rows %q", q.Table, q.Column, v.Value, v.Rows, v.Samples)
		}
		list = append(list, seen)
	}
	return list, nil
}

func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		check(t, os.WriteFile(path, []byte(got), 0o600))
	}
	want, err := os.ReadFile(path)
	check(t, err)
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (run the test with -update, and review it):\n%s", path, diff)
	}
}

func TestWrite_SaysWhatIsMissing(t *testing.T) {
	for sql, want := range map[string]string{
		"": "# No table looks like users: write its rules.",
		"CREATE TABLE users (id int PRIMARY KEY, username text)":                                                      "# No table looks like posts: write its rules.\n# No table looks like follows: write its rules.",
		"CREATE TABLE users (id int PRIMARY KEY, username text); CREATE TABLE cars (id int, user_id int, wheels int)": "# Not mapped: public.cars",
	} {
		if file, _ := proposed(t, connect(t, sql), answers{}); !strings.Contains(file, want) {
			t.Errorf("the file does not say %q:\n%s", want, file)
		}
	}
}

func TestWrite_QuotesUnprintableNames(t *testing.T) {
	schema := pgx.Identifier{"a\nb: 'c' \x01\u2028#"}.Sanitize()
	file, _ := proposed(t, connect(t, fmt.Sprintf(`CREATE SCHEMA %[1]s;
		CREATE TABLE %[1]s.users (id int PRIMARY KEY, username text, %[2]s text);
		CREATE TABLE %[1]s.cars (id int, user_id int REFERENCES %[1]s.users, wheels int)`, schema, pgx.Identifier{"full\nname"}.Sanitize())), answers{})
	for _, want := range []string{`a\nb: 'c' \x01\u2028#`, `# Not mapped: "a b: 'c' #".cars`} {
		if !strings.Contains(file, want) {
			t.Errorf("the file does not have %s:\n%s", want, file)
		}
	}
}

// Proposals for random schemas have no mistakes, and say nothing of tables that are not there.
func TestWrite_AcceptsAnySchema(t *testing.T) {
	conn := connect(t, "")
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 0))
		sql := "DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + randomSchema(random)
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, sql)
		}
		c, err := mirror.Inspect(t.Context(), conn)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		var file bytes.Buffer
		if err := propose.Write(t.Context(), &file, c, conn, answers{}); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, sql)
		}
		m, err := mirror.NewMapper(file.Bytes(), c)
		if err != nil && !strings.Contains(file.String(), "inputs: {}") {
			t.Fatalf("seed %d: %v\n%s\n%s", seed, err, file.String(), sql)
		}
		if err != nil {
			continue
		}
		samples, err := m.Sample(t.Context(), conn, time.Now())
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for _, table := range samples.Tables {
			for _, bad := range table.Bad {
				if strings.HasPrefix(bad.Reason, "mapping, ") && !strings.Contains(bad.Reason, "identifies the object and is null") {
					t.Errorf("seed %d: %s; %s\n%s", seed, bad.Reason, bad.Row, file.String())
				}
			}
		}
	}
}

// values are texts for values of the types.
var values = map[string][]string{
	"int": {"1", "2", "0"}, "bigint": {"1", "1767225600", "1767225600000"}, "smallint": {"1", "0"}, "numeric": {"1", "2.5"},
	"uuid": {"00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"},
	"text": {"", "1", "http://example.com/a b", "a b", "User"}, "varchar(20)": {"published", "/a.png"}, "char(3)": {"a"}, "mood": {"published", "follow", "block", "O'k"},
	"timestamptz": {"2026-01-02 03:04:05+00", "2026-01-02 03:04:05.678+05:30"}, "timestamp": {"2026-01-02 03:04:05"}, "date": {"2026-01-02"}, "boolean": {"t", "f"},
	"jsonb": {`{"text": "x", "image": "/a.png"}`, `{"text": null, "images": ["/b.png"]}`, "null"}, "json": {`{"body": "y"}`}, "text[]": {"{/a.png,NULL}", "{}"},
}

// insert returns a statement that fills a table with some rows.
func insert(random *rand.Rand, table string, kinds []string) string {
	var rows []string
	for range 6 {
		var row []string
		for _, kind := range kinds {
			list := values[strings.TrimSuffix(kind, " NOT NULL")]
			if random.IntN(4) == 0 && !strings.HasSuffix(kind, " NOT NULL") {
				row = append(row, "NULL")
			} else {
				row = append(row, "'"+strings.ReplaceAll(list[random.IntN(len(list))], "'", "''")+"'")
			}
		}
		rows = append(rows, "("+strings.Join(row, ", ")+")")
	}
	return "INSERT INTO " + table + " VALUES " + strings.Join(rows, ", ") + " ON CONFLICT DO NOTHING;"
}

// randomSchema returns tables with names and types that may mean anything.
func randomSchema(random *rand.Rand) string {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	kinds := []string{"int", "bigint", "uuid", "text", "varchar(20)", "timestamptz", "timestamp", "date", "boolean", "jsonb", "json", "text[]", "numeric", "mood", "smallint", "char(3)"}
	var sql strings.Builder
	sql.WriteString("SET session_replication_role TO replica; CREATE TYPE mood AS ENUM ('published', 'follow', 'block', 'O''k');")
	keys := map[string]string{}
	for _, table := range []string{"users", "posts", "comments", "follows", "likes", "Ärger's \"x\"\n- \a", "blocks", "post_follow_likes"} {
		if random.IntN(5) == 0 {
			continue
		}
		columns, used, types := []string{}, map[string]bool{}, []string{}
		add := func(name, kind string) {
			if !used[strings.ToLower(name)] {
				used[strings.ToLower(name)] = true
				null := pick("", "", " NOT NULL")
				columns = append(columns, pgx.Identifier{name}.Sanitize()+" "+kind+null)
				types = append(types, strings.Fields(kind)[0]+null)
			}
		}
		key := pick("int", "bigint", "uuid", "text")
		switch random.IntN(4) {
		case 0: // no key
		case 1:
			columns, used["id"], used["tenant"] = append(columns, "id "+key, "tenant int", "PRIMARY KEY (tenant, id)"), true, true
			types = append(types, key+" NOT NULL", "int NOT NULL")
		default:
			columns, used["id"] = append(columns, "id "+key+" PRIMARY KEY"), true
			types = append(types, key+" NOT NULL")
			keys[table] = key
		}
		if of := pick("users", "posts", "comments"); keys[of] != "" && of != table {
			add("of_"+of, keys[of]+" REFERENCES "+of)
		}
		for range random.IntN(14) {
			add(pick("user_id", "authorId", "from_user", "to", "post_id", "parent", "repost_of", "status", "State", "visibility", "is_active", "deleted", "deleted_at", "created_at", "createdAt",
				"published", "body", "content", "title", "media", "image_url", "username", "name", "first_name", "last_name", "kind", "likeable_type", "likeable_id", "in", "a b", "größe", "x'y\n", "follower_id", "last_login", "avatar"), pick(kinds...))
		}
		if len(columns) == 0 {
			columns, types = []string{"x int"}, []string{"int"}
		}
		fmt.Fprintf(&sql, "CREATE TABLE %s (%s);", pgx.Identifier{table}.Sanitize(), strings.Join(columns, ", "))
		sql.WriteString(insert(random, pgx.Identifier{table}.Sanitize(), types))
	}
	return sql.String()
}
