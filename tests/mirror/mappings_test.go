package mirror

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/connect/mirror/propose"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// application is a published structure of tables: testdata/NAME.sql here, and its mapping file in
// deploy/beside/mappings.
type application struct {
	name, types string
	settings    []string
	// begin makes the first rows and the probes, step runs one random statement.
	begin, step func(*system)
	// last makes probes that leave dead letters, after all else.
	last string
	// oracle makes views with the application's own rules, all with ids as texts: viewers (id), sees (viewer,
	// post, author, original, at) for each post that a viewer may open, also the viewer '' who is anonymous, and
	// follows and mutes (viewer, author). The original is the author of what a post repeats. It may replace
	// hides (viewer, author): the follows without what the author repeats, and lacks (viewer, author): authors whose
	// posts are in lists only.
	oracle string
}

// Probes are posts of every kind that is hidden from someone. The kind is a name for messages.
const oracleTables = `CREATE SCHEMA oracle; CREATE TABLE oracle.probes (kind text PRIMARY KEY, post text NOT NULL UNIQUE);
CREATE VIEW oracle.hides AS SELECT NULL::text AS viewer, NULL::text AS author WHERE false;
CREATE VIEW oracle.lacks AS SELECT NULL::text AS viewer, NULL::text AS author WHERE false;`

// oracleFeeds selects home feeds by the views of an application.
const oracleFeeds = `
SELECT v.id, s.post FROM oracle.viewers v LEFT JOIN oracle.sees s ON s.viewer = v.id
  AND (s.author = v.id OR EXISTS (SELECT FROM oracle.follows f WHERE f.viewer = v.id AND f.author = s.author))
  AND NOT EXISTS (SELECT FROM oracle.mutes m WHERE m.viewer = v.id AND m.author IN (s.author, s.original))
  AND NOT (s.original IS NOT NULL AND EXISTS (SELECT FROM oracle.hides h WHERE h.viewer = v.id AND h.author = s.author))
  AND (s.author = v.id OR NOT EXISTS (SELECT FROM oracle.lacks l WHERE l.viewer = v.id AND l.author = s.author))
ORDER BY v.id, s.at DESC, length(s.post) DESC, s.post DESC`

// TestMappings_HideWhatApplicationsHide compares all home feeds with the rules of the applications, and asks for
// every hidden kind of post as every viewer.
func TestMappings_HideWhatApplicationsHide(t *testing.T) {
	t.Parallel()
	for _, a := range applications() {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, testenv.LogicalPostgres(t), a.shape(t))
			w.logProposal()
			w.start()
			eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
			w.check()
			w.probe()
			for range 2 {
				w.change(150)
				w.check()
				w.probe()
			}
			if a.last != "" {
				w.exec(a.last)
				w.probe()
			}
		})
	}
}

func (a application) shape(t *testing.T) shape {
	t.Helper()
	schema := harness.Doc(t, "tests/mirror/testdata/"+a.name+".sql")
	file := harness.Doc(t, "deploy/beside/mappings/"+a.name+".yaml")
	return shape{
		schema: schema + statementsOf(file) + oracleTables + a.oracle, types: a.types, settings: a.settings,
		mapping: file, begin: a.begin, step: a.step, feeds: oracleFeeds,
	}
}

// expiry draws when a mute ends: never, before the test or after it.
func (s *system) expiry() any { return []any{nil, "2026-01-02", "2126-01-01"}[s.random.IntN(3)] }

// statementsOf returns the statements of a mapping file that the source needs first: the lines of its comments
// that are indented.
func statementsOf(file string) string {
	_, text, _ := strings.Cut(file, "# Statements that the source needs first")
	var statements strings.Builder
	for _, line := range regexp.MustCompile(`(?m)^#   (.*)$`).FindAllStringSubmatch(text, -1) {
		statements.WriteString(line[1] + "\n")
	}
	return statements.String()
}

// logProposal logs how many questions tideline mirror init asks, and how many fields, conditions and tables of values
// of the mapping and of the proposal differ apart from the answers.
func (w *world) logProposal() {
	w.Helper()
	proposal := w.command("init")
	asked, want := entriesOf(proposal), entriesOf(w.mapping)
	edits := 0
	for key, value := range want {
		if proposed, has := asked[key]; !has && value != mapping.Nothing || has && proposed != value && proposed != mapping.Undecided {
			edits++
		}
	}
	for key, value := range asked {
		if _, has := want[key]; !has && value != mapping.Undecided {
			edits++
		}
	}
	w.Logf("init asks %d questions; %d edits by hand; a terminal asks %d", strings.Count(proposal, mapping.Undecided), edits, w.questions(want))
}

// questions returns how many questions a terminal asks someone whose answers are in a mapping.
func (w *world) questions(answers map[string]string) int {
	w.Helper()
	conn, err := pgx.Connect(w.Context(), w.url)
	harness.Check(w.T, err)
	defer func() { harness.Check(w.T, conn.Close(w.Context())) }()
	catalog, err := mirror.Inspect(w.Context(), conn)
	harness.Check(w.T, err)
	a := &asker{answers: answers}
	harness.Check(w.T, propose.Write(w.Context(), io.Discard, catalog, conn, a))
	const most = 15 // more is no ten minutes
	if len(a.asked) > most {
		w.Errorf("a terminal asks more than %d questions: %s", most, strings.Join(a.asked, "; "))
	}
	return len(a.asked)
}

