package records

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed"
)

// codec encodes and decodes records of one or several types.
type codec interface {
	// types are the values of the field "type".
	types() []string
	// fieldNames are the names of all fields but the type.
	fieldNames() []string
	shape() Shape
	// encode appends the record, and reports whether it has one of the types. names is nil where
	// ids are numbers.
	encode(r *feed.Record, names externalIDs, out *bytes.Buffer) (written bool, err error)
	// decode returns the record with the members of a line of one of the types.
	decode(members []member, textIDs bool) (feed.Record, error)
	// numbers adds the numbers in a record to the keys of names.
	numbers(r *feed.Record, names externalIDs)
}

// Format reads and writes the lines of a deployment.
type Format struct {
	// IDs has the external ids; nil where ids are numbers.
	IDs feed.IDMap
}

// Encode returns the lines of records, which [Format.Decode] accepts, with their line ends. It
// ignores Line. Equal records have equal lines.
func (f Format) Encode(ctx context.Context, list ...feed.Record) ([]byte, error) {
	names, err := f.names(ctx, list)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for i := range list {
		if err := encode(&list[i], names, &out); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

func encode(r *feed.Record, names externalIDs, out *bytes.Buffer) error {
	for _, c := range lineTypes {
		if written, err := c.encode(r, names, out); written {
			return err
		}
	}
	return errors.New("an empty record")
}

// Number stores the numbers of the external ids in decoded records. Every way in calls it, or
// [feed.NumberRecords], before it applies them. Where ids are numbers, it returns the list.
func (f Format) Number(ctx context.Context, list []feed.Record) (fit []feed.Record, bad []feed.Rejected, err error) {
	if f.IDs == nil {
		return list, nil, nil
	}
	return feed.NumberRecords(ctx, f.IDs, list)
}

// Decode returns the record in one line. It fails if decoding would alter the text, and for
// unknown fields. The error is for the author of the file. A record whose error leaves its key, and who may see
// its object, is [feed.Record.Unfit]. It does not check [feed.RecordRules];
// the store does. Where ids are text, the record needs [Format.Number].
func (f Format) Decode(line []byte) (feed.Record, error) {
	for _, check := range []func([]byte) error{checkUTF8, checkEscapes} {
		if err := check(line); err != nil {
			return feed.Record{}, err
		}
	}
	members := membersOf(line)
	typ, err := typeOf(line, members)
	if err != nil {
		return feed.Record{}, err
	}
	return f.decode(typ, members)
}

func (f Format) decode(typ string, members []member) (feed.Record, error) {
	var known []string
	for _, c := range lineTypes {
		if slices.Contains(c.types(), typ) {
			return c.decode(members, f.IDs != nil)
		}
		known = append(known, c.types()...)
	}
	return feed.Record{}, fmt.Errorf("%.40q is not a type; the types are %s", typ, strings.Join(known, ", "))
}

// typeOf returns the type of a line. A line without members is not an object.
func typeOf(line []byte, members []member) (string, error) {
	var typ value
	for _, m := range members {
		if strings.EqualFold(m.name, "type") && typ.read(m.value, false, false, false) != nil {
			members = nil
		}
	}
	if len(members) == 0 {
		var head struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return "", fmt.Errorf("not a JSON object: %s", jsonReason("", err))
		}
	}
	if typ.text == "" {
		return "", errors.New(`the field "type" is missing`)
	}
	return typ.text, nil
}

// lineType is a [codec] for records of type T.
type lineType[T any] struct {
	names []string
	// at returns where a record stores its T.
	at     func(*feed.Record) **T
	fields []field[T]
	// common are fields of every record of the type. Exports write those that are exported.
	common []field[feed.Record]
	// finish, if not nil, completes a decoded value. has reports whether the line names a field.
	finish func(v *T, has func(name string) bool)
}

func (l lineType[T]) types() []string { return l.names }

func (l lineType[T]) fieldNames() []string {
	var names []string
	for _, f := range l.fields {
		names = append(names, f.name)
	}
	for _, f := range l.common {
		names = append(names, f.name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "type" })
}

func (l lineType[T]) shape() Shape {
	var s Shape
	for _, f := range l.fields {
		if f.key {
			s.Keys = append(s.Keys, f.name)
		}
		if f.owner {
			s.Owner = f.name
		}
		c := checker{}
		if f.read(&c, value{}, new(T)); c.err != nil && !f.optional {
			s.Required = append(s.Required, f.name)
		}
	}
	return s
}

// Shape says which fields records of a type need.
type Shape struct {
	// Keys identify the object.
	Keys []string
	// Owner is the field of the object's user, which partial records have, too; empty if none.
	Owner string
	// Required are the fields that every whole record has, with the keys.
	Required []string
}

// ShapeOf returns the shape of a type of records.
func ShapeOf(typ string) (s Shape, known bool) {
	for _, c := range lineTypes {
		if slices.Contains(c.types(), typ) {
			return c.shape(), true
		}
	}
	return Shape{}, false
}

// KeyOf returns the JSON members of the type and the key of a line, which may be bad otherwise; nil if
// it lacks them.
func KeyOf(line []byte) []byte {
	members := membersOf(line)
	typ, err := typeOf(line, members)
	shape, known := ShapeOf(typ)
	if err != nil || !known {
		return nil
	}
	key := fmt.Appendf(nil, `"type":%q`, typ)
	found := 0
	for _, m := range members {
		if slices.ContainsFunc(shape.Keys, func(name string) bool { return strings.EqualFold(name, m.name) }) {
			key = fmt.Appendf(key, `,%q:%s`, m.name, m.value)
			found++
		}
	}
	if found < len(shape.Keys) && typ != string(feed.RecordCounters) {
		return nil
	}
	return key
}

// Fields returns the names of the fields of a type of records.
func Fields(typ string) (names []string, known bool) {
	for _, c := range lineTypes {
		if slices.Contains(c.types(), typ) {
			return c.fieldNames(), true
		}
	}
	return nil, false
}

func (l lineType[T]) encode(r *feed.Record, names externalIDs, out *bytes.Buffer) (written bool, err error) {
	from := *l.at(r)
	if from == nil || !slices.Contains(l.names, string(r.Type())) {
		return false, nil
	}
	between := `{"`
	for _, f := range l.fields {
		if between, err = f.encode(from, names, out, between); err != nil {
			return true, err
		}
	}
	for _, f := range l.common {
		if !f.exported {
			continue
		}
		if between, err = f.encode(r, names, out, between); err != nil {
			return true, err
		}
	}
	out.WriteString("}\n")
	return true, nil
}

// encode writes a field unless it is left out. It returns what comes before the next one.
func (f *field[T]) encode(from *T, names externalIDs, out *bytes.Buffer, between string) (next string, err error) {
	v := f.write(from)
	if f.optional && v.zero || f.textIDs && names == nil {
		return between, nil
	}
	if f.ids != "" && names != nil {
		v.text = names.text(f.ids, *f.number64(from))
	}
	out.WriteString(between + f.name + `":`)
	switch {
	case f.list:
		err = appendJSON(out, v.list)
	case f.bare:
		out.WriteString(v.text)
	case plain(v.text):
		out.WriteString(`"` + v.text + `"`)
	default:
		err = appendJSON(out, v.text)
	}
	return `,"`, err
}

func appendJSON(out *bytes.Buffer, v any) error {
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false) // People write "<3".
	if err := to.Encode(v); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the line end that an Encoder adds
	return nil
}

