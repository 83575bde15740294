package records

import (
	"reflect"
	"slices"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// A field of a record that has none in its line would be lost by an export without a
// word. Only the marks of authors are left out: where an export is taken in, they
// are made anew.
func TestALineHasAFieldForEachOfItsRecord(t *testing.T) {
	for record, line := range map[reflect.Type]reflect.Type{
		reflect.TypeFor[feed.UserRecord]():     reflect.TypeFor[userLine](),
		reflect.TypeFor[feed.Post]():           reflect.TypeFor[postLine](),
		reflect.TypeFor[feed.FollowRecord]():   reflect.TypeFor[followLine](),
		reflect.TypeFor[feed.ReactionRecord](): reflect.TypeFor[reactionLine](),
		reflect.TypeFor[feed.RelationRecord](): reflect.TypeFor[relationLine](),
	} {
		for _, field := range reflect.VisibleFields(record) {
			// What kind of reaction or relation it is, the line's type says.
			isType := slices.Contains([]string{"Reaction", "Kind"}, field.Name) && record != reflect.TypeFor[feed.Post]()
			if field.Anonymous || isType || field.Name == "Mark" {
				continue
			}
			if _, written := line.FieldByName(field.Name); !written {
				t.Errorf("%v.%s is not in %v", record, field.Name, line)
			}
		}
	}
}
