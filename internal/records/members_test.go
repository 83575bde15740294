package records

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// lines that are hard to cut into fields.
var oddLines = []string{
	`{}`, ` { } `, `{"a":1}`, "\t{ \"a\" :\r\n 1 , \"b\":[1,{\"c\":\"}\"}], \"d\" : {\"e\":[]} }\n", `{"a":"\"},{","b":"\\","c":""}`,
	`{"\u0061":null,"a":true,"":-1e9}`, `{"a":[[],[[]]],"b":{}}`, `[]`, `1`, `"a"`, `null`, ``, ` `, `{`, `{"a"}`, `{"a":}`, `{"a":1}}`, `{"a":1,}`,
	`{"a":1} {"b":2}`, `{a:1}`, `{"a":01}`, "{\"a\":\"\n\"}", `{"a":"\x"}`,
}

func FuzzMembers(f *testing.F) {
	for _, line := range oddLines {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !utf8.Valid(line) {
			return // refused before
		}
		values, want := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		if json.Unmarshal(line, &want) != nil || want == nil {
			want = map[string]json.RawMessage{}
		}
		for _, m := range membersOf(line) {
			values[m.name] = m.value
		}
		if diff := cmp.Diff(want, values); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", line, diff)
		}
	})
}

func TestDecode_PartialRecordNamesItsFields(t *testing.T) {
	for line, want := range map[string][]string{
		`{"type":"user","id":"7","partial":true,"name":"","avatarUrl":null}`:                                  {"type", "name", "avatarUrl", "partial"},
		`{"type":"post","id":"7","author":"8","partial":true,"text":"a"}`:                                     {"type", "author", "text", "partial"},
		`{"type":"follow","follower":"7","followee":"8","partial":true}`:                                      {"type", "partial"},
		`{"type":"like","user":"7","post":"8","partial":true,"deletedAt":null}`:                               {"type", "partial", "deletedAt"},
		`{"type":"user","id":"7","handle":"a","name":"a","createdAt":"2026-01-01T00:00:00Z","partial":false}`: nil,
	} {
		r, err := Format{}.Decode([]byte(line))
		if diff := cmp.Diff(want, r.Partial); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", line, err, diff)
		}
	}
	for line, want := range map[string]string{
		`{"type":"post","id":"7","partial":true,"text":"a"}`:   `the field "author" must be an id, a decimal string from "1" to "9223372036854775807", not ""`,
		`{"type":"user","id":"7","partial":"yes"}`:             `the field "partial" must be true or false, not "yes"`,
		`{"type":"user","id":"7","partial":true,"handle":[1]}`: `the field "handle" must not be a array`,
	} {
		if _, err := (Format{}).Decode([]byte(line)); err == nil || err.Error() != want {
			t.Errorf("%s: the error is %v, want %s", line, err, want)
		}
	}
}
