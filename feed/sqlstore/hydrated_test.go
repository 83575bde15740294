package sqlstore_test

import (
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
)

// A read of several statements is told of by each, and fails if one of them does. The others on
// its trip are done.
func TestWhatCannotBeReadWholeIsNotRead(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		s, o := openObserved(t, b)
		read := func() error {
			_, err := s.Hydrated(t.Context(), []feed.ContentID{1}, []feed.UserID{1})
			return err
		}
		// At first a connection is made.
		if err := read(); err != nil {
			t.Fatal(err)
		}
		o.statements, o.well = nil, 0
		if err := read(); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"contents", "content_counters", "users"} {
			if !strings.Contains(strings.Join(o.statements, "\n"), "FROM "+table) {
				t.Errorf("nobody is told of a read of %s", table)
			}
		}
		if o.count() != 3 || o.well != 3 || o.bad != 0 {
			t.Errorf("of three statements %d were told of, %d as done and %d as failed", o.count(), o.well, o.bad)
		}
		for _, table := range []string{"content_counters", "users"} {
			if err := s.Exec(t.Context(), "ALTER TABLE "+table+" RENAME TO elsewhere"); err != nil {
				t.Fatal(err)
			}
			if err := read(); err == nil || !strings.Contains(err.Error(), table) {
				t.Errorf("without %s what is found is an error: %v", table, err)
			}
			if _, err := s.Posts(t.Context(), []feed.ContentID{1}); err != nil {
				t.Errorf("contents can be read no more: %v", err)
			}
			if err := s.Exec(t.Context(), "ALTER TABLE elsewhere RENAME TO "+table); err != nil {
				t.Fatal(err)
			}
		}
	})
}
