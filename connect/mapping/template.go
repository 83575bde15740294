package mapping

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"go.yaml.in/yaml/v3"
)

// Template is a part of a file: a JSON value with expressions, each after "=", as some of its parts.
// It is safe for concurrent use.
type Template struct {
	// Line is its line in the file.
	Line int
	// One of these is set, or none for null.
	constant any
	value    *Expression
	members  []member
	elements []*Template
	isObject bool
	isList   bool
}

type member struct {
	name  string
	value *Template
}

// Form says what a [Part] must be.
type Form int

// The forms of parts.
const (
	// AnyForm is any value.
	AnyForm Form = iota
	// ObjectForm is an object.
	ObjectForm
	// ListForm is a list.
	ListForm
	// ValueForm is an expression or a constant that is no list and no object.
	ValueForm
	// ExpressionForm is an expression.
	ExpressionForm
)

// Part is a part of a file of templates.
type Part struct {
	// Name has the names of the objects around it, separated by dots: request.body.
	Name      string
	Required  bool
	Form      Form
	Variables []Variable
}

// ParseTemplates returns the templates of a file by the names of their parts. Parts that the file
// does not have are nil. The error is of type [Mistakes].
func ParseTemplates(text []byte, parts []Part) (map[string]*Template, error) {
	root, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	p := &templateParser{templates: map[string]*Template{}}
	if root == nil {
		p.fail(&yaml.Node{Line: 1}, "the file is empty")
	} else {
		p.level(root, parts, "")
	}
	return p.templates, p.mistakes.Err()
}

// templateParser parses parts.
type templateParser struct {
	parser
	templates map[string]*Template
}

// level reads an object that contains parts, whose names begin with prefix.
func (p *templateParser) level(n *yaml.Node, parts []Part, prefix string) {
	var required []string
	inside := map[string][]Part{}
	for _, part := range parts {
		rest, within := strings.CutPrefix(part.Name, prefix)
		if !within {
			continue
		}
		name, _, _ := strings.Cut(rest, ".")
		inside[name] = append(inside[name], part)
		if part.Required && !slices.Contains(required, name) {
			required = append(required, name)
		}
	}
	by := map[string]func(*yaml.Node){}
	for name, of := range inside {
		if path := prefix + name; of[0].Name == path {
			by[name] = func(n *yaml.Node) { p.part(n, of[0]) }
		} else {
			by[name] = func(n *yaml.Node) { p.level(n, of, path+".") }
		}
	}
	p.object(n, required, by)
}

func (p *templateParser) part(n *yaml.Node, part Part) {
	compiler, err := newCompiler(part.Variables)
	if err != nil {
		p.fail(n, "%v", err)
		return
	}
	p.compiler = compiler
	t := p.template(n)
	switch {
	case part.Form == ObjectForm && !t.isObject:
		p.fail(n, "an object must be here")
	case part.Form == ListForm && !t.isList:
		p.fail(n, "a list must be here")
	case part.Form == ValueForm && (t.isObject || t.isList):
		p.fail(n, `a text, a number or "=" and an expression must be here`)
	case part.Form == ExpressionForm && t.value == nil:
		p.fail(n, `"=" and an expression must be here`)
	}
	p.templates[part.Name] = t
}

func (p *templateParser) template(n *yaml.Node) *Template {
	n = resolve(n)
	t := &Template{Line: n.Line}
	switch n.Kind {
	case yaml.MappingNode:
		t.isObject = true
		p.members(n, func(name, value *yaml.Node) { t.members = append(t.members, member{name.Value, p.template(value)}) })
	case yaml.SequenceNode:
		t.isList = true
		for _, e := range n.Content {
			t.elements = append(t.elements, p.template(e))
		}
	default:
		if source, is := strings.CutPrefix(n.Value, "="); is {
			t.value = p.expression(n, source, false)
			if t.value == nil { // it has a mistake
				t.value = &Expression{Line: n.Line}
			}
		} else if err := n.Decode(&t.constant); err != nil {
			p.fail(n, "%v", err)
		}
	}
	return t
}

// Expressions returns those of the template, in the order of the file.
func (t *Template) Expressions() iter.Seq[*Expression] {
	return func(yield func(*Expression) bool) { t.each(yield) }
}

func (t *Template) each(yield func(*Expression) bool) bool {
	if t.value != nil && !yield(t.value) {
		return false
	}
	for _, m := range t.members {
		if !m.value.each(yield) {
			return false
		}
	}
	for _, e := range t.elements {
		if !e.each(yield) {
			return false
		}
	}
	return true
}

// Value returns the value as encoding/json knows it; whole numbers are an int64 or a uint64, and
// times a time.Time. Null members of objects are left out. The error names the line.
func (t *Template) Value(variables map[string]any) (any, error) {
	switch {
	case t.value != nil:
		out, err := t.value.eval(variables)
		if err != nil {
			return nil, err
		}
		v, err := plain(out)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", t.Line, err)
		}
		return v, nil
	case t.isObject:
		return t.object(variables)
	case t.isList:
		list := make([]any, len(t.elements))
		for i, e := range t.elements {
			v, err := e.Value(variables)
			if err != nil {
				return nil, err
			}
			list[i] = v
		}
		return list, nil
	}
	return t.constant, nil
}

func (t *Template) object(variables map[string]any) (map[string]any, error) {
	object := make(map[string]any, len(t.members))
	for _, m := range t.members {
		v, err := m.value.Value(variables)
		if err != nil {
			return nil, err
		}
		if v != nil {
			object[m.name] = v
		}
	}
	return object, nil
}

// plain returns a value of CEL as [Template.Value] does.
func plain(v ref.Val) (any, error) {
	switch v := v.(type) {
	case types.Null:
		return nil, nil
	case types.Bool:
		return bool(v), nil
	case types.String:
		return string(v), nil
	case types.Int:
		return int64(v), nil
	case types.Uint:
		return uint64(v), nil
	case types.Double:
		return plainDouble(float64(v)), nil
	case types.Timestamp:
		return v.UTC(), nil
	case traits.Lister:
		return listOf(v, plain)
	case traits.Mapper:
		return plainObject(v)
	}
	return nil, fmt.Errorf("a value of type %s has no JSON", v.Type().TypeName())
}

// plainDouble returns the numbers that JSON does not have as the texts that PostgreSQL writes, which a
// numeric column has too.
func plainDouble(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return f
}

func plainObject(m traits.Mapper) (any, error) {
	object := map[string]any{}
	for it := m.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		name, isText := key.(types.String)
		if !isText {
			return nil, fmt.Errorf("a member of an object has a name of type %s, which must be a string", key.Type().TypeName())
		}
		value, err := plain(m.Get(key))
		if err != nil {
			return nil, err
		}
		object[string(name)] = value
	}
	return object, nil
}

// PlainText returns a value of a template as a text: numbers in decimal, and times as RFC 3339. ok is
// false for null, lists and objects.
func PlainText(v any) (text string, ok bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case uint64:
		return strconv.FormatUint(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano), true
	}
	return "", false
}
