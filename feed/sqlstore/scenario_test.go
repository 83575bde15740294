package sqlstore_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// few is the effort of random histories here. scripts/soak.sh plays thousands.
func few() feedtest.Effort { return feedtest.Effort{Histories: 2, Steps: 40} }

// wholeBackend returns a backend of the store and its own inboxes, on a clock that a test sets.
func wholeBackend(s *sqlstore.Store, p feed.Policy) feedtest.Backend {
	clock := feedtest.NewClock()
	s.Set(sqlstore.WithClock(clock.Now))
	lives := liveStores(s, p, clock.Now)
	return feedtest.Backend{
		Stores: feedtest.StoresOf(s), Inboxes: sqlstore.NewInboxes(s, p.InboxCap), Clock: clock, Live: &lives,
	}
}

func TestScenarios(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		var modes []feed.FanoutMode // all
		if b.name == "sqlite" {
			modes = []feed.FanoutMode{feed.FanoutHybrid}
		}
		for _, dir := range []string{"../testdata", "../live/testdata"} {
			feedtest.Scenarios(t, os.DirFS(dir), func(t *testing.T, p feed.Policy) feedtest.Backend {
				s := b.open(t)
				feedtest.UseIDs(t, feedtest.StoresOf(s), feedtest.IDsFor(p))
				return wholeBackend(s, p)
			}, modes...)
		}
	})
}

// One database serves all histories of a setting, because creating one for each would take most of the time.
func TestSimulation_HomeFeedsEqualReferenceQuery(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		stores := map[*testing.T]*sqlstore.Store{}
		feedtest.HomeModel(t, func(t *testing.T, p feed.Policy) feedtest.Backend {
			if stores[t] == nil {
				stores[t] = b.open(t)
				feedtest.UseIDs(t, feedtest.StoresOf(stores[t]), feedtest.IDsFor(p))
			}
			return wholeBackend(stores[t], p)
		}, few())
	})
}

func TestSimulation_SourceFeedsEqualTables(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		stores := map[*testing.T]*sqlstore.Store{}
		feedtest.SourceModel(t, func(t *testing.T, p feed.Policy) feedtest.Backend {
			if stores[t] == nil {
				stores[t] = b.open(t)
			}
			return wholeBackend(stores[t], p)
		}, 1)
	})
}

// commits calls a function before a commit. SQLite has one writer at a time, so nothing could be
// written meanwhile.
type commits struct{ before atomic.Pointer[func()] }

func (c *commits) begin(ctx context.Context, stmt string) (context.Context, func(error)) {
	if stmt == "commit" {
		if do := c.before.Swap(nil); do != nil {
			(*do)()
		}
	}
	return ctx, func(error) {}
}

// openLate returns what opens a backend on one database. On PostgreSQL its transactions may commit late.
func openLate(t *testing.T, b backend) func(p feed.Policy) (*sqlstore.Store, feedtest.Backend) {
	if b.name == "sqlite" {
		s := b.open(t)
		return func(p feed.Policy) (*sqlstore.Store, feedtest.Backend) { return s, wholeBackend(s, p) }
	}
	var c commits
	s := openedWith(t, emptyTemplate.url(t, b.name), sqlstore.Postgres{}, sqlstore.WithBegin(c.begin))
	return func(p feed.Policy) (*sqlstore.Store, feedtest.Backend) {
		whole := wholeBackend(s, p)
		whole.BeforeCommit = func(do func()) func() {
			c.before.Store(&do)
			return func() { c.before.Store(nil) }
		}
		return s, whole
	}
}

func TestSimulation_HomeFeedChangesCompleteFirstPages(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		open := openLate(t, b)
		histories := 0
		feedtest.SyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend {
			s, whole := open(p)
			// In every other history all batches of records number their changes.
			s.Set(sqlstore.NumberFrom(1 + histories%2*1000))
			histories++
			return whole
		}, few())
	})
}

func TestSimulation_LiveFeedChangesCompleteFirstPages(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		open := openLate(t, b)
		feedtest.LiveSyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend {
			_, whole := open(p)
			return whole
		}, few())
	})
}

func TestSimulation_LiveFeedsKeepSnapshotOfScroll(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		s := b.open(t)
		feedtest.LiveModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend {
			return wholeBackend(s, p)
		}, few())
	})
}

func TestStoreKeepsThePromisesOfThePorts(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.Source(t, func(t *testing.T) feedtest.Stores {
			var reported atomic.Int64
			s := b.open(t)
			s.OnChange(func() { reported.Add(1) })
			stores := feedtest.StoresOf(s)
			stores.Reported = reported.Load
			return stores
		})
	})
}

func TestAudiences_JudgeEqualsReferenceAndTable(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.Audiences(t, func(t *testing.T) feedtest.Backend { return wholeBackend(b.open(t), feed.DefaultPolicy()) })
	})
}

// liveStores are the live sessions of a store. Sets and snapshots, which are never in SQL, are kept
// in memory.
func liveStores(s *sqlstore.Store, p feed.Policy, clock feed.Clock) feedtest.LiveStores {
	return feedtest.LiveStores{
		Sessions: sqlstore.NewLive(s), History: sqlstore.NewLive(s), Changes: sqlstore.NewLive(s), Replays: sqlstore.NewReplays(s),
		Inboxes: sqlstore.NewReplayInboxes(s, p.InboxCap), Sets: memstore.NewSets(), Snapshots: memstore.NewSnapshots(clock),
	}
}

func TestLive_KeepsThePortContracts(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.LiveSource(t, func(t *testing.T) (feedtest.Stores, feedtest.LiveStores) {
			s := b.open(t)
			return feedtest.StoresOf(s), liveStores(s, feed.DefaultPolicy(), time.Now)
		})
	})
}

// modelCases is the number of random cases that either database plays in a few seconds.
const modelCases = 8

func TestStore_EqualsTheModel(t *testing.T) {
	onBothInTurn(t, func(t *testing.T, b backend) {
		feedtest.SameAsModel(t, modelCases,
			func(t *testing.T) feedtest.Stores { return feedtest.StoresOf(b.open(t)) },
			func(*testing.T) feedtest.Stores { return feedtest.StoresOf(memstore.New(time.Now)) })
	})
}
