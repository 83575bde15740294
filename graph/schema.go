package graph

import (
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// LoadSchema parses the schema. It leaves out @defer, which the parser's prelude
// adds: no transport here can deliver a result in parts, so validation refuses a
// query that asks for one instead of losing data. The schema is part of the program,
// so one that does not parse is a panic.
func LoadSchema() *ast.Schema {
	schema := gqlparser.MustLoadSchema(sources...)
	delete(schema.Directives, "defer")
	return schema
}

// SDL returns the schema's text as written: every definition with its description.
func SDL() string {
	parts := make([]string, 0, len(sources))
	for _, s := range sources {
		if !s.BuiltIn {
			parts = append(parts, s.Input)
		}
	}
	return strings.Join(parts, "\n")
}