// asker answers as a mapping does.
type asker struct {
	answers map[string]string
	asked   []string
}

// Deciding implements [propose.Asker].
func (a *asker) Deciding(q propose.Question) (names []string, err error) {
	a.asked = append(a.asked, q.Table+" "+q.Type)
	for _, c := range q.Columns {
		if answer := a.answers[q.Table+" "+q.Type+" row."+c.Name]; answer != "" && answer != mapping.Nothing {
			names = append(names, c.Name)
		}
	}
	return names, nil
}

// Seen implements [propose.Asker].
func (a *asker) Seen(q propose.ValuesQuestion) ([]propose.Seen, error) {
	a.asked = append(a.asked, q.Table+" "+q.Type+" "+q.Column)
	return make([]propose.Seen, len(q.Values)), nil
}

// entriesOf returns what a mapping file says, by table, type of record and name.
func entriesOf(text string) map[string]string {
	m, _ := mapping.Parse([]byte(text), mapping.Options{ // questions are mistakes
		Fields: records.Fields, Variables: []mapping.Variable{{Name: "row", Type: mapping.Members}}, Zone: true,
	})
	entries := map[string]string{}
	for _, in := range m.Inputs {
		for _, r := range in.Rules {
			at := in.Kind + " " + r.Type + " "
			if r.When != nil {
				entries[at+"when"] = r.When.Source
			}
			for _, d := range r.Decisions {
				value := mapping.Nothing
				if d.ByValue != nil {
					value = fmt.Sprintf("%q %q %q", d.ByValue, d.Null, d.Other)
				} else if strings.Contains(text, d.Value.Source+": '"+mapping.Undecided) || strings.Contains(text, d.Value.Source+": "+mapping.Undecided) {
					value = mapping.Undecided
				}
				entries[at+d.Value.Source] = value
			}
			for _, f := range r.Fields {
				if entries[at+f.Name] = string(f.Constant); f.Value != nil {
					entries[at+f.Name] = f.Value.Source
				}
			}
		}
	}
	return entries
}

// probe asks for all probes as all viewers, and compares what they get with what they may see.
func (w *world) probe() {
	w.Helper()
	position := w.name + "/0:" + w.settle()
	probes := w.texts(`SELECT post FROM oracle.probes ORDER BY post`)
	if hidden := w.texts(`SELECT kind FROM oracle.probes WHERE post IN (SELECT post FROM oracle.sees WHERE viewer = '')`); len(hidden) > 0 {
		w.Errorf("an anonymous visitor may see the probes %q, which test nothing", hidden)
	}
	sees := w.texts(`SELECT viewer || ' ' || post FROM oracle.sees WHERE post IN (SELECT post FROM oracle.probes)`)
	var asked, shown, missing int
	for _, viewer := range append(w.texts(`SELECT id FROM oracle.viewers`), "") {
		var got []bool
		for some := range slices.Chunk(probes, rootFieldsMax) {
			got = append(got, w.visible(viewer, position, some)...)
		}
		for i, post := range probes {
			may := slices.Contains(sees, viewer+" "+post)
			asked++
			if got[i] == may {
				continue
			}
			if got[i] {
				shown++
			} else {
				missing++
			}
			w.Errorf("viewer %q gets probe %s %q: %v, want %v", viewer, post, w.texts(`SELECT kind FROM oracle.probes WHERE post = '`+post+`'`), got[i], may)
		}
	}
	w.Logf("%d probes of %d kinds asked for, %d wrongly shown, %d wrongly missing", asked, len(probes), shown, missing)
}

// rootFieldsMax is how many posts a request may ask for by fields of their own.
const rootFieldsMax = 30

// visible reports which posts a viewer gets by their ids; an empty viewer is anonymous.
func (w *world) visible(viewer, position string, posts []string) []bool {
	w.Helper()
	var document strings.Builder
	for i, post := range posts {
		fmt.Fprintf(&document, " p%d: post(databaseId: %q) { databaseId }", i, post)
	}
	body, err := json.Marshal(map[string]string{"query": "{" + document.String() + " }"})
	harness.Check(w.T, err)
	req, err := http.NewRequestWithContext(w.Context(), http.MethodPost, w.web.Base+"/graphql", strings.NewReader(string(body)))
	harness.Check(w.T, err)
	req.Header.Set("Content-Type", "application/json")
	token := ""
	if viewer != "" {
		token = w.service()
		req.Header.Set("Tideline-Act-For", viewer)
		req.Header.Set("Tideline-At-Least", position)
	}
	_, text := w.web.Do(w.T, req, token)
	var out struct {
		Data   map[string]*struct{ DatabaseID string }
		Errors []any
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil || len(out.Errors) > 0 || len(out.Data) != len(posts) {
		w.Fatalf("posts of viewer %q: %.2000s", viewer, text)
	}
	list := make([]bool, len(posts))
	for i := range posts {
		list[i] = out.Data[fmt.Sprintf("p%d", i)] != nil
	}
	return list
}
