package records_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/internal/records"
)

// textVillage has a record of every type but seen, with text ids and numbers.
const textVillage = `{"type":"user","id":"auth0|ann","n":"7","handle":"ann","name":"Ann","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"user","id":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","n":"9","handle":"ben","name":"Ben","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"follow","follower":"auth0|ann","followee":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"post","id":"p \"1\"","n":"41","author":"auth0|ann","kind":"POST","text":"tea","publishedAt":"2020-01-01T00:00:00.000Z"}
{"type":"post","id":"p/2","n":"40","author":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","kind":"COMMENT","text":"why?","replyTo":"p \"1\"","publishedAt":"2020-01-01T00:00:00.000Z"}
{"type":"like","user":"auth0|ann","post":"p/2","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"block","user":"auth0|ann","target":"3f0e8c2a-6d0b-4a57-9d5c-2b1c7f3f1d11","createdAt":"2020-01-01T00:00:00.000Z"}
{"type":"live","id":"show","n":"5","host":"auth0|ann","title":"tea","scheduledAt":"2020-01-01T00:00:00.000Z","cancelledAt":"2020-01-01T00:00:00.000Z"}
`

func textStore(t *testing.T) *memstore.Store {
	t.Helper()
	store := memstore.New(time.Now)
	if _, err := store.UseIDs(t.Context(), feed.TextIDs); err != nil {
		t.Fatal(err)
	}
	return store
}

// importText imports lines with text ids, and returns the messages about bad ones.
func importText(t *testing.T, store *memstore.Store, to feed.Applier, lines string) (records.Summary, []string) {
	t.Helper()
	var bad []string
	o := records.Options{Format: records.Format{IDs: store}, Refused: func(_ int, reason string) { bad = append(bad, reason) }}
	sum, err := records.Import(t.Context(), strings.NewReader(lines), to, o)
	check(t, err)
	return sum, bad
}

func exportText(t *testing.T, store *memstore.Store) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := records.Export(t.Context(), store, records.Format{IDs: store}, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTextIDs_ExportHasIDsAndNumbers(t *testing.T) {
	store := textStore(t)
	if sum, bad := importText(t, store, store, textVillage); sum.Stored != 8 || bad != nil {
		t.Fatalf("the summary is %+v; bad were %q", sum, bad)
	}
	same(t, "the export", strings.SplitAfter(exportText(t, store), "\n"), strings.SplitAfter(textVillage, "\n"))
}

func TestTextIDs_ReferencesDrawNumbersOnce(t *testing.T) {
	store := textStore(t)
	lines := strings.ReplaceAll(textVillage, `"n":"7",`, "")
	importText(t, store, store, lines)
	first := exportText(t, store)
	if sum, bad := importText(t, store, store, lines); sum.Known != 8 || bad != nil {
		t.Errorf("again, the summary is %+v; bad were %q", sum, bad)
	}
	if diff := cmp.Diff(first, exportText(t, store)); diff != "" {
		t.Errorf("the second import changed the export (-first +second):\n%s", diff)
	}
}

func TestTextIDs_RefuseBadIDs(t *testing.T) {
	store := textStore(t)
	importText(t, store, store, textVillage)
	for line, want := range map[string]string{
		`{"type":"user","id":"x","n":"9","handle":"x","name":"X","createdAt":"2020-01-01T00:00:00.000Z"}`:               "another id of this kind has the number in the field n",
		`{"type":"user","id":"","handle":"x","name":"X","createdAt":"2020-01-01T00:00:00.000Z"}`:                        `the field "id" must be an id: an id must not be empty`,
		`{"type":"user","id":"a\u0007","handle":"x","name":"X","createdAt":"2020-01-01T00:00:00.000Z"}`:                 `the field "id" must be an id: the id "a\a" has a control character`,
		`{"type":"like","user":"` + strings.Repeat("x", 129) + `","post":"p/2","createdAt":"2020-01-01T00:00:00.000Z"}`: `the field "user" must be an id: the id "` + strings.Repeat("x", 40) + `"… has 129 bytes; the maximum is 128`,
	} {
		if _, bad := importText(t, store, store, line); len(bad) != 1 || bad[0] != want {
			t.Errorf("%s:\n got %q\nwant %q", line, bad, want)
		}
	}
	if _, err := numbers.Decode([]byte(`{"type":"user","id":"8","n":"9"}`)); err == nil || err.Error() != `unknown field "n"` {
		t.Errorf("where ids are numbers, a record with n: %v", err)
	}
}

func TestTextIDs_LivePlayKeepsIDs(t *testing.T) {
	store := textStore(t)
	sum, bad := importText(t, store, newLive(store, nil), strings.ReplaceAll(textVillage, "2020-01-01T00:00:00.000Z", "2027-01-15T08:00:00.000Z"))
	if sum.Stored != 8 || bad != nil {
		t.Fatalf("the summary is %+v; bad were %q", sum, bad)
	}
	got := exportText(t, store)
	for _, id := range []string{`"id":"auth0|ann","n":"7"`, `"id":"p \"1\"","n":"41"`, `"id":"show","n":"5"`} {
		if !strings.Contains(got, id) {
			t.Errorf("the export lacks %s:\n%s", id, got)
		}
	}
}
