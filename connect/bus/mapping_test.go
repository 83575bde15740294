package bus_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/connect/bus"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// linesOf returns the records of a message, or "bad: " and the reason.
func linesOf(p ingest.Payloads, m ingest.Message) []string {
	list := []string{}
	for _, l := range p.Lines(&m) {
		if l.Bad != "" {
			list = append(list, "bad: "+l.Bad)
		} else {
			list = append(list, string(l.Text))
		}
	}
	return list
}

func TestPayloads_MapMessages(t *testing.T) {
	m, err := bus.ParseMapping([]byte(`
inputs:
  com.example.seen:
    - type: seen
      fields: {user: =data.id, at: =event.time}
  message:
    - type: user
      when: data == null
      fields: {id: =key, deletedAt: =time}
    - type: follow
      when: data != null
      fields: {follower: =data.a, followee: =data.b, createdAt: '=headers.at'}
  com.example.two:
    - type: user
      fields: {id: =data.a, createdAt: "2026-01-01T00:00:00Z"}
    - type: follow
      fields: {follower: =data.a, followee: =data.b, createdAt: "2026-01-01T00:00:00Z"}
    - type: seen
      fields: {user: =data.a, at: "2026-01-01T00:00:00Z"}
`))
	if err != nil {
		t.Fatal(err)
	}
	p := ingest.Payloads{Mapping: m}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	headers := map[string]string{"at": "2026-01-01T00:00:00Z"}
	for name, c := range map[string]struct {
		message ingest.Message
		want    []string
	}{
		"an event": {
			ingest.Message{Payload: []byte(`{"specversion":"1.0","type":"com.example.seen","time":"2026-01-01T00:00:00Z","data":{"id":7}}`)},
			[]string{`{"type":"seen","user":"7","at":"2026-01-01T00:00:00Z"}`},
		},
		"an array": {
			ingest.Message{Payload: []byte(`[{"a":1,"b":2},{"a":3,"b":4}]`), Headers: headers},
			[]string{`{"type":"follow","follower":"1","followee":"2","createdAt":"2026-01-01T00:00:00Z"}`, `{"type":"follow","follower":"3","followee":"4","createdAt":"2026-01-01T00:00:00Z"}`},
		},
		"a deleted key":  {ingest.Message{Key: "9", At: at}, []string{`{"type":"user","id":"9","deletedAt":"2026-01-02T03:04:05.000Z"}`}},
		"an unknown one": {ingest.Message{Payload: []byte(`{"specversion":"1.0","type":"x","data":{}}`)}, []string{`bad: the mapping has no input "x", and no "*" for others`}},
		"no JSON":        {ingest.Message{Payload: []byte(`x`)}, []string{"bad: not JSON: invalid character 'x' looking for beginning of value"}},
		"a malformed element": {
			ingest.Message{Payload: []byte(`[{"a":1,"b":2},{"a":tru},{"a":3,"b":4}`), Headers: headers},
			[]string{
				`{"type":"follow","follower":"1","followee":"2","createdAt":"2026-01-01T00:00:00Z"}`, "bad: not JSON: invalid character '}' in literal true (expecting 'e')",
				`{"type":"follow","follower":"3","followee":"4","createdAt":"2026-01-01T00:00:00Z"}`, "bad: not a JSON array: the array has no end",
			},
		},
		"a rule that fails": {
			ingest.Message{Payload: []byte(`{"specversion":"1.0","type":"com.example.two","data":{"a":1}}`)},
			[]string{
				`{"type":"user","id":"1","createdAt":"2026-01-01T00:00:00Z"}`,
				`{"type":"follow","follower":"1","createdAt":"2026-01-01T00:00:00Z","unclear":"mapping, line 17: no such key: b"}`,
				`{"type":"seen","user":"1","at":"2026-01-01T00:00:00Z"}`,
			},
		},
		"a failure": {ingest.Message{Payload: []byte(`{"a":1,"b":2}`), Headers: map[string]string{}}, []string{`{"type":"follow","follower":"1","followee":"2","unclear":"mapping, line 12: no such key: at"}`}},
	} {
		t.Run(name, func(t *testing.T) {
			got := linesOf(p, c.message)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("the lines (-want +got)\n%s", diff)
			}
			for _, line := range got {
				_, err := (records.Format{}).Decode([]byte(line))
				if err != nil && !strings.HasPrefix(line, "bad: ") && err.Error() != "mapping, line 17: no such key: b" {
					t.Errorf("the record %s: %v", line, err)
				}
			}
		})
	}
}

func TestMapping_OfTheDocumentationParses(t *testing.T) {
	page, err := os.ReadFile("../../docs/connect.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), "```yaml\n")
	example, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatal("docs/connect.md has no example")
	}
	if _, err := bus.ParseMapping([]byte(example)); err != nil {
		t.Error(err)
	}
}
