package app

import (
	"bufio"
	"cmp"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/lrucache"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkLiveFirstPage reads the first page of twenty of live feeds, for viewers who follow
// about 10, 100 and 1,800 hosts, on PostgreSQL and Redis wired as in the program. Every user
// hosts: one session is upcoming, one of every tenth user's is live, and two are replays. Cached
// pages are those of a process that read them within the minute.
//
// LIVE_GRAPH is an edge list of the network, as for import --graph; without it the network is
// generated.
func BenchmarkLiveFirstPage(b *testing.B) {
	database, redis := testenv.Postgres(b), testenv.Redis(b)
	env := []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis}
	degrees := benchGraph(b, env)
	a := benchApp(b, database, redis)
	hostEverybody(b, env, a, degrees)
	for _, want := range []int{10, 100, 1800} {
		viewer := nearest(degrees, want)
		known, unknown := *a.live.feed, *a.live.feed
		known.Cache, unknown.Cache = lrucache.NewLiveFeeds(lrucache.DefaultLiveFeeds()), nil
		b.Run(fmt.Sprintf("hosts=%d/known", degrees[viewer]), func(b *testing.B) { benchFirstPage(b, a, &known, viewer) })
		b.Run(fmt.Sprintf("hosts=%d/unknown", degrees[viewer]), func(b *testing.B) { benchFirstPage(b, a, &unknown, viewer) })
	}
}

func benchFirstPage(b *testing.B, a *services, feeds *live.Feed, viewer feed.UserID) {
	b.Helper()
	size := live.DefaultPolicy().PageDefault
	read := func() {
		page, err := feeds.Page(b.Context(), viewer, live.Query{First: &size})
		if err != nil || len(page.Entries) == 0 {
			b.Fatalf("a page of %+v, %v", page, err)
		}
	}
	read()
	a.live.pool.wait()
	for b.Loop() {
		read()
	}
}

// benchGraph imports a network and returns the number of followees per user.
func benchGraph(b *testing.B, env []string) map[feed.UserID]int {
	b.Helper()
	file := os.Getenv("LIVE_GRAPH")
	if file == "" {
		file = filepath.Join(b.TempDir(), "edges.csv")
		check(b, os.WriteFile(file, []byte(madeUpGraph()), 0o600))
	}
	if code := testenv.Program(b, []string{testenv.Binary(b), "import", "--graph", file, "--id-offset", "1"}, env).Wait(); code != 0 {
		b.Fatalf("the import of %s ends with %d", file, code)
	}
	f, err := os.Open(file)
	check(b, err)
	defer func() { _ = f.Close() }()
	degrees := map[feed.UserID]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to feed.UserID
		if _, err := fmt.Sscanf(lines.Text(), "%d,%d", &from, &to); err == nil && from != to {
			// Add one as --id-offset does, since 0 is not an id.
			degrees[from+1]++
			degrees[to+1]++
		}
	}
	return degrees
}

// madeUpGraph has users 1, 2 and 3 who follow, and are followed by, the first 10, 100 and 1,800
// others.
func madeUpGraph() string {
	var s strings.Builder
	s.WriteString("from,to\n")
	for viewer, n := range []int{10, 100, 1800} {
		for other := range n {
			fmt.Fprintf(&s, "%d,%d\n", viewer, 3+other)
		}
	}
	return s.String()
}

// nearest returns the user whose number of followees is nearest to want.
func nearest(degrees map[feed.UserID]int, want int) feed.UserID {
	var all []feed.UserID
	for user := range degrees {
		all = append(all, user)
	}
	return slices.MinFunc(all, func(a, b feed.UserID) int {
		off := func(user feed.UserID) int { return max(degrees[user]-want, want-degrees[user]) }
		return cmp.Or(cmp.Compare(off(a), off(b)), cmp.Compare(a, b))
	})
}

// benchApp wires the program's services over the servers.
func benchApp(b *testing.B, database, redis string) *services {
	b.Helper()
	p := feed.DefaultPolicy()
	log := slog.New(slog.DiscardHandler)
	servers := RedisServers{Main: RedisServer{"--redis-url", redis}, Queue: RedisServer{"--queue-redis-url", redis}}
	st, err := openStores(b.Context(), DatabaseSettings{DatabaseURL: database}, servers, nil, log)
	check(b, err)
	b.Cleanup(func() { check(b, st.close()) })
	a := newServices(st, st.openCaches(cacheSettings{CacheMB: 64}, nil, true, log), InboxesInRedis(st.redis, p.InboxCap), p, log)
	b.Cleanup(func() { _ = a.queue.Close() })
	return a
}

// hostEverybody imports sessions of every user, writes the sets, and builds the three viewers'
// replay inboxes.
func hostEverybody(b *testing.B, env []string, a *services, degrees map[feed.UserID]int) {
	b.Helper()
	var lines []string
	for host := range degrees {
		lines = append(lines, benchSession(host, 1, `"scheduledAt":"`+inHalfAYear()+`"`))
		if host%10 == 0 {
			lines = append(lines, benchSession(host, 2, `"scheduledAt":"2026-01-01T00:00:00Z","startedAt":"2026-01-01T00:00:00Z"`))
		}
		for n := range 2 {
			lines = append(lines, benchSession(host, 3+n,
				`"scheduledAt":"2025-01-01T00:00:00Z","startedAt":"2025-01-01T00:00:00Z","endedAt":"2025-01-01T01:00:00Z"`))
		}
	}
	file := filepath.Join(b.TempDir(), "live.ndjson")
	check(b, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	if code := testenv.Program(b, []string{testenv.Binary(b), "import", file}, env).Wait(); code != 0 {
		b.Fatalf("the import of sessions ends with %d", code)
	}
	for host := range degrees {
		check(b, a.live.refresher.Refresh(b.Context(), []feed.UserID{host}))
	}
	for _, want := range []int{10, 100, 1800} {
		check(b, a.live.builder.Build(b.Context(), nearest(degrees, want)))
	}
}

// inHalfAYear is a valid time for a session that no test reaches.
func inHalfAYear() string { return time.Now().AddDate(0, 6, 0).UTC().Format(time.RFC3339) }

func benchSession(host feed.UserID, n int, times string) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"session %d",%s}`, int64(host)*10+int64(n), host, n, times)
}
