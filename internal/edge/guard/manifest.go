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

// Manifest has the documents that an operator trusts, by id. Load one with [ReadManifest].
type Manifest struct {
	byID   map[string]string
	hashes map[string]struct{}
}

// manifestMax is in bytes: ten thousand documents of several kilobytes.
const manifestMax = 64 << 20

// ReadManifest reads a JSON object of texts by id, or {"format": "apollo-persisted-query-manifest",
// "version": 1, "operations": [{"id": …, "body": …}, …]}. An id is any text, or the SHA-256 of the
// document in hexadecimal, with or without the prefix "sha256:".
//
// It fails if there are no documents, if an id is the hash of another text, or if a document does
// not parse, is invalid, or exceeds the limits with any variables. The error names the id.
func ReadManifest(from io.Reader, schema *ast.Schema, limits Limits) (Manifest, error) {
	entries, err := manifestEntries(io.LimitReader(from, manifestMax))
	if err != nil {
		return Manifest{}, err
	}
	if len(entries) == 0 {
		return Manifest{}, errors.New("the manifest has no documents")
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

// Len returns the number of ids.
func (m Manifest) Len() int { return len(m.byID) }

func (m Manifest) text(id string) (string, bool) {
	text, ok := m.byID[id]
	return text, ok
}

func (m Manifest) has(text string) bool {
	_, ok := m.hashes[hash(text)]
	return ok
}

func manifestEntries(from io.Reader) (map[string]string, error) {
	var fields map[string]json.RawMessage
	if err := json.NewDecoder(from).Decode(&fields); err != nil {
		return nil, fmt.Errorf("the manifest is not a JSON object: %w", err)
	}
	if _, isList := fields["operations"]; isList {
		return listedEntries(fields)
	}
	entries := make(map[string]string, len(fields))
	for id, raw := range fields {
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			return nil, fmt.Errorf("the document %.80q is not a string", id)
		}
		entries[id] = text
	}
	return entries, nil
}

func listedEntries(fields map[string]json.RawMessage) (map[string]string, error) {
	const format = "apollo-persisted-query-manifest"
	if string(fields["format"]) != `"`+format+`"` || string(fields["version"]) != "1" {
		return nil, fmt.Errorf("a list of operations must have the format %s, version 1", format)
	}
	var operations []struct{ ID, Body string }
	if err := json.Unmarshal(fields["operations"], &operations); err != nil {
		return nil, errors.New("each operation must have the strings id and body")
	}
	entries := make(map[string]string, len(operations))
	for _, op := range operations {
		entries[op.ID] = op.Body
	}
	return entries, nil
}

func checkTrusted(id, text string, schema *ast.Schema, limits Limits) error {
	if id == "" {
		return errors.New("the id is empty")
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

// smallest returns the variables with which an operation costs the least.
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
