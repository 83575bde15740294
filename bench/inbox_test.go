package bench_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Separate inboxes, to measure the cost of a page and the memory of an inbox.
const (
	inboxViewers = 200
	inboxReaders = 16
	// inboxPushed is the number of entries that were pushed one by one after the build.
	inboxPushed = 100
)

// inboxes fills its own Redis with full inboxes, and with a plain sorted set of the same entries
// for each.
type inboxes struct {
	viewers []feed.UserID
	store   *redisstore.Inboxes
	plain   *redis.Client
	// pushed is the number of posts pushed to either.
	pushed int
}

func newInboxes(b *testing.B) *inboxes {
	b.Helper()
	url := testenv.Redis(b)
	client, err := redisstore.Open(b.Context(), url)
	must(b, err)
	b.Cleanup(func() { _ = client.Close() })
	in := &inboxes{store: redisstore.NewInboxes(client, inboxCap), plain: redisClient(b, url)}
	for viewer := feed.UserID(1); viewer <= inboxViewers; viewer++ {
		in.viewers = append(in.viewers, viewer)
		in.build(b, viewer)
	}
	for n := inboxCap - inboxPushed; n < inboxCap; n++ {
		_, err := in.store.Push(b.Context(), in.viewers, entry(n))
		must(b, err)
	}
	return in
}

// entry is the n-th oldest entry of every inbox.
func entry(n int) feed.Key {
	return feed.Key{TS: 1_790_000_000_000 + int64(n)*61_000, ID: 7_300_000_000_000_000_000 + int64(n)*7919%1000}
}

func (in *inboxes) build(b *testing.B, viewer feed.UserID) {
	b.Helper()
	var keys []feed.Key
	for n := range inboxCap - inboxPushed {
		keys = append(keys, entry(n))
	}
	began, err := in.store.BeginBuild(b.Context(), viewer, feed.BuildHeader{Token: "token", Generation: 1, StartedAt: 1}, 0)
	must(b, err)
	finished, err := in.store.FinishBuild(b.Context(), viewer, "token", feed.Build{Keys: keys, Floor: feed.Bottom, WarmUntil: 1})
	must(b, err)
	if !began || !finished {
		b.Fatal("an inbox could not be built")
	}
}

// fillPlain writes the sorted sets for the baseline that reads and filters.
func (in *inboxes) fillPlain(b *testing.B) {
	b.Helper()
	for viewer := 1; viewer <= inboxViewers; viewer++ {
		for n := range inboxCap {
			k := entry(n)
			must(b, in.plain.ZAdd(b.Context(), plainKey(viewer), redis.Z{Score: float64(k.TS), Member: k.ID}).Err())
		}
	}
}

func plainKey(viewer int) string { return "plain:" + strconv.Itoa(viewer) }

// bytes returns the memory per entry of a full inbox in Redis, including header and keys.
func (in *inboxes) bytes(b *testing.B) float64 {
	b.Helper()
	total := int64(0)
	keys := in.plain.Scan(b.Context(), 0, "*", 1000).Iterator()
	for keys.Next(b.Context()) {
		n, err := in.plain.MemoryUsage(b.Context(), keys.Val(), 0).Result()
		must(b, err)
		total += n
	}
	must(b, keys.Err())
	return float64(total) / (inboxViewers * inboxCap)
}

// The cursor is that of the first page's last entry.
const (
	pageLimit  = 21
	cursorRank = inboxCap - 20
)

// page reads the second page by its cursor.
func (in *inboxes) page(ctx context.Context, viewer int) error {
	r := feed.Range{Above: feed.Bottom, Below: entry(cursorRank), Limit: pageLimit}
	inbox, err := in.store.Read(ctx, feed.UserID(viewer), r)
	if err == nil && len(inbox.Keys) != pageLimit {
		err = fmt.Errorf("the page has %d entries", len(inbox.Keys))
	}
	return err
}

