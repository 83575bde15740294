package mapping_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/internal/mapping"
)

// A field that is a member as it is skips the evaluation, and has the same value.
func TestEval_PlainMemberEqualsExpression(t *testing.T) {
	o := options()
	o.Variables = []mapping.Variable{{Name: "row", Type: mapping.Members}}
	m, err := mapping.Parse([]byte(`inputs: {a: [{type: post, fields: {text: =row.x, id: '=row["x"]'}}]}`), o)
	if err != nil {
		t.Fatal(err)
	}
	fields := m.Inputs[0].Rules[0].Fields
	values := rapid.OneOf(
		rapid.Just[any](nil), rapid.Just[any](true), rapid.Just[any]("\xff\xfea<b>"),
		rapid.Int64().AsAny(), rapid.String().AsAny(), rapid.Uint64().AsAny(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return string(b) }),
		rapid.Map(rapid.Int64Range(0, 4e12), func(ms int64) any { return time.UnixMilli(ms).UTC() }),
	)
	rapid.Check(t, func(t *rapid.T) {
		variables := map[string]any{"row": map[string]any{"x": values.Draw(t, "value")}}
		plain, has, err := fields[0].Eval(variables)
		evaluated, hasToo, errToo := fields[1].Eval(variables)
		if plain != evaluated || has != hasToo || err != nil || errToo != nil {
			t.Errorf("the member is %+v (%t, %v), and evaluated %+v (%t, %v)", plain, has, err, evaluated, hasToo, errToo)
		}
	})
}