// plain reports whether JSON needs no escapes for a text: it is ASCII without quotes, backslashes
// and control characters. For such texts, encoding takes a tenth of the time of an Encoder.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// decode reports errors of the line before errors of values. Duplicate names are errors in any
// case, since encoding/json would silently take the last.
func (l lineType[T]) decode(members []member, textIDs bool) (feed.Record, error) {
	own, common := newReading(l.fields, textIDs), newReading(l.common, textIDs)
	for _, m := range members {
		known, err := own.take(m)
		if !known && err == nil {
			known, err = common.take(m)
		}
		if err != nil {
			return feed.Record{}, err
		}
		if !known {
			return feed.Record{}, fmt.Errorf("unknown field %q", m.name)
		}
	}
	c := checker{textIDs: textIDs}
	var r feed.Record
	v := new(T)
	gone := own.has("deletedAt") || own.has("erasedAt") || common.has("deletedAt")
	common.store(&c, &r, true, false)
	if r.Partial != nil {
		r.Partial = append(own.names(), common.names()...)
	}
	own.store(&c, v, gone, r.Partial != nil)
	said, bad := r.Unclear, c.err
	if r.Unclear = cmp.Or(said, c.unclear); bad != nil {
		c, v = checker{textIDs: textIDs}, new(T)
		own.storeKey(&c, v)
		switch {
		case c.err != nil && said != "":
			bad = errors.New(said) // why it has no key
		case c.err != nil:
		case r.Unclear != "":
			bad = nil
		case own.decides():
			r.Unfit = feed.ShortReason(bad.Error())
		}
	}
	if l.finish != nil {
		l.finish(v, own.has)
	}
	*l.at(&r), r.IDs = v, c.ids
	return r, bad
}

