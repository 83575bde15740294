package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
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

// SDL returns the schema in the schema definition language: every definition with its
// description, and types, fields, arguments and values by name, as tools for clients
// sort them. So a change of the schema shows as what it is, and not as a move.
func SDL() string {
	schema := LoadSchema()
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		definition := schema.Types[name]
		if definition.BuiltIn {
			continue
		}
		sortDefinition(definition)
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		formatter.NewFormatter(&out, formatter.WithIndent("  ")).
			FormatSchemaDocument(&ast.SchemaDocument{Definitions: ast.DefinitionList{definition}})
	}
	return out.String()
}

// sortDefinition puts what a definition consists of in alphabetical order.
func sortDefinition(d *ast.Definition) {
	slices.Sort(d.Interfaces)
	slices.Sort(d.Types)
	slices.SortFunc(d.Fields, func(a, b *ast.FieldDefinition) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(d.EnumValues, func(a, b *ast.EnumValueDefinition) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range d.Fields {
		slices.SortFunc(f.Arguments, func(a, b *ast.ArgumentDefinition) int { return strings.Compare(a.Name, b.Name) })
	}
}
