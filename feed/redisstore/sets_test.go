package redisstore_test

import (
	"cmp"
	"context"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// newSets returns sets whose reads wait for a machine that is busy.
func newSets(c *redisstore.Client) *redisstore.Sets {
	return redisstore.Patient(redisstore.NewSets(c))
}

const host = feed.UserID(7)

// setName is the key of the host's set.
const setName = "tideline:live:{7}:1"

func writeSet(t testing.TB, s live.Sets, host feed.UserID, set live.Set) {
	t.Helper()
	must(t, s.Write(t.Context(), 1, host, set))
}

func wantSets(t testing.TB, s live.Sets, hosts []feed.UserID, limit int, want ...live.Set) {
	t.Helper()
	got, err := s.Read(t.Context(), 1, hosts, limit)
	must(t, err)
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("the sets of %v (-want +got):\n%s", hosts, diff)
	}
}

// programme is a set of live and upcoming sessions, in feed order.
func programme(number int64) live.Set {
	return live.Set{Number: number, Open: []live.Position{
		{State: live.Live, At: 1700000005000, ID: 3},
		{State: live.Live, At: 1700000002000, ID: math.MaxInt64},
		{State: live.Upcoming, At: 1700000009000, ID: 4},
	}}
}

func TestSets_KeepContract(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		feedtest.LiveSets(t, func(t *testing.T) live.Sets {
			must(t, raw(t, c).FlushDB(t.Context()).Err())
			return newSets(c)
		})
	})
}

// Lua numbers, like scores, are exact up to 2^53 only.
func TestSets_KeepHighestNumber(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newSets(c)
		kept := live.Set{}
		numbers := []int64{9, 10, 9, 10, 2, 100, 1 << 53, 1<<53 + 1, 1 << 53, math.MaxInt64, math.MaxInt64 - 1}
		for i, number := range numbers {
			set := live.Set{Number: number, Open: []live.Position{{State: live.Live, At: 1, ID: live.ID(i + 1)}}}
			writeSet(t, s, host, set)
			if number > kept.Number {
				kept = set
			}
			wantSets(t, s, []feed.UserID{host}, 101, kept)
		}
	})
}

func TestSets_ExpireAfterAWeek(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s := newSets(c)
	for number := range int64(2) {
		writeSet(t, s, host, programme(1+number))
		left, err := raw(t, c).PTTL(t.Context(), setName).Result()
		if err != nil || left > 7*24*time.Hour || left < 7*24*time.Hour-time.Minute {
			t.Errorf("after change %d the set is kept for %v, %v; want a week", number, left, err)
		}
	}
}

func TestSets_WithoutNumberCountAsNone(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newSets(c)
		writeSet(t, s, host, programme(5))
		must(t, raw(t, c).ZRem(t.Context(), setName, "number:5").Err())
		wantSets(t, s, []feed.UserID{host}, 101, live.Set{})
		writeSet(t, s, host, live.Set{Number: 1})
		wantSets(t, s, []feed.UserID{host}, 101, live.Set{Number: 1})
	})
}

func TestSets_DamagedIsNoOutage(t *testing.T) {
	for name, damage := range map[string]redis.Z{
		"a session without an id": {Score: 5, Member: "someone"},
		"two numbers, one odd":    {Score: math.Inf(1), Member: "number:x"},
	} {
		t.Run(name, func(t *testing.T) {
			c := embedded(t).Client()
			s := newSets(c)
			writeSet(t, s, host, programme(5))
			must(t, raw(t, c).ZAdd(t.Context(), setName, damage).Err())
			if got, err := s.Read(t.Context(), 1, []feed.UserID{host}, 101); feed.CodeOf(err) != feed.CodeInternal {
				t.Errorf("Read returned %v, %v", got, err)
			}
		})
	}
}

func TestSets_ReloadForgottenScript(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newSets(c)
		writeSet(t, s, host, programme(1))
		flushScripts(t, c)
		writeSet(t, s, host, programme(2))
		wantSets(t, s, []feed.UserID{host}, 101, programme(2))
	})
}

