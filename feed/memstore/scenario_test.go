package memstore_test

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// openBackend returns a whole backend in memory.
func openBackend(t *testing.T, p feed.Policy) feedtest.Backend {
	return feedtest.Backend{Stores: open(t), Inboxes: memstore.NewInboxes(p.InboxCap)}
}

func TestScenarios(t *testing.T) { feedtest.Scenarios(t, os.DirFS("../testdata"), openBackend) }

func TestHomeFeedsAreWhatTheReferenceQuerySays(t *testing.T) {
	feedtest.HomeModel(t, openBackend, feedtest.Effort{Histories: 60, Steps: 60, Thorough: true})
}
