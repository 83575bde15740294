package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// clientManifest lists the documents of the TypeScript client.
const clientManifest = "clients/typescript/src/generated/persisted-documents.json"

// A server that trusts only the manifest of the TypeScript client runs all of its documents by
// their ids.
func TestTrusted_EveryManifestDocumentRuns(t *testing.T) {
	t.Parallel()
	s := startServer(t, "TIDELINE_DATA_DIR="+t.TempDir(), "TIDELINE_JWT_SECRET="+harness.Secret,
		"TIDELINE_TRUSTED_DOCUMENTS="+clientManifest, "TIDELINE_TRUSTED_ONLY=true")
	schema, token := graph.LoadSchema(), "Authorization: Bearer "+harness.TokenFor(t, 10)
	documents := clientDocuments(t)
	if len(documents) < 30 {
		t.Errorf("the manifest has %d documents only", len(documents))
	}
	homeToken, liveToken := s.syncToken(t, documents, token, "HomeFeed"), s.syncToken(t, documents, token, "LiveFeed")
	for id, text := range documents {
		op := operationOf(t, text)
		variables := someVariables(schema, op)
		if _, ok := variables["since"]; ok {
			variables["since"] = homeToken
			if strings.HasPrefix(strings.ToLower(op.Name), "live") {
				variables["since"] = liveToken
			}
		}
		body, err := json.Marshal(map[string]any{"documentId": id, "variables": variables})
		if err != nil {
			t.Fatal(err)
		}
		got := s.send(t, http.MethodPost, "/graphql", string(body), token)
		if op.Operation == ast.Subscription {
			if got.StatusCode != http.StatusNotAcceptable {
				t.Errorf("%s, not requested as a stream, returns %d %s", op.Name, got.StatusCode, got.body)
			}
		} else if got.StatusCode != http.StatusOK || len(got.codes(t)) > 0 {
			t.Errorf("%s returns %d %s", op.Name, got.StatusCode, got.body)
		}
		if got := s.send(t, http.MethodPost, "/graphql", `{"query":"{ __typename }"}`, token); !slices.Equal(got.codes(t), []string{"FORBIDDEN"}) {
			t.Fatalf("the response to another document is %s", got.body)
		}
	}
}

// syncToken returns the sync token of a first page, which a document of the manifest with a name
// reads.
func (s *server) syncToken(t *testing.T, documents map[string]string, token, name string) string {
	t.Helper()
	for id, text := range documents {
		if operationOf(t, text).Name != name {
			continue
		}
		got := s.send(t, http.MethodPost, "/graphql", `{"documentId":"`+id+`","variables":{"first":1}}`, token)
		var page struct {
			Data struct {
				Viewer map[string]struct{ SyncToken string }
			}
		}
		if err := json.Unmarshal([]byte(got.body), &page); err != nil {
			t.Fatalf("a first page is %s (error %v)", got.body, err)
		}
		for _, list := range page.Data.Viewer {
			if list.SyncToken != "" {
				return list.SyncToken
			}
		}
		t.Fatalf("a first page has no sync token: %s", got.body)
	}
	t.Fatalf("the manifest has no document %s", name)
	return ""
}

// clientDocuments returns the texts of the manifest by id.
func clientDocuments(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(clientManifest)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var documents map[string]string
	if err := json.NewDecoder(file).Decode(&documents); err != nil {
		t.Fatal(err)
	}
	return documents
}

// operationOf returns the only operation of a document.
func operationOf(t *testing.T, text string) *ast.OperationDefinition {
	t.Helper()
	document, err := parser.ParseQuery(&ast.Source{Input: text})
	if err != nil {
		t.Fatal(err)
	}
	if len(document.Operations) != 1 {
		t.Fatalf("a document has %d operations", len(document.Operations))
	}
	return document.Operations[0]
}

// someVariables returns the required variables of an operation.
func someVariables(schema *ast.Schema, op *ast.OperationDefinition) map[string]any {
	variables := map[string]any{}
	for _, v := range op.VariableDefinitions {
		switch {
		case v.Type.NonNull:
			variables[v.Variable] = someValue(schema, v.Type)
		}
	}
	return variables
}

// someValue returns a value of a type that names no existing object.
func someValue(schema *ast.Schema, typ *ast.Type) any {
	definition := schema.Types[typ.Name()]
	switch {
	case typ.Elem != nil:
		return []any{}
	case definition.Kind == ast.Enum:
		return definition.EnumValues[0].Name
	case definition.Name == "Int":
		return 3
	case definition.Name == "DateTime":
		return "9999-01-01T00:00:00Z"
	case definition.Kind != ast.InputObject:
		return "x"
	}
	fields := map[string]any{}
	for _, f := range definition.Fields {
		if f.Type.NonNull {
			fields[f.Name] = someValue(schema, f.Type)
		}
	}
	return fields
}
