package app

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/changes"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkOnlineFirst measures the time from a publish until a connected follower receives the post,
// while the slices of another author's posts wait, on PostgreSQL and Redis wired as in the program.
// plain-ms is that time for an author with 15 followers, whose fan-out then has ended.
// ONLINE_FOLLOWERS is the number of followers of both authors, 100,000 by default, all with inboxes
// of ONLINE_CAP entries, 20 by default. ONLINE_FIRST=0 notifies at the end of the fan-out.
func BenchmarkOnlineFirst(b *testing.B) {
	const busy = benchAuthor + 1 // whose slices wait
	policy := feed.DefaultPolicy()
	policy.Fanout = feed.FanoutPush
	policy.InboxCap = fromEnv(b, "ONLINE_CAP", 20)
	policy.OnlineFirst = fromEnv(b, "ONLINE_FIRST", policy.OnlineFirst)
	followers := fromEnv(b, "ONLINE_FOLLOWERS", 100_000)
	database, redis := testenv.Postgres(b), testenv.Redis(b)
	importFollowers(b, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis}, followers)
	importAlso(b, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis}, busy, followers)
	a, st := benchServices(b, database, redis, policy)
	fillInboxes(b, a, st, policy, followers)
	plain := benchAuthor + feed.UserID(followers)
	importAlso(b, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis}, plain, 16)
	numberImport(b, a, st)
	lead(b, a)
	done := startWork(b, a, st)
	go func() {
		for range done { // so that the listener never waits
		}
	}()
	// The last follower is in the last slice.
	sub, err := a.subscribe.Subscribe(b.Context(), benchAuthor+feed.UserID(followers), subscribe.Query{})
	check(b, err)
	defer sub.Close()
	ofPlain, err := a.subscribe.Subscribe(b.Context(), busy+1, subscribe.Query{})
	check(b, err)
	defer ofPlain.Close()
	check(b, a.online.Write(b.Context()))

	var took, tookPlain []time.Duration
	var backlogs []int
	for b.Loop() {
		for range 4 {
			_, err := a.publisher.Publish(b.Context(), busy, publish.Draft{Text: "noise"})
			check(b, err)
		}
		check(b, a.online.Write(b.Context()))
		took = append(took, untilReceived(b, a, benchAuthor, sub))
		tookPlain = append(tookPlain, untilReceived(b, a, plain, ofPlain))
		waiting, err := st.sql.Backlog(b.Context(), 1_000_000)
		check(b, err)
		backlogs = append(backlogs, waiting)
	}
	slices.Sort(backlogs)
	reportTimes(b, "", took)
	reportTimes(b, "plain-", tookPlain)
	b.ReportMetric(float64(backlogs[len(backlogs)/2]), "slices-open")
	b.ReportMetric(0, "ns/op") // has the noise
}

// untilReceived publishes a post and returns how long the subscriber waits for it.
func untilReceived(b *testing.B, a *services, author feed.UserID, sub *subscribe.Subscription) time.Duration {
	b.Helper()
	began := time.Now()
	post, err := a.publisher.Publish(b.Context(), author, publish.Draft{Text: "news"})
	check(b, err)
	receive(b, sub, post.ID)
	return time.Since(began)
}

func reportTimes(b *testing.B, prefix string, took []time.Duration) {
	b.Helper()
	slices.Sort(took)
	ms := func(i int) float64 { return float64(took[i].Microseconds()) / 1000 }
	b.ReportMetric(ms(len(took)/2), prefix+"ms-median")
	b.ReportMetric(ms(len(took)*99/100), prefix+"ms-p99")
}

// receive waits until the subscriber has received a post.
func receive(b *testing.B, sub *subscribe.Subscription, post feed.PostID) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.Context(), 2*time.Minute)
	defer cancel()
	for {
		added, err := feedtest.NextEdge(ctx, sub)
		check(b, err)
		if added.ID == post {
			return
		}
	}
}

// numberImport numbers the changes of the import and reads them, so that subscriptions begin after
// the resets among them.
func numberImport(b *testing.B, a *services, st *stores) {
	b.Helper()
	for more := true; more; {
		var err error
		more, _, err = st.sql.NumberChanges(b.Context(), 50_000)
		check(b, err)
	}
	follower, _ := a.timeline.Places.(*changes.Follower)
	check(b, follower.CatchUp(b.Context()))
}

// lead numbers changes until the end of the benchmark.
func lead(b *testing.B, a *services) {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for ctx.Err() == nil {
			_ = a.numberer.Lead(ctx)
		}
	}()
	b.Cleanup(func() { stop(); <-ended })
}

// importAlso lets the followers of benchAuthor follow another author, too.
func importAlso(b *testing.B, env []string, author feed.UserID, n int) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "also.ndjson")
	file, err := os.Create(path)
	check(b, err)
	w := bufio.NewWriter(file)
	for id := benchAuthor + 2; id <= benchAuthor+feed.UserID(n); id++ {
		_, _ = fmt.Fprintf(w, `{"type":"follow","follower":"%d","followee":"%d","createdAt":"2025-01-01T00:00:00Z"}`+"\n", id, author)
	}
	check(b, w.Flush())
	check(b, file.Close())
	if code := testenv.Program(b, []string{testenv.Binary(b), "import", path}, env).Wait(); code != 0 {
		b.Fatalf("the import of follows ends with %d", code)
	}
}
