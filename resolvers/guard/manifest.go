package guard

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// Manifest is the documents that an operator trusts, by their ids. The zero value has
// none. Make one with [ReadManifest].
type Manifest struct {
	byID   map[string]string
	hashes map[string]struct{}
}

// manifestMax is the number of bytes a manifest may have: ten thousand documents of some
// kilobytes.
const manifestMax = 64 << 20

// ReadManifest reads a manifest, in one of the two forms that clients' tools write: a
// JSON object of texts by their ids, or {"format": "apollo-persisted-query-manifest",
// "version": 1, "operations": [{"id": …, "body": …}, …]}. An id is the SHA-256 of its
// text in hexadecimal, with or without "sha256:" before it, or any other text.
//
// A manifest that cannot be read is an error, and so are one without documents, a hash
// that is not that of its text, and a document that does not parse, is not valid by the
// schema, or goes beyond limits whatever its variables are. The error names the id.
func ReadManifest(from io.Reader, schema *ast.Schema, limits Limits) (Manifest, error) {
	entries, err := manifestEntries(io.LimitReader(from, manifestMax))
	if err != nil {
		return Manifest{}, err
	}
	if len(entries) == 0 {
		return Manifest{}, errors.New("it has no documents")
	}
	m := Manifest{byID: make(map[string]string, len(entries)), hashes: make(map[string]struct{}, len(entries))}
	for id, text := range entries {
		if err := checkTrusted(id, text, schema, limits); err != nil {
			return Manifest{}, fmt.Errorf("the document %.80q: %w", id, err)
		}
		m.byID[bareID(id)] = text
		m.hashes[hash(text)] = struct{}{}
	}
	return m, nil
}

// Len returns how many ids there are.
func (m Manifest) Len() int { return len(m.byID) }

// text returns the text with an id that bareID returned.
func (m Manifest) text(id string) (string, bool) {
	text, ok := m.byID[id]
	return text, ok
}

// has says whether a text is that of one of the documents.
func (m Manifest) has(text string) bool {
	_, ok := m.hashes[hash(text)]
	return ok
}

// manifestEntries returns the texts of a manifest by their ids.
func manifestEntries(from io.Reader) (map[string]string, error) {
	var fields map[string]json.RawMessage
	if err := json.NewDecoder(from).Decode(&fields); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	if _, listed := fields["operations"]; listed {
		return listedEntries(fields)
	}
	entries := make(map[string]string, len(fields))
	for id, raw := range fields {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, fmt.Errorf("the document %.80q is no text", id)
		}
		entries[id] = text
	}
	return entries, nil
}

// listedEntries reads the form that lists operations.
func listedEntries(fields map[string]json.RawMessage) (map[string]string, error) {
	const format = "apollo-persisted-query-manifest"
	if string(fields["format"]) != `"`+format+`"` || string(fields["version"]) != "1" {
		return nil, fmt.Errorf("a list of operations is of the format %s, version 1", format)
	}
	var operations []struct{ ID, Body string }
	if err := json.Unmarshal(fields["operations"], &operations); err != nil {
		return nil, errors.New("each of the operations has the texts id and body")
	}
	entries := make(map[string]string, len(operations))
	for _, op := range operations {
		entries[op.ID] = op.Body
	}
	return entries, nil
}

// checkTrusted returns what is wrong with a document.
func checkTrusted(id, text string, schema *ast.Schema, limits Limits) error {
	if id == "" {
		return errors.New("an id is not empty")
	}
	if bare := bareID(id); (bare != id || isHash(bare)) && bare != hash(text) {
		return fmt.Errorf("its id is not the hash of its text, %s", hash(text))
	}
	if len(text) > limits.Bytes {
		return fmt.Errorf("it has %d bytes; at most %d are allowed", len(text), limits.Bytes)
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, limits.Tokens)
	if err != nil {
		return err
	}
	if len(doc.Operations) == 0 {
		return errors.New("it has no operation")
	}
	for _, op := range doc.Operations {
		if refused := limits.check(measure(schema, doc, op.Name, smallest(op))); refused != nil {
			return refused
		}
	}
	if errs := validator.ValidateWithRules(schema, doc, nil); len(errs) > 0 {
		return errors.New(strings.TrimSpace(errs.Error()))
	}
	return nil
}

// smallest returns variables that ask for nothing: what a document costs at least.
func smallest(op *ast.OperationDefinition) map[string]any {
	variables := make(map[string]any, len(op.VariableDefinitions))
	for _, v := range op.VariableDefinitions {
		if v.Type.Elem != nil {
			variables[v.Variable] = []any{}
		} else {
			variables[v.Variable] = json.Number("0")
		}
	}
	return variables
}
