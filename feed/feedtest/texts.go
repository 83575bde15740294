package feedtest

import (
	"reflect"

	"github.com/tideline-feeds/tideline/feed"
)

// Text fields all follow the same rules for storing, comparing and changing. These helpers find
// them by type, so that the tests cover new fields too.

// filled sets every empty text of a struct to a unique one.
func filled[T any](v *T, of string) *T {
	for _, f := range textsOf(v) {
		if f.value.String() == "" {
			f.value.SetString(f.name + " of " + of)
		}
	}
	return v
}

// textField is a text field of a struct.
type textField struct {
	name  string
	value reflect.Value
}

// textsOf returns the text fields of the struct that v points to.
func textsOf(v any) []textField {
	var out []textField
	s := reflect.ValueOf(v).Elem()
	for _, f := range reflect.VisibleFields(s.Type()) {
		if f.Type == reflect.TypeFor[string]() {
			out = append(out, textField{f.Name, s.FieldByIndex(f.Index)})
		}
	}
	return out
}

// changeEachText changes one text field of a profile after the other.
func changeEachText(w *world) {
	w.user(ann)
	want := newUser(ann)
	change := reflect.TypeFor[feed.ProfileChange]()
	for i := range change.NumField() {
		name, text := change.Field(i).Name, new("https://example.org/changed")
		if name == "Handle" {
			*text = "changed"
		}
		var c feed.ProfileChange
		reflect.ValueOf(&c).Elem().Field(i).Set(reflect.ValueOf(text))
		reflect.ValueOf(want).Elem().FieldByName(name).SetString(*text)
		w.same("the user with another "+name, w.update(ann, c), want)
		w.same("the user stored", w.usersOf(ann), []*feed.User{want})
	}
}

// importEachText imports records of stored objects with one changed text field, first without and
// then with an update.
func importEachText(w *world) {
	w.imports(sampleRecords())
	each := func(of func() (record feed.Record, texts any)) {
		_, texts := of()
		for i, f := range textsOf(texts) {
			r, texts := of()
			textsOf(texts)[i].value.SetString("changed")
			if d := w.imports(records(r)).Different; len(d) != 1 || len(d[0].Fields) != 1 {
				w.t.Errorf("importing a record with another %s: got differences %v, want exactly that field", f.name, d)
			}
			if d := w.updates(r).Updated; len(d) != 1 || len(d[0].Fields) != 1 {
				w.t.Errorf("updating with another %s: got updates %v, want exactly that field", f.name, d)
			}
			w.same("the result of the same record", w.imports(records(r)), feed.Applied{Unchanged: 1})
			r, _ = of()
			w.same("the result of the first record", len(w.updates(r).Updated), 1)
		}
	}
	each(func() (feed.Record, any) { r := userRecord(bob); return r, r.User })
	each(func() (feed.Record, any) { r := feed.Record{Post: newPost(10, bob, noon)}; return r, r.Post })
	w.sampleRecordsAreStored()
}
