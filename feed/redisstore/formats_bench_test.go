package redisstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// format is a way to keep an inbox in Redis. Those that were not chosen have scripts in
// testdata/formats that do the same as the chosen one's in the cases that count here.
type format struct {
	name string
	// listPacked is how many members a sorted set may have in the server's compact form.
	listPacked int
	// group is how many inboxes one script takes.
	group      int
	push, page *redis.Script
	keys       func(feed.UserID) []string
	// fill stores a full inbox.
	fill func(ctx context.Context, to redis.Pipeliner, names []string, keys []feed.Key)
	// pushed and below are what the two scripts take for a key.
	pushed, below func(feed.Key) []any
}

const (
	formatCap     = 300
	formatPage    = 20
	formatViewers = 5000
	// formatPipeline is how many inboxes one round trip writes.
	formatPipeline = 1000
)

func benchFormats(b *testing.B) []format {
	sets := format{
		name: "sorted set of 20 digits", listPacked: 128, group: 1,
		push: fromTestdata(b, "sortedset_push"), page: fromTestdata(b, "sortedset_page"),
		keys: named("head", "entries"), fill: fillSet,
		pushed: func(k feed.Key) []any { return []any{k.TS, fmt.Sprintf("%020d", k.ID), formatCap} },
		below:  func(k feed.Key) []any { return []any{k.TS, fmt.Sprintf("%020d", k.ID), formatPage} },
	}
	packed := sets
	packed.name, packed.listPacked = "the same, list-packed", 512
	segments := ofRecords("segments of 100, equal scores", fromTestdata(b, "segments_push"), fromTestdata(b, "segments_page"))
	segments.keys, segments.fill = named("head", "0", "1", "2", "3"), fillSegments
	list := ofRecords("list", fromTestdata(b, "list_push"), fromTestdata(b, "list_page"))
	list.fill = fillList
	room := ofRecords("string with room", fromTestdata(b, "room_push"), fromTestdata(b, "room_page"))
	room.fill = fillRoom
	own := newScripts()
	chosen := ofRecords("string", own.push, own.read)
	chosen.fill = fillString
	chosen.below = func(k feed.Key) []any { return []any{formatCap, "descending", record(k), formatPage} }
	return []format{sets, packed, segments, list, inGroups(list), room, inGroups(room), chosen, inGroups(chosen)}
}

// ofRecords returns a format in one key whose scripts take records.
func ofRecords(name string, push, page *redis.Script) format {
	return format{
		name: name, listPacked: 128, group: 1, push: push, page: page,
		keys:   func(viewer feed.UserID) []string { return []string{homeInboxes.key(viewer)} },
		pushed: func(k feed.Key) []any { return []any{record(k), formatCap} },
		below:  func(k feed.Key) []any { return []any{record(k), formatPage} },
	}
}

// inGroups returns the format with one script for many inboxes.
func inGroups(l format) format {
	l.name, l.group = fmt.Sprintf("%s, %d a script", l.name, pushGroup), pushGroup
	return l
}

func fromTestdata(b *testing.B, name string) *redis.Script {
	b.Helper()
	text, err := os.ReadFile("testdata/formats/" + name + ".lua")
	if err != nil {
		b.Fatal(err)
	}
	return redis.NewScript(orderLua + string(text))
}

func named(parts ...string) func(feed.UserID) []string {
	return func(viewer feed.UserID) []string {
		var names []string
		for _, part := range parts {
			names = append(names, homeInboxes.key(viewer)+":"+part)
		}
		return names
	}
}

// headOf returns the fields of the formats that keep a hash, and others.
func headOf(others ...any) []any {
	return append([]any{
		"state", "ready", "token", strings.Repeat("T", 26), "generation", 1, "version", 5,
		"warm_until", 1_700_000_000_000, "started_at", 1_700_000_000_000, "count", formatCap,
	}, others...)
}

func fillSet(ctx context.Context, to redis.Pipeliner, names []string, keys []feed.Key) {
	to.HSet(ctx, names[0], headOf("floor_ts", 0, "floor_id", fmt.Sprintf("%020d", 0))...)
	for _, k := range keys {
		to.ZAdd(ctx, names[1], redis.Z{Score: float64(k.TS), Member: fmt.Sprintf("%020d", k.ID)})
	}
}

func fillSegments(ctx context.Context, to redis.Pipeliner, names []string, keys []feed.Key) {
	to.HSet(ctx, names[0], headOf("floor", record(feed.Bottom), "newest", 2)...)
	for i, k := range keys {
		to.ZAdd(ctx, names[1+i/100], redis.Z{Member: record(k)})
	}
}

func fillList(ctx context.Context, to redis.Pipeliner, names []string, keys []feed.Key) {
	values := []any{strings.Repeat("h", headWidth), record(feed.Bottom)}
	for _, k := range keys {
		values = append(values, record(k))
	}
	to.RPush(ctx, names[0], values...)
}

func fillRoom(ctx context.Context, to redis.Pipeliner, names []string, keys []feed.Key) {
	front := string([]byte{byte(len(keys) / 256), byte(len(keys) % 256)}) + record(keys[len(keys)-1])
	head := front + strings.Repeat("h", headWidth-len(front))
	to.Set(ctx, names[0], head+records(keys)+strings.Repeat("\x00", recordWidth*formatCap/4), 0)
}

func fillString(ctx context.Context, to redis.Pipeliner, names []string, keys []feed.Key) {
	to.Set(ctx, names[0], strings.Repeat("h", headWidth)+record(feed.Bottom)+records(keys), 0)
}

// formatKey returns the i-th key of an author who publishes every second. Ids are in no
// order.
func formatKey(i int) feed.Key {
	return feed.Key{TS: 1_700_000_000_000 + 1000*int64(i), ID: int64(uint64(i+1) * 0x9E3779B97F4A7C15 >> 1)}
}

