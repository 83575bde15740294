package mirror

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/connect/compare"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

// rowsSource are the records of all rows of a source, in one transaction.
type rowsSource struct {
	*Mapper
	q    Querier
	name string
}

// Types implements [compare.Source].
func (s *rowsSource) Types() feed.RecordTypes {
	var types feed.RecordTypes
	for _, t := range s.Tables() {
		types = append(types, s.Mapper.Types(t)...)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// Read implements [compare.Source]. It reads the tables that make one of the types.
func (s *rowsSource) Read(ctx context.Context, types feed.RecordTypes, each func(compare.Made) error) error {
	for _, t := range s.Tables() {
		if types != nil && !slices.ContainsFunc(s.Mapper.Types(t), types.Has) {
			continue
		}
		used, names := s.used(t)
		err := texts(ctx, s.q, "SELECT "+strings.Join(names, ", ")+" FROM "+t.from(), func(row []Cell) error {
			for _, m := range s.made(used, row) {
				if err := each(m); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return failed("read the table "+t.Quoted, err)
		}
	}
	return nil
}

// used returns a table with the columns that its rules need, and their quoted names.
func (m *Mapper) used(t *Table) (*Table, []string) {
	used, names := *t, []string{}
	used.Columns = nil
	for _, name := range m.Uses(t) {
		used.Columns = append(used.Columns, *t.Column(name))
		names = append(names, quoted(name))
	}
	return &used, names
}

// order returns the columns by which a snapshot reads a table; none for the order in which it is stored.
// Follows, likes and the like come by the user or post whose row they change. So a batch has all of
// a few users or posts, and changes the row of each once.
func (m *Mapper) order(t *Table) []string {
	var names []string
	for _, r := range m.byName[t.Quoted].rules {
		if r.isOf(feed.RecordUser) || r.isOf(feed.RecordPost) {
			return nil
		}
		for _, name := range r.keyColumns() {
			if t.Column(name).sorts() && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// orderBy returns ORDER BY with columns.
func orderBy(columns []string) string {
	var names []string
	for _, name := range columns {
		names = append(names, quoted(name))
	}
	if len(names) == 0 {
		return ""
	}
	return " ORDER BY " + strings.Join(names, ", ")
}

// isWhole reports that no record of a table's rows is partial in a snapshot. Otherwise their order matters.
func (m *Mapper) isWhole(t *Table) bool {
	return !slices.ContainsFunc(m.byName[t.Quoted].rules, func(r rule) bool { return r.Has(partialField) })
}

// keyColumns returns the columns of the key of a rule, those of the changed row first.
func (r *rule) keyColumns() []string {
	shape, _ := records.ShapeOf(r.Type)
	keys := slices.Clone(shape.Keys)
	if r.isOf(feed.RecordLike) || r.isOf(feed.RecordFavorite) {
		slices.Reverse(keys)
	}
	var names []string
	for _, key := range keys {
		for _, i := range r.keys {
			if r.Fields[i].Name == key {
				names = append(names, r.uses[i].names...)
			}
		}
	}
	return names
}

// sorts reports whether PostgreSQL can order by the column; it cannot by JSON, for example.
func (c *Column) sorts() bool {
	return slices.Contains([]Kind{Number, Numeric, Text, UUID}, c.Type.Kind())
}

// from returns the table as in FROM. Tables that inherit from it are others.
func (t *Table) from() string {
	if t.Kind == Partitioned {
		return t.Quoted
	}
	return "ONLY " + t.Quoted
}

// made returns the records of a row.
func (m *Mapper) made(t *Table, row []Cell) []compare.Made {
	in := m.byName[t.Quoted]
	values, unsent := m.values(in, view{table: t, row: row})
	variables := map[string]any{rowVariable: values}
	var list []compare.Made
	for i := range in.rules {
		r := &in.rules[i]
		o := r.record(variables, unsent)
		switch {
		case o.err != nil:
			key := r.key(variables) // without one, the object is unknown
			list = append(list, compare.Made{Bad: o.err.Error(), Key: key.keyText(), From: t.Quoted})
		case o.Type != "":
			list = append(list, compare.Made{Text: o.Line(), From: t.Quoted})
		}
	}
	return list
}

// Keys implements [compare.Source]. A line is a record, or some columns of a row of an unknown table.
func (s *rowsSource) Keys(line []byte) [][]byte {
	if key := records.KeyOf(line); key != nil {
		return [][]byte{key}
	}
	var columns map[string]*string
	if json.Unmarshal(line, &columns) != nil {
		return nil
	}
	var keys [][]byte
	for _, in := range s.inputs {
		row, fits := rowOf(in.table, columns)
		if !fits {
			continue
		}
		values, _ := s.values(in, view{table: in.table, row: row})
		for i := range in.rules {
			if o := in.rules[i].key(map[string]any{rowVariable: values}); o.err == nil {
				keys = append(keys, o.keyText())
			}
		}
	}
	return keys
}

// rowOf returns a row of columns, with those that are missing as unchanged. It does not fit a table
// that lacks one of them.
func rowOf(t *Table, columns map[string]*string) (row []Cell, fits bool) {
	found := 0
	for i := range t.Columns {
		text, has := columns[t.Columns[i].Name]
		switch {
		case !has:
			row = append(row, Cell{Unchanged: true})
			continue
		case text == nil:
			row = append(row, Cell{Null: true})
		default:
			row = append(row, Cell{Text: []byte(*text)})
		}
		found++
	}
	return row, found == len(columns)
}

// Advice implements [compare.Source].
func (s *rowsSource) Advice(t feed.RecordType, from string) string {
	for _, table := range s.Tables() {
		if from == "" && s.Mapper.Types(table).Has(t) {
			from = table.Quoted
		}
	}
	if strings.ContainsAny(from, "\"$ '`\\") {
		from = quoteShell(from)
	}
	if s.name != DefaultName {
		from = "--name " + s.name + " " + from
	}
	return "run: tideline mirror resnapshot " + from
}

// quoteShell quotes a word for a shell.
func quoteShell(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
