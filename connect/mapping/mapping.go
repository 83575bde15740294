package mapping

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones where the system has none

	"go.yaml.in/yaml/v3"
)

// Mapping is a file of rules. It is safe for concurrent use.
type Mapping struct {
	// Inputs are the kinds of input, in the order of the file.
	Inputs []Input
	// Zone is the time zone of the file, nil if it has none.
	Zone *time.Location
}

// Input has the rules of a kind of input.
type Input struct {
	Line  int
	Kind  string
	Rules []Rule
}

// OtherInputs is the kind of inputs without rules of their own.
const OtherInputs = "*"

// Rule makes records of one type.
type Rule struct {
	Line int
	Type string
	// When is nil if every input makes a record.
	When *Expression
	// Decisions say who may see the object.
	Decisions []Decision
	Fields    []Field
}

// Field is a field of records: a constant or an expression.
type Field struct {
	Line int
	Name string
	// Constant is JSON. It is nil if there is a Value.
	Constant []byte
	Value    *Expression
	constant FieldValue
}

// Options say what a file may contain.
type Options struct {
	// Fields returns the fields of records of a type.
	Fields func(typ string) (names []string, known bool)
	// Variables are those of expressions, with their types.
	Variables []Variable
	// Zone allows a zone in the file.
	Zone bool
}

// Parse returns the mapping of a file. The error is of type [Mistakes].
func Parse(text []byte, o Options) (*Mapping, error) {
	root, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	p := &parser{options: o}
	if p.compiler, err = newCompiler(o.Variables); err != nil {
		return nil, err
	}
	m := &Mapping{}
	top := map[string]func(*yaml.Node){"inputs": func(n *yaml.Node) {
		p.members(n, func(kind, rules *yaml.Node) {
			m.Inputs = append(m.Inputs, Input{kind.Line, kind.Value, p.rules(rules)})
		})
	}}
	if o.Zone {
		top["zone"] = func(n *yaml.Node) { m.Zone = p.zone(n) }
	}
	if root == nil {
		p.fail(&yaml.Node{Line: 1}, "the file is empty")
	} else {
		p.object(root, []string{"inputs"}, top)
	}
	return m, p.mistakes.Err()
}

// parseYAML returns the value of a file, nil if it is empty. The error is of type [Mistakes].
func parseYAML(text []byte) (*yaml.Node, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		return nil, Mistakes{{Text: "not YAML or JSON: " + strings.TrimPrefix(err.Error(), "yaml: ")}}
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	return root.Content[0], nil
}

// zone returns a time zone of the IANA database.
func (p *parser) zone(n *yaml.Node) *time.Location {
	zone, err := time.LoadLocation(n.Value)
	if err != nil || n.Value == "" || n.Value == "Local" {
		p.fail(n, "%q is not a time zone; write a name such as Europe/Berlin or UTC", n.Value)
	}
	return zone
}

// parser collects mistakes.
type parser struct {
	options  Options
	compiler *compiler
	mistakes Mistakes
}

// Mistake is a mistake in a file.
type Mistake struct {
	// Line is 0 if Text names it.
	Line int
	Text string
}

// Mistakes is an error with all mistakes in a file.
type Mistakes []Mistake

// mistakesMax is how many mistakes an error lists.
const mistakesMax = 20

// Error has a line of text for each mistake, in the order of the file.
func (m Mistakes) Error() string {
	sorted := slices.Clone(m)
	slices.SortStableFunc(sorted, func(a, b Mistake) int { return a.Line - b.Line })
	var list []string
	for _, m := range sorted[:min(len(m), mistakesMax)] {
		if m.Line == 0 {
			list = append(list, m.Text)
		} else {
			list = append(list, fmt.Sprintf("line %d: %s", m.Line, m.Text))
		}
	}
	if more := len(m) - mistakesMax; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, "\n")
}

// Err returns nil without mistakes.
func (m Mistakes) Err() error {
	if len(m) == 0 {
		return nil
	}
	return m
}

