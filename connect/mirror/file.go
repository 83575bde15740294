package mirror

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// NewMapper returns the mapper of a file, checked against the tables of a source. The error is of
// type [mapping.Mistakes].
func NewMapper(file []byte, c *Catalog) (*Mapper, error) {
	parsed, err := mapping.Parse(file, mapping.Options{
		Fields:    records.Fields,
		Variables: []mapping.Variable{{Name: rowVariable, Type: mapping.Members}},
		Zone:      true,
	})
	if err != nil {
		return nil, err
	}
	m := &Mapper{decoder: decoder{zone: parsed.Zone}, byName: map[string]*input{}}
	f := fileCheck{catalog: c, zone: parsed.Zone != nil}
	for i := range parsed.Inputs {
		if in := f.input(&parsed.Inputs[i]); in != nil && len(in.rules) > 0 {
			m.inputs = append(m.inputs, in)
			m.byName[in.table.Quoted] = in
		}
	}
	m.shareObjects()
	if len(m.inputs) == 0 && len(f.mistakes) == 0 {
		f.fail(1, "the file has no rules")
	}
	return m, f.mistakes.Err()
}

// fileCheck compares a file with a catalog.
type fileCheck struct {
	catalog  *Catalog
	zone     bool
	mistakes mapping.Mistakes
}

func (f *fileCheck) fail(line int, format string, args ...any) {
	f.mistakes = append(f.mistakes, mapping.Mistake{Line: line, Text: fmt.Sprintf(format, args...)})
}

// input returns nil if there is no such table.
func (f *fileCheck) input(from *mapping.Input) *input {
	t, err := f.table(from.Kind)
	if err != nil {
		f.fail(from.Line, "%v", err)
		return nil
	}
	in := &input{table: t, line: from.Line, uses: map[string]bool{}}
	for _, r := range from.Rules {
		in.rules = append(in.rules, f.rule(in, r))
	}
	return in
}

func (f *fileCheck) table(name string) (*Table, error) {
	t := f.catalog.Named(name)
	switch {
	case name == mapping.OtherInputs:
		return nil, fmt.Errorf("%q is not possible here; name each table", name)
	case t == nil:
		return nil, f.unknown(name)
	case t.Kind != Plain && t.Kind != Partitioned:
		return nil, fmt.Errorf("%s is a view or a foreign table, and has no changes; map the tables behind it", name)
	case t.Unlogged:
		return nil, fmt.Errorf("the table %s is unlogged, so PostgreSQL sends no changes; run: ALTER TABLE %s SET LOGGED;", name, name)
	}
	for _, part := range t.Partitions {
		if part.Kind == Foreign || part.Unlogged {
			return nil, fmt.Errorf("the partition %s of the table %s is foreign or unlogged, so PostgreSQL sends no changes of it", part.Quoted, name)
		}
	}
	return t, nil
}

// unknown explains a name that is no table's.
func (f *fileCheck) unknown(name string) error {
	for _, t := range f.catalog.Tables {
		if strings.EqualFold(t.Name, strings.Trim(name, `"`)) || strings.EqualFold(t.Schema+"."+t.Name, name) {
			return fmt.Errorf("there is no table %s; write %s", name, t.Quoted)
		}
		for _, part := range t.Partitions {
			if part.Quoted == name {
				return fmt.Errorf("%s is a partition; write %s", name, t.Quoted)
			}
		}
	}
	return fmt.Errorf("there is no table %s; write names as in SQL, with the schema, such as public.users", name)
}

func (f *fileCheck) rule(in *input, from mapping.Rule) rule {
	r := rule{Rule: from}
	shape, _ := records.ShapeOf(from.Type)
	r.owner = shape.Owner
	for i := range from.Fields {
		field := &from.Fields[i]
		if slices.Contains(shape.Keys, field.Name) {
			r.keys = append(r.keys, i)
		}
		r.uses = append(r.uses, columnsOf(field.Uses(rowVariable)))
		f.columns(in, field.Line, r.uses[i])
	}
	if from.When != nil {
		r.condition, r.conditionLine = columnsOf(from.When.Uses(rowVariable)), from.When.Line
		f.columns(in, from.When.Line, r.condition)
	}
	for i := range from.Decisions {
		f.decision(in, &r, &from.Decisions[i])
	}
	f.undecided(in, &r)
	for _, name := range f.missing(&r, shape) {
		f.fail(from.Line, "records of type %s need the field %q", from.Type, name)
	}
	return r
}

// missing returns the fields that a rule lacks.
func (f *fileCheck) missing(r *rule, shape records.Shape) []string {
	required := shape.Required
	switch {
	case r.isOf(feed.RecordCounters) && len(r.keys) != 1:
		return shape.Keys
	case r.Has(partialField):
		required = slices.Clone(shape.Keys)
		if shape.Owner != "" {
			required = append(required, shape.Owner)
		}
	}
	return slices.DeleteFunc(slices.Clone(required), r.Has)
}

// columns checks the columns of an expression, and adds them to those that the table's rules use.
func (f *fileCheck) columns(in *input, line int, used columns) {
	in.whole = in.whole || used.whole
	for _, name := range used.names {
		if err := f.column(in.table, name); err != nil {
			f.fail(line, "%v", err)
		}
		in.uses[name] = true
	}
}

func (f *fileCheck) column(t *Table, name string) error {
	c := t.Column(name)
	switch {
	case slices.Contains(t.Generated, name):
		return fmt.Errorf("the column %q of %s is generated, and changes do not have it; use the columns that it is made of", name, t.Quoted)
	case c == nil:
		var names []string
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
		return fmt.Errorf("%s has no column %q; its columns are %s", t.Quoted, name, strings.Join(names, ", "))
	case c.Type.zoneless() && !f.zone:
		return errors.New(`the column ` + name + ` has timestamps without a time zone; add theirs at the top of the file, such as "zone: UTC"`)
	}
	return nil
}
