package mirror

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"github.com/tideline-feeds/tideline/connect/mapping"
)

// Type is a type of columns.
type Type struct {
	OID  uint32
	Name string
	// Base is the type that a domain is made of, Element that of an array's elements; else nil.
	Base, Element *Type
	// Labels are those of an enum.
	Labels []string
}

// base returns the type without domains.
func (t *Type) base() *Type {
	for t.Base != nil {
		t = t.Base
	}
	return t
}

// Kind is a group of types with values of one kind.
type Kind int

// The kinds of types. Other has texts as values.
const (
	Other Kind = iota
	Bool
	Number // a whole number
	Numeric
	Text
	Enum
	UUID
	Date
	Time
	ZonelessTime
	JSON
	List
)

// Kind returns the kind of a type.
func (t *Type) Kind() Kind {
	t = t.base()
	switch t.OID {
	case pgtype.BoolOID:
		return Bool
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID:
		return Number
	case pgtype.NumericOID:
		return Numeric
	case pgtype.TextOID, pgtype.VarcharOID, pgtype.BPCharOID:
		return Text
	case pgtype.UUIDOID:
		return UUID
	case pgtype.DateOID:
		return Date
	case pgtype.TimestamptzOID:
		return Time
	case pgtype.TimestampOID:
		return ZonelessTime
	case pgtype.JSONOID, pgtype.JSONBOID:
		return JSON
	}
	switch {
	case t.Element != nil:
		return List
	case len(t.Labels) > 0:
		return Enum
	case strings.HasSuffix(t.Name, "citext"):
		return Text
	}
	return Other
}

// zoneless reports that values are timestamps without a time zone, or arrays of them.
func (t *Type) zoneless() bool {
	t = t.base()
	return t.OID == pgtype.TimestampOID || t.Element != nil && t.Element.zoneless()
}

// decoder returns the values of texts as PostgreSQL writes them with DateStyle ISO.
type decoder struct {
	// zone is that of timestamps without one; nil if unknown.
	zone *time.Location
}

// value returns the value of a text for expressions. It never fails: what has no value is a
// [mapping.Failure].
func (d decoder) value(t *Type, text []byte) any {
	v, err := d.decode(t.base(), text)
	if err != nil {
		return mapping.Failure(err)
	}
	return v
}

func (d decoder) decode(t *Type, text []byte) (any, error) {
	s := string(text)
	switch t.OID {
	case pgtype.BoolOID:
		return s == "t", nil
	case pgtype.Int2OID, pgtype.Int4OID, pgtype.Int8OID, pgtype.OIDOID:
		return strconv.ParseInt(s, 10, 64)
	case pgtype.NumericOID:
		return number(s), nil
	case pgtype.Float4OID, pgtype.Float8OID:
		return strconv.ParseFloat(s, 64)
	case pgtype.TimestamptzOID:
		return moment(s, "2006-01-02 15:04:05.999999999Z07", time.UTC)
	case pgtype.TimestampOID:
		if d.zone == nil {
			return nil, fmt.Errorf("the timestamp %s has no time zone; set the zone in the mapping file", s)
		}
		return moment(s, "2006-01-02 15:04:05.999999999", d.zone)
	case pgtype.JSONOID, pgtype.JSONBOID:
		return mapping.Value(text)
	}
	if t.Element != nil {
		return d.list(t.Element, text)
	}
	return s, nil
}

// number returns a numeric: an int64 or uint64 if it is whole and fits, else its text.
func number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	if n, err := strconv.ParseUint(s, 10, 64); err == nil {
		return n
	}
	return s
}

// Times that PostgreSQL has outside the years of the calendar.
const (
	never  = "infinity"
	always = "-infinity"
	bc     = " BC"
)

// firstMoment is the first time that records can have.
func firstMoment() time.Time { return time.UnixMilli(1).UTC() }

// moment parses a timestamp. Infinity and the years after 9999 never come, so they are null. Records
// have no times before 1970: those, the years before Christ and -infinity are the first moment of it.
func moment(s, layout string, zone *time.Location) (any, error) {
	switch {
	case s == never:
		return nil, nil
	case s == always, strings.HasSuffix(s, bc):
		return firstMoment(), nil
	case strings.IndexByte(s, '-') > len("9999"):
		return nil, nil
	}
	if strings.Contains(layout, "Z07") {
		// Offsets have hours, and where needed minutes and seconds.
		layout += strings.Repeat(":00", max(0, strings.Count(s, ":")-2))
	}
	at, err := time.ParseInLocation(layout, s, zone)
	if err != nil {
		return nil, fmt.Errorf("%q is not a time; leave the column out of the mapping file", s)
	}
	if first := firstMoment(); at.Before(first) {
		return first, nil
	}
	return at.UTC(), nil
}

// list returns the elements of an array, lists if it has several dimensions.
func (d decoder) list(element *Type, text []byte) (any, error) {
	var a pgtype.Array[*string]
	if err := pgtype.NewMap().Scan(pgtype.TextArrayOID, pgtype.TextFormatCode, text, &a); err != nil {
		return nil, fmt.Errorf("the array %.40q cannot be read (%w); leave the column out of the mapping file", text, err)
	}
	values := make([]any, len(a.Elements))
	for i, e := range a.Elements {
		if e == nil {
			continue
		}
		var err error
		if values[i], err = d.decode(element.base(), []byte(*e)); err != nil {
			return nil, err
		}
	}
	for i := len(a.Dims) - 1; i > 0; i-- {
		values = fold(values, int(a.Dims[i].Length))
	}
	return values, nil
}

// fold makes lists of n values each.
func fold(values []any, n int) []any {
	var lists []any
	for len(values) > 0 {
		lists = append(lists, values[:n:n])
		values = values[n:]
	}
	return lists
}

// rowText returns the columns of a row that the rules or the primary key have, as JSON: texts and nulls
// by column.
func (in *input) rowText(t *Table, row []Cell) []byte {
	columns := map[string]*string{}
	for i, c := range row {
		if name := t.Columns[i].Name; c.Unchanged || !in.whole && !in.uses[name] && !slices.Contains(t.PrimaryKey, name) {
			continue
		}
		columns[t.Columns[i].Name] = nil
		if !c.Null {
			text := string(c.Text)
			columns[t.Columns[i].Name] = &text
		}
	}
	text, _ := json.Marshal(columns) // texts have JSON
	return text
}
