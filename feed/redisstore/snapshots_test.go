package redisstore_test

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/redisstore"
)

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
