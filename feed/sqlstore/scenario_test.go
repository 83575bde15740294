package sqlstore_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
)

// few is the effort of random histories here. scripts/soak.sh plays thousands.
func few() feedtest.Effort { return feedtest.Effort{Histories: 2, Steps: 40} }

// wholeBackend returns a backend of the store and its own inboxes, on a clock that a test sets.
func wholeBackend(s *sqlstore.Store, p feed.Policy) feedtest.Backend {
	clock := feedtest.NewClock()
	s.Set(sqlstore.WithClock(clock.Now))
	return feedtest.Backend{
		Stores: feedtest.StoresOf(s), Inboxes: sqlstore.NewInboxes(s, p.InboxCap), Clock: clock, Live: fixture.LiveStores(s, p, clock.Now),
	}
}

// Package fixture plays scenarios, in all modes, and histories on SQLite.

func TestScenarios(t *testing.T) {
	b := postgresBackend(t)
	for _, dir := range []string{"../testdata", "../live/testdata"} {
		feedtest.Scenarios(t, os.DirFS(dir), func(t *testing.T, p feed.Policy) feedtest.Backend {
			s := b.open(t)
			feedtest.UseIDs(t, feedtest.StoresOf(s), feedtest.IDsFor(p))
			return wholeBackend(s, p)
		}, feed.FanoutHybrid)
	}
}

// One database serves all histories of a setting, because emptying it for each would take most of the
// time.
func TestSimulation_HomeFeedsEqualReferenceQuery(t *testing.T) {
	b, stores := postgresBackend(t), map[*testing.T]*sqlstore.Store{}
	feedtest.HomeModel(t, func(t *testing.T, p feed.Policy) feedtest.Backend {
		if stores[t] == nil {
			stores[t] = b.open(t)
			feedtest.UseIDs(t, feedtest.StoresOf(stores[t]), feedtest.IDsFor(p))
		}
		return wholeBackend(stores[t], p)
	}, few())
}

func TestSimulation_SourceFeedsEqualTables(t *testing.T) {
	b, stores := postgresBackend(t), map[*testing.T]*sqlstore.Store{}
	feedtest.SourceModel(t, func(t *testing.T, p feed.Policy) feedtest.Backend {
		if stores[t] == nil {
			stores[t] = b.open(t)
		}
		return wholeBackend(stores[t], p)
	}, 1)
}

// commits calls a function before a commit.
type commits struct{ before atomic.Pointer[func()] }

func (c *commits) begin(ctx context.Context, stmt string) (context.Context, func(error)) {
	if stmt == "commit" {
		if do := c.before.Swap(nil); do != nil {
			(*do)()
		}
	}
	return ctx, func(error) {}
}

// openLate returns what opens a backend on one PostgreSQL database. Its transactions may commit late.
func openLate(t *testing.T) func(p feed.Policy) (*sqlstore.Store, feedtest.Backend) {
	var c commits
	s := openedWith(t, emptyTemplate.url(t, "postgres"), sqlstore.Postgres{}, sqlstore.WithBegin(c.begin))
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
	open, histories := openLate(t), 0
	feedtest.SyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend {
		s, whole := open(p)
		// In every other history all batches of records number their changes.
		s.Set(sqlstore.NumberFrom(1 + histories%2*1000))
		histories++
		return whole
	}, few())
}

func TestSimulation_LiveFeedChangesCompleteFirstPages(t *testing.T) {
	open := openLate(t)
	feedtest.LiveSyncModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend {
		_, whole := open(p)
		return whole
	}, few())
}

func TestSimulation_LiveFeedsKeepSnapshotOfScroll(t *testing.T) {
	s := postgresBackend(t).open(t)
	feedtest.LiveModel(t, func(_ *testing.T, p feed.Policy) feedtest.Backend { return wholeBackend(s, p) }, few())
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

func TestLive_KeepsThePortContracts(t *testing.T) {
	onBoth(t, func(t *testing.T, b backend) {
		feedtest.LiveSource(t, func(t *testing.T) (feedtest.Stores, feedtest.LiveStores) {
			s := b.open(t)
			return feedtest.StoresOf(s), *fixture.LiveStores(s, feed.DefaultPolicy(), time.Now)
		})
	})
}

// The databases are models of each other: both take the same steps.
func TestStore_EqualsOtherDatabase(t *testing.T) {
	d := sqlitetest.Open(t)
	feedtest.SameAsModel(t, 8,
		func(t *testing.T) feedtest.Stores { return feedtest.StoresOf(postgresBackend(t).open(t)) },
		func(*testing.T) feedtest.Stores { return feedtest.StoresOf(d.Empty(nil)) })
}
