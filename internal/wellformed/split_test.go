package wellformed_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/internal/wellformed"
)

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
