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

// open returns the ports of an empty store.
func open(*testing.T) feedtest.Stores { return feedtest.StoresOf(memstore.New(time.Now)) }

func TestStore_KeepsContract(t *testing.T) { feedtest.Source(t, open) }

func TestStore_IsItsOwnModel(t *testing.T) { feedtest.SameAsModel(t, 100, open, open) }

func TestAnnouncements(t *testing.T) {
	feedtest.Announcements(t, func(*testing.T) (one, other feedtest.Announcer, lose func()) {
		a := memstore.NewAnnouncements()
		return a, a, a.Lose
	})
}

func TestInboxes_KeepContract(t *testing.T) {
	feedtest.Inboxes(t, func(_ *testing.T, cap int) feedtest.InboxStore {
		return memstore.NewInboxes(cap)
	})
}

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

// A test may change returned objects. The model must not change with them.
func TestStore_ReturnsCopies(t *testing.T) {
	s := memstore.New(time.Now)
	u := &feed.User{ID: 9, Handle: "ann"}
	ensured, err := s.EnsureUser(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	p := &feed.Post{ID: 1, Author: 9, Kind: feed.KindPost, Text: "text", Media: []string{"a"}}
	returned, err := s.Publish(t.Context(), p, feed.Idempotency{}, feed.FirstDispatch{})
	if err != nil {
		t.Fatal(err)
	}
	p.Media[0], returned.Post.Media[0], returned.Post.Text, u.Handle, ensured.Handle = "b", "c", "other", "x", "y"
	posts, err := s.Posts(t.Context(), []feed.PostID{1})
	if err != nil {
		t.Fatal(err)
	}
	users, err := s.Users(t.Context(), []feed.UserID{9})
	if err != nil {
		t.Fatal(err)
	}
	if posts[0].Text != "text" || posts[0].Media[0] != "a" || users[0].Handle != "ann" {
		t.Errorf("the stored post and user changed with the returned ones: %+v by %+v", posts[0], users[0])
	}
}

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
