package memstore_test

import (
	"os"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/memstore"
)

func TestLiveSessions_KeepContract(t *testing.T) {
	feedtest.LiveSource(t, func(*testing.T) (feedtest.Stores, feedtest.LiveStores) {
		s := memstore.New(time.Now)
		l := memstore.NewLive(s)
		return feedtest.StoresOf(s), feedtest.LiveStores{Sessions: l, History: l, Changes: l, Replays: memstore.NewReplays(s)}
	})
}

func TestSets_KeepContract(t *testing.T) {
	feedtest.LiveSets(t, func(*testing.T) live.Sets { return memstore.NewSets() })
}

func TestSnapshots_KeepContract(t *testing.T) {
	feedtest.LiveSnapshots(t, func(*testing.T) live.Snapshots { return memstore.NewSnapshots(time.Now) })
}

func TestSnapshots_Expire(t *testing.T) {
	clock := feedtest.NewClock()
	s := memstore.NewSnapshots(clock.Now)
	if err := s.Save(t.Context(), 1, 1, live.Snapshot{Number: 1}, time.Minute); err != nil {
		t.Fatal(err)
	}
	for _, is := range []bool{true, false} {
		got, err := s.Load(t.Context(), feed.UserID(1), 1)
		if err != nil || (got != nil) != is {
			t.Errorf("the snapshot exists: %t, error %v; want %t", got != nil, err, is)
		}
		clock.Advance(time.Minute)
	}
}

func TestLiveScenarios(t *testing.T) {
	feedtest.Scenarios(t, os.DirFS("../live/testdata"), openBackend)
}
