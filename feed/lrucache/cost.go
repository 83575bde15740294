package lrucache

import (
	"reflect"

	"github.com/tideline-feeds/tideline/feed"
)

// entryCost is the memory of an entry besides its value: some 110 bytes for the list element with
// key, expiry and cost, and about 70 in maps, which are never full.
const entryCost = 180

// stringCost is the memory of a string in a slice besides its bytes.
const stringCost = 16

// costOf estimates the memory of a value in bytes: its fields and the strings they refer to.
func costOf[V any](v *V) int64 {
	fields := reflect.ValueOf(v).Elem()
	n := entryCost + int64(fields.Type().Size())
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Type() {
		case reflect.TypeFor[string](), reflect.TypeFor[feed.ExternalID](), reflect.TypeFor[feed.CustomFields]():
			n += int64(f.Len())
		case reflect.TypeFor[[]string]():
			for j := range f.Len() {
				n += stringCost + int64(f.Index(j).Len())
			}
		}
	}
	return n
}
