package wellformed_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

func TestJSON_RejectsWhatDecodingWouldAlter(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
	}{
		{`{"a":"plain"}`, nil},
		{`"\ud83c\udf0a"`, nil},
		{`"\uD83C\uDF0A and \ud83c\udf0a"`, nil},
		{`"\ufffd"`, nil},
		{"\"\ufffd\"", nil},
		{`"\\ud800"`, nil},
		{``, nil},
		{`\`, nil},
		{`"\ud8`, nil},
		{`"\ud800"`, wellformed.ErrHalfSurrogate},
		{`"\uDFFF\uD800"`, wellformed.ErrHalfSurrogate},
		{`"\ud800\ud800\udc00"`, wellformed.ErrHalfSurrogate},
		{`"\\\ud800"`, wellformed.ErrHalfSurrogate},
		{`{"\ud800":1}`, wellformed.ErrHalfSurrogate},
		{"\"\xff\"", wellformed.ErrInvalidUTF8},
		{"\"\xed\xa0\x80\"", wellformed.ErrInvalidUTF8},
	} {
		if err := wellformed.JSON([]byte(c.text)); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.text, err, c.want)
		}
	}
}

func TestDocument_ChecksEscapesInStringsOnly(t *testing.T) {
	for _, c := range []struct {
		text string
		want error
	}{
		{`{ user(handle: "\ud83c\udf0a") { id } }`, nil},
		{`{ user(handle: "\\ud800") { id } }`, nil},
		{`{ user(handle: """\ud800""") { id } }`, nil},
		{`{ user(handle: """a \""" \ud800""") { id } }`, nil},
		{"# \"\\ud800\n{ __typename }", nil},
		{`{ user(handle: "\u{1F30A}") { id } }`, nil},
		{`{ user(handle: "\ud800") { id } }`, wellformed.ErrHalfSurrogate},
		{`{ user(handle: "\"\ud800") { id } }`, wellformed.ErrHalfSurrogate},
		{`{ a: user(handle: """x""") { id } b: user(handle: "\udc00") { id } }`, wellformed.ErrHalfSurrogate},
		{"# \"\n{ user(handle: \"\\udc00\") { id } }", wellformed.ErrHalfSurrogate},
		{"{ __typename } # \xff", wellformed.ErrInvalidUTF8},
		{`"\u`, nil},
		{`""" \u`, nil},
		{`# \u`, nil},
	} {
		if err := wellformed.Document(c.text); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.text, err, c.want)
		}
	}
}

// What passes is decoded as it was written.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`"\ud83c\udf0a"`, `"\ud800"`, `"\\ud800"`, "\"\xff\"", `{"a":["\u00e9"]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var decoded string
		if json.Unmarshal(text, &decoded) != nil || wellformed.JSON(text) != nil {
			return
		}
		given := strings.Count(string(text), "\ufffd") + strings.Count(strings.ToLower(string(text)), `\ufffd`)
		if n := strings.Count(decoded, "\ufffd"); n > given {
			t.Errorf("%q becomes %q", text, decoded)
		}
	})
}

func TestTime_FollowsGrammar(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-05-04T12:30:00Z":           true,
		"2026-05-04T01:30:00.123456789Z": true,
		"2026-05-04T23:59:59.5-23:59":    true,
		"2026-05-04T1:30:00Z":            false,
		"2026-05-04T12:30:00,5Z":         false,
		"2026-05-04T12:30:00+24:00":      false,
		"2026-05-04T12:30:00+01:60":      false,
		"2026-05-04 12:30:00Z":           false,
		"2026-05-04T12:30:00":            false,
		"2026-02-30T12:30:00Z":           false,
		"":                               false,
	} {
		if _, err := wellformed.Time(text); (err == nil) != want {
			t.Errorf("%q: error %v, want valid: %v", text, err, want)
		}
	}
}

func TestElements_SplitMalformedArrays(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: ``, `[ ]`: ``, `[1, {"a":[2,3]} ,"]"]`: `1|{"a":[2,3]}|"]"`, `[{"a":tru},{"b":"\",]"},2]`: `{"a":tru}|{"b":"\",]"}|2`,
		`[1,,2,]`: `1|2`, `[{"a":1},{"b":`: `{"a":1}|{"b":: the array has no end`, `[1`: `1: the array has no end`, `[`: `: the array has no end`,
		`[1] 2`: `1: text follows the end of the array`, `[{}},{}]`: `{}: text follows the end of the array`, `["a,b]`: `"a,b]: the array has no end`,
	} {
		list, fault := wellformed.Elements([]byte(text))
		got := make([]string, len(list))
		for i, e := range list {
			got[i] = string(e)
		}
		if fault != "" {
			fault = ": " + fault
		}
		if got := strings.Join(got, "|") + fault; got != want {
			t.Errorf("%s is split into %s, want %s", text, got, want)
		}
	}
}

func TestElements_EqualThoseOfDecoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, err := json.Marshal(rapid.SliceOf(rapid.MapOf(rapid.String(), rapid.SliceOf(rapid.String()))).Draw(t, "array"))
		if err != nil {
			t.Fatal(err)
		}
		var want []json.RawMessage
		if string(text) == "null" {
			return
		}
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		list, fault := wellformed.Elements(text)
		if fault != "" || fmt.Sprintf("%s", list) != fmt.Sprintf("%s", want) {
			t.Errorf("%s is split into %s, %s", text, list, fault)
		}
	})
}
