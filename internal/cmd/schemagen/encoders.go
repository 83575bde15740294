package main

import (
	_ "embed"
	"fmt"
	"go/types"
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

// encoders is the plugin that writes graph/encoders_generated.go.
type encoders struct{}

// Name names the plugin to the generator.
func (encoders) Name() string { return "encoders" }

// GenerateCode writes an encoder for every type that pages are made of: the connections,
// and all objects that are reached from them by fields without arguments. A field with
// arguments, or of an interface, has no encoder; pages on which one is selected are left to
// the executor.
func (encoders) GenerateCode(data *codegen.Data) error {
	cfg := data.Config
	return templates.Render(templates.Options{
		PackageName:     cfg.Exec.Package,
		Template:        encodersTemplate,
		Filename:        filepath.Join(cfg.Exec.Dir(), "encoders_generated.go"),
		GeneratedHeader: true,
		Data:            typesOf(data),
		Packages:        cfg.Packages,
		Funcs:           template.FuncMap{"isConnection": isConnection},
	})
}

// object is a type with an encoder.
type object struct {
	*codegen.Object
	// HasResolver says that some of its fields call a resolver.
	HasResolver bool
	Encoded     []*field
}

// field is a field with an encoder.
type field struct {
	*codegen.Field
	// Code tells it from the other fields of its type; 0 is __typename.
	Code int
}

// Below returns the name of the type whose fields are selected of the field; empty for a
// value.
func (f *field) Below() string {
	if def := f.TypeReference.Definition; def.Kind == ast.Object {
		return def.Name
	}
	return ""
}

// IsOwn says whether the field is a value that follows from the object alone. Two have a
// resolver only because what is a zero in the domain is null in the schema.
func (f *field) IsOwn() bool {
	switch f.Object.Name + "." + f.Name {
	case "Post.editedAt", "User.avatarUrl":
		return true
	}
	return !f.IsResolver && f.Below() == ""
}

// IsPageList says whether the field is the list of a connection, which may be encoded
// without it.
func (f *field) IsPageList() bool {
	return isConnection(f.Object.Name) && f.TypeReference.IsSlice()
}

// IsKept says whether what is written of such objects is kept: of contents and users it is,
// because caches share those, so that the same object is shown by many pages.
func (o *object) IsKept() bool { return o.Name == "Post" || o.Name == "User" }

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
		if isConnection(o.Name) {
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

func isConnection(name string) bool { return strings.HasSuffix(name, "Connection") }

// isEncoded says whether a field's value can be had without arguments and, unless from a
// resolver, without the chance of an error.
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
		return fmt.Sprintf("e.roots.%s.%s(e.ctx, obj)", f.Object.Name, f.GoFieldName)
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
			element = "if e.mustStop() {\nreturn\n}\n" + element
		}
		return fmt.Sprintf("e.b = append(e.b, '[')\nfor i := range %[1]s {\nif i > 0 {\ne.b = append(e.b, ',')\n}\n%[2]s\n}\ne.b = append(e.b, ']')", expr, element)
	case isPointer && isObject:
		return ifPresent(ref, expr, fmt.Sprintf("e.encode%s(f.below, %s)", ref.Definition.Name, expr))
	case isObject:
		return fmt.Sprintf("e.encode%s(f.below, &%s)", ref.Definition.Name, expr)
	case isPointer:
		return ifPresent(ref, expr, value(ref.Elem(), "*"+expr))
	}
	return value(ref, expr)
}

// ifPresent returns statements that write what may be nil: null where the schema allows
// that, and otherwise nothing at all.
func ifPresent(ref *config.TypeReference, expr, statement string) string {
	absent := "e.b = append(e.b, `null`...)"
	if ref.GQL.NonNull {
		absent = "e.failed = true"
	}
	return fmt.Sprintf("if %s == nil {\n%s\n} else {\n%s\n}", expr, absent, statement)
}

// value returns the statement that writes a scalar or an enum. Where gqlgen calls a
// function MarshalX, the encoder calls appendX.
func value(ref *config.TypeReference, expr string) string {
	if ref.HasEnumValues() {
		return fmt.Sprintf("e.b = appendString(e.b, %s[%s])", ref.EnumMarshalVar(false), expr)
	}
	if ref.CastType != nil {
		expr = fmt.Sprintf("%s(%s)", templates.CurrentImports.LookupType(ref.CastType), expr)
	}
	return fmt.Sprintf("e.b = append%s(e.b, %s)", strings.TrimPrefix(ref.Marshaler.Name(), "Marshal"), expr)
}
