package feedtest

import (
	"reflect"
	"slices"
	"testing"
)

// The suites use the objects of newUser and newPost. A field left empty there would have no test.
func TestSamples_HaveEveryField(t *testing.T) {
	for _, sample := range []struct {
		of any
		// later are the fields that later steps set.
		later []string
	}{
		{*newUser(ann), []string{"Custom", "Flag", "ProfileWithheld"}},
		{*newPost(1, ann, noon), []string{"Custom", "ReplyTo", "RepostOf", "EditedAt", "DeletedAt"}},
	} {
		v := reflect.ValueOf(sample.of)
		for _, f := range reflect.VisibleFields(v.Type()) {
			if v.FieldByIndex(f.Index).IsZero() != slices.Contains(sample.later, f.Name) {
				t.Errorf("the field %s of the sample %T is %v; set it in newUser or newPost, or list it in the test", f.Name, sample.of, v.FieldByIndex(f.Index))
			}
		}
	}
}
