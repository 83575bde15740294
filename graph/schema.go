package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// LoadSchema parses the schema, or panics. It removes @defer, which the parser adds: no transport
// sends a result in parts, so validation refuses it.
func LoadSchema() *ast.Schema {
	schema := gqlparser.MustLoadSchema(sources...)
	delete(schema.Directives, "defer")
	return schema
}

// SDL returns the schema definition with all descriptions, sorted by name as client tools do.
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

func sortDefinition(d *ast.Definition) {
	slices.Sort(d.Interfaces)
	slices.Sort(d.Types)
	slices.SortFunc(d.Fields, func(a, b *ast.FieldDefinition) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(d.EnumValues, func(a, b *ast.EnumValueDefinition) int { return strings.Compare(a.Name, b.Name) })
	for _, f := range d.Fields {
		slices.SortFunc(f.Arguments, func(a, b *ast.ArgumentDefinition) int { return strings.Compare(a.Name, b.Name) })
	}
}
