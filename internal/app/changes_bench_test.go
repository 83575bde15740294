package app

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// BenchmarkHomeChanges reads a warm page of twenty and the changes since it, of which there are
// none, for viewers who follow 300 and 2,000 users, on PostgreSQL and Redis wired as in the program.
// Each followee has an older row in the log. Since the page, others have published 0, 250 or 10,000
// posts.
func BenchmarkHomeChanges(b *testing.B) {
	database, redis := testenv.Postgres(b), testenv.Redis(b)
	importChangesWorld(b, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + redis})
	a := benchApp(b, database, redis)
	conn, err := pgx.Connect(b.Context(), database)
	check(b, err)
	defer func() { _ = conn.Close(b.Context()) }()
	const logged = 2000
	logArrivals(b, conn, 1, logged)
	since := map[int]string{}
	for _, viewer := range []int{300, 2000} {
		page := func() *feed.Page {
			page, err := a.feeds.Page(b.Context(), feed.UserID(100_000+viewer), feed.FeedRef{Kind: feed.FeedHome}, feed.PageQuery{})
			if err != nil || len(page.Entries) != 20 || page.SyncToken == "" {
				b.Fatalf("a page of %+v, %v", page, err)
			}
			return page
		}
		check(b, a.builder.Build(b.Context(), feed.UserID(100_000+viewer)))
		for since[viewer] == "" {
			token, err := feed.ParseSyncToken(page().SyncToken, feed.UserID(100_000+viewer), feed.Kinds{})
			check(b, err)
			if token.Place.Number == logged {
				since[viewer] = token.String()
			}
		}
		b.Run(fmt.Sprintf("follows=%d/page", viewer), func(b *testing.B) {
			for b.Loop() {
				page()
			}
		})
		b.Run(fmt.Sprintf("follows=%d/others=0", viewer), func(b *testing.B) { benchChanges(b, a, viewer, since[viewer]) })
	}
	for _, others := range []int{250, 10_000} {
		logArrivals(b, conn, 10_001, others)
		for _, viewer := range []int{300, 2000} {
			b.Run(fmt.Sprintf("follows=%d/others=%d", viewer, others), func(b *testing.B) { benchChanges(b, a, viewer, since[viewer]) })
		}
	}
}

func benchChanges(b *testing.B, a *services, viewer int, since string) {
	b.Helper()
	for b.Loop() {
		page, err := a.feeds.HomeChanges(b.Context(), feed.UserID(100_000+viewer), feed.HomeChangeQuery{Since: since})
		if err != nil || len(page.Changes) > 0 || page.Resets() {
			b.Fatalf("changes %+v, %v", page, err)
		}
	}
}

// importChangesWorld imports users 1 to 2,000 with a post each, and the viewers 100,300 and 102,000,
// who follow the first 300 and all of them.
func importChangesWorld(b *testing.B, env []string) {
	b.Helper()
	var graph, posts strings.Builder
	graph.WriteString("from,to\n")
	for _, n := range []int{300, 2000} {
		for other := range n {
			fmt.Fprintf(&graph, "%d,%d\n", 100_000+n, other+1)
		}
	}
	for author := range 2000 {
		fmt.Fprintf(&posts, `{"type":"post","id":"%d","author":"%d","kind":"POST","text":"text","publishedAt":"2026-01-01T00:00:00Z"}`+"\n", 1000+author, author+1)
	}
	folder := b.TempDir()
	check(b, os.WriteFile(folder+"/graph.csv", []byte(graph.String()), 0o600))
	check(b, os.WriteFile(folder+"/posts.ndjson", []byte(posts.String()), 0o600))
	for _, args := range [][]string{{"import", "--graph", folder + "/graph.csv"}, {"import", folder + "/posts.ndjson"}} {
		if code := testenv.Program(b, append([]string{testenv.Binary(b)}, args...), env).Wait(); code != 0 {
			b.Fatalf("%v ends with %d", args, code)
		}
	}
}

// logArrivals logs an arrival of each of some users.
func logArrivals(b *testing.B, conn *pgx.Conn, first, users int) {
	b.Helper()
	var last int64
	check(b, conn.QueryRow(b.Context(), "UPDATE change_state SET last = last + $1::bigint WHERE id = 1 RETURNING last", users).Scan(&last))
	_, err := conn.Exec(b.Context(), `
INSERT INTO changes (number, numbered_at, kind, user_id, other_id, content_id)
SELECT $1::bigint - $2::bigint + n, 0, $3::smallint, $4::bigint + n - 1, 0, 1000 + n FROM generate_series(1, $2::bigint) AS n`,
		last, users, int(feed.ChangeArrived), first)
	check(b, err)
	_, err = conn.Exec(b.Context(), "ANALYZE changes, follows")
	check(b, err)
}
