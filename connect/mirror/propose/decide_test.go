package propose_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/connect/mirror/propose"
)

// plainSchema has no column that may decide who sees a row.
const plainSchema = `
	CREATE TYPE phase AS ENUM ('one', 'two'); CREATE TABLE clubs (id int PRIMARY KEY); INSERT INTO clubs VALUES (1), (2);
	CREATE TABLE users (id bigint PRIMARY KEY, username text NOT NULL UNIQUE, created_at timestamptz NOT NULL);
	CREATE TABLE posts (id bigint PRIMARY KEY, author_id bigint NOT NULL REFERENCES users, body text NOT NULL, created_at timestamptz NOT NULL);
	CREATE TABLE follows (follower_id bigint NOT NULL REFERENCES users, followed_id bigint NOT NULL REFERENCES users, created_at timestamptz NOT NULL, PRIMARY KEY (follower_id, followed_id));
	INSERT INTO users SELECT n, 'user' || n, '2026-01-01'::timestamptz + n * interval '1 hour' FROM generate_series(1, 60) n;
	INSERT INTO posts SELECT n, 1 + n % 60, 'Post number ' || n, '2026-01-02'::timestamptz + n * interval '1 hour' FROM generate_series(1, 60) n;
	INSERT INTO follows SELECT n, 1 + n % 60, '2026-01-02'::timestamptz + n * interval '1 hour' FROM generate_series(1, 60) n;`

// structural are columns that may decide who sees a row, as their types show whatever their names are. In a value,
// n is the number of the row.
func structural() [][2]string {
	return [][2]string{
		{"boolean", "n % 2 = 0"},
		{"boolean NOT NULL DEFAULT false", ""},
		{"phase", "'one'::phase"},
		{"smallint", "n % 5"},
		{"smallint NOT NULL DEFAULT 0", ""},
		{"timestamptz", "CASE WHEN n % 9 = 0 THEN now() END"},
		{"timestamp", ""},
		{"date", "CASE WHEN n % 2 = 0 THEN current_date END"},
		{"int REFERENCES clubs", "1"},
		{"jsonb", `'{"private": true}'::jsonb`},
		{"bigint[]", "ARRAY[n]"},
	}
}

// worded are columns of which only the values show it.
func worded() [][2]string {
	return [][2]string{
		{"int", "n % 20"},
		{"bigint NOT NULL DEFAULT 7", ""},
		{"numeric", "n % 2"},
		{"text", "(ARRAY['open', 'closed', 'friends_only'])[1 + n % 3]"},
		{"varchar(20) NOT NULL DEFAULT 'x'", ""},
	}
}

// referring are names of columns of any type of id that refer to something.
func referring() []string { return []string{"_by", "_id", "Id", "_to", "_uuid"} }

// randomName is a name that no one has thought of.
func randomName(random *rand.Rand, ends []string) string {
	const letters = "abcdefghijklmnopqrstuvwxyzäöüABC_"
	name := []rune{'q'}
	for range 3 + random.IntN(9) {
		name = append(name, []rune(letters)[random.IntN(len([]rune(letters)))])
	}
	if len(ends) == 0 {
		return string(name) + "x"
	}
	return string(name) + ends[random.IntN(len(ends))]
}

// undecided returns what a check of a mapping says.
func undecided(t *testing.T, conn *pgx.Conn, file string) string {
	t.Helper()
	c, err := mirror.Inspect(t.Context(), conn)
	check(t, err)
	m, err := mirror.NewMapper([]byte(file), c)
	if err != nil {
		return err.Error()
	}
	result, err := m.Check(t.Context(), conn, mirror.Names{Slot: "s", Publication: "p"}, time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC))
	check(t, err)
	var list []string
	for _, f := range result.Findings {
		if !f.Warning && f.Line != 0 {
			list = append(list, f.String())
		}
	}
	return strings.Join(list, "\n")
}

