package sqlstore

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// field is a column of a table and its place in a T.
type field[T any] struct {
	name string
	// text says that the column holds a text, and fixed that updates leave it unchanged.
	text, fixed bool
	// dest returns the target of a scan. It is nil if the column is only written.
	dest func(*T) any
	take func(rows []*T) column
	// change returns the new value of the column in a profile change, or nil.
	change func(*feed.ProfileChange) *string
}

func intField[T any, N ~int | ~int64 | ~uint8](name string, at func(*T) *N) field[T] {
	return field[T]{
		name: name,
		dest: func(row *T) any { return at(row) },
		take: func(rows []*T) column { return intColumn(name, rows, func(row *T) N { return *at(row) }) },
	}
}

func flagField[T any](name string, at func(*T) *bool) field[T] {
	return field[T]{
		name: name,
		dest: func(row *T) any { return at(row) },
		take: func(rows []*T) column { return intColumn(name, rows, func(row *T) int { return flag(*at(row)) }) },
	}
}

func textField[T any, S ~string](name string, at func(*T) *S) field[T] {
	f := computedField(name, func(row *T) string { return string(*at(row)) })
	f.dest = func(row *T) any { return at(row) }
	return f
}

// computedField is a column of texts that is only written.
func computedField[T any](name string, of func(*T) string) field[T] {
	return field[T]{
		name: name, text: true,
		take: func(rows []*T) column { return textColumn(name, rows, of) },
	}
}

func mediaField[T any](name string, at func(*T) *[]string) field[T] {
	f := computedField(name, func(row *T) string { return mediaList(*at(row)).String() })
	f.dest = func(row *T) any { return (*mediaList)(at(row)) }
	return f
}

// once excludes a column from updates.
func (f field[T]) once() field[T] {
	f.fixed = true
	return f
}

// changedBy makes a column part of profile changes.
func (f field[T]) changedBy(change func(*feed.ProfileChange) *string) field[T] {
	f.change = change
	return f
}

// fields are the columns that a statement reads or writes, in order.
type fields[T any] []field[T]

func (f fields[T]) and(further ...field[T]) fields[T] { return slices.Concat(f, further) }

// names lists the names of the columns, each with a prefix such as "c.".
func (f fields[T]) names(prefix string) string {
	return strings.Join(mapped(f, func(c field[T]) string { return prefix + c.name }), ", ")
}

// cleared returns the assignments that empty the columns for which which is true.
func (f fields[T]) cleared(which func(field[T]) bool) string {
	var sets []string
	for _, c := range f {
		if which(c) {
			sets = append(sets, c.name+" = "+map[bool]string{true: "''", false: "0"}[c.text])
		}
	}
	return strings.Join(sets, ", ")
}

func (f fields[T]) take(rows []*T) []column {
	columns := make([]column, len(f))
	for i, c := range f {
		columns[i] = c.take(rows)
		columns[i].fixed = c.fixed
	}
	return columns
}

func (f fields[T]) args(row *T) []any {
	return mapped(f.take([]*T{row}), column.first)
}

// scan returns a function that scans each row into a new value. further are the targets of columns that
// follow, for all rows.
func (f fields[T]) scan(further ...any) func(scanner) (*T, error) {
	return scanAs(f, func(row T) *T { return &row }, further...)
}

// scanAs is [fields.scan] with a conversion. All rows share the targets of the scan.
func scanAs[T, V any](f fields[T], value func(T) *V, further ...any) func(scanner) (*V, error) {
	row := new(T)
	dest := make([]any, len(f), len(f)+len(further))
	for i, c := range f {
		dest[i] = c.dest(row)
	}
	dest = append(dest, further...)
	return func(from scanner) (*V, error) {
		if err := from.Scan(dest...); err != nil {
			return nil, err
		}
		return value(*row), nil
	}
}

func parameters(first, n int) []string {
	params := make([]string, n)
	for i := range params {
		params[i] = fmt.Sprintf("$%d", first+i)
	}
	return params
}

// setFrom returns a SET clause that copies columns that are not fixed from a source.
func setFrom(source string, columns []column) string {
	var sets []string
	for _, c := range columns {
		if !c.fixed {
			sets = append(sets, c.name+" = "+source+"."+c.name)
		}
	}
	return "SET " + strings.Join(sets, ", ")
}

func pointers[T any](list []T) []*T {
	out := make([]*T, len(list))
	for i := range list {
		out[i] = &list[i]
	}
	return out
}

// mediaList is a list of URLs in a text column.
type mediaList []string

const noMedia = "[]"

func (l mediaList) String() string {
	if len(l) == 0 {
		return noMedia
	}
	text, _ := json.Marshal([]string(l)) // strings always marshal
	return string(text)
}

// Scan implements [sql.Scanner].
func (l *mediaList) Scan(value any) error { return scanList(l, value) }

// parse implements [list]. It allocates a new list, because all rows are scanned into one value.
func (l *mediaList) parse(text []byte) error {
	*l = nil
	if string(text) == noMedia {
		return nil
	}
	var media []string
	err := json.Unmarshal(text, &media)
	*l = media
	return err
}

// decode implements [list].
func (l *mediaList) decode(v []byte) error { return l.parse(v) }
