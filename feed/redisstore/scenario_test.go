package redisstore_test

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// withSource returns a backend of new stores in memory and all that the client's Redis
// keeps.
func withSource(c *redisstore.Client, p feed.Policy) feedtest.Backend {
	clock := feedtest.NewClock()
	store := memstore.New(clock.Now)
	return feedtest.Backend{
		Stores: feedtest.StoresOf(store), Inboxes: newInboxes(c, p.InboxCap), Clock: clock,
		Live: &feedtest.LiveStores{
			Sessions: memstore.NewLive(store), History: memstore.NewLive(store), Changes: memstore.NewLive(store), Replays: memstore.NewReplays(store),
			Inboxes: newReplayInboxes(c, p.InboxCap), Sets: newSets(c), Snapshots: newSnapshots(c),
		},
	}
}

// scripts are where the scenarios are.
func scripts() []string { return []string{"../testdata", "../live/testdata"} }

func TestScenarios_Redis(t *testing.T) {
	for _, dir := range scripts() {
		feedtest.Scenarios(t, os.DirFS(dir), func(t *testing.T, p feed.Policy) feedtest.Backend {
			return withSource(open(t, testenv.Redis(t)), p)
		})
	}
}

func TestScenarios_Embedded(t *testing.T) {
	for _, dir := range scripts() {
		feedtest.Scenarios(t, os.DirFS(dir), func(t *testing.T, p feed.Policy) feedtest.Backend {
			return withSource(embedded(t).Client(), p)
		})
	}
}

// homeModel runs the random histories on one Redis: each has viewers of its own.
func homeModel(t *testing.T, c *redisstore.Client) {
	feedtest.HomeModel(t, func(t *testing.T, p feed.Policy) feedtest.Backend {
		b := withSource(c, p)
		feedtest.UseIDs(t, b.Stores, feedtest.IDsFor(p))
		return b
	}, feedtest.Effort{Histories: 8, Steps: 60})
}

func TestSimulation_HomeFeedsRedis(t *testing.T) { homeModel(t, open(t, testenv.Redis(t))) }

func TestSimulation_HomeFeedsEmbedded(t *testing.T) { homeModel(t, embedded(t).Client()) }

func TestSimulation_SourceFeedsEqualTables(t *testing.T) {
	c := open(t, testenv.Redis(t))
	feedtest.SourceModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(c, p) }, 5)
}

func TestSimulation_HomeFeedChangesCompleteFirstPages(t *testing.T) {
	c := open(t, testenv.Redis(t))
	feedtest.SyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(c, p) },
		feedtest.Effort{Histories: 12, Steps: 60})
}

func TestSimulation_LiveFeedChangesCompleteFirstPages(t *testing.T) {
	c := open(t, testenv.Redis(t))
	feedtest.LiveSyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(c, p) },
		feedtest.Effort{Histories: 12, Steps: 60})
}

// liveModel, like homeModel, runs its histories on one Redis: each has hosts of its own.
func liveModel(t *testing.T, c *redisstore.Client) {
	feedtest.LiveModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(c, p) },
		feedtest.Effort{Histories: 8, Steps: 60})
}

func TestSimulation_LiveFeedsRedis(t *testing.T) { liveModel(t, open(t, testenv.Redis(t))) }

func TestSimulation_LiveFeedsEmbedded(t *testing.T) { liveModel(t, embedded(t).Client()) }
