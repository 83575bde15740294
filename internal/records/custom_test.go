package records_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/records"
)

func TestCustom_KeepsDigits(t *testing.T) {
	const start, end = `{"type":"user","id":"7","handle":"ann","name":"Ann",`, `"createdAt":"2020-01-01T00:00:00.000Z"}`
	for given, want := range map[string]string{
		`"custom": { "n": 1.50, "big": 12345678901234567890123, "e": 1E+2, "t": "a b\u0000<\u00fc" },`: `"custom":{"n":1.50,"big":12345678901234567890123,"e":1E+2,"t":"a b\u0000<\u00fc"},`,
		`"custom":{"a":[{"b":[{}]}],"type":"post"},`:                                                   `"custom":{"a":[{"b":[{}]}],"type":"post"},`,
		`"custom":null,`: ``,
		`"custom": { },`: ``,
	} {
		r, err := records.Format{}.Decode([]byte(start + given + end))
		if err != nil {
			t.Errorf("%s: %v", given, err)
			continue
		}
		line, err := records.Format{}.Encode(t.Context(), r)
		if err != nil || string(line) != start+want+end+"\n" {
			t.Errorf("%s becomes %s: %v", given, line, err)
		}
	}
}

func TestCustom_RefusesOtherValues(t *testing.T) {
	for given, want := range map[string]string{
		`[1]`: "custom fields must be a JSON object", `"{}"`: "custom fields must be a JSON object", `7`: "custom fields must be a JSON object",
		`{"a":"` + strings.Repeat("x", 8192) + `"}`: "custom fields have 8200 bytes without white space; the maximum is 8192",
	} {
		_, err := records.Format{}.Decode([]byte(`{"type":"post","id":"1","author":"7","kind":"POST","text":"x","publishedAt":"2020-01-01T00:00:00.000Z","custom":` + given + `}`))
		if want = `the field "custom": ` + want; err == nil || err.Error() != want {
			t.Errorf("%.40s: %v, want %s", given, err, want)
		}
	}
}
