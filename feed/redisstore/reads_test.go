package redisstore_test

import (
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Concurrent reads share round trips, even if Redis does not know the script, and each gets its
// own inbox.
func TestRead_ConcurrentCallsGetTheirInbox(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		s := newInboxes(c, 100)
		const viewers = 50
		for v := range viewers {
			ready(t, s, feed.UserID(1+v), 1+v)
		}
		for range 5 {
			flushScripts(t, c)
			var readers sync.WaitGroup
			for v := range 2 * viewers {
				readers.Go(func() {
					in, err := s.Read(t.Context(), feed.UserID(1+v), whole())
					if err != nil {
						t.Error(err)
					}
					want := 1 + v
					if v >= viewers {
						want = 0
					}
					if in.Count != want || len(in.Keys) != want {
						t.Errorf("the inbox of viewer %d has %d entries, of which %d are read", 1+v, in.Count, len(in.Keys))
					}
				})
			}
			readers.Wait()
		}
	})
}

// A process that keeps more in each inbox may share them with one that keeps less.
func TestRead_InboxOfLargerCap(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		ready(t, newInboxes(c, 100), viewer, 100)
		small := newInboxes(c, 5)
		ready(t, small, viewer+1, 5)
		for range 3 {
			var readers sync.WaitGroup
			for v, newest := range map[feed.UserID]int64{viewer: 100, viewer + 1: 5} {
				readers.Go(func() {
					in, err := small.Read(t.Context(), v, whole())
					if err != nil || in.Count != 5 || len(in.Keys) != 5 || in.Keys[0].ID != newest {
						t.Errorf("of viewer %d %d entries are read, %+v, %v", v, in.Count, in.Keys, err)
					}
				})
			}
			readers.Wait()
		}
	})
}

// What was read stays as it was while others read.
func TestRead_ResultIsNotReused(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s := newInboxes(c, 10)
	ready(t, s, viewer, 10)
	first, err := s.Read(t.Context(), viewer, whole())
	must(t, err)
	for v := range feed.UserID(20) {
		_, err := s.Push(t.Context(), []feed.UserID{viewer}, feed.Key{TS: 1800000000000, ID: 1000 + int64(v)})
		must(t, err)
		_, err = s.Read(t.Context(), viewer, whole())
		must(t, err)
	}
	for i, k := range first.Keys {
		if k.ID != int64(10-i) {
			t.Fatalf("what was read first is now %+v", first.Keys)
		}
	}
	if first.Token != "one" {
		t.Errorf("its token is now %q", first.Token)
	}
}
