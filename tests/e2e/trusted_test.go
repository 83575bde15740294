//go:build nightly

package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/tideline-feeds/tideline/tests/harness"
)

// clientManifest lists the documents of the TypeScript client.
const clientManifest = "clients/typescript/src/generated/persisted-documents.json"

// A server that trusts only the manifest of the TypeScript client runs those of its documents by
// their ids that need no variables. It refuses a manifest with a document that it could not run.
func TestTrusted_ManifestDocumentsRun(t *testing.T) {
	t.Parallel()
	s := startServer(t, embedded(t, "TIDELINE_TRUSTED_DOCUMENTS="+clientManifest, "TIDELINE_TRUSTED_ONLY=true")...)
	var documents map[string]string
	harness.Check(t, json.Unmarshal([]byte(harness.Doc(t, clientManifest)), &documents))
	ran := 0
	for id, text := range documents {
		document, err := parser.ParseQuery(&ast.Source{Input: text})
		harness.Check(t, err)
		op := document.Operations[0]
		if op.Operation != ast.Query || slices.ContainsFunc(op.VariableDefinitions, func(v *ast.VariableDefinition) bool { return v.Type.NonNull }) {
			continue
		}
		ran++
		got := s.send(t, http.MethodPost, "/graphql", `{"documentId":"`+id+`"}`, as(harness.TokenFor(t, 10)))
		if got.StatusCode != http.StatusOK || len(got.codes(t)) > 0 || !strings.HasPrefix(got.body, `{"data":{`) {
			t.Errorf("%s returns %d %s", op.Name, got.StatusCode, got.body)
		}
	}
	if len(documents) < 30 || ran == 0 {
		t.Errorf("%d of %d documents ran", ran, len(documents))
	}
	if got := s.ask(t, `{ __typename }`, as(harness.TokenFor(t, 10))); !slices.Equal(got.codes(t), []string{"FORBIDDEN"}) {
		t.Errorf("the response to another document is %s", got.body)
	}
}
