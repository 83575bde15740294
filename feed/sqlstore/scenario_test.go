package sqlstore_test

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestScenarios(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.Scenarios(t, os.DirFS("../testdata"), func(t *testing.T, p feed.Policy) feedtest.Backend {
			return feedtest.Backend{Stores: portsOf(b.open(t)), Inboxes: memstore.NewInboxes(p.InboxCap)}
		})
	})
}

// One database serves all histories, because migrating one for each would take most
// of the time.
func TestHomeFeedsAreWhatTheReferenceQuerySays(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		source := portsOf(b.open(t))
		feedtest.HomeModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend {
			return feedtest.Backend{Stores: source, Inboxes: memstore.NewInboxes(p.InboxCap)}
		}, feedtest.Effort{Histories: 4, Steps: 50})
	})
}
