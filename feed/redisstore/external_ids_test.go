package redisstore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/memstore"
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
	began, err := inboxes.BeginBuild(t.Context(), viewer, feed.BuildHeader{Token: "one"}, 0)
	if err != nil || !began {
		t.Fatalf("BeginBuild: %v, %v", began, err)
	}
	if done, err := inboxes.FinishBuild(t.Context(), viewer, "one", feed.Build{Keys: keys[:built]}); err != nil || !done {
		t.Fatalf("FinishBuild: %v, %v", done, err)
	}
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
	options, err := redis.ParseURL(url)
	must(t, err)
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
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

// An entry has the number of an id, and a number has one size. A toy stores the text.
func TestInboxes_EntriesOfTextIDsTake21Bytes(t *testing.T) {
	store := memstore.New(time.Now)
	if _, err := store.UseIDs(t.Context(), feed.TextIDs); err != nil {
		t.Fatal(err)
	}
	// Databases draw numbers with as many digits.
	const first = 7_300_000_000_000_000_000
	draw := func(kind feed.IDKind, n int) []int64 {
		list := make([]feed.NumberedID, n)
		for i := range list {
			list[i] = feed.NumberedID{ID: feed.ExternalID(fmt.Sprintf("%0*d", feed.MaxExternalID, i)), Number: first + int64(i)*7919}
		}
		numbers, err := store.DrawIDs(t.Context(), kind, list)
		must(t, err)
		return numbers
	}
	numbers := make([]int64, fullInbox)
	for i := range numbers {
		numbers[i] = int64(i + 1)
	}
	texts := inboxBytes(t, feed.UserID(draw(feed.UserIDs, 1)[0]), draw(feed.PostIDs, fullInbox))
	if each := float64(texts) / fullInbox; each > 21 {
		t.Errorf("an entry takes %.1f bytes", each)
	}
	if want := inboxBytes(t, first+1, numbers); texts != want {
		t.Errorf("the inbox takes %d bytes, and one of numbers %d", texts, want)
	}
}
