package mirror_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/connect/mirror"
)

// doubted are the tables of an application whose mapping is wrong in one way or another.
const doubted = `
	CREATE TABLE logins (id int PRIMARY KEY, email text);
	CREATE TABLE profiles (id int PRIMARY KEY, login int, name text, server text, made timestamptz NOT NULL, locked boolean NOT NULL);
	CREATE TABLE notes (id int PRIMARY KEY, login int, body text, who int, made timestamptz NOT NULL, seconds bigint);
	CREATE TABLE answers (id int PRIMARY KEY, login int, body text, made timestamptz NOT NULL);
	INSERT INTO logins SELECT 100 + n, n || '@example.com' FROM generate_series(1, 30) n;
	INSERT INTO profiles SELECT n, 100 + n, CASE WHEN n > 2 THEN 'user' || n ELSE 'same' END, CASE WHEN n = 2 THEN 'far.example' END, '2026-01-01', n = 3 FROM generate_series(1, 30) n;
	INSERT INTO notes SELECT n, 100 + n, 'note ' || n, CASE WHEN n > 28 THEN 9 ELSE n % 3 END, '2026-01-02'::timestamptz + n * interval '1 hour', n FROM generate_series(1, 30) n;
	INSERT INTO answers SELECT n, 100 + n, '', '2026-01-02'::timestamptz + n * interval '1 hour' FROM generate_series(1, 30) n`

func TestCheck_JudgesGuesses(t *testing.T) {
	s := newSource(t, doubted)
	const right = `
inputs:
  public.profiles:
    - type: user
      decides: {row.login: nothing, row.locked: {true: FOLLOWERS, false: PUBLIC}, row.server: {null: shown, "*": hidden}}
      fields: {id: =row.id, handle: =row.name, createdAt: =row.made}
  public.notes:
    - type: post
      decides: {row.who: {0: PUBLIC, 1: FOLLOWERS, 2: hidden, 9: hidden}, row.login: nothing}
      fields: {id: =row.id, author: =row.login - 100, kind: POST, text: =row.body, publishedAt: =row.made}
`
	edited := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(right) }
	more := func(rule string) string { return right + "  public.answers:\n    - {type: post, " + rule + "}\n" }
	for name, c := range map[string]struct {
		file, want string
		warning    bool
	}{
		"a right mapping":     {file: right},
		"a value is missing":  {file: edited(", 9: hidden", ""), want: `line 8: it cannot be known who may see 2 of 30 rows, which are hidden: mapping, line 9: row.who is "9", which decides nothing in the mapping`},
		"logins are profiles": {file: edited("row.login - 100", "row.login"), want: "line 8: none of the authors of posts is a user, such as 101: the ids are those of another table"},
		"some are no users":   {file: edited("row.login - 100", "row.id + 5"), want: "line 8: 2 of 19 authors of posts are no users, such as 32", warning: true},
		"the server counts":   {file: edited(`row.server: {null: shown, "*": hidden}`, "row.server: nothing"), want: "1 handles have several users, such as same: if a column", warning: true},
		"a wrong unit":        {file: edited("publishedAt: =row.made", "publishedAt: =millis(0)"), want: "line 8: all times are in 1970"},
		"one time for all":    {file: edited("publishedAt: =row.made", `publishedAt: "2026-01-03T00:00:00Z"`), want: "line 8: all 19 times are 2026-01-03T00:00:00Z"},
		"texts elsewhere":     {file: more(`decides: {row.login: nothing}, fields: {id: '=row.id + 100', author: =row.login - 100, kind: POST, text: =row.body, publishedAt: =row.made}`), want: "line 12: none of 30 posts has a text or media"},
		"ids of two tables":   {file: more(`decides: {row.login: nothing}, fields: {id: =row.id, author: =row.login - 100, kind: POST, text: '="x" + row.body', publishedAt: =row.made}`), want: `line 8: two rows make the same record {"type":"post","id":"1"}, the other by the rule in line 12`},
	} {
		t.Run(name, func(t *testing.T) {
			report, err := s.mapper(c.file).Check(t.Context(), s.conn, names, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
			check(t, err)
			var doubts []mirror.Finding
			for _, f := range report.Findings {
				if !strings.Contains(f.Text, "REPLICA IDENTITY") && !strings.Contains(f.Text, "_") {
					doubts = append(doubts, f)
				}
			}
			found := slices.ContainsFunc(doubts, func(f mirror.Finding) bool {
				return strings.HasPrefix(strings.TrimPrefix(f.String(), "warning: "), c.want) && f.Warning == c.warning
			})
			if c.want == "" && len(doubts) > 0 || c.want != "" && !found {
				t.Errorf("the findings are %v, want %q", doubts, c.want)
			}
		})
	}
}
