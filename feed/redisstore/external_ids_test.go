package redisstore_test

import (
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// The sizes of a full inbox, and of the last part of it, which was pushed.
const (
	fullInbox   = 300
	pushedInbox = 100
)

// inboxBytes returns the memory of a full inbox in Redis, with its header and key.
func inboxBytes(t *testing.T, viewer feed.UserID, posts []int64) int64 {
	t.Helper()
	url := testenv.Redis(t)
	inboxes := newInboxes(open(t, url), fullInbox)
	keys := make([]feed.Key, len(posts))
	for i, id := range posts {
		keys[i] = feed.Key{TS: 1_790_000_000_000 + int64(i)*61_000, ID: id}
	}
	built := len(keys) - pushedInbox
	buildOf(t, inboxes, viewer, 0, feed.Build{Keys: keys[:built]})
	for _, k := range keys[built:] {
		if served, err := inboxes.Push(t.Context(), []feed.UserID{viewer}, k); err != nil || served != 1 {
			t.Fatalf("Push: %d, %v", served, err)
		}
	}
	return memoryOf(t, url)
}

// memoryOf returns the memory of all keys.
func memoryOf(t *testing.T, url string) (total int64) {
	t.Helper()
	client := raw(t, open(t, url))
	all := client.Scan(t.Context(), 0, "*", 1000).Iterator()
	for all.Next(t.Context()) {
		n, err := client.MemoryUsage(t.Context(), all.Val(), 0).Result()
		must(t, err)
		total += n
	}
	if err := all.Err(); err != nil || total == 0 {
		t.Fatalf("%d bytes, %v", total, err)
	}
	return total
}

// An entry has the number of an id, and a number has one size. A toy stores the text of external ids.
// Databases draw numbers with as many digits as these.
func TestInboxes_EntriesOfTextIDsTake21Bytes(t *testing.T) {
	const first = 7_300_000_000_000_000_000
	small, large := make([]int64, fullInbox), make([]int64, fullInbox)
	for i := range small {
		small[i], large[i] = int64(i+1), first+int64(i)*7919
	}
	bytes := inboxBytes(t, first, large)
	if each := float64(bytes) / fullInbox; each > 21 {
		t.Errorf("an entry takes %.1f bytes", each)
	}
	if want := inboxBytes(t, first+1, small); bytes != want {
		t.Errorf("the inbox takes %d bytes, and one of small numbers %d", bytes, want)
	}
}
