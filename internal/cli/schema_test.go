package cli

import (
	"bytes"
	"strings"
	"testing"
)

func TestSchema_PrintsCostsAndTheSubgraph(t *testing.T) {
	for _, c := range []struct {
		args     []string
		code     int
		has, not string
	}{
		{nil, 0, `@cost(weight: 10)`, `@key`},
		{[]string{"--federation"}, 0, `type User implements Node @key(fields: "id") @key(fields: "databaseId")`, "\n  node("},
		{[]string{"--federation", "--federation-node"}, 0, "\n  node(", `_entities`},
		{[]string{"--federation", "--federation-omit=User.name,User.avatarUrl"}, 0, "\n  handle: String! @shareable", "avatarUrl: URL @shareable"},
		{[]string{"--federation", "--federation-omit=User.x"}, 2, `--federation-omit: "User.x" is not a field`, "type User"},
		{[]string{"--federation-omit=User.name"}, 2, "need --federation", "type User"},
	} {
		var out bytes.Buffer
		code := Run(t.Context(), append([]string{"schema"}, c.args...), &out, &out)
		if text := out.String(); code != c.code || !strings.Contains(text, c.has) || strings.Contains(text, c.not) {
			t.Errorf("schema %v ends with %d, want %d, with %q and without %q:\n%.3000s", c.args, code, c.code, c.has, c.not, text)
		}
	}
}
