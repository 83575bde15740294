package bench_test

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/bench"
	"github.com/tideline-feeds/tideline/internal/loadgen/drive"
	"github.com/tideline-feeds/tideline/internal/loadgen/page"
	"github.com/tideline-feeds/tideline/internal/loadgen/world"
)

// capacitySizes are the networks that are grown. BENCH_USERS names others, with commas
// between, and BENCH_FOLLOWS how many users somebody follows in the mean: a hundred, unless
// the machine has no room for so many.
func capacitySizes(b *testing.B) []world.Size {
	b.Helper()
	users, follows := "10000,100000,1000000", 100
	if named := os.Getenv("BENCH_USERS"); named != "" {
		users = named
	}
	if named := os.Getenv("BENCH_FOLLOWS"); named != "" {
		n, err := strconv.Atoi(named)
		must(b, err)
		follows = n
	}
	var out []world.Size
	for text := range strings.SplitSeq(users, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		must(b, err)
		size := world.Size{Seed: 1, Users: n, Follows: follows, Posts: 5}
		size.Followers = size.Crowd().Last - size.Crowd().First + 1
		out = append(out, size)
	}
	return out
}

// BenchmarkCapacity grows networks, of which everybody but the cohorts follows the star, and
// measures in each the import, reads of inboxes and without, and how a content of the star
// gets to all of them. scripts/bench.sh runs it with BENCH=capacity. After each size it
// stores what it has, so that a run that is cut short is not in vain.
func BenchmarkCapacity(b *testing.B) {
	g := &bench.Growth{
		Commit: commit(b), Command: "BENCH=capacity scripts/bench.sh",
		Date: time.Now().UTC().Format(time.DateTime) + " UTC", Machine: machine(b),
	}
	for _, size := range capacitySizes(b) {
		b.Run(strconv.FormatInt(size.Users, 10), func(b *testing.B) {
			g.Sizes = append(g.Sizes, grow(b, size))
		})
		storeGrowth(b, g)
	}
	must(b, g.Table(os.Stderr))
}

// storeGrowth keeps the figures and the pictures of them.
func storeGrowth(b *testing.B, g *bench.Growth) {
	b.Helper()
	store(b, "capacity", g)
	for name, chart := range g.Charts() {
		var svg strings.Builder
		must(b, chart.WriteSVG(&svg))
		must(b, os.WriteFile(results+name, []byte(svg.String()), 0o600))
	}
}

// grow measures one size.
func grow(b *testing.B, size world.Size) bench.Capacity {
	b.Helper()
	c := bench.Capacity{Users: size.Users, Followers: size.Followers}
	began := time.Now()
	s := newSite(b, size, defaultThreshold)
	c.ImportSeconds = s.importTook.Seconds()
	tell(fmt.Sprintf("%d users imported in %.0f s, all ready after %.0f s", size.Users, c.ImportSeconds, time.Since(began).Seconds()))
	c.Follows = s.number(`SELECT count(*) FROM follows`)
	c.Contents = s.number(`SELECT count(*) FROM contents`)
	records := size.Last() + c.Follows + c.Contents + s.number(`SELECT count(*) FROM reactions`)
	c.RecordsPerSecond = float64(records) / c.ImportSeconds
	c.DatabaseBytes = s.number(`SELECT pg_database_size(current_database())`)
	main := s.tideline()
	s.growReads(&c, main)
	s.growInboxes(&c, main)
	s.growFanout(&c, main)
	return c
}

// The reads of a size: the first ones of users without inboxes, by one connection, and warm
// ones by many.
const (
	growViewers = 1000
	growConns   = 32
	growFor     = 5 * time.Second
)