func (p *parser) fail(at *yaml.Node, format string, args ...any) {
	p.mistakes = append(p.mistakes, Mistake{at.Line, fmt.Sprintf(format, args...)})
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
func (p *parser) rules(n *yaml.Node) []Rule {
	if n.Kind != yaml.SequenceNode {
		p.fail(n, "a list of rules must be here; an empty one ignores the input")
		return nil
	}
	list := make([]Rule, len(n.Content))
	for i, of := range n.Content {
		of = resolve(of)
		r := &list[i]
		r.Line = of.Line
		p.object(of, []string{"type", "fields"}, map[string]func(*yaml.Node){
			"type": func(n *yaml.Node) { r.Type = n.Value },
			"when": func(n *yaml.Node) {
				if !p.undecided(n, "the condition", n) {
					r.When = p.expression(n, n.Value, true)
				}
			},
			"decides": func(n *yaml.Node) { r.Decisions = p.decisions(n) },
			"fields": func(n *yaml.Node) {
				p.members(n, func(name, value *yaml.Node) { r.Fields = append(r.Fields, p.field(name, value)) })
			},
		})
		p.checkFields(of, r)
		p.checkDecisions(of, r)
	}
	return list
}

// checkFields checks the names of fields.
func (p *parser) checkFields(at *yaml.Node, r *Rule) {
	names, known := p.options.Fields(r.Type)
	if !known {
		if r.Type != "" {
			p.fail(at, "%q is not a type of records", r.Type)
		}
		return
	}
	for _, f := range r.Fields {
		if !slices.Contains(names, f.Name) {
			p.fail(at, "records of type %s have no field %q", r.Type, f.Name)
		}
	}
}

func (p *parser) field(name, value *yaml.Node) Field {
	f := Field{Line: name.Line, Name: name.Value}
	if value.Kind == yaml.ScalarNode && p.undecided(name, "the field "+name.Value, value) {
		return f
	}
	if source, is := strings.CutPrefix(value.Value, "="); is && value.Kind == yaml.ScalarNode {
		f.Value = p.expression(value, source, false)
		return f
	}
	f.Constant = p.constant(value)
	f.constant = FieldValue{Text: string(f.Constant), JSON: true}
	if value.Kind == yaml.ScalarNode && value.Tag != "!!bool" {
		f.constant = textValue(value.Value)
	}
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

func (p *parser) expression(at *yaml.Node, source string, condition bool) *Expression {
	e, err := p.compiler.compile(source, at.Line, condition)
	if err != nil {
		p.fail(at, "%v", err)
	}
	return e
}

// Records returns the records of an input, each as JSON. The error says which rules fail, and why; the
// records of the others are returned nevertheless.
func (m *Mapping) Records(kind string, variables map[string]any) ([][]byte, error) {
	rules, known := m.rules(kind)
	if !known {
		return nil, fmt.Errorf("the mapping has no input %.100q, and no %q for others", kind, OtherInputs)
	}
	var list [][]byte
	var failures []error
	for i := range rules {
		record, err := rules[i].record(variables)
		if err != nil {
			failures = append(failures, fmt.Errorf("mapping, %w", err))
		}
		if record != nil {
			list = append(list, record)
		}
	}
	return list, errors.Join(failures...)
}

// rules returns the rules of a kind of input, or those of others.
func (m *Mapping) rules(kind string) (rules []Rule, known bool) {
	for i := range m.Inputs {
		switch in := &m.Inputs[i]; in.Kind {
		case kind:
			return in.Rules, true
		case OtherInputs:
			rules, known = in.Rules, true
		}
	}
	return rules, known
}

// Holds reports whether the rule makes a record of an input.
func (r *Rule) Holds(variables map[string]any) (bool, error) {
	if r.When == nil {
		return true, nil
	}
	return r.When.holds(variables)
}

// record returns the record of an input; nil if it makes none. If it cannot be known who may see the object,
// the record says that, and so hides it: without a record the object would stay as it is.
func (r *Rule) record(variables map[string]any) ([]byte, error) {
	verdict, err := r.Verdict(variables, nil)
	if err == nil && !verdict.Makes {
		return nil, nil
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"type":%q`, r.Type)
	for i := range r.Fields {
		f := &r.Fields[i]
		value, has, failed := f.Eval(variables)
		if err = cmp.Or(err, failed); failed == nil && has {
			fmt.Fprintf(&out, `,%q:%s`, f.Name, value.Encode())
		}
	}
	for _, f := range verdict.Fields {
		fmt.Fprintf(&out, `,%q:%s`, f.Name, f.Value.Encode())
	}
	if err != nil {
		if !r.CanBeUnclear() {
			return nil, err
		}
		fmt.Fprintf(&out, `,%q:%s`, UnclearField, textValue("mapping, "+err.Error()).Encode())
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// UnclearField is the field with the reason why it is not known who may see the object of a record.
const UnclearField = "unclear"

// Has reports whether the rule has a field.
func (r *Rule) Has(field string) bool {
	return slices.ContainsFunc(r.Fields, func(f Field) bool { return f.Name == field })
}

// CanBeUnclear reports whether records of the type of the rule can say that it is not known who may see
// their object.
func (r *Rule) CanBeUnclear() bool { return effectsOf(r.Type) != nil && !r.Has(UnclearField) }

// Eval returns the value of the field. A null leaves the field out, unless the field decides who may see
// the object.
func (f *Field) Eval(variables map[string]any) (v FieldValue, has bool, err error) {
	if f.Value == nil {
		return f.constant, true, nil
	}
	v, has, err = f.Value.value(variables)
	if err == nil && !has && f.Decides() {
		return v, false, fmt.Errorf("line %d: the field %q %w", f.Line, f.Name, errNull)
	}
	return v, has, err
}

// Uses is [Expression.Uses] for the value.
func (f *Field) Uses(variable string) (members []string, whole bool) {
	if f.Value == nil {
		return nil, false
	}
	return f.Value.Uses(variable)
}
