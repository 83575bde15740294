package bench_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/capacity"
	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// capacitySizes are the network sizes. BENCH_USERS replaces them, separated by commas, and
// BENCH_FOLLOWS sets the mean number of follows besides the star. By default a million users take
// about eight gigabytes, which fits on a small machine.
func capacitySizes(b *testing.B) []world.Size {
	b.Helper()
	users, follows := "10000,100000,1000000", 18
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
		size := world.Size{Seed: 1, Users: n, Follows: follows, Posts: 2}
		size.Followers = size.Crowd().Last - size.Crowd().First + 1
		out = append(out, size)
	}
	return out
}

// BenchmarkCapacity grows networks in which all users except the cohorts follow the star. In each
// it measures the import, reads with and without an inbox, and the fan-out of the star's posts.
// scripts/bench.sh runs it with BENCH=capacity. It stores the result after each size, so that an
// interrupted run keeps its results, and leaves stored results of other sizes.
func BenchmarkCapacity(b *testing.B) {
	var g bench.Growth
	stored(b, "capacity.json", &g)
	var points capacity.Points
	stored(b, "scaling.json", &points)
	for _, size := range capacitySizes(b) {
		b.Run(strconv.FormatInt(size.Users, 10), func(b *testing.B) {
			c, p := grow(b, size)
			g.Put(c)
			points = points.Put(p)
		})
		storeGrowth(b, &g)
		must(b, os.WriteFile(results+"scaling.json", marshal(b, points), 0o600))
	}
	must(b, g.Table(os.Stderr))
}

// stored reads the stored result, of which this run replaces a part.
func stored(b *testing.B, name string, into any) {
	b.Helper()
	raw, err := os.ReadFile(results + name)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	must(b, err)
	must(b, json.Unmarshal(raw, into))
}

// storeGrowth stores the figures and their charts.
func storeGrowth(b *testing.B, g *bench.Growth) {
	b.Helper()
	store(b, "capacity", g)
	files, err := filesOf(g)
	must(b, err)
	for name, text := range files {
		must(b, os.WriteFile(results+name, []byte(text), 0o600))
	}
}

// grow measures one size.
func grow(b *testing.B, size world.Size) (bench.Capacity, capacity.Point) {
	b.Helper()
	now, on, at := time.Now().UTC().Format(time.DateTime)+" UTC", machine(b), commit(b)
	c := bench.Capacity{Commit: at, Date: now, Machine: on, Users: size.Users, Followers: size.Followers}
	p := capacity.Point{Commit: at, Command: growthCommand, Date: now, Machine: on, Users: size.Last()}
	began := time.Now()
	s := newSite(b, size, defaultThreshold, statementsCounted)
	s.observe()
	c.ImportSeconds = s.importTook.Seconds()
	tell(fmt.Sprintf("%d users imported in %.0f s, all ready after %.0f s", size.Users, c.ImportSeconds, time.Since(began).Seconds()))
	p.Tables = s.tables(importedTables()...)
	c.Follows, c.Contents = p.Tables["follows"].Rows, p.Tables["contents"].Rows
	p.Follows, p.Contents = c.Follows, c.Contents
	if records := size.Last() + c.Follows + c.Contents + p.Tables["reactions"].Rows; c.ImportSeconds > 0 {
		c.RecordsPerSecond = float64(records) / c.ImportSeconds
	}
	c.DatabaseBytes = s.number(`SELECT pg_database_size(current_database())`)
	in := place{testenv.Redis(b), s.network}
	main := s.tidelineAt(in, "TIDELINE_ROLE=api")
	m := newMeter(s, main, s.worker(in))
	p.Idle = m.idle
	s.growReads(&c, &p, m)
	s.growInboxes(&c, &p, main)
	s.costReads(&p, m)
	s.growFanout(&c, &p, m)
	return c, p
}

// growthCommand updates the stored result.
const growthCommand = "BENCH=capacity scripts/bench.sh"

// The numbers of reads per size. One connection makes the first reads of users without inboxes, and
// many connections make the warm reads.
const (
	growViewers = 1000
	growConns   = 32
	growFor     = 5 * time.Second
)

// growReads measures pages of random users without an inbox, which start a build, and then warm
// pages.
func (s *site) growReads(c *bench.Capacity, p *capacity.Point, m *meter) {
	s.b.Helper()
	main := m.api
	requests := s.home(main, s.spread(growViewers, 0), 1)
	p.Absent = m.of(growViewers, func() {
		c.BuildP50Millis = s.medianMillis(main, requests)
		main.warm(s.b, requests)
	})
	warm, err := drive.Run(s.b.Context(), drive.Load{Addr: main.Addr, Conns: growConns, For: growFor, Next: requests.Next})
	must(s.b, err)
	c.ReadsPerSecond = warm.PerSecond
	single, err := drive.Run(s.b.Context(), drive.Load{Addr: main.Addr, Conns: 1, For: growFor, Next: requests.Next})
	must(s.b, err)
	c.ReadP50Millis, c.ReadP99Millis = float64(single.P50)/1000, float64(single.P99)/1000
	tell(fmt.Sprintf("%.0f warm pages/s, p50 %.2f ms", c.ReadsPerSecond, c.ReadP50Millis))
}

// spread returns n users of the crowd at equal distances, starting at an offset.
func (s *site) spread(n, from int) []int64 {
	crowd := s.size.Crowd().Users()
	step := len(crowd) / n
	out := make([]int64, n)
	for i := range out {
		out[i] = crowd[i*step+from]
	}
	return out
}