// BenchmarkFormats compares ways to keep an inbox. Inboxes are full, so pushes trim. The
// costs are microseconds of the server for one push and one page; bytes are those of the
// server's memory for each of 300 entries, head included, after pushes.
func BenchmarkFormats(b *testing.B) {
	for _, l := range benchFormats(b) {
		b.Run(l.name, func(b *testing.B) { benchFormat(b, l) })
	}
}

func benchFormat(b *testing.B, l format) {
	options, err := redis.ParseURL(testenv.Redis(b))
	if err != nil {
		b.Fatal(err)
	}
	lb := formatBench{B: b, format: l, redis: redis.NewClient(options)}
	b.Cleanup(func() { _ = lb.redis.Close() })
	lb.fillAll()
	newest := formatCap
	b.Run("newest", func(b *testing.B) {
		lb.measurePushes(b, func() feed.Key { newest++; return formatKey(newest) })
		b.ReportMetric(lb.bytesPerEntry(), "B/entry")
	})
	b.Run("duplicate", func(b *testing.B) { lb.measurePushes(b, func() feed.Key { return formatKey(newest) }) })
	late := 0
	b.Run("late by 5", func(b *testing.B) {
		lb.measurePushes(b, func() feed.Key {
			late++
			return feed.Key{TS: formatKey(newest-5).TS + int64(late%900), ID: int64(late)}
		})
	})
	b.Run("page", func(b *testing.B) { lb.measurePages(b, newest) })
}

// formatBench is a server with inboxes in one format.
type formatBench struct {
	*testing.B
	format format
	redis  *redis.Client
}

func (lb formatBench) must(err error) {
	lb.Helper()
	if err != nil {
		lb.Fatal(err)
	}
}

func (lb formatBench) fillAll() {
	ctx := lb.Context()
	lb.must(lb.redis.ConfigSet(ctx, "zset-max-listpack-entries", fmt.Sprint(lb.format.listPacked)).Err())
	lb.must(lb.format.push.Load(ctx, lb.redis).Err())
	lb.must(lb.format.page.Load(ctx, lb.redis).Err())
	keys := make([]feed.Key, formatCap)
	for i := range keys {
		keys[i] = formatKey(i)
	}
	for viewer := range feed.UserID(formatViewers) {
		_, err := lb.redis.Pipelined(ctx, func(to redis.Pipeliner) error {
			lb.format.fill(ctx, to, lb.format.keys(viewer+1), keys)
			return nil
		})
		lb.must(err)
	}
}

// measurePushes pushes one key after the other to all inboxes.
func (lb formatBench) measurePushes(b *testing.B, next func() feed.Key) {
	b.Helper()
	before, n := lb.cpu(), 0
	for b.Loop() {
		args := lb.format.pushed(next())
		for first := 0; first < formatViewers; first += formatPipeline {
			_, err := lb.redis.Pipelined(b.Context(), func(to redis.Pipeliner) error {
				lb.pushTo(b.Context(), to, feed.UserID(first+1), args)
				return nil
			})
			lb.must(err)
		}
		n += formatViewers
	}
	b.ReportMetric((lb.cpu()-before)*1e6/float64(n), "redis-µs/push")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(n), "µs/push")
}

// pushTo pushes to the inboxes of one pipeline.
func (lb formatBench) pushTo(ctx context.Context, to redis.Pipeliner, first feed.UserID, args []any) {
	for begin := first; begin < first+formatPipeline; begin += feed.UserID(lb.format.group) {
		var names []string
		for viewer := begin; viewer < begin+feed.UserID(lb.format.group); viewer++ {
			names = append(names, lb.format.keys(viewer)...)
		}
		lb.format.push.EvalSha(ctx, to, names, args...)
	}
}

// measurePages reads pages from anywhere in the inboxes.
func (lb formatBench) measurePages(b *testing.B, newest int) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	lb.must(lb.redis.ConfigResetStat(b.Context()).Err())
	for b.Loop() {
		viewer := feed.UserID(1 + random.IntN(formatViewers))
		below := lb.format.below(formatKey(newest - random.IntN(formatCap-formatPage)))
		lb.must(lb.format.page.EvalSha(b.Context(), lb.redis, lb.format.keys(viewer), below...).Err())
	}
	stats, err := lb.redis.InfoMap(b.Context(), "commandstats").Result()
	lb.must(err)
	var calls, spent int
	_, err = fmt.Sscanf(stats["Commandstats"]["cmdstat_evalsha"], "calls=%d,usec=%d", &calls, &spent)
	lb.must(err)
	b.ReportMetric(float64(spent)/float64(calls), "redis-µs/page")
}

// cpu returns the seconds that the server's main thread has worked.
func (lb formatBench) cpu() float64 {
	stats, err := lb.redis.InfoMap(lb.Context(), "cpu").Result()
	lb.must(err)
	var sys, user float64
	_, err = fmt.Sscan(stats["CPU"]["used_cpu_sys_main_thread"]+" "+stats["CPU"]["used_cpu_user_main_thread"], &sys, &user)
	lb.must(err)
	return sys + user
}

// bytesPerEntry returns the memory of some inboxes for each of their entries.
func (lb formatBench) bytesPerEntry() float64 {
	const some = 100
	total := int64(0)
	for viewer := range feed.UserID(some) {
		for _, name := range lb.format.keys(viewer + 1) {
			n, err := lb.redis.MemoryUsage(lb.Context(), name).Result()
			if !errors.Is(err, redis.Nil) {
				lb.must(err)
			}
			total += n
		}
	}
	return math.Round(float64(total)/some/formatCap*10) / 10
}