// growReads reads pages of users without an inbox, which builds those, and then warm ones.
// Viewers are spread over the whole crowd.
func (s *site) growReads(c *bench.Capacity, main *server) {
	s.b.Helper()
	crowd := s.size.Crowd().Users()
	var viewers []int64
	for i := range int64(growViewers) {
		viewers = append(viewers, crowd[i*int64(len(crowd))/growViewers])
	}
	book := s.home(main, viewers, 1)
	c.BuildP50Millis = s.medianMillis(main, book)
	main.warm(s.b, book)
	warm, err := drive.Run(s.b.Context(), drive.Load{Addr: main.Addr, Conns: growConns, For: growFor, Next: book.Next})
	must(s.b, err)
	c.ReadsPerSecond = warm.PerSecond
	single, err := drive.Run(s.b.Context(), drive.Load{Addr: main.Addr, Conns: 1, For: growFor, Next: book.Next})
	must(s.b, err)
	c.ReadP50Millis, c.ReadP99Millis = float64(single.P50)/1000, float64(single.P99)/1000
	tell(fmt.Sprintf("%.0f warm pages/s, p50 %.2f ms", c.ReadsPerSecond, c.ReadP50Millis))
}

// medianMillis sends each request once over one connection and returns what half of them
// take at most.
func (s *site) medianMillis(v *server, book *page.Book) float64 {
	s.b.Helper()
	conn, err := drive.Dial(s.b.Context(), v.Addr)
	must(s.b, err)
	defer func() { _ = conn.Close() }()
	var took []float64
	for _, r := range book.All() {
		began := time.Now()
		body, err := conn.Do(r.Wire)
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		must(s.b, err)
		must(s.b, r.Check(body))
	}
	return bench.Median(took)
}

// builders is how many inboxes are filled at once.
const builders = 8

// growInboxes fills the inbox of every follower of the star as a build would, by the ports
// and out of what the network must be: the program builds them as they are read, which for
// all of them would take hours.
func (s *site) growInboxes(c *bench.Capacity, main *server) {
	s.b.Helper()
	// Those who have an inbox have been here.
	s.exec(`UPDATE users SET active_until = $1`, feed.Millis(time.Now().Add(24*time.Hour)))
	s.exec(`VACUUM ANALYZE users`)
	store := s.openInboxes(main)
	generation := s.number(`SELECT generation FROM feed_state`)
	versions := s.versions()
	followers := s.size.StarFollowers()
	errs := make([]error, builders)
	var group sync.WaitGroup
	for n := range builders {
		group.Go(func() {
			for i := n; i < len(followers) && errs[n] == nil; i += builders {
				errs[n] = s.fillInbox(store, followers[i], versions[followers[i]], generation)
			}
		})
	}
	group.Wait()
	must(s.b, errors.Join(errs...))
	c.Inboxes = int64(len(followers))
	memory, err := main.redis.InfoMap(s.b.Context(), "memory").Result()
	must(s.b, err)
	c.RedisBytes, err = strconv.ParseInt(memory["Memory"]["used_memory"], 10, 64)
	must(s.b, err)
	tell(fmt.Sprintf("%d inboxes filled", c.Inboxes))
}

// openInboxes opens the inboxes that a server works on.
func (s *site) openInboxes(v *server) *redisstore.Inboxes {
	s.b.Helper()
	client, err := redisstore.Open(s.b.Context(), "redis://"+v.redis.Options().Addr+"/0")
	must(s.b, err)
	s.b.Cleanup(func() { _ = client.Close() })
	return redisstore.NewInboxes(client, inboxCap)
}

// versions returns the relations versions of all users.
func (s *site) versions() map[int64]int64 {
	s.b.Helper()
	out := map[int64]int64{}
	rows, err := s.sql.Query(s.b.Context(), `SELECT id, version FROM users`)
	must(s.b, err)
	var id, version int64
	_, err = pgx.ForEachRow(rows, []any{&id, &version}, func() error { out[id] = version; return nil })
	must(s.b, err)
	return out
}

