package memstore_test

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

// openBackend returns a whole backend in memory.
func openBackend(_ *testing.T, p feed.Policy) feedtest.Backend {
	clock, inboxes := feedtest.NewClock(), memstore.NewInboxes(p.InboxCap)
	return feedtest.Backend{
		Stores: feedtest.StoresOf(memstore.New(clock.Now)), Inboxes: inboxes, Clock: clock, Server: memstore.NewServer(inboxes),
	}
}

func TestScenarios(t *testing.T) { feedtest.Scenarios(t, os.DirFS("../testdata"), openBackend) }

func TestHomeFeedsAreWhatTheReferenceQuerySays(t *testing.T) {
	feedtest.HomeModel(t, openBackend, feedtest.Effort{Histories: 60, Steps: 60, Thorough: true})
}
