package memstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestAnnouncements(t *testing.T) {
	feedtest.Announcements(t, func(*testing.T) (one, other feedtest.Announcer, lose func()) {
		a := memstore.NewAnnouncements()
		return a, a, a.Lose
	})
}
