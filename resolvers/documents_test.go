package resolvers_test

import (
	"fmt"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"pgregory.net/rapid"
)

// documents draws valid documents for a schema: fields with and without aliases, inline and named
// fragments on types and interfaces, __typename, repeated fields, @skip and @include, and @defer.
type documents struct {
	t      *rapid.T
	schema *ast.Schema
	// arguments are those of the fields that take any, by type and field.
	arguments map[string]string
	fragments []string
	// deferring draws @defer too, each with a label of its own or none.
	deferring bool
	labels    int
	// left is the number of fields that may still be drawn.
	left int
}

// draw returns a document that selects fields at paths, each a text with %s for the selection.
func (d *documents) draw(paths map[string]string) string {
	d.left = 60
	path := rapid.SampledFrom(sortedKeys(paths)).Draw(d.t, "path")
	body := fmt.Sprintf(path, d.set(paths[path], 5))
	// An unused variable is invalid.
	return "query($yes: Boolean!, $maybe: Boolean = true) { __typename @include(if: $yes) @skip(if: $maybe) " + body + " }\n" + strings.Join(d.fragments, "\n")
}

// variables draws values for the variables of a document.
func (d *documents) variables() map[string]any {
	variables := map[string]any{"yes": rapid.Bool().Draw(d.t, "yes")}
	if rapid.Bool().Draw(d.t, "given") {
		variables["maybe"] = rapid.Bool().Draw(d.t, "maybe")
	}
	return variables
}

// set draws a selection set of a type.
func (d *documents) set(typ string, depth int) string {
	parts := []string{d.field(typ, depth)}
	for range rapid.IntRange(0, 5).Draw(d.t, "more") {
		parts = append(parts, d.selection(typ, depth))
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

func (d *documents) selection(typ string, depth int) string {
	switch kind := rapid.IntRange(0, 9).Draw(d.t, "kind"); {
	case depth > 1 && kind == 0:
		return "... " + d.deferral() + d.directive() + d.set(typ, depth-1)
	case depth > 1 && kind == 1:
		on := d.condition(typ)
		return "... on " + on + " " + d.deferral() + d.directive() + d.set(on, depth-1)
	case depth > 1 && kind == 2:
		name, on := fmt.Sprintf("f%d", len(d.fragments)), d.condition(typ)
		d.fragments = append(d.fragments, "")
		at := len(d.fragments) - 1
		d.fragments[at] = "fragment " + name + " on " + on + " " + d.set(on, depth-1)
		return "..." + name + " " + d.deferral() + d.directive() + " ..." + name + " " + d.deferral()
	}
	return d.field(typ, depth)
}

// condition draws the type itself or one of its interfaces.
func (d *documents) condition(typ string) string {
	return rapid.SampledFrom(append([]string{typ}, d.schema.Types[typ].Interfaces...)).Draw(d.t, "on")
}

// field draws a field. Its alias identifies it, so that equal ones can be merged.
func (d *documents) field(typ string, depth int) string {
	d.left--
	fields := []string{"__typename"}
	for _, f := range d.schema.Types[typ].Fields {
		isLeaf := d.schema.Types[f.Type.Name()].IsLeafType()
		_, known := d.arguments[typ+"."+f.Name]
		if !strings.HasPrefix(f.Name, "__") && (isLeaf || depth > 1 && d.left > 0) && (len(f.Arguments) == 0 || known) {
			fields = append(fields, f.Name)
		}
	}
	name := rapid.SampledFrom(fields).Draw(d.t, "field")
	text := name
	if rapid.IntRange(0, 3).Draw(d.t, "alias") == 0 {
		text = "a_" + strings.Trim(name, "_") + ": " + name
	}
	text += d.arguments[typ+"."+name] + " " + d.directive()
	if def := d.schema.Types[typ].Fields.ForName(name); def != nil && !d.schema.Types[def.Type.Name()].IsLeafType() {
		text += d.set(def.Type.Name(), depth-1)
	}
	return text
}

func (d *documents) deferral() string {
	if !d.deferring {
		return ""
	}
	d.labels++
	label := fmt.Sprintf("l%d", d.labels)
	return rapid.SampledFrom([]string{
		"", "@defer ", "@defer ", `@defer(label: "` + label + `") `, `@defer(if: $yes, label: "` + label + `") `, "@defer(if: $maybe) ", "@defer(if: null) ",
	}).Draw(d.t, "defer")
}

func (d *documents) directive() string {
	return rapid.SampledFrom([]string{
		"", "", "", "", "", "", "", "@skip(if: false) ", "@include(if: false) ", "@skip(if: true) ",
		"@include(if: $yes) ", "@skip(if: $yes) ", "@include(if: $maybe) ", "@skip(if: $maybe) @include(if: $yes) ",
	}).Draw(d.t, "directive")
}
