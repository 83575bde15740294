package records

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/wellformed"
)

// field is a field of a line and its place in a T. Its value is a text or a list of texts.
type field[T any] struct {
	name string
	// list is set for a list of texts, number for a number, optional if the field can be missing.
	list, number, optional bool
	// key is set for the fields that identify the object. Others may be missing if it is gone.
	// owner is set for its user: partial records name them, too.
	key, owner bool
	// exported is set for a field of [feed.Record] that exports write.
	exported bool
	// named is set if an empty text or null is a value, and not the same as no field.
	named bool
	// deciding is set for a field that says who may see the object. A value that is wrong makes the record
	// unclear instead of bad, since a bad one would leave on show what it may hide.
	deciding bool
	// bare is set for a value without quotes, object for a JSON object.
	bare, object bool
	// ids is set for an id, and number64 then returns its place. textIDs is set for a field that
	// exists only where ids are text.
	ids      feed.IDKind
	number64 func(*T) *int64
	textIDs  bool

	write func(*T) value
	// read stores the value, and reports errors to c.
	read func(c *checker, v value, into *T)
}

// value is the value of a field: a text or a list. zero reports that it is the zero value of its
// type.
type value struct {
	text string
	list []string
	zero bool
	// wrong says why a deciding field has no value.
	wrong string
}

// read decodes valid JSON. A text without escapes is copied, which takes a tenth of the time of
// Unmarshal.
func (v *value) read(text json.RawMessage, list, number, object bool) error {
	switch {
	case object:
		v.text = string(text)
		return nil
	case list:
		return json.Unmarshal(text, &v.list)
	case number && text[0] != '"' && text[0] != 'n':
		v.text = string(text)
		return nil
	case text[0] == '"' && bytes.IndexByte(text, '\\') < 0:
		v.text = string(text[1 : len(text)-1])
		return nil
	}
	return json.Unmarshal(text, &v.text)
}

// decides marks a field that says who may see the object.
func (f field[T]) decides() field[T] {
	f.deciding = true
	return f
}

// neverEmpty makes null and empty texts wrong values, where they are not the same as no field.
func (f field[T]) neverEmpty() field[T] {
	f.named = true
	return f
}

// orNone makes a field optional: a zero value is omitted.
func (f field[T]) orNone() field[T] {
	f.optional = true
	return f
}

// identifying marks a field that identifies the object.
func (f field[T]) identifying() field[T] {
	f.key = true
	return f
}

// owning marks the field of the object's user.
func (f field[T]) owning() field[T] {
	f.owner = true
	return f
}

// scalar is a field whose value of type V is written as a text.
func scalar[T any, V comparable](name string, at func(*T) *V, write func(V) string, read func(c *checker, name, text string) V) field[T] {
	return field[T]{
		name: name,
		write: func(r *T) value {
			var zero V
			v := *at(r)
			return value{text: write(v), zero: v == zero}
		},
		read: func(c *checker, v value, into *T) { *at(into) = read(c, name, v.text) },
	}
}

// constant is a field with the same text in every record.
func constant[T any](name, text string) field[T] {
	return field[T]{
		name:  name,
		write: func(*T) value { return value{text: text} },
		read:  func(*checker, value, *T) {},
	}
}

func text[T any, S ~string](name string, at func(*T) *S) field[T] {
	return scalar(name, at,
		func(s S) string { return string(s) },
		func(_ *checker, _, text string) S { return S(text) })
}

func texts[T any](name string, at func(*T) *[]string) field[T] {
	return field[T]{
		name: name, list: true,
		write: func(r *T) value { return value{list: *at(r), zero: len(*at(r)) == 0} },
		read:  func(_ *checker, v value, into *T) { *at(into) = v.list },
	}
}

// id is the id of an object.
func id[T any](name string, kind feed.IDKind, at func(*T) *int64) field[T] {
	return field[T]{
		name: name, ids: kind, number64: at,
		write: func(r *T) value {
			n := *at(r)
			return value{text: strconv.FormatInt(n, 10), zero: n == 0}
		},
		read: func(c *checker, v value, into *T) { c.id(name, kind, v.text, at(into)) },
	}
}

// ownID is the id of the record's object. Where ids are text, external stores it too.
func ownID[T any](kind feed.IDKind, at func(*T) *int64, external func(*T) *feed.ExternalID) field[T] {
	f := id("id", kind, at).identifying()
	read := f.read
	f.read = func(c *checker, v value, into *T) {
		if read(c, v, into); c.textIDs {
			*external(into) = feed.ExternalID(v.text)
		}
	}
	return f
}

// number is the number of the object, where ids are text. Ties and cursors depend on it.
func number[T any](at func(*T) *int64) field[T] {
	f := count("n", at).orNone()
	f.textIDs = true
	return f
}

func postKind[T any](name string, at func(*T) *feed.Kind) field[T] {
	return scalar(name, at, func(k feed.Kind) string { return string(k) }, (*checker).kind)
}

// moment is a time in milliseconds since the epoch.
func moment[T any](name string, at func(*T) *int64) field[T] {
	return scalar(name, at, encodeTime, (*checker).time)
}

// count is a number from 0 on, written as a number or a decimal text.
func count[T any](name string, at func(*T) *int64) field[T] {
	f := scalar(name, at, func(n int64) string { return strconv.FormatInt(n, 10) }, (*checker).count)
	f.number = true
	return f
}

// total is an optional count that is written as a number.
func total[T any](name string, at func(*T) *int64) field[T] {
	f := count(name, at).orNone()
	f.bare = true
	return f
}

