package redisstore_test

import (
	"os"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// withSource removes the data of a database, and returns a backend of its stores and of all that the
// client's Redis keeps.
func withSource(d *sqlitetest.Database, c *redisstore.Client, p feed.Policy) feedtest.Backend {
	b := fixture.LiveBackend(d, p)
	b.Server, b.Inboxes = nil, newInboxes(c, p.InboxCap)
	b.Live.Inboxes, b.Live.Sets, b.Live.Snapshots = newReplayInboxes(c, p.InboxCap), newSets(c), newSnapshots(c)
	return b
}

// playScenarios plays all scenarios in the mode that mixes push and pull. Package fixture plays them in all modes.
func playScenarios(t *testing.T, open func(t *testing.T) *redisstore.Client) {
	for _, dir := range []string{"../testdata", "../live/testdata"} {
		feedtest.Scenarios(t, os.DirFS(dir), func(t *testing.T, p feed.Policy) feedtest.Backend {
			return withSource(sqlitetest.Open(t), open(t), p)
		}, feed.FanoutHybrid)
	}
}

func TestScenarios_Redis(t *testing.T) {
	playScenarios(t, func(t *testing.T) *redisstore.Client { return open(t, testenv.Redis(t)) })
}

func TestScenarios_Embedded(t *testing.T) {
	playScenarios(t, func(t *testing.T) *redisstore.Client { return embedded(t).Client() })
}

// few is the effort of random histories here. scripts/soak.sh plays thousands.
func few() feedtest.Effort { return feedtest.Effort{Histories: 3, Steps: 40} }

// homeModel runs the random histories on one Redis: each has viewers of its own.
func homeModel(t *testing.T, c *redisstore.Client) {
	d := sqlitetest.Open(t)
	feedtest.HomeModel(t, func(t *testing.T, p feed.Policy) feedtest.Backend {
		b := withSource(d, c, p)
		feedtest.UseIDs(t, b.Stores, feedtest.IDsFor(p))
		return b
	}, few())
}

func TestSimulation_HomeFeedsRedis(t *testing.T) { homeModel(t, open(t, testenv.Redis(t))) }

func TestSimulation_HomeFeedsEmbedded(t *testing.T) { homeModel(t, embedded(t).Client()) }

func TestSimulation_SourceFeedsEqualTables(t *testing.T) {
	d, c := sqlitetest.Open(t), open(t, testenv.Redis(t))
	feedtest.SourceModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(d, c, p) }, few().Histories)
}

func TestSimulation_HomeFeedChangesCompleteFirstPages(t *testing.T) {
	d, c := sqlitetest.Open(t), open(t, testenv.Redis(t))
	feedtest.SyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(d, c, p) },
		few())
}

func TestSimulation_LiveFeedChangesCompleteFirstPages(t *testing.T) {
	d, c := sqlitetest.Open(t), open(t, testenv.Redis(t))
	feedtest.LiveSyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(d, c, p) },
		few())
}

// liveModel, like homeModel, runs its histories on one Redis: each has hosts of its own.
func liveModel(t *testing.T, c *redisstore.Client) {
	d := sqlitetest.Open(t)
	feedtest.LiveModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return withSource(d, c, p) },
		few())
}

func TestSimulation_LiveFeedsRedis(t *testing.T) { liveModel(t, open(t, testenv.Redis(t))) }

func TestSimulation_LiveFeedsEmbedded(t *testing.T) { liveModel(t, embedded(t).Client()) }
