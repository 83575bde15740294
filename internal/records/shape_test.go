package records_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/internal/records"
)

func TestShapeOf_NamesWhatRecordsNeed(t *testing.T) {
	for typ, want := range map[string]records.Shape{
		"user":     {Keys: []string{"id"}, Required: []string{"id", "createdAt"}},
		"post":     {Keys: []string{"id"}, Owner: "author", Required: []string{"id", "author", "kind", "publishedAt"}},
		"follow":   {Keys: []string{"follower", "followee"}, Required: []string{"follower", "followee", "createdAt"}},
		"like":     {Keys: []string{"user", "post"}, Required: []string{"user", "post", "createdAt"}},
		"counters": {Keys: []string{"user", "post"}},
		"seen":     {Keys: []string{"user"}, Required: []string{"user", "at"}},
	} {
		got, known := records.ShapeOf(typ)
		if diff := cmp.Diff(want, got); !known || diff != "" {
			t.Errorf("%s: known %v\n%s", typ, known, diff)
		}
	}
	if _, known := records.ShapeOf("friend"); known {
		t.Error("an unknown type has a shape")
	}
}
