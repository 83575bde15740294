package bench_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/capacity"
)

// usedMemory returns what the server's Redis says that it takes.
func (v *server) usedMemory(b *testing.B) int64 {
	b.Helper()
	memory, err := v.redis.InfoMap(b.Context(), "memory").Result()
	must(b, err)
	used, err := strconv.ParseInt(memory["Memory"]["used_memory"], 10, 64)
	must(b, err)
	return used
}

// inboxSample is of how many inboxes Redis is asked what they take.
const inboxSample = 1000

// measuredInbox is one inbox: its entries, and the bytes of its keys.
type measuredInbox struct{ entries, bytes int64 }

// sampleInboxes measures inboxes from all over the crowd.
func (s *site) sampleInboxes(main *server) []measuredInbox {
	s.b.Helper()
	store := s.openInboxes(main)
	out := make([]measuredInbox, 0, inboxSample)
	for _, viewer := range s.spread(inboxSample, 0) {
		inbox, err := store.Read(s.b.Context(), feed.UserID(viewer), feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
		must(s.b, err)
		out = append(out, measuredInbox{entries: int64(inbox.Count), bytes: main.inboxBytes(s.b, viewer)})
	}
	return out
}

// bytesPerEntry returns what Redis takes for an entry of a sample of inboxes, all of their
// keys counted.
func (s *site) bytesPerEntry(main *server) float64 {
	s.b.Helper()
	var all measuredInbox
	for _, inbox := range s.sampleInboxes(main) {
		all.entries += inbox.entries
		all.bytes += inbox.bytes
	}
	return float64(all.bytes) / float64(all.entries)
}

// lineOfInboxes returns the line that lies nearest to a sample of inboxes.
func (s *site) lineOfInboxes(main *server) capacity.Line {
	s.b.Helper()
	var entries, bytes []float64
	for _, inbox := range s.sampleInboxes(main) {
		entries, bytes = append(entries, float64(inbox.entries)), append(bytes, float64(inbox.bytes))
	}
	return capacity.LineThrough(entries, bytes)
}

// inboxBytes asks what the keys of a viewer's inbox take: one, or header and entries apart in
// older versions.
func (v *server) inboxBytes(b *testing.B, viewer int64) (n int64) {
	b.Helper()
	for _, part := range []string{"", ":header", ":entries"} {
		bytes, err := v.redis.MemoryUsage(b.Context(), fmt.Sprintf("tideline:inbox:{%d}%s", viewer, part), 0).Result()
		if !errors.Is(err, redis.Nil) {
			must(b, err)
		}
		n += bytes
	}
	return n
}
