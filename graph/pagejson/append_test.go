package pagejson

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"pgregory.net/rapid"
)

func TestAppendString_WritesAsExecutor(t *testing.T) {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		`"`, `\`, "\n", "\t", "\r", "\x00", "\x1f", " ", "\x7f", "\x80", "\xff", "é", "\u2028", "<&>", "12345678", "123456789",
	}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "text"), "")
		var want strings.Builder
		graphql.MarshalString(text).MarshalGQL(&want)
		if got := string(appendString([]byte("before"), text)); got != "before"+want.String() {
			t.Fatalf("%q is written as %s, want %s", text, got, want.String())
		}
	})
}
