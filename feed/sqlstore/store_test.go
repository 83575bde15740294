package sqlstore_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/memstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

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
