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
	clock, inboxes := feedtest.NewClock(), memstore.NewInboxes(p.InboxCap)
	store := memstore.New(clock.Now)
	feedtest.UseIDs(t, feedtest.StoresOf(store), feedtest.IDsFor(p))
	return feedtest.Backend{
		Stores: feedtest.StoresOf(store), Inboxes: inboxes, Clock: clock, Server: memstore.NewServer(inboxes),
		Live: &feedtest.LiveStores{
			Sessions: memstore.NewLive(store), History: memstore.NewLive(store), Changes: memstore.NewLive(store), Replays: memstore.NewReplays(store),
			Inboxes: memstore.NewInboxes(p.InboxCap), Sets: memstore.NewSets(), Snapshots: memstore.NewSnapshots(clock.Now),
		},
	}
}

func TestScenarios(t *testing.T) { feedtest.Scenarios(t, os.DirFS("../testdata"), openBackend) }

func TestSimulation_HomeFeedsEqualReferenceQuery(t *testing.T) {
	feedtest.HomeModel(t, openBackend, feedtest.Effort{Histories: 60, Steps: 60, Thorough: true})
}

func TestSimulation_SourceFeedsEqualTables(t *testing.T) {
	feedtest.SourceModel(t, openBackend, 50)
}

func TestSimulation_HomeFeedChangesCompleteFirstPages(t *testing.T) {
	feedtest.SyncModel(t, openBackend, feedtest.Effort{Histories: 100, Steps: 60, Thorough: true})
}

func TestSimulation_HomeFeedChangesSurviveFailover(t *testing.T) {
	feedtest.SyncAfterFailover(t, openBackend)
}

func TestSimulation_LiveFeedChangesCompleteFirstPages(t *testing.T) {
	feedtest.LiveSyncModel(t, openBackend, feedtest.Effort{Histories: 200, Steps: 60, Thorough: true})
}

func TestSimulation_LiveFeedsKeepSnapshotOfScroll(t *testing.T) {
	feedtest.LiveModel(t, openBackend, feedtest.Effort{Histories: 200, Steps: 60, Thorough: true})
}