// truth is true or false.
func truth[T any](name string, at func(*T) *bool) field[T] {
	f := scalar(name, at, strconv.FormatBool, (*checker).truth)
	f.number, f.bare = true, true
	return f.orNone()
}

// truthOf is true for the values that have a bit, and false for others.
func truthOf[T any, V ~int](name string, at func(*T) *V, bit V) field[T] {
	has := func(v V) bool { return v > 0 && v&bit != 0 }
	f := scalar(name, at, func(v V) string { return strconv.FormatBool(has(v)) }, func(c *checker, field, text string) (v V) {
		if c.truth(field, text) {
			v = bit
		}
		return v
	})
	write := f.write
	f.write = func(r *T) value {
		v := write(r)
		v.zero = !has(*at(r))
		return v
	}
	f.number, f.bare = true, true
	return f.orNone()
}

// followOption is the i-th option of a follow. A record that does not name it leaves it as it is.
func followOption(i int) field[feed.FollowRecord] {
	o := feed.FollowOptionNames()[i]
	f := truth(o.Name, func(*feed.FollowRecord) *bool { return new(bool) })
	f.write = func(r *feed.FollowRecord) value {
		return value{text: strconv.FormatBool(r.Options.On.Has(o.Option)), zero: !r.Options.Named.Has(o.Option)}
	}
	f.read = func(c *checker, v value, into *feed.FollowRecord) {
		on := c.truth(o.Name, v.text)
		into.Options.Choose(o.Option, &on)
	}
	return f
}

// followState is REQUESTED, or ACCEPTED for none.
func followState[T any](name string, requested func(*T) *bool) field[T] {
	return scalar(name, requested, func(bool) string { return "REQUESTED" }, func(c *checker, field, text string) bool {
		if text != "REQUESTED" && text != "ACCEPTED" {
			c.fail(field, "must be REQUESTED or ACCEPTED, not %.40q", text)
		}
		return text == "REQUESTED"
	}).orNone()
}

// custom are the fields of the application, as an object.
func custom[T any](at func(*T) *feed.CustomFields) field[T] {
	f := scalar("custom", at, func(c feed.CustomFields) string { return string(c) }, (*checker).custom)
	f.object, f.bare = true, true
	return f.orNone()
}

// event is a moment after the epoch; 0 means that it has not happened.
func event[T any](name string, at func(*T) *int64) field[T] {
	return scalar(name, at, encodeTime, (*checker).past)
}

// checker keeps the first error and the external ids of a line. unclear is the first error of a deciding field.
type checker struct {
	err     error
	unclear string
	textIDs bool
	ids     []feed.IDRef
}

func (c *checker) fail(field, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("the field %q %s", field, fmt.Sprintf(format, args...))
	}
}

func (c *checker) id(field string, kind feed.IDKind, s string, at *int64) {
	if c.textIDs {
		id := feed.ExternalID(s)
		if err := id.Check(); err != nil {
			c.fail(field, "must be an id: %s", feed.Reason(err))
		}
		c.ids = append(c.ids, feed.IDRef{Kind: kind, ID: id, At: at})
		return
	}
	id, err := feed.ParseUserID(s)
	if err != nil {
		c.fail(field, "must be an id, a decimal string from \"1\" to \"9223372036854775807\", not %.40q", s)
	}
	*at = int64(id)
}

func (c *checker) time(field, s string) int64 {
	t, err := wellformed.Time(s)
	ms := t.UnixMilli()
	if err != nil || ms < 0 || ms > feed.MaxTime {
		c.fail(field, "must be a time from 1970 on such as 2026-01-31T12:00:00.000Z, not %.40q", s)
	}
	return ms
}

func (c *checker) count(field, s string) int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		c.fail(field, "must be a whole number from 0 to 9223372036854775807, not %.40q", s)
	}
	return n
}

func (c *checker) truth(field, s string) bool {
	if s != "true" && s != "false" {
		c.fail(field, "must be true or false, not %.40q", s)
	}
	return s == "true"
}

func (c *checker) custom(field, s string) feed.CustomFields {
	custom, err := feed.NewCustomFields([]byte(s))
	if err != nil {
		c.err = cmp.Or(c.err, fmt.Errorf("the field %q: %s", field, feed.Reason(err)))
	}
	return custom
}

// past reads a time. The epoch is an error, because 0 means that it has not happened.
func (c *checker) past(field, s string) int64 {
	ms := c.time(field, s)
	if ms == 0 {
		c.fail(field, "must be later than the beginning of 1970")
	}
	return ms
}

func (c *checker) kind(field, s string) feed.Kind {
	k := feed.Kind(s)
	if !k.Valid() {
		names := make([]string, 0, len(feed.AllKinds()))
		for _, k := range feed.AllKinds() {
			names = append(names, string(k))
		}
		c.fail(field, "must be one of %s, not %.40q", strings.Join(names, ", "), s)
	}
	return k
}

func (c *checker) audience(_, s string) feed.PostAudience {
	a, ok := feed.ParseAudience(s)
	if !ok {
		c.err = cmp.Or(c.err, errors.New(feed.UnknownAudience))
	}
	return a
}

// timeLayout has milliseconds in UTC, and a constant length.
const timeLayout = "2006-01-02T15:04:05.000Z"

func encodeTime(ms int64) string { return time.UnixMilli(ms).UTC().Format(timeLayout) }

// jsonReason explains a JSON error. field names the field if the error does not.
func jsonReason(field string, err error) string {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return fmt.Sprintf("the field %q must not be a %s", cmp.Or(field, typ.Field), typ.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
