package main

import (
	_ "embed"
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

//go:embed encoders.gotpl
var encodersTemplate string

// encoders is the plugin that writes the generated part of package graph/pagejson.
type encoders struct{}

// Name names the plugin to the generator.
func (encoders) Name() string { return "encoders" }

// GenerateCode writes the encoders of pages, and of all objects that pages reach by fields without
// arguments. A field with arguments, or of an interface, has no encoder; the
// executor writes pages that select one.
func (encoders) GenerateCode(data *codegen.Data) error {
	cfg := data.Config
	return templates.Render(templates.Options{
		PackageName:     "pagejson",
		Template:        encodersTemplate,
		Filename:        filepath.Join(cfg.Exec.Dir(), "pagejson", "encoders_generated.go"),
		GeneratedHeader: true,
		Data:            &encoded{typesOf(data)},
		Packages:        cfg.Packages,
		Funcs:           template.FuncMap{"isPage": isPage},
	})
}

// encoded is what the template shows.
type encoded struct{ Objects []*object }

// Enums returns the enums of encoded fields, by name.
func (e *encoded) Enums() []*config.TypeReference {
	byName := map[string]*config.TypeReference{}
	for _, o := range e.Objects {
		for _, f := range o.Encoded {
			if ref := f.TypeReference; ref.HasEnumValues() {
				byName[ref.Definition.Name] = ref
			}
		}
	}
	var enums []*config.TypeReference
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		enums = append(enums, byName[name])
	}
	return enums
}

// object is a type with an encoder.
type object struct {
	*codegen.Object
	// HasResolver reports whether a field calls a resolver.
	HasResolver bool
	Encoded     []*field
}

// field is a field with an encoder.
type field struct {
	*codegen.Field
	// Code identifies the field in its type; 0 is __typename.
	Code int
}

// Below returns the name of the field's object type; empty for a scalar.
func (f *field) Below() string {
	if def := f.TypeReference.Definition; def.Kind == ast.Object {
		return def.Name
	}
	return ""
}

// IsPageList reports whether the field is a list of a page, which is a page on its own.
func (f *field) IsPageList() bool {
	return isPage(f.Object.Name) && f.TypeReference.IsSlice()
}

// typesOf returns the types that get encoders, by name.
func typesOf(data *codegen.Data) []*object {
	wanted := map[string]bool{}
	var reach func(name string)
	reach = func(name string) {
		if wanted[name] {
			return
		}
		wanted[name] = true
		for _, f := range data.Objects.ByName(name).Fields {
			if isEncoded(f) && f.TypeReference.Definition.Kind == ast.Object {
				reach(f.TypeReference.Definition.Name)
			}
		}
	}
	for _, o := range data.Objects {
		if isPage(o.Name) {
			reach(o.Name)
		}
	}
	var out []*object
	for _, o := range data.Objects {
		if wanted[o.Name] {
			out = append(out, newObject(o))
		}
	}
	slices.SortFunc(out, func(a, b *object) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func newObject(o *codegen.Object) *object {
	out := &object{Object: o}
	for _, f := range o.Fields {
		if isEncoded(f) {
			out.Encoded = append(out.Encoded, &field{Field: f, Code: len(out.Encoded) + 1})
			out.HasResolver = out.HasResolver || f.IsResolver
		}
	}
	return out
}

// isPage reports whether a type is a page: a connection, or changes of a feed.
func isPage(name string) bool {
	return strings.HasSuffix(name, "Connection") || strings.HasSuffix(name, "ChangePage")
}

// isEncoded reports whether a field has no arguments and, unless it has a resolver, cannot fail.
func isEncoded(f *codegen.Field) bool {
	kind := f.TypeReference.Definition.Kind
	switch {
	case len(f.Args) > 0, f.IsReserved(), f.IsMap(), f.HasDirectives():
		return false
	case kind != ast.Object && kind != ast.Scalar && kind != ast.Enum:
		return false
	case f.IsResolver:
		return true
	}
	return f.NoErr && !f.MethodHasContext && !f.VOkFunc || f.IsVariable()
}

// Value returns the Go expression of the field's value, or of its value and an error.
func (f *field) Value() string {
	switch {
	case f.IsResolver:
		return fmt.Sprintf("w.resolvers.%s.%s(w.ctx, obj)", f.Object.Name, f.GoFieldName)
	case f.IsVariable():
		return "obj." + f.GoFieldName
	}
	return "obj." + f.GoFieldName + "()"
}

// Write returns the statements that write the value v of the field.
func (f *field) Write() string { return write(f.TypeReference, "v") }

// write returns the statements that write the value of an expression.
func write(ref *config.TypeReference, expr string) string {
	_, isPointer := ref.GO.(*types.Pointer)
	isObject := ref.Definition.Kind == ast.Object
	switch {
	case ref.IsSlice():
		element := write(ref.Elem(), expr+"[i]")
		if isObject {
			element = "if w.mustStop() {\nreturn\n}\n" + element
		}
		return fmt.Sprintf("w.b = append(w.b, '[')\nfor i := range %[1]s {\nif i > 0 {\nw.b = append(w.b, ',')\n}\n%[2]s\n}\nw.b = append(w.b, ']')", expr, element)
	case isPointer && isObject:
		return ifPresent(ref, expr, fmt.Sprintf("w.write%s(f.below, %s)", ref.Definition.Name, expr))
	case isObject:
		return fmt.Sprintf("w.write%s(f.below, &%s)", ref.Definition.Name, expr)
	case isPointer:
		return ifPresent(ref, expr, value(ref.Elem(), "*"+expr))
	}
	return value(ref, expr)
}

// ifPresent returns statements that write a value that may be nil: null if the schema allows it,
// otherwise the page fails.
func ifPresent(ref *config.TypeReference, expr, statement string) string {
	absent := "w.b = append(w.b, `null`...)"
	if ref.GQL.NonNull {
		absent = "w.failed = true"
	}
	return fmt.Sprintf("if %s == nil {\n%s\n} else {\n%s\n}", expr, absent, statement)
}

// value returns the statement that writes a scalar or an enum. For a function MarshalX of gqlgen it
// calls appendX, and for one of package model, AppendX.
func value(ref *config.TypeReference, expr string) string {
	if ref.HasEnumValues() {
		return fmt.Sprintf("w.b = append%s(w.b, %s)", ref.Definition.Name, expr)
	}
	if ref.CastType != nil {
		expr = fmt.Sprintf("%s(%s)", templates.CurrentImports.LookupType(ref.CastType), expr)
	}
	name := strings.TrimPrefix(ref.Marshaler.Name(), "Marshal")
	call := "append" + name
	if path := ref.Marshaler.Pkg().Path(); path != "github.com/99designs/gqlgen/graphql" {
		call = templates.CurrentImports.Lookup(path) + ".Append" + name
	}
	return fmt.Sprintf("w.b = %s(w.b, %s)", call, expr)
}
