package sqlstore_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestTable_PassesRowsInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		// Values that JSON, SQL or the text of an array must escape.
		awkward := []sqlstore.Row{
			{Number: math.MaxInt64, Text: `"quoted" \back\ 'single' {brace}, NULL`},
			{Number: math.MinInt64, Text: "<b>&amp;</b>\u2028\u2029\t\r\n\x01\x7f"},
			{Number: 1<<53 + 1, Text: ""},
			{Number: 0, Text: "🌊 ﷽ é e\u0301 \ufffd \ufeff"},
		}
		sameRows(t, s, awkward)
		text := rapid.String().Filter(func(s string) bool { return !strings.ContainsRune(s, 0) })
		row := rapid.Custom(func(t *rapid.T) sqlstore.Row {
			return sqlstore.Row{Number: rapid.Int64().Draw(t, "number"), Text: text.Draw(t, "text")}
		})
		rapid.Check(t, func(rt *rapid.T) { sameRows(rt, s, rapid.SliceOfN(row, 1, 20).Draw(rt, "rows")) })
	})
}

// attempt is a test, or one run of a property.
type attempt interface {
	rapid.TB
	Context() context.Context
}

func sameRows(t attempt, s *sqlstore.Store, rows []sqlstore.Row) {
	t.Helper()
	back, err := s.Echo(t.Context(), rows)
	must(t, err)
	if diff := cmp.Diff(rows, back); diff != "" {
		t.Fatalf("the rows (-want +got):\n%s", diff)
	}
}
