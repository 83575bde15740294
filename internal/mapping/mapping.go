package mapping

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Mapping is a file of rules. It is safe for concurrent use.
type Mapping struct{ inputs map[string][]rule }

// otherInputs is the kind of inputs without rules of their own.
const otherInputs = "*"

// rule makes records of one type.
type rule struct {
	line   int
	typ    string
	when   *expression
	fields []field
}

// field has a constant as JSON, or an expression.
type field struct {
	name     string
	constant []byte
	value    *expression
}

// Options say what a file may contain.
type Options struct {
	// Fields returns the fields of records of a type.
	Fields func(typ string) (names []string, known bool)
	// Variables are those of expressions, with their types.
	Variables []Variable
}

// Parse returns the mapping of a file. The error has a line of text for each mistake, with its line
// in the file.
func Parse(text []byte, o Options) (*Mapping, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, fmt.Errorf("not YAML or JSON: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	p := &parser{options: o}
	var err error
	if p.compiler, err = newCompiler(o.Variables); err != nil {
		return nil, err
	}
	m := &Mapping{inputs: map[string][]rule{}}
	if len(root.Content) == 0 {
		p.fail(&yaml.Node{Line: 1}, "the file is empty")
	} else {
		p.object(root.Content[0], []string{"inputs"}, map[string]func(*yaml.Node){
			"inputs": func(n *yaml.Node) {
				p.members(n, func(kind, rules *yaml.Node) { m.inputs[kind.Value] = p.rules(rules) })
			},
		})
	}
	return m, p.err()
}

// mistakesMax is how many mistakes an error lists.
const mistakesMax = 20

// parser collects mistakes.
type parser struct {
	options  Options
	compiler *compiler
	mistakes []mistake
}

type mistake struct {
	line int
	text string
}

func (p *parser) fail(at *yaml.Node, format string, args ...any) {
	p.mistakes = append(p.mistakes, mistake{at.Line, fmt.Sprintf(format, args...)})
}

func (p *parser) err() error {
	if len(p.mistakes) == 0 {
		return nil
	}
	slices.SortStableFunc(p.mistakes, func(a, b mistake) int { return a.line - b.line })
	var list []string
	for _, m := range p.mistakes[:min(len(p.mistakes), mistakesMax)] {
		list = append(list, fmt.Sprintf("line %d: %s", m.line, m.text))
	}
	return fmt.Errorf("%s", strings.Join(list, "\n"))
}

// resolve returns the node that an alias names.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// members calls each for the members of an object.
func (p *parser) members(n *yaml.Node, each func(name, value *yaml.Node)) {
	if n = resolve(n); n.Kind != yaml.MappingNode {
		p.fail(n, "an object must be here")
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i]
		if seen[name.Value] {
			p.fail(name, "%q is here twice", name.Value)
			continue
		}
		seen[name.Value] = true
		each(name, resolve(n.Content[i+1]))
	}
}

// object calls the function of each member, and demands the required ones.
func (p *parser) object(n *yaml.Node, required []string, by map[string]func(*yaml.Node)) {
	var has []string
	p.members(n, func(name, value *yaml.Node) {
		has = append(has, name.Value)
		if read, known := by[name.Value]; known {
			read(value)
		} else {
			p.fail(name, "%q is not known here", name.Value)
		}
	})
	for _, name := range required {
		if !slices.Contains(has, name) {
			p.fail(n, "%q is missing", name)
		}
	}
}

// rules returns the rules of an input.
func (p *parser) rules(n *yaml.Node) []rule {
	if n.Kind != yaml.SequenceNode {
		p.fail(n, "a list of rules must be here; an empty one ignores the input")
		return nil
	}
	list := make([]rule, len(n.Content))
	for i, of := range n.Content {
		of = resolve(of)
		r := &list[i]
		r.line = of.Line
		p.object(of, []string{"type", "fields"}, map[string]func(*yaml.Node){
			"type": func(n *yaml.Node) { r.typ = n.Value },
			"when": func(n *yaml.Node) { r.when = p.expression(n, n.Value, true) },
			"fields": func(n *yaml.Node) {
				p.members(n, func(name, value *yaml.Node) { r.fields = append(r.fields, p.field(name, value)) })
			},
		})
		p.checkFields(of, r)
	}
	return list
}

// checkFields checks the names of fields.
func (p *parser) checkFields(at *yaml.Node, r *rule) {
	names, known := p.options.Fields(r.typ)
	if !known {
		if r.typ != "" {
			p.fail(at, "%q is not a type of records", r.typ)
		}
		return
	}
	for _, f := range r.fields {
		if !slices.Contains(names, f.name) {
			p.fail(at, "records of type %s have no field %q", r.typ, f.name)
		}
	}
}

func (p *parser) field(name, value *yaml.Node) field {
	f := field{name: name.Value}
	if source, is := strings.CutPrefix(value.Value, "="); is && value.Kind == yaml.ScalarNode {
		f.value = p.expression(value, source, false)
		return f
	}
	f.constant = p.constant(value)
	return f
}

// constant returns a scalar or a list of texts as JSON. Numbers are texts, as records have them.
func (p *parser) constant(n *yaml.Node) []byte {
	var v any = n.Value
	switch {
	case n.Kind == yaml.SequenceNode:
		list := []string{}
		for _, e := range n.Content {
			if e = resolve(e); e.Kind != yaml.ScalarNode {
				p.fail(e, "a constant list has texts only")
			}
			list = append(list, e.Value)
		}
		v = list
	case n.Kind != yaml.ScalarNode, n.Tag == "!!null":
		p.fail(n, `a field is a text, a number, true, false, a list of texts, or "=" and an expression`)
	case n.Tag == "!!bool":
		v = n.Value == "true"
	}
	text, _ := json.Marshal(v) // texts and booleans have JSON
	return text
}

func (p *parser) expression(at *yaml.Node, source string, condition bool) *expression {
	e, err := p.compiler.compile(source, at.Line, condition)
	if err != nil {
		p.fail(at, "%v", err)
	}
	return e
}

// Records returns the records of an input, each as JSON. The error says which rule fails, and why.
func (m *Mapping) Records(kind string, variables map[string]any) ([][]byte, error) {
	rules, known := m.inputs[kind]
	if !known {
		if rules, known = m.inputs[otherInputs]; !known {
			return nil, fmt.Errorf("the mapping has no input %.100q, and no %q for others", kind, otherInputs)
		}
	}
	var list [][]byte
	for i := range rules {
		record, err := rules[i].record(variables)
		if err != nil {
			return nil, fmt.Errorf("mapping, %w", err)
		}
		if record != nil {
			list = append(list, record)
		}
	}
	return list, nil
}

// record returns nil if the rule does not apply.
func (r *rule) record(variables map[string]any) ([]byte, error) {
	if r.when != nil {
		if holds, err := r.when.holds(variables); err != nil || !holds {
			return nil, err
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"type":%q`, r.typ)
	for _, f := range r.fields {
		text := f.constant
		if f.value != nil {
			var err error
			if text, err = f.value.json(variables); err != nil {
				return nil, err
			}
		}
		if text != nil {
			fmt.Fprintf(&out, `,%q:%s`, f.name, text)
		}
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}
