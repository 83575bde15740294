package lrucache

import "reflect"

// entryCost is what an entry takes besides its value: an element of the list, some
// 110 bytes with key, lifetime and cost, and about 70 of the maps, which are never
// quite full.
const entryCost = 180

// stringCost is what Go takes for each string in a slice besides its text.
const stringCost = 16

// costOf estimates what a value takes in memory, in bytes: its fields, and the texts that they
// refer to.
func costOf[V any](v *V) int64 {
	fields := reflect.ValueOf(v).Elem()
	n := entryCost + int64(fields.Type().Size())
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Type() {
		case reflect.TypeFor[string]():
			n += int64(f.Len())
		case reflect.TypeFor[[]string]():
			for j := range f.Len() {
				n += stringCost + int64(f.Index(j).Len())
			}
		}
	}
	return n
}