// reading holds the values of a line for some fields.
type reading[T any] struct {
	fields  []field[T]
	values  []value
	read    []bool
	textIDs bool
}

func newReading[T any](fields []field[T], textIDs bool) reading[T] {
	return reading[T]{fields, make([]value, len(fields)), make([]bool, len(fields)), textIDs}
}

// take reads a member, and reports whether it is one of the fields.
func (r *reading[T]) take(m member) (known bool, err error) {
	i := slices.IndexFunc(r.fields, func(f field[T]) bool { return strings.EqualFold(f.name, m.name) })
	switch {
	case i < 0, r.fields[i].textIDs && !r.textIDs:
		return false, nil
	case r.read[i]:
		return true, fmt.Errorf("duplicate field %q", m.name)
	}
	r.read[i] = true
	if m.value == nil && !r.fields[i].list && !r.fields[i].object {
		r.values[i].text = m.text
		return true, nil
	}
	if m.value == nil {
		m.value, _ = json.Marshal(m.text) // texts have JSON
	}
	if err := r.values[i].read(m.value, r.fields[i].list, r.fields[i].number, r.fields[i].object); err != nil {
		reason := jsonReason(r.fields[i].name, err)
		if !r.fields[i].deciding {
			return true, errors.New(reason)
		}
		r.values[i].wrong = reason
	}
	return true, nil
}

func (r *reading[T]) has(name string) bool {
	i := slices.IndexFunc(r.fields, func(f field[T]) bool { return f.name == name })
	return i >= 0 && r.read[i]
}

// names returns the fields that were read and are no part of the key.
func (r *reading[T]) names() []string {
	names := []string{}
	for i, f := range r.fields {
		if r.read[i] && !f.key {
			names = append(names, f.name)
		}
	}
	return names
}

// store stores the values. Of an object that is gone, only the fields of its key are required, and of
// a partial record those of key and owner.
func (r *reading[T]) store(c *checker, into *T, gone, partial bool) {
	for i, f := range r.fields {
		missing := r.values[i].text == "" && r.values[i].wrong == "" && !f.list && !(f.named && r.read[i])
		switch {
		case missing && (f.optional || gone && !f.key || partial && !r.read[i] && !f.key && !f.owner):
		case f.deciding && r.read[i]:
			r.storeDeciding(c, i, into)
		default:
			f.read(c, r.values[i], into)
		}
	}
}

// storeDeciding stores the value of a deciding field. One that is wrong makes the record unclear.
func (r *reading[T]) storeDeciding(c *checker, i int, into *T) {
	of, wrong := checker{}, r.values[i].wrong
	if wrong == "" {
		r.fields[i].read(&of, r.values[i], into)
	}
	if of.err != nil {
		wrong = of.err.Error()
	}
	c.unclear = cmp.Or(c.unclear, wrong)
}

// decides reports whether a field says who may see the object.
func (r *reading[T]) decides() bool {
	return slices.ContainsFunc(r.fields, func(f field[T]) bool { return f.deciding })
}

// storeKey stores the fields of the key, which is enough to hide the object, and those that say who may see it.
func (r *reading[T]) storeKey(c *checker, into *T) {
	for i, f := range r.fields {
		switch {
		case f.key:
			f.read(c, r.values[i], into)
		case f.deciding && r.read[i]:
			r.storeDeciding(c, i, into)
		}
	}
}
