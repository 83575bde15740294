package mirror

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// Cell is a value of a row, as PostgreSQL writes it.
type Cell struct {
	Text []byte
	Null bool
	// Unchanged is a large value that was not sent because it is as before.
	Unchanged bool
}

// RowChange is a change of a row. A row has the cells of Table.Columns, in that order.
type RowChange struct {
	Table *Table
	// Old is nil for a new row, or for one whose replica identity did not change. New is nil for a
	// deleted row.
	Old, New []Cell
	// OldIsKey reports that Old has only the columns of the replica identity.
	OldIsKey bool
	// Unsent reports that the replica identity has changed, and that New lacks values which rules use.
	// Gone reports that the row no longer had its new key when the reader looked these values up.
	Unsent, Gone bool
}

// Mapper makes records of rows, by the rules of a file. It is safe for concurrent use.
type Mapper struct {
	decoder
	inputs []*input
	byName map[string]*input
}

// input has the rules of a table.
type input struct {
	table *Table
	line  int
	rules []rule
	// uses has the columns that rules need; all, if whole.
	uses  map[string]bool
	whole bool
}

// rule is a rule with what its fields need.
type rule struct {
	mapping.Rule
	keys  []int // places in Fields
	owner string
	// uses has the columns of each field, decisions those of each decision, and condition those of When and of
	// decisions that may hide the object.
	uses, decisions []columns
	condition       columns
	conditionLine   int
	// shared reports that other rules make parts of the same objects.
	shared bool
}

// columns are columns that an expression uses.
type columns struct {
	names []string
	whole bool
}

func columnsOf(names []string, whole bool) columns {
	slices.Sort(names)
	return columns{slices.Compact(names), whole}
}

// anyOf reports whether one of some columns is used.
func (c columns) anyOf(some []string) bool {
	return len(some) > 0 && (c.whole || slices.ContainsFunc(some, func(name string) bool { return slices.Contains(c.names, name) }))
}

// rowVariable is the variable of expressions, by columns.
const rowVariable = "row"

// Tables returns the tables that make records, in the order of the file.
func (m *Mapper) Tables() []*Table {
	var list []*Table
	for _, in := range m.inputs {
		list = append(list, in.table)
	}
	return list
}

// Uses returns the columns of a table that its rules need, in the table's order.
func (m *Mapper) Uses(t *Table) []string {
	in := m.byName[t.Quoted]
	if in == nil {
		return nil
	}
	var names []string
	for _, c := range in.table.Columns {
		if in.whole || in.uses[c.Name] {
			names = append(names, c.Name)
		}
	}
	return names
}

