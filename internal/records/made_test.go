package records_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/records"
)

// textIDs is set where ids are texts; it is never asked.
type textIDs struct{ feed.IDMap }

// A record that is made of its values is the one in its line, or bad for the same reason.
func TestMake_EqualsDecodingOfLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade().Draw(t, "record")
		format := records.Format{}
		if rapid.Bool().Draw(t, "text ids") {
			format.IDs = textIDs{}
		}
		made, decoded := format.Make(m), format.DecodeLine(0, m.Line())
		if diff := cmp.Diff(decoded.Record, made.Record, cmpopts.IgnoreFields(feed.Record{}, "Text"), cmpopts.EquateEmpty()); diff != "" && decoded.Bad == "" {
			t.Errorf("%s: (-decoded +made)\n%s", m.Line(), diff)
		}
		if decoded.Bad != made.Bad {
			t.Errorf("%s is bad because %q, and made because %q", m.Line(), decoded.Bad, made.Bad)
		}
		if text := made.Record.LineText(); string(text) != string(m.Line()) || made.Bad != "" && string(made.Text) != string(text) {
			t.Errorf("the text of %s is %s, and of the line %s", m.Line(), text, made.Text)
		}
	})
}

// anyMade are records with fields of their type, most of which fit. Some have others, or one twice.
func anyMade() *rapid.Generator[records.Made] {
	types := append(feed.OwnedTypes(), feed.RecordSeen, feed.RecordCounters, "other")
	return rapid.Custom(func(t *rapid.T) records.Made {
		m := records.Made{Type: string(rapid.SampledFrom(types).Draw(t, "type"))}
		names, _ := records.Fields(m.Type)
		for _, name := range rapid.SliceOfDistinct(rapid.SampledFrom(append(names, "Id", "other")), rapid.ID[string]).Draw(t, "names") {
			m.Members = append(m.Members, anyMember(name).Draw(t, name))
		}
		return m
	})
}

func anyMember(name string) *rapid.Generator[records.Member] {
	fitting := map[string][]string{
		"kind": {"POST", "COMMENT", "post"}, "partial": {"true", "false", "yes"}, "absent": {"true", "false"},
	}
	return rapid.Custom(func(t *rapid.T) records.Member {
		m := records.Member{Name: name}
		if rapid.IntRange(0, 3).Draw(t, "as JSON") == 0 {
			m.JSON = true
			value := rapid.SampledFrom([]any{
				nil, true, false, 7, -1, 1.5, "7", "", "a\"b<\\\u2028é", []any{}, []any{"a.png", "b"}, []any{1}, map[string]any{"a": "<b>", "c": 1},
			}).Draw(t, "value")
			text, _ := json.Marshal(value)
			m.Text = string(text)
			return m
		}
		texts := append([]string{"7", "0", "-1", "", "9223372036854775808", "2026-01-31T12:00:00.123Z", "1970-01-01T00:00:00.000Z", "2026", "{}", "null"}, fitting[name]...)
		m.Text = rapid.OneOf(rapid.SampledFrom(texts), rapid.StringN(0, 20, -1)).Draw(t, "text")
		return m
	})
}
