package resolvers_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers"
)

// hostileWorld has a page of a hundred posts by ann, who sends the requests.
func hostileWorld(t *testing.T) *world {
	w := newWorld(t, func(d *resolvers.Deps) { d.Introspection = true })
	for id := range feed.PostID(100) {
		w.post(id+1, 1)
	}
	return w
}

// executions has, for each type, a document that runs a field as often as the limits allow: %s is
// replaced by the field under n aliases. The cost of the field limits n.
var executions = map[string]struct {
	document string
	n        int
}{
	"Query":          {`{%s }`, 30},
	"Mutation":       {`{%s }`, 30},
	"Viewer":         {`{ viewer {%s } }`, 190},
	"User":           {`{ nodes(ids: $nodes) { ... on User {%s } } }`, 13},
	"Post":           {`{ viewer { homeFeed(first: 100) { nodes {%s } } } }`, 14},
	"FeedConnection": {`{ viewer { homeFeed(first: 0) {%s } } }`, 90},
}

// argumentsHostile are requests that run each field with arguments as often as possible, with the
// longest values; and one request for each argument with a value that is too long.
func argumentsHostile() []hostile {
	schema := graph.LoadSchema()
	var rows []hostile
	tooLong := map[string]hostile{}
	for _, name := range slices.Sorted(maps.Keys(schema.Types)) {
		def := schema.Types[name]
		if def.Kind != ast.Object || strings.HasPrefix(name, "__") {
			continue
		}
		for _, f := range def.Fields {
			if len(f.Arguments) == 0 || strings.HasPrefix(f.Name, "__") {
				continue
			}
			rows = append(rows, mostOften(schema, name, f))
			for argument, h := range beyondBounds(schema, name, f) {
				tooLong[argument] = h
			}
		}
	}
	for _, argument := range slices.Sorted(maps.Keys(tooLong)) {
		rows = append(rows, tooLong[argument])
	}
	return rows
}

// mostOften runs a field as often as the limits allow.
func mostOften(schema *ast.Schema, owner string, f *ast.FieldDefinition) hostile {
	values := map[string]any{}
	for _, a := range f.Arguments {
		values[a.Name] = longest(schema, a.Name, a.Type)
	}
	if values["filter"] != nil { // which has the kinds
		delete(values, "kinds")
	}
	return hostile{
		name: fmt.Sprintf("at the limit: %s.%s with the longest arguments", owner, f.Name),
		body: fieldRequest(owner, f, values, executions[owner].n), code: anyOutcome,
	}
}

// beyondBounds are requests with one value that is too long, by the name of the argument.
func beyondBounds(schema *ast.Schema, owner string, f *ast.FieldDefinition) map[string]hostile {
	out := map[string]hostile{}
	add := func(name string, values map[string]any) {
		if _, given := values["since"]; strings.HasSuffix(f.Name, "Changes") && !given {
			values["since"] = "x"
		}
		code := string(cmp.Or(resolvers.Bounds(schema)[name].Code, feed.CodeBadInput))
		out[name] = hostile{
			name: fmt.Sprintf("an argument %s that is too long", name), body: fieldRequest(owner, f, values, 1), code: code,
		}
	}
	for _, a := range f.Arguments {
		if input := schema.Types[a.Type.Name()]; input.Kind == ast.InputObject {
			for _, field := range input.Fields {
				if value := longer(field.Name); value != nil {
					object := required(schema, input)
					object[field.Name] = value
					add(field.Name, map[string]any{a.Name: object})
				}
			}
			continue
		}
		if value := longer(a.Name); value != nil {
			values := map[string]any{a.Name: value}
			if f.Name == "users" {
				values["query"] = value
			}
			add(a.Name, values)
		}
	}
	return out
}

// required returns an input object with short values in the fields that must have one.
func required(schema *ast.Schema, input *ast.Definition) map[string]any {
	object := map[string]any{}
	for _, field := range input.Fields {
		if field.Type.NonNull {
			object[field.Name] = "x"
			if schema.Types[field.Type.Name()].Name == "DateTime" {
				object[field.Name] = "2026-05-04T12:30:00Z"
			}
		}
	}
	return object
}

// fieldRequest selects a field under n aliases, with its arguments in variables.
func fieldRequest(owner string, f *ast.FieldDefinition, values map[string]any, n int) string {
	declared, given := []string{}, []string{}
	variables := map[string]any{}
	for _, a := range f.Arguments {
		if value, ok := values[a.Name]; ok {
			declared, given = append(declared, "$"+a.Name+": "+a.Type.String()), append(given, a.Name+": $"+a.Name)
			variables[a.Name] = value
		}
	}
	if owner == "User" {
		declared = append(declared, "$nodes: [ID!]!")
		variables["nodes"] = slices.Repeat([]string{userID(1)}, 100)
	}
	selected := ` { __typename }`
	if f.Type.Name() == "Int" {
		selected = ""
	}
	fields := each(n, func(i int) string {
		return fmt.Sprintf(` f%d: %s(%s)%s`, i, f.Name, strings.Join(given, ", "), selected)
	})
	kind := "query"
	if owner == "Mutation" {
		kind = "mutation"
	}
	return request(kind+`(`+strings.Join(declared, ", ")+`) `+fmt.Sprintf(executions[owner].document, fields), variables)
}

// longest returns the longest value that an argument may have.
func longest(schema *ast.Schema, name string, typ *ast.Type) any {
	bound := resolvers.Bounds(graph.LoadSchema())[name]
	def := schema.Types[typ.Name()]
	switch {
	case def.Kind == ast.InputObject:
		object := map[string]any{}
		for _, field := range def.Fields {
			object[field.Name] = longest(schema, field.Name, field.Type)
		}
		return object
	case name == "media": // as many as fit into a body, with a text
		return slices.Repeat([]string{strings.Repeat("x", bound.Bytes)}, 10)
	case name == "languages":
		return slices.Repeat([]string{"en" + strings.Repeat("-x", 16)}, bound.Items)
	case def.Kind == ast.Enum:
		values := make([]string, len(def.EnumValues))
		for i, value := range def.EnumValues {
			values[i] = value.Name
		}
		return values
	case typ.Elem != nil:
		return slices.Repeat([]string{strings.Repeat("x", cmp.Or(bound.Bytes, 192))}, bound.Items)
	case def.Name == "DateTime":
		return "2026-05-04T12:30:00.250000000+00:00"
	case def.Name == "Int":
		return 0
	case def.Name == "Boolean":
		return true
	}
	return strings.Repeat("x", bound.Bytes)
}

// longer returns a value of about 200 KB; nil for an argument without a length.
func longer(name string) any {
	bound, ok := resolvers.Bounds(graph.LoadSchema())[name]
	switch {
	case !ok:
		return nil
	case name == "kinds":
		return slices.Repeat([]string{"POST"}, 25_000)
	case bound.Items > 0:
		return slices.Repeat([]string{"x"}, 50_000)
	case name == "publishedAt", name == "scheduledAt":
		return "2026-05-04T12:30:00." + strings.Repeat("0", 200_000) + "Z"
	}
	return strings.Repeat("x", 200_000)
}
