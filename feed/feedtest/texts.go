package feedtest

import (
	"reflect"
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