// Types returns the types of records that a table makes, sorted.
func (m *Mapper) Types(t *Table) feed.RecordTypes {
	in := m.byName[t.Quoted]
	if in == nil {
		return nil
	}
	var types feed.RecordTypes
	for i := range in.rules {
		types = append(types, feed.RecordType(in.rules[i].Type))
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// Digest identifies the rules of a table, and the zone. Comments and lines do not matter.
func (m *Mapper) Digest(t *Table) string {
	h := sha256.New()
	_, _ = fmt.Fprintf(h, "%q", m.zone.String())
	if in := m.byName[t.Quoted]; in != nil {
		for i := range in.rules {
			r := &in.rules[i]
			_, _ = fmt.Fprintf(h, "\n%q", r.Type)
			if r.When != nil {
				_, _ = fmt.Fprintf(h, " when %q", r.When.Source)
			}
			for i := range r.Decisions {
				if d := &r.Decisions[i]; d.ByValue != nil {
					_, _ = fmt.Fprintf(h, " decides %q=%q null %q other %q", d.Value.Source, d.ByValue, d.Null, d.Other)
				}
			}
			for _, f := range r.Fields {
				if f.Value != nil {
					_, _ = fmt.Fprintf(h, " %q=%q", f.Name, f.Value.Source)
				} else {
					_, _ = fmt.Fprintf(h, " %q:%s", f.Name, f.Constant)
				}
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Line is a record that follows from a change, or the row as JSON with the reason why there is none.
type Line struct {
	records.Made
	Row []byte
	Bad string
	// Incomplete reports that the record of a new object lacks values, because its row has changed again. A
	// later change completes or removes the object.
	Incomplete bool
}

// Text returns the line as JSON.
func (l *Line) Text() []byte {
	if l.Bad != "" {
		return l.Row
	}
	return l.Made.Line()
}

// payload returns the line for the consumer. With a format, it has the record already.
func (l *Line) payload(format records.Format) ingest.PayloadLine {
	if l.Bad != "" {
		return ingest.PayloadLine{Text: l.Row, Bad: l.Bad}
	}
	return ingest.DecodedLine(format.Make(l.Made))
}

// Lines returns the records that follow from a change: those of the new row that differ from the
// old row's, then deletions, at a time, of what the new row no longer makes. Where a rule fails for
// the new row, the record says that its object is unclear, if its type can show anything; a rule whose key
// fails has a bad line, and what the old row made is unclear.
func (m *Mapper) Lines(c RowChange, at time.Time) []Line {
	in := m.byName[c.Table.Quoted]
	if in == nil {
		return nil
	}
	row := fill(c.New, c.Old)
	next := m.evaluate(in, view{table: c.Table, row: row})
	before := m.evaluate(in, view{table: c.Table, row: c.Old, isKey: c.OldIsKey, keysOnly: c.OldIsKey || row == nil})
	var lines []Line
	for i, o := range next {
		switch {
		case o.err != nil:
			lines = append(lines, in.badRow(c.Table, row, o.err))
		case o.partial && before != nil && !mayMake(before, i, &o):
			// The key has changed, so the object is new and needs all of its fields.
			line := Line{Made: o.Made, Incomplete: true}
			if !c.Gone {
				line = in.badRow(c.Table, row, fmt.Errorf("mapping, line %d: %w", in.rules[i].Line, errUnsent))
			}
			lines = append(lines, line)
		case o.Type != "" && (before == nil || !o.equals(&before[i])):
			lines = append(lines, Line{Made: o.Made})
		}
		if o.doubt != nil {
			lines = append(lines, in.badRow(c.Table, row, o.doubt))
		}
	}
	for i, o := range before {
		switch {
		case o.err != nil && c.OldIsKey:
			lines = append(lines, in.badRow(c.Table, c.Old, o.err))
		case o.Type == "" || made(next, &o) && !in.rules[i].Has(partialField):
		case in.rules[i].Has(partialField):
			lines = append(lines, in.rules[i].endOfPart(&o, next, i)...)
		case next != nil && next[i].err != nil:
			if in.rules[i].CanBeUnclear() {
				lines = append(lines, Line{Made: unclear(o.Type, o.key(), next[i].err)})
			}
		case in.rules[i].isObject():
			gone := records.Member{Name: deletedField, Text: at.UTC().Format(mapping.TimeLayout)}
			lines = append(lines, Line{Made: records.Made{Type: o.Type, Members: append(in.rules[i].ending(&o), gone)}})
		}
	}
	return lines
}

func (in *input) badRow(t *Table, row []Cell, err error) Line {
	return Line{Row: in.rowText(t, row), Bad: err.Error()}
}

// made reports whether a row makes the object of an outcome.
func made(by []outcome, of *outcome) bool {
	return slices.ContainsFunc(by, func(o outcome) bool { return o.Type == of.Type && slices.Equal(o.key(), of.key()) })
}

// mayMake is made, or that it cannot be known of rule i.
func mayMake(by []outcome, i int, of *outcome) bool {
	return by != nil && by[i].err != nil || made(by, of)
}

// unclear returns a record that hides its object, because it cannot be known who may see it.
func unclear(typ string, key []records.Member, reason error) records.Made {
	why := records.Member{Name: mapping.UnclearField, Text: strings.ToValidUTF8(reason.Error(), "?")}
	return records.Made{Type: typ, Members: append(slices.Clone(key), why)}
}

// fill returns a row with the old cells where they are unchanged.
func fill(row, old []Cell) []Cell {
	if row == nil || old == nil {
		return row
	}
	filled := slices.Clone(row)
	for i, c := range filled {
		if c.Unchanged && !old[i].Null {
			filled[i] = old[i]
		}
	}
	return filled
}

// outcome is what a rule makes of a row: nothing, a failure or a record.
type outcome struct {
	// Made has the key first, and if only keys are asked for, nothing else. It has no type if there is no
	// record.
	records.Made
	keys int
	// doubt says why a part hides its object though it does not ask for that.
	doubt error
	// partial reports that the record lacks what was not sent.
	partial bool
	err     error
}

func (o *outcome) key() []records.Member { return o.Members[:o.keys] }

// keyText returns the JSON members of the type and the key; nil without a record.
func (o *outcome) keyText() []byte {
	if o.Type == "" {
		return nil
	}
	line := records.Made{Type: o.Type, Members: o.key()}.Line()
	return line[1 : len(line)-1]
}

func (o *outcome) equals(other *outcome) bool {
	return o.Type == other.Type && slices.Equal(o.Members, other.Members)
}

// view is a row, and what is known of it.
type view struct {
	table *Table
	row   []Cell
	// isKey reports that only the columns of the replica identity are known; keysOnly asks for the keys of
	// records only.
	isKey, keysOnly bool
}

// evaluate returns the outcomes of all rules, nil without a row.
func (m *Mapper) evaluate(in *input, v view) []outcome {
	if v.row == nil {
		return nil
	}
	values, unsent := m.values(in, v)
	variables := map[string]any{rowVariable: values}
	list := make([]outcome, len(in.rules))
	for i := range in.rules {
		if r := &in.rules[i]; v.keysOnly {
			list[i] = r.keyOf(variables)
		} else {
			list[i] = r.record(variables, unsent)
		}
	}
	return list
}

var (
	errUnsent   = errors.New("PostgreSQL did not send this large value, which is as before; the table needs REPLICA IDENTITY FULL")
	errNotInKey = errors.New("PostgreSQL did not send this column of the old row; the table needs REPLICA IDENTITY FULL")
)

// values returns the values of the columns that the rules use, and which of them were not sent.
func (m *Mapper) values(in *input, v view) (values map[string]any, unsent []string) {
	values = make(map[string]any, len(in.uses))
	for i := range v.table.Columns {
		c := &v.table.Columns[i]
		if !in.whole && !in.uses[c.Name] {
			continue
		}
		switch cell := v.row[i]; {
		case v.isKey && !c.InIdentity:
			values[c.Name] = mapping.Failure(errNotInKey)
		case cell.Unchanged:
			values[c.Name] = mapping.Failure(errUnsent)
			unsent = append(unsent, c.Name)
		case cell.Null:
			values[c.Name] = nil
		default:
			values[c.Name] = m.value(c.Type, cell.Text)
		}
	}
	return values, unsent
}

// keyOf returns the key of the record of a row, of which nothing else is asked.
func (r *rule) keyOf(variables map[string]any) outcome {
	verdict, err := r.Verdict(variables, func(place int) bool { return !r.Decisions[place].Hides() })
	if err == nil && !verdict.Makes {
		return outcome{}
	}
	o := r.key(variables)
	if err != nil && o.err == nil && !r.CanBeUnclear() || errors.Is(err, errNotInKey) {
		o.err = fmt.Errorf("mapping, %w", err)
	}
	return o
}

// key returns a record with the fields that identify its object.
func (r *rule) key(variables map[string]any) outcome {
	members := make([]records.Member, 0, len(r.Fields)+1)
	for _, i := range r.keys {
		f := &r.Fields[i]
		value, has, err := f.Eval(variables)
		switch {
		case err != nil:
			return outcome{err: fmt.Errorf("mapping, %w", err)}
		case has:
			members = append(members, member(f.Name, value))
		case !r.isOf(feed.RecordCounters):
			return outcome{err: fmt.Errorf("mapping, line %d: the field %q identifies the object and is null; add a when that leaves out such rows", f.Line, f.Name)}
		}
	}
	return outcome{Made: records.Made{Type: r.Type, Members: members}, keys: len(members)}
}

// record returns the record of a row. It is partial if a field that may be missing needs a column
// that was not sent. If it fails, it says that its object is unclear, or has no record.
func (r *rule) record(variables map[string]any, unsent []string) outcome {
	left := r.leftOut(unsent)
	verdict, err := r.Verdict(variables, func(place int) bool { return r.decisions[place].anyOf(unsent) })
	if err == nil && !verdict.Makes && !(verdict.Hidden && r.canHidePart()) {
		return outcome{}
	}
	o := r.key(variables)
	if o.err != nil {
		return o
	}
	if err == nil && !verdict.Makes {
		return r.hiddenPart(o, nil)
	}
	if err == nil {
		o.partial = left != nil || slices.ContainsFunc(r.decisions, func(c columns) bool { return c.anyOf(unsent) })
		err = r.addFields(&o, variables, left)
	}
	switch {
	case err == nil:
		r.addDecided(&o, verdict)
		r.share(&o)
		return o
	case r.canHidePart() && !errors.Is(err, errUnsent):
		return r.hiddenPart(o, fmt.Errorf("mapping, %w", err))
	case r.CanBeUnclear() && !errors.Is(err, errUnsent):
		return outcome{Made: unclear(o.Type, o.key(), fmt.Errorf("mapping, %w", err)), keys: o.keys}
	}
	return outcome{err: fmt.Errorf("mapping, %w", err)}
}

// addFields adds the fields that are no key, without those at some places.
func (r *rule) addFields(o *outcome, variables map[string]any, left []int) error {
	for i := range r.Fields {
		f := &r.Fields[i]
		if slices.Contains(r.keys, i) || slices.Contains(left, i) {
			continue
		}
		value, has, err := f.Eval(variables)
		if err != nil {
			return err
		}
		if !has && o.partial {
			value, has = mapping.FieldValue{Text: "null", JSON: true}, true // in a partial record, a missing field stays
		}
		if has {
			o.Members = append(o.Members, member(f.Name, value))
		}
	}
	return nil
}

// addDecided adds what decisions set. A partial record says that its object is there, in case the last one
// was unclear.
func (r *rule) addDecided(o *outcome, v mapping.Verdict) {
	for _, f := range v.Fields {
		o.Members = append(o.Members, member(f.Name, f.Value))
	}
	if r.canHidePart() {
		o.Members = append(o.Members, truth(effectOfHiding(r.Type), false))
	}
	if !o.partial {
		return
	}
	if !r.Has(deletedField) && !r.Has(partialField) {
		o.Members = append(o.Members, null(deletedField))
	}
	if !r.Has(partialField) {
		o.Members = append(o.Members, truth(partialField, true))
	}
}

// leftOut returns the places of fields that a record cannot have but may miss.
func (r *rule) leftOut(unsent []string) []int {
	var left []int
	for i := range r.Fields {
		if r.Fields[i].Name != r.owner && !slices.Contains(r.keys, i) && r.uses[i].anyOf(unsent) {
			left = append(left, i)
		}
	}
	return left
}

// Fields with a meaning of their own.
const (
	partialField = "partial"
	deletedField = "deletedAt"
	stateField   = "state"
)

func (r *rule) isOf(t feed.RecordType) bool { return r.Type == string(t) }

// isObject reports whether the records have an object, which can be deleted.
func (r *rule) isObject() bool { return !r.isOf(feed.RecordSeen) }
