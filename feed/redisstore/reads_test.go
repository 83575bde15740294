package redisstore_test

import (
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
)

// Those who read at once share round trips, also one to a Redis that does not know the
// script, and each gets what is his.
func TestWhoReadAtOnceGetEachTheirOwnInbox(t *testing.T) {
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
