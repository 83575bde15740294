package sqlstore_test

import (
	"errors"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

func TestUseOwners_ChangesOnPurposeOnly(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s := b.open(t)
		types := func(list ...feed.RecordType) feed.RecordTypes { return append(feed.RecordTypes{}, list...) }
		for i, step := range []struct {
			want, was, owned feed.RecordTypes
			changed, refused bool
		}{
			{owned: types()},
			{want: types(), owned: types()},
			{want: types("user", "post"), owned: types("user", "post"), changed: true},
			{owned: types("user", "post")},
			{want: types("post", "user"), owned: types("user", "post")},
			{want: types("user"), refused: true},
			{want: types(), refused: true},
			{want: types("user"), was: types("post"), refused: true},
			{want: types("user"), was: types("post", "user"), owned: types("user"), changed: true},
			{want: types("user"), was: types("post", "user"), owned: types("user")},
			{want: types(), was: types("user"), owned: types(), changed: true},
			{want: types("live"), owned: types("live"), changed: true},
		} {
			owned, changed, err := s.UseOwners(t.Context(), sqlstore.Owners{Want: step.want, Was: step.was})
			var refusal *sqlstore.ErrOwners
			switch {
			case errors.As(err, &refusal) != step.refused || err != nil && refusal == nil:
				t.Fatalf("step %d: the error is %v", i, err)
			case !step.refused && (!owned.Same(step.owned) || changed != step.changed):
				t.Errorf("step %d: a source owns %s, changed: %t", i, owned, changed)
			}
		}
	})
}
