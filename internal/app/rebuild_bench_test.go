package app

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkRebuildActive builds the inboxes of all users again after they have been dropped, on
// PostgreSQL and Redis, as tideline rebuild --active does.
//
// REBUILD_USERS is the number of users, 1,000 by default. Each follows REBUILD_FOLLOWS others, 100 by
// default, and has REBUILD_POSTS posts, 20 by default. REBUILD_AT_ONCE is how many are built at once.
func BenchmarkRebuildActive(b *testing.B) {
	users, follows, posts := fromEnv(b, "REBUILD_USERS", 1000), fromEnv(b, "REBUILD_FOLLOWS", 100), fromEnv(b, "REBUILD_POSTS", 20)
	database, redis := testenv.Postgres(b), testenv.Redis(b)
	importNetwork(b, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis}, users, follows, posts)
	policy := feed.DefaultPolicy()
	a, st := benchServices(b, database, redis, policy)
	for id := range users {
		_, err := st.sql.Renew(b.Context(), feed.UserID(id+1), policy.ActiveFor)
		check(b, err)
	}
	r := &inbox.Rebuilder{Builder: a.builder, AtOnce: fromEnv(b, "REBUILD_AT_ONCE", 32)}
	meter, built := newCPUMeter(b, database, redis), 0
	var took time.Duration
	for b.Loop() {
		check(b, st.sql.RaiseGeneration(b.Context()))
		before, began := meter.now(), time.Now()
		done, err := r.Active(b.Context(), nil)
		check(b, err)
		took += time.Since(began)
		meter.add("", before)
		built += done.Built
	}
	meter.report(built)
	b.ReportMetric(float64(built)/took.Seconds(), "inboxes/s")
}

// importNetwork imports users who each follow the next ones, and whose posts are one minute apart.
func importNetwork(b *testing.B, env []string, users, follows, posts int) {
	b.Helper()
	var lines []string
	for id := 1; id <= users; id++ {
		lines = append(lines, fmt.Sprintf(`{"type":"user","id":"%d","handle":"user%d","name":"User","createdAt":"2025-01-01T00:00:00Z"}`, id, id))
	}
	for id := 1; id <= users; id++ {
		for n := 1; n <= follows; n++ {
			lines = append(lines, fmt.Sprintf(`{"type":"follow","follower":"%d","followee":"%d","createdAt":"2025-01-01T00:00:00Z"}`, id, 1+(id-1+n*7)%users))
		}
	}
	at := time.Date(2025, 2, 1, 0, 0, 0, 0, time.UTC)
	for n := range users * posts {
		lines = append(lines, fmt.Sprintf(`{"type":"post","id":"%d","author":"%d","kind":"POST","text":"news","publishedAt":"%s"}`,
			n+1, 1+n%users, at.Add(time.Duration(n)*time.Minute).Format(time.RFC3339)))
	}
	file := filepath.Join(b.TempDir(), "network.ndjson")
	check(b, os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	if code := testenv.Program(b, []string{testenv.Binary(b), "import", file}, env).Wait(); code != 0 {
		b.Fatalf("the import of a network ends with %d", code)
	}
}