// fillInbox builds one inbox: a warm one, complete as far as it goes.
func (s *site) fillInbox(store *redisstore.Inboxes, viewer, version, generation int64) error {
	ctx, user := s.b.Context(), feed.UserID(viewer)
	build := feed.Build{Floor: feed.Bottom, WarmUntil: feed.Millis(time.Now().Add(24 * time.Hour)), Version: version}
	for _, p := range s.size.Home(viewer, inboxCap+1+s.size.Posts).Posts {
		if p.Author == viewer {
			// His own contents are merged into every read.
			continue
		}
		if len(build.Keys) == inboxCap {
			build.Floor = feed.Key{TS: p.TS, ID: p.ID}
			break
		}
		build.Keys = append(build.Keys, feed.Key{TS: p.TS, ID: p.ID})
	}
	token := "capacity" + strconv.FormatInt(viewer, 10)
	mark := feed.BuildMark{Token: token, Generation: generation, StartedAt: feed.Millis(time.Now())}
	if began, err := store.BeginBuild(ctx, user, mark, feed.Millis(time.Now())); !began || err != nil {
		return errors.Join(fmt.Errorf("the inbox of %d cannot be built", viewer), err)
	}
	_, err := store.FinishBuild(ctx, user, token, build)
	return err
}

// growFanout publishes contents of the star, and then pushes one more to the same inboxes by
// nothing but Redis.
func (s *site) growFanout(c *bench.Capacity, main *server) {
	s.b.Helper()
	const publishes = 3
	followers := s.size.StarFollowers()
	last := followers[len(followers)-1]
	var took []float64
	for range publishes {
		began := time.Now()
		id, err := page.Publish(s.b.Context(), main.Server, s.size.Star(), "news")
		must(s.b, err)
		must(s.b, s.settledWithin(s.b.Context(), patience*time.Duration(1+len(followers)/100_000)))
		took = append(took, time.Since(began).Seconds())
		must(s.b, s.sees(main, last, id))
	}
	c.LastSeconds = bench.Median(took)
	c.FanoutPerSecond = float64(len(followers)) / c.LastSeconds
	c.AloneSeconds = s.pushAlone(main, followers)
	c.BytesPerEntry = s.bytesPerEntry(main)
	tell(fmt.Sprintf("%.0f entries/s; last follower after %.2f s, Redis alone %.2f s", c.FanoutPerSecond, c.LastSeconds, c.AloneSeconds))
}

// sees asks whether a content stands first in a viewer's feed.
func (s *site) sees(v *server, viewer, content int64) error {
	conn, err := drive.Dial(s.b.Context(), v.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ok, err := page.StandsFirst(conn, v.Server, viewer, content)
	if err == nil && !ok {
		err = fmt.Errorf("user %d does not see what was pushed", viewer)
	}
	return err
}

// pushAlone returns how many seconds the same pushes take with nothing else around them: as
// many at once as a worker makes.
func (s *site) pushAlone(main *server, followers []int64) float64 {
	s.b.Helper()
	const batch = 250
	store := s.openInboxes(main)
	key := feed.Key{TS: feed.Millis(time.Now()), ID: 1<<62 + 1}
	var next atomic.Int64
	errs := make([]error, builders)
	began := time.Now()
	var group sync.WaitGroup
	for n := range builders {
		group.Go(func() {
			for errs[n] == nil {
				from := int(next.Add(batch)) - batch
				if from >= len(followers) {
					return
				}
				var viewers []feed.UserID
				for _, id := range followers[from:min(from+batch, len(followers))] {
					viewers = append(viewers, feed.UserID(id))
				}
				_, errs[n] = store.Push(s.b.Context(), viewers, key)
			}
		})
	}
	group.Wait()
	must(s.b, errors.Join(errs...))
	return time.Since(began).Seconds()
}

// bytesPerEntry asks Redis what the keys of a sample of inboxes take.
func (s *site) bytesPerEntry(main *server) float64 {
	s.b.Helper()
	const sample = 1000
	store := s.openInboxes(main)
	var bytes, entries int64
	for _, viewer := range s.size.StarFollowers()[:min(sample, int(s.size.Followers))] {
		inbox, err := store.Read(s.b.Context(), feed.UserID(viewer), feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
		must(s.b, err)
		entries += int64(inbox.Count)
		bytes += main.inboxBytes(s.b, viewer)
	}
	return float64(bytes) / float64(entries)
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