// filter is the simplest correct baseline. It reads all entries at or below the cursor's time and
// takes the page after the cursor.
func (in *inboxes) filter(ctx context.Context, viewer int) error {
	at := entry(cursorRank)
	all, err := in.plain.ZRevRangeByScoreWithScores(ctx, plainKey(viewer), &redis.ZRangeBy{Min: "-inf", Max: strconv.FormatInt(at.TS, 10)}).Result()
	if err != nil {
		return err
	}
	var page []feed.Key
	for _, z := range all {
		id, err := strconv.ParseInt(z.Member.(string), 10, 64)
		if err != nil {
			return err
		}
		if k := (feed.Key{TS: int64(z.Score), ID: id}); at.Newer(k) && len(page) < pageLimit {
			page = append(page, k)
		}
	}
	if len(page) != pageLimit {
		return fmt.Errorf("the page has %d entries", len(page))
	}
	return nil
}

// push pushes the next post into all inboxes, which are full. pushPlain pushes it into all sorted
// sets, in one pipeline that trims them.
func (in *inboxes) push(ctx context.Context) error {
	in.pushed++
	served, err := in.store.Push(ctx, in.viewers, entry(inboxCap+in.pushed))
	if err == nil && served != len(in.viewers) {
		err = fmt.Errorf("%d of %d inboxes were served", served, len(in.viewers))
	}
	return err
}

func (in *inboxes) pushPlain(ctx context.Context) error {
	in.pushed++
	k := entry(inboxCap + in.pushed)
	pipe := in.plain.Pipeline()
	for _, viewer := range in.viewers {
		pipe.ZAdd(ctx, plainKey(int(viewer)), redis.Z{Score: float64(k.TS), Member: k.ID})
		pipe.ZRemRangeByRank(ctx, plainKey(int(viewer)), 0, -inboxCap-1)
	}
	_, err := pipe.Exec(ctx)
	return err
}

// contenders are the two ways to read a page, each with concurrent goroutines, and the two ways to
// push.
func (in *inboxes) contenders(b *testing.B, t timing) []contender {
	b.Helper()
	size := in.bytes(b)
	in.fillPlain(b)
	written := newInboxes(b)
	written.fillPlain(b)
	return []contender{
		{"inbox page", t.rate(in.page)},
		{"inbox filter", t.rate(in.filter)},
		{"inbox push", t.pushing(written.push)},
		{"set push", t.pushing(written.pushPlain)},
		{"bytes", func(context.Context) (map[string]float64, error) { return map[string]float64{"": size}, nil }},
	}
}

// pushing measures the entries per second that one goroutine pushes.
func (t timing) pushing(push func(context.Context) error) func(context.Context) (map[string]float64, error) {
	return func(ctx context.Context) (map[string]float64, error) {
		began, entries := time.Now(), 0
		for ; time.Since(began) < t.alone; entries += inboxViewers {
			if err := push(ctx); err != nil {
				return nil, err
			}
		}
		return map[string]float64{"": float64(entries) / time.Since(began).Seconds()}, nil
	}
}

// rate measures the calls of do per second.
func (t timing) rate(do func(ctx context.Context, viewer int) error) func(context.Context) (map[string]float64, error) {
	return func(ctx context.Context) (map[string]float64, error) {
		var done atomic.Int64
		errs := make([]error, inboxReaders)
		began := time.Now()
		var group sync.WaitGroup
		for reader := range inboxReaders {
			group.Go(func() {
				for viewer := reader; time.Since(began) < t.alone && errs[reader] == nil; viewer++ {
					errs[reader] = do(ctx, 1+viewer%inboxViewers)
					done.Add(1)
				}
			})
		}
		group.Wait()
		perSecond := float64(done.Load()) / time.Since(began).Seconds()
		for _, err := range errs {
			if err != nil {
				return nil, err
			}
		}
		return map[string]float64{"": perSecond}, nil
	}
}
