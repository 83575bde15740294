package mapping_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/mapping"
)

func templateOf(t *testing.T, text string) *mapping.Template {
	t.Helper()
	parts := []mapping.Part{{Name: "all.of", Required: true, Variables: []mapping.Variable{{Name: "data"}, {Name: "time", Type: mapping.Time}}}}
	templates, err := mapping.ParseTemplates([]byte("all: {of: "+text+"}"), parts)
	check(t, err)
	return templates["all.of"]
}

func TestTemplate_FillsInValues(t *testing.T) {
	for text, want := range map[string]string{
		`{a: =data.n, b: [=data.s, 2, x, true, null], c: =data.none, d: null}`: `{"a":9223372036854775807,"b":["text",2,"x",true,null]}`,
		`=data`:              `{"big":18446744073709551615,"list":[1.5],"n":9223372036854775807,"none":null,"s":"text"}`,
		`=time`:              `"2026-05-01T12:00:00Z"`,
		`"=data.s + \"!\""`:  `"text!"`,
		`=data.list`:         `[1.5]`,
		`=data.s == "other"`: `false`,
	} {
		v, err := mapping.Value([]byte(`{"n":9223372036854775807,"s":"text","none":null,"list":[1.5],"big":18446744073709551615}`))
		check(t, err)
		got, err := templateOf(t, text).Value(map[string]any{"data": v, "time": time.Date(2026, 5, 1, 14, 0, 0, 0, time.FixedZone("", 7200))})
		check(t, err)
		if out, err := json.Marshal(got); err != nil || string(out) != want {
			t.Errorf("%s is %s, %v, want %s", text, out, err, want)
		}
	}
}

func TestTemplate_FailuresNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"\n  {a: =data.none}":    "line 2: no such key: none",
		`'=[1, {"a": data.n}]'`:  "line 1: no such key: n",
		`{a: ['={1: 2}']}`:       "line 1: a member of an object has a name of type int",
		`=duration("1s")`:        "line 1: a value of type google.protobuf.Duration has no JSON",
		`=b"bytes"`:              "line 1: a value of type bytes has no JSON",
		`{a: 1, b: '=data[-1]'}`: "line 1: ",
	} {
		if _, err := templateOf(t, text).Value(map[string]any{"data": map[string]any{}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is %v, want %q", text, err, want)
		}
	}
}

// JSON has no such numbers. A record with one of them would be a dead letter.
func TestTemplate_WritesNumbersWithoutJSONAsText(t *testing.T) {
	data := map[string]any{"list": []any{math.NaN(), math.Inf(1), math.Inf(-1), 1.5}}
	got, err := templateOf(t, `{all: =data.list, one: "=data.list[0]", made: =1.0 / 0.0}`).Value(map[string]any{"data": data})
	check(t, err)
	want := map[string]any{"all": []any{"NaN", "Infinity", "-Infinity", 1.5}, "one": "NaN", "made": "Infinity"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the values differ (-want +got):\n%s", diff)
	}
}

func TestEval_WritesNumbersWithoutJSONAsText(t *testing.T) {
	m := parse(t, `inputs: {a: [{type: post, fields: {id: x, tags: '={"score": data.n, "all": [data.n]}'}}]}`)
	got, _, err := m.Inputs[0].Rules[0].Fields[1].Eval(map[string]any{"data": map[string]any{"n": math.Inf(-1)}})
	if want := `{"all":["-Infinity"],"score":"-Infinity"}`; err != nil || got.Text != want {
		t.Errorf("the field is %s, %v, want %s", got.Text, err, want)
	}
}