// Columns of each type are added under random names to the tables. A mapping that does not know them fails the
// check, and so does a new proposal.
func TestWrite_LeavesUnknownColumnsUndecided(t *testing.T) {
	conn := connect(t, plainSchema)
	exec := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%v\n%s", err, sql)
		}
	}
	plain, _ := proposed(t, conn, nil)
	if got := undecided(t, conn, plain); got != "" {
		t.Fatalf("the plain schema is not accepted: %s\n%s", got, plain)
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("the seed is %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	const columns, atOnce = 200, 10
	for n := 0; n < columns; n += atOnce {
		table := []string{"users", "posts", "follows"}[random.IntN(3)]
		names := map[string]bool{}
		for i := range atOnce {
			kinds := worded() // the check names these once the others are decided
			if n/atOnce%3 > 0 {
				kinds = structural()
			}
			of, name := kinds[(n+i)%len(kinds)], randomName(random, nil)
			if n/atOnce%3 > 0 && i%4 == 3 {
				of, name = [2]string{[]string{"bigint", "uuid", "text"}[random.IntN(3)], ""}, randomName(random, referring())
			}
			names[name] = true
			quoted := pgx.Identifier{name}.Sanitize()
			exec(fmt.Sprintf("ALTER TABLE %s ADD %s %s", table, quoted, of[0]))
			if of[1] != "" {
				exec(fmt.Sprintf("UPDATE %s SET %s = v FROM (SELECT ctid AS row, %s AS v FROM (SELECT ctid, row_number() OVER () AS n FROM %[1]s) s) x WHERE ctid = row", table, quoted, of[1]))
			}
		}
		got := undecided(t, conn, plain)
		var file bytes.Buffer
		c, err := mirror.Inspect(t.Context(), conn)
		check(t, err)
		check(t, propose.Write(t.Context(), &file, c, conn, nil))
		again := undecided(t, conn, file.String())
		for name := range names {
			if !strings.Contains(got, " "+name) {
				t.Errorf("the check overlooks %s.%s: %s", table, name, got)
			}
			if line := mirrorColumn(name) + ": DECIDE "; !strings.Contains(file.String(), line) {
				t.Errorf("the proposal does not leave %s.%s undecided:\n%s", table, name, file.String())
			}
			exec(fmt.Sprintf("ALTER TABLE %s DROP %s", table, pgx.Identifier{name}.Sanitize()))
		}
		if strings.Count(again, "is undecided") < atOnce {
			t.Errorf("the check of the proposal accepts undecided lines: %s", again)
		}
	}
}

// mirrorColumn is the expression of a column in a file.
func mirrorColumn(name string) string {
	for _, r := range name {
		if r > 127 {
			return `row["` + name + `"]`
		}
	}
	return "row." + name
}

// Conventions count if the rows agree with them. A majority is no convention, and an empty table agrees with nothing.
func TestWrite_DecidesByCertainConventionsOnly(t *testing.T) {
	for _, c := range []struct{ column, value, want string }{
		{"published boolean NOT NULL DEFAULT true", "n % 2 = 0", "row.published: {true: shown, false: hidden}"},
		{"published boolean", "CASE WHEN n > 1 THEN true END", "row.published: DECIDE true (59 rows), null (1 rows), false (0 rows)"},
		{"published boolean", "false", "row.published: DECIDE false (60 rows), true (0 rows)"},
		{"is_draft boolean", "n > 1", "row.is_draft: {true: hidden, false: shown}"},
		{"deleted boolean", "true", "row.deleted: DECIDE true (60 rows), false (0 rows)"},
		{"status text", "CASE WHEN n > 1 THEN 'published' ELSE 'draft' END", "row.status: {published: shown, draft: hidden}"},
		{"status text", "CASE WHEN n > 1 THEN 'published' ELSE 'archived' END", "row.status: DECIDE published (59 rows), archived (1 rows)"},
		{"status text", "'draft'", "row.status: DECIDE draft (60 rows)"},
		{"visibility int", "CASE WHEN n > 1 THEN 0 ELSE 2 END", "row.visibility: DECIDE 0 (59 rows), 2 (1 rows)"},
		{"deleted_at timestamptz", "CASE WHEN n = 1 THEN now() END", "deletedAt: =row.deleted_at"},
		{"deleted_at timestamptz", "now()", "row.deleted_at: DECIDE null (0 rows), other values (60 rows)"},
		{"hidden_by bigint", "", "row.hidden_by: DECIDE null (60 rows)"},
		{"replies_count int", "n % 3", ""},
	} {
		conn := connect(t, plainSchema+"ALTER TABLE posts ADD "+c.column)
		name, _, _ := strings.Cut(c.column, " ")
		if c.value != "" {
			_, err := conn.Exec(t.Context(), fmt.Sprintf("UPDATE posts SET %s = v FROM (SELECT id AS of, %s AS v FROM (SELECT id, id AS n FROM posts) s) x WHERE id = of", name, c.value))
			check(t, err)
		}
		var file bytes.Buffer
		catalog, err := mirror.Inspect(t.Context(), conn)
		check(t, err)
		check(t, propose.Write(t.Context(), &file, catalog, conn, nil))
		if got := file.String(); !strings.Contains(got, c.want) || c.want == "" && strings.Contains(got, name) {
			t.Errorf("%s = %s: the file does not say %q:\n%s", c.column, c.value, c.want, got)
		}
	}
	conn := connect(t, strings.Split(plainSchema, "INSERT INTO users")[0]+"ALTER TABLE posts ADD published boolean, ADD deleted_at timestamptz, ADD note text")
	var file bytes.Buffer
	catalog, err := mirror.Inspect(t.Context(), conn)
	check(t, err)
	check(t, propose.Write(t.Context(), &file, catalog, conn, nil))
	for _, want := range []string{"row.published: DECIDE", "row.deleted_at: DECIDE", "row.note: DECIDE"} {
		if !strings.Contains(file.String(), want) {
			t.Errorf("of empty tables, the file does not say %q:\n%s", want, file.String())
		}
	}
}

// In the wrong direction, posts for followers would show to others.
func TestWrite_LeavesUnknownDirectionsUndecided(t *testing.T) {
	sql, _, _ := strings.Cut(plainSchema, "CREATE TABLE follows")
	conn := connect(t, sql+`CREATE TABLE follows (user_id bigint NOT NULL REFERENCES users, other_user_id bigint NOT NULL REFERENCES users, created_at timestamptz NOT NULL, PRIMARY KEY (user_id, other_user_id))`)
	var file bytes.Buffer
	catalog, err := mirror.Inspect(t.Context(), conn)
	check(t, err)
	check(t, propose.Write(t.Context(), &file, catalog, conn, nil))
	if got := undecided(t, conn, file.String()); strings.Count(got, "is undecided (=row.user_id or =row.other_user_id)") != 2 {
		t.Errorf("the check says %s of\n%s", got, file.String())
	}
}
