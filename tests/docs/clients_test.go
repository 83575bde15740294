package docs

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// relayDirectives has the Relay directives that docs/clients.md uses.
const relayDirectives = `
directive @connection(key: String!, filters: [String!]) on FIELD
directive @refetchable(queryName: String!) on FRAGMENT_DEFINITION
directive @argumentDefinitions(first: RelayArgument, after: RelayArgument) on FRAGMENT_DEFINITION
directive @arguments(first: Int) on FRAGMENT_SPREAD
directive @prependEdge(connections: [ID!]!) on FIELD
directive @deleteEdge(connections: [ID!]!) on FIELD
input RelayArgument { type: String! }
`

func TestClientsGuide_DocumentsFitSchema(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: graph.SDL()}, &ast.Source{Input: relayDirectives})
	// Relay resolves this field itself.
	connection := schema.Types["FeedConnection"]
	connection.Fields = append(connection.Fields, &ast.FieldDefinition{Name: "__id", Type: ast.NonNullNamedType("ID", nil)})
	// Relay fragments define their own variables.
	checked := rules.NewDefaultRules()
	checked.RemoveRule("NoUndefinedVariables")
	for _, text := range harness.CodeBlocks(t, harness.Doc(t, "docs/clients.md"), "graphql") {
		document, err := parser.ParseQuery(&ast.Source{Input: text})
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if errs := validator.ValidateWithRules(schema, document, checked); len(errs) > 0 {
			t.Errorf("%v\n%s", errs, text)
		}
	}
}

func TestClientsGuide_ConfigurationsAreJSON(t *testing.T) {
	for _, text := range harness.CodeBlocks(t, harness.Doc(t, "docs/clients.md"), "json") {
		if !json.Valid([]byte(text)) {
			t.Errorf("no JSON:\n%s", text)
		}
	}
}

// The code of the guide is what tests/clients runs and the examples of clients/go have, without its
// indentation.
func TestClientsGuide_ShowsTestedCode(t *testing.T) {
	unindented := func(text string) string { return regexp.MustCompile(`(?m)^[ \t]+`).ReplaceAllString(text, "") }
	for file, c := range map[string]struct {
		language string
		examples int
	}{
		"tests/clients/changes.test.mjs": {"js", 6},
		"clients/go/example_test.go":     {"go", 2},
	} {
		tested := harness.Doc(t, file)
		blocks := harness.CodeBlocks(t, harness.Doc(t, "docs/clients.md"), c.language)
		for _, text := range blocks {
			if !strings.Contains(unindented(tested), unindented(text)) {
				t.Errorf("%s does not have\n%s", file, text)
			}
		}
		if len(blocks) != c.examples {
			t.Errorf("the guide has %d examples in %s, want %d", len(blocks), c.language, c.examples)
		}
	}
}
