package bench_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// usedMemory returns the used memory of the server's Redis.
func (v *server) usedMemory(b *testing.B) int64 {
	b.Helper()
	memory, err := v.redis.InfoMap(b.Context(), "memory").Result()
	must(b, err)
	used, err := strconv.ParseInt(memory["Memory"]["used_memory"], 10, 64)
	must(b, err)
	return used
}

// inboxSample is the number of inboxes whose memory is measured.
const inboxSample = 1000

// sampleInboxes measures inboxes from the whole crowd: the entries of each, and the bytes of its
// keys.
func (s *site) sampleInboxes(main *server) (entries, bytes []float64) {
	s.b.Helper()
	store := s.openInboxes(main)
	for _, viewer := range s.spread(inboxSample, 0) {
		inbox, err := store.Read(s.b.Context(), feed.UserID(viewer), feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
		must(s.b, err)
		entries, bytes = append(entries, float64(inbox.Count)), append(bytes, float64(main.inboxBytes(s.b, viewer)))
	}
	return entries, bytes
}

// sum adds up a list.
func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// inboxBytes returns the memory of a viewer's inbox; 0 if there is none.
func (v *server) inboxBytes(b *testing.B, viewer int64) int64 {
	b.Helper()
	n, err := v.redis.MemoryUsage(b.Context(), fmt.Sprintf("tideline:inbox:{%d}", viewer), 0).Result()
	if !errors.Is(err, redis.Nil) {
		must(b, err)
	}
	return n
}
