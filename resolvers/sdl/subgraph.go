package sdl

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
)

// Subgraph configures the schema definition for routers.
type Subgraph struct {
	// Omit are the fields to leave out, such as User.name, which another subgraph has.
	Omit []string
	// Node keeps the fields node and nodes of Query, which only know the objects of this subgraph.
	Node bool
}

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable", "@cost", "@listSize"])

`

// keys returns the fields by which other subgraphs refer to an entity.
func keys() []string { return []string{"id", "databaseId"} }

// shareable returns the fields that other subgraphs may have as well; all fields of a type if none
// is listed.
func shareable() map[string][]string {
	return map[string][]string{
		"PageInfo": nil, "UserCounters": nil, "PostCounters": nil,
		"User": {"handle", "name", "avatarUrl", "createdAt", "counters"},
		"Post": {"counters"},
	}
}

// Schema returns the schema definition. The error is BAD_USER_INPUT if a field cannot be left out.
func (s Subgraph) Schema() (string, error) {
	entities := graph.LoadSubgraph().Types["_Entity"].Types
	schema := graph.LoadSchema()
	for _, name := range s.omitted() {
		if err := omitField(schema, entities, name); err != nil {
			return "", err
		}
	}
	addCosts(schema)
	for _, name := range entities {
		d := schema.Types[name]
		for _, key := range keys() {
			d.Directives = append(d.Directives, directive("key", argument("fields", text(key))))
		}
	}
	for name, fields := range shareable() {
		share(schema.Types[name], fields)
	}
	return link + graph.Print(schema), nil
}

func (s Subgraph) omitted() []string {
	names := slices.Clone(s.Omit)
	if !s.Node {
		names = append(names, "Query.node", "Query.nodes")
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func share(d *ast.Definition, fields []string) {
	if len(fields) == 0 {
		d.Directives = append(d.Directives, directive("shareable"))
	}
	for _, name := range fields {
		if f := d.Fields.ForName(name); f != nil {
			f.Directives = append(f.Directives, directive("shareable"))
		}
	}
}

// omitField removes a field, such as User.name.
func omitField(schema *ast.Schema, entities []string, name string) error {
	typ, field, _ := strings.Cut(name, ".")
	d := schema.Types[typ]
	switch {
	case d == nil || d.Kind != ast.Object || d.BuiltIn || strings.HasPrefix(field, "__") || d.Fields.ForName(field) == nil:
		return feed.Errorf(feed.CodeBadInput, "%.80q is not a field of an object type, such as User.name", name)
	case slices.Contains(entities, typ) && slices.Contains(keys(), field):
		return feed.Errorf(feed.CodeBadInput, "%s is a key of %s", name, typ)
	}
	d.Fields = slices.DeleteFunc(d.Fields, func(f *ast.FieldDefinition) bool { return f.Name == field })
	if !slices.ContainsFunc(d.Fields, isVisible) {
		return feed.Errorf(feed.CodeBadInput, "%s is the last field of %s", name, typ)
	}
	return nil
}
