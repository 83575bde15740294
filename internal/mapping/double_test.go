package mapping_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
