package graph

import (
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

// federationSource is the part of the schema that only routers of a federation call.
const federationSource = "schema/federation.graphqls"

// LoadSchema parses the public schema, to which the parser adds @defer, or panics.
func LoadSchema() *ast.Schema {
	return gqlparser.MustLoadSchema(slices.DeleteFunc(slices.Clone(sources), func(s *ast.Source) bool { return s.Name == federationSource })...)
}

// LoadSubgraph parses the public schema with the fields that a router of a federation calls.
func LoadSubgraph() *ast.Schema { return gqlparser.MustLoadSchema(sources...) }

// SDL returns the public schema definition with all descriptions.
func SDL() string { return Print(LoadSchema()) }

// Print returns the types of a schema with all descriptions, sorted by name as client tools do. It
// sorts the schema itself.
func Print(schema *ast.Schema) string {
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
