package app

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkFanout publishes posts of one author, one after the other, and waits until the last
// follower can read each, on PostgreSQL and Redis wired as in the program. Every follower has a
// full inbox, so pushes trim. After each post it repeats the same pushes alone, with a worker's
// concurrency; x-alone is the ratio of the two times. That ratio needs an idle machine; CPU time,
// which is reported for both, does not.
//
// FANOUT_FOLLOWERS is the number of followers, 10,000 by default, and FANOUT_CAP the cap of their
// inboxes. With FANOUT_MODE=push, activity does not matter; by default all followers are active
// and must be looked up.
func BenchmarkFanout(b *testing.B) {
	policy := feed.DefaultPolicy()
	policy.Fanout = feed.FanoutMode(cmp.Or(os.Getenv("FANOUT_MODE"), string(policy.Fanout)))
	policy.InboxCap = fromEnv(b, "FANOUT_CAP", policy.InboxCap)
	followers := fromEnv(b, "FANOUT_FOLLOWERS", 10_000)
	database, redis := testenv.Postgres(b), testenv.Redis(b)
	importFollowers(b, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis}, followers)
	a, st := benchServices(b, database, redis, policy)
	fillInboxes(b, a, st, policy, followers)
	done := startWork(b, a, st)

	var took, alone []time.Duration
	meter := newCPUMeter(b, database, redis)
	for b.Loop() {
		before, began := meter.now(), time.Now()
		if _, err := a.publisher.Publish(b.Context(), benchAuthor, publish.Draft{Text: "news"}); err != nil {
			b.Fatal(err)
		}
		<-done
		took = append(took, time.Since(began))
		meter.add("", before)
		before, began = meter.now(), time.Now()
		pushAlone(b, a.fanout.Inboxes, feed.Key{TS: feed.Millis(began), ID: int64(len(took))}, followers, policy.PushBatch)
		alone = append(alone, time.Since(began))
		meter.add("alone-", before)
	}
	meter.report(followers * len(took))
	slices.Sort(took)
	slices.Sort(alone)
	median := len(took) / 2
	b.ReportMetric(float64(took[median].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-slowest")
	b.ReportMetric(float64(took[median])/float64(alone[median]), "x-alone")
	b.ReportMetric(0, "ns/op") // would be of both together
}

// pushAlone pushes a key to all followers, and does nothing else.
func pushAlone(b *testing.B, inboxes feed.Inboxes, k feed.Key, followers, batch int) {
	b.Helper()
	const atOnce = 8 // as tasks.Options.PushConcurrency
	var all errgroup.Group
	all.SetLimit(atOnce)
	for first := 0; first < followers; first += batch {
		all.Go(func() error {
			viewers := make([]feed.UserID, min(batch, followers-first))
			for i := range viewers {
				viewers[i] = benchAuthor + 1 + feed.UserID(first+i)
			}
			_, err := inboxes.Push(b.Context(), viewers, k)
			return err
		})
	}
	check(b, all.Wait())
}

// benchAuthor is followed by the users with the next ids.
const benchAuthor = feed.UserID(1)

func fromEnv(b *testing.B, name string, otherwise int) int {
	b.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(name), strconv.Itoa(otherwise)))
	check(b, err)
	return n
}

func importFollowers(b *testing.B, env []string, n int) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "followers.ndjson")
	file, err := os.Create(path)
	check(b, err)
	w := bufio.NewWriter(file)
	const at = `"createdAt":"2025-01-01T00:00:00Z"`
	for id := benchAuthor; id <= benchAuthor+feed.UserID(n); id++ {
		_, _ = fmt.Fprintf(w, `{"type":"user","id":"%d","handle":"user%d","name":"User",%s}`+"\n", id, id, at)
	}
	for id := benchAuthor + 1; id <= benchAuthor+feed.UserID(n); id++ {
		_, _ = fmt.Fprintf(w, `{"type":"follow","follower":"%d","followee":"%d",%s}`+"\n", id, benchAuthor, at)
	}
	check(b, w.Flush())
	check(b, file.Close())
	if code := testenv.Program(b, []string{testenv.Binary(b), "import", path}, env).Wait(); code != 0 {
		b.Fatalf("the import of followers ends with %d", code)
	}
}

// fillInboxes fills every follower's inbox, and makes the followers active if the mode needs it.
func fillInboxes(b *testing.B, a *services, st *stores, p feed.Policy, n int) {
	b.Helper()
	build := feed.Build{Keys: make([]feed.Key, p.InboxCap)}
	for i := range build.Keys {
		build.Keys[i] = feed.Key{TS: 1_700_000_000_000 + 1000*int64(i), ID: 1 + int64(i)}
	}
	inboxes := a.fanout.Inboxes
	fill := func(viewer feed.UserID) error {
		if p.Fanout == feed.FanoutHybrid {
			if _, err := st.sql.Renew(b.Context(), viewer, p.ActiveFor); err != nil {
				return err
			}
		}
		if _, err := inboxes.BeginBuild(b.Context(), viewer, feed.BuildHeader{Token: "one"}, 0); err != nil {
			return err
		}
		_, err := inboxes.FinishBuild(b.Context(), viewer, "one", build)
		return err
	}
	const atOnce = 16
	var all errgroup.Group
	for first := range atOnce {
		all.Go(func() error {
			for i := first; i < n; i += atOnce {
				if err := fill(benchAuthor + 1 + feed.UserID(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	check(b, all.Wait())
}

// startWork starts a worker and returns its announcements.
func startWork(b *testing.B, a *services, st *stores) <-chan feed.Announcement {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	done, ready := make(chan feed.Announcement, 1), make(chan struct{})
	var running errgroup.Group
	running.Go(func() error { return work(ctx, a, st, slog.New(slog.DiscardHandler)) })
	running.Go(func() error {
		_ = redisstore.NewAnnouncements(st.redis).Listen(ctx, func() { close(ready) }, func(an feed.Announcement) { done <- an })
		return nil
	})
	b.Cleanup(func() {
		stop()
		check(b, running.Wait())
	})
	<-ready
	return done
}