// medianMillis sends each request once over one connection and returns the median latency.
func (s *site) medianMillis(v *server, requests *page.RequestSet) float64 {
	s.b.Helper()
	conn, err := drive.Dial(s.b.Context(), v.Addr)
	must(s.b, err)
	defer func() { _ = conn.Close() }()
	var took []float64
	for _, r := range requests.All() {
		began := time.Now()
		body, err := conn.Do(r.Wire)
		took = append(took, float64(time.Since(began).Microseconds())/1000)
		must(s.b, err)
		must(s.b, r.Check(body))
	}
	return bench.Median(took)
}

// builders is the number of inboxes that are filled concurrently.
const builders = 8

// growInboxes writes the inbox of every follower of the star through the ports, as a build does.
// The program builds an inbox only on a read, which would take hours for all.
func (s *site) growInboxes(c *bench.Capacity, p *capacity.Point, main *server) {
	s.b.Helper()
	// Users with an inbox count as active.
	s.exec(`UPDATE users SET active_until = $1`, feed.Millis(time.Now().Add(24*time.Hour)))
	s.exec(`VACUUM ANALYZE users`)
	store := s.openInboxes(main)
	for _, viewer := range s.spread(growViewers, 0) {
		must(s.b, store.Remove(s.b.Context(), feed.UserID(viewer)))
	}
	before := main.usedMemory(s.b)
	generation := s.number(`SELECT generation FROM feed_state`)
	versions := s.versions()
	followers := s.size.StarFollowers()
	var entries atomic.Int64
	must(s.b, together(builders, func(n int) error {
		for i := n; i < len(followers); i += builders {
			filled, err := s.fillInbox(store, followers[i], versions[followers[i]], generation, 24*time.Hour)
			if err != nil {
				return err
			}
			entries.Add(int64(filled))
		}
		return nil
	}))
	p.Entries = entries.Load()
	p.Inboxes = int64(len(followers))
	c.Inboxes, c.RedisBytes = p.Inboxes, main.usedMemory(s.b)
	p.RedisBytes = c.RedisBytes - before
	p.Built = capacity.LineThrough(s.sampleInboxes(main))
	tell(fmt.Sprintf("%d inboxes filled with %d entries: %d bytes", c.Inboxes, p.Entries, p.RedisBytes))
}

// openInboxes opens the inboxes of a server.
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

// fillInbox builds one warm inbox without gaps and returns its number of entries.
func (s *site) fillInbox(store *redisstore.Inboxes, viewer, version, generation int64, warm time.Duration) (int, error) {
	ctx, user := s.b.Context(), feed.UserID(viewer)
	build := feed.Build{Floor: feed.Bottom, WarmUntil: feed.Millis(time.Now().Add(warm)), Version: version}
	for _, p := range s.size.Home(viewer, inboxCap+1+s.size.Posts).Posts {
		if p.Author == viewer {
			// Every read merges the viewer's own posts.
			continue
		}
		if len(build.Keys) == inboxCap {
			build.Floor = feed.Key{TS: p.TS, ID: p.ID}
			break
		}
		build.Keys = append(build.Keys, feed.Key{TS: p.TS, ID: p.ID})
	}
	token := "capacity" + strconv.FormatInt(viewer, 10)
	header := feed.BuildHeader{Token: token, Generation: generation, StartedAt: feed.Millis(time.Now())}
	if began, err := store.BeginBuild(ctx, user, header, feed.Millis(time.Now())); !began || err != nil {
		return 0, errors.Join(fmt.Errorf("the inbox of %d cannot be built", viewer), err)
	}
	_, err := store.FinishBuild(ctx, user, token, build)
	return len(build.Keys), err
}

// growFanout measures the fan-out of posts, and then the same pushes with Redis alone.
func (s *site) growFanout(c *bench.Capacity, p *capacity.Point, m *meter) {
	s.b.Helper()
	s.costOrdinary(p, m)
	followers := s.size.StarFollowers()
	s.costStar(p, m, followers)
	c.LastSeconds = p.Star.Seconds
	for name, table := range s.tables("events", "plans", "plan_slices") {
		p.Tables[name] = table
	}
	entries, bytes := s.sampleInboxes(m.api)
	p.Room, c.BytesPerEntry = p.Built.Room(entries, bytes), sum(bytes)/sum(entries)
	c.FanoutPerSecond = float64(len(followers)) / c.LastSeconds
	c.AloneSeconds = s.pushAlone(m.api, followers)
	tell(fmt.Sprintf("%.0f entries/s; last follower after %.2f s, Redis alone %.2f s", c.FanoutPerSecond, c.LastSeconds, c.AloneSeconds))
}

// sees returns an error unless a post is first in a viewer's feed.
func (s *site) sees(v *server, viewer, post int64) error {
	conn, err := drive.Dial(s.b.Context(), v.Addr)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	ok, err := page.IsFirst(conn, v.Server, viewer, post)
	if err == nil && !ok {
		err = fmt.Errorf("the home feed of user %d does not begin with post %d", viewer, post)
	}
	return err
}

// pushAlone returns the seconds that the same pushes take with Redis alone, with the concurrency of
// one worker.
func (s *site) pushAlone(main *server, followers []int64) float64 {
	s.b.Helper()
	const batch = 250
	store := s.openInboxes(main)
	key := feed.Key{TS: feed.Millis(time.Now()), ID: 1<<62 + 1}
	var next atomic.Int64
	began := time.Now()
	must(s.b, together(builders, func(int) error {
		for {
			from := int(next.Add(batch)) - batch
			if from >= len(followers) {
				return nil
			}
			var viewers []feed.UserID
			for _, id := range followers[from:min(from+batch, len(followers))] {
				viewers = append(viewers, feed.UserID(id))
			}
			if _, err := store.Push(s.b.Context(), viewers, key); err != nil {
				return err
			}
		}
	}))
	return time.Since(began).Seconds()
}