// liveInACluster reads sets and snapshots that lie on all nodes.
func liveInACluster(t *testing.T, emptied func(*testing.T) *redisstore.Client) {
	feedtest.LiveSets(t, func(t *testing.T) live.Sets { return newSets(emptied(t)) })
	feedtest.LiveSnapshots(t, func(t *testing.T) live.Snapshots { return newSnapshots(emptied(t)) })

	c := emptied(t)
	s := newSets(c)
	for h := range feed.UserID(200) {
		writeSet(t, s, h+1, programme(1))
	}
	used := 0
	var mu sync.Mutex
	onEachMaster(t, c, func(ctx context.Context, node *redis.Client) error {
		n, err := node.DBSize(ctx).Result()
		mu.Lock()
		defer mu.Unlock()
		used += cmp.Compare(n, 0)
		return err
	})
	if used < 2 {
		t.Errorf("the sets of 200 hosts are on %d node", used)
	}
}

func newSnapshots(c *redisstore.Client) *redisstore.Snapshots {
	return redisstore.Patient(redisstore.NewSnapshots(c))
}

func someSnapshot() live.Snapshot {
	return live.Snapshot{Number: 17, Version: 4, Open: []live.Entry{{Host: 1, Position: live.Position{State: live.Live, At: 1700000000000, ID: 3}}}}
}

func wantSnapshot(t *testing.T, s live.Snapshots, viewer feed.UserID, name uint64, want *live.Snapshot) {
	t.Helper()
	got, err := s.Load(t.Context(), viewer, name)
	must(t, err)
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("snapshot %x of %d (-want +got):\n%s", name, viewer, diff)
	}
}

func TestSnapshots_KeepContract(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		feedtest.LiveSnapshots(t, func(t *testing.T) live.Snapshots {
			must(t, raw(t, c).FlushDB(t.Context()).Err())
			return newSnapshots(c)
		})
	})
}

func TestSnapshots_Expire(t *testing.T) {
	server := miniredis.RunT(t)
	s := newSnapshots(open(t, "redis://"+server.Addr()))
	snapshot := someSnapshot()
	must(t, s.Save(t.Context(), viewer, 1, snapshot, 10*time.Minute))
	server.FastForward(10*time.Minute - time.Millisecond)
	wantSnapshot(t, s, viewer, 1, &snapshot)
	server.FastForward(time.Millisecond)
	wantSnapshot(t, s, viewer, 1, nil)
}

func TestSnapshots_NoTimeStoresNothing(t *testing.T) {
	s := newSnapshots(embedded(t).Client())
	for _, d := range []time.Duration{0, time.Microsecond, -time.Hour} {
		must(t, s.Save(t.Context(), viewer, 1, someSnapshot(), d))
		wantSnapshot(t, s, viewer, 1, nil)
	}
}

func TestSnapshots_UnreadableCountAsNone(t *testing.T) {
	c := embedded(t).Client()
	for name, text := range map[string]string{
		"empty": "", "another version's": "\x02\x01\x01\x00", "cut": "\x01\x01", "with a rest": "\x01\x01\x01\x00\x00",
		"of more than there is": "\x01\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	} {
		t.Run(name, func(t *testing.T) {
			must(t, raw(t, c).Set(t.Context(), "tideline:live-snapshot:{111}:1", text, 0).Err())
			wantSnapshot(t, newSnapshots(c), viewer, 1, nil)
		})
	}
}

// The client asks again when its connection is cut.
func TestRead_SurvivesCutConnection(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s, admin := newInboxes(c, 10), raw(t, c)
	ready(t, s, viewer, 10)
	for range 20 {
		if in := readAll(t, s); len(in.Keys) != 10 {
			t.Fatalf("%d entries are read", len(in.Keys))
		}
		must(t, admin.ClientKillByFilter(t.Context(), "TYPE", "normal", "SKIPME", "yes").Err())
	}
}
