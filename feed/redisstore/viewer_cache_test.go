package redisstore_test

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// note is the name of what is noted of viewer.
const note = stored + ":note"

func TestViewerCache_KeepsContract(t *testing.T) {
	t.Parallel()
	cluster, all := testenv.StartRedisCluster(t, 0), inboxesIn()
	all["cluster"] = func(t *testing.T, cap int) *redisstore.Inboxes { return newInboxes(openEmptied(t, cluster), cap) }
	for name, open := range all {
		t.Run(name, func(t *testing.T) {
			feedtest.SharedViewerCache(t, func(t *testing.T, cap int) feedtest.CachingInboxStore { return open(t, cap) })
		})
	}
}

// The entry of a viewer who does not come back must expire.
func TestViewerCache_EntriesExpire(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s, rdb := newInboxes(c, 5), raw(t, c)
		for _, keep := range []time.Duration{time.Minute, 1500 * time.Millisecond} {
			must(t, s.PutCached(t.Context(), viewer, []byte("a note"), keep))
			if left := rdb.PTTL(t.Context(), note).Val(); left <= 0 && rdb.Exists(t.Context(), note).Val() > 0 || left > keep {
				t.Errorf("a note that is to be kept for %v is kept for %v", keep, left)
			}
		}
		if err := s.PutCached(t.Context(), viewer, []byte("a note"), 0); err == nil {
			t.Error("a note is kept for no time, or for ever")
		}
	})
}

// A value that is no entry must not prevent the read of the inbox.
func TestViewerCache_UnreadableEntryIsNone(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		rdb := raw(t, c)
		for name, s := range bothReaders(c, 5) {
			ready(t, s, viewer, 3)
			must(t, rdb.LPush(t.Context(), note, "x").Err())
			if in, noted, err := s.ReadCached(t.Context(), viewer, whole()); err != nil || len(in.Keys) != 3 || noted != nil {
				t.Errorf("%s, %d entries and the note %q are read, %v", name, len(in.Keys), noted, err)
			}
			must(t, rdb.Del(t.Context(), note).Err())
		}
	})
}

// The client asks again when its connection is cut. That loses the entry, and not the inbox.
func TestRead_SurvivesCutConnection(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s, admin := newInboxes(c, 10), raw(t, c)
	ready(t, s, viewer, 10)
	must(t, s.PutCached(t.Context(), viewer, []byte("a note"), time.Hour))
	for range 20 {
		if in := readAll(t, s); len(in.Keys) != 10 {
			t.Fatalf("%d entries are read", len(in.Keys))
		}
		must(t, admin.ClientKillByFilter(t.Context(), "TYPE", "normal", "SKIPME", "yes").Err())
		in, noted, err := s.ReadCached(t.Context(), viewer, whole())
		if err != nil || len(in.Keys) != 10 || noted != nil && string(noted) != "a note" {
			t.Fatalf("%d entries and the note %q are read, %v", len(in.Keys), noted, err)
		}
		must(t, admin.ClientKillByFilter(t.Context(), "TYPE", "normal", "SKIPME", "yes").Err())
	}
}
