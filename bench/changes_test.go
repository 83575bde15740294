package bench_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/feed"
)

// The turns of each request of changes, their load time, and its connections.
const (
	changesRounds = 9
	changesLoad   = time.Second
	changesConns  = 4
)

// hundredChanges is the number of changes of the viewers who have some.
const hundredChanges = 100

// BenchmarkChanges compares the CPU time of homeChanges with that of a warm page of the same
// viewers, and that of liveChanges with that of a live page, in turns. scripts/bench.sh runs it with
// BENCH=changes. With fewer BENCH_ROUNDS it stores nothing.
func BenchmarkChanges(b *testing.B) {
	rounds := setting(b, "BENCH_ROUNDS", changesRounds)
	r := newReport(b, "BENCH=changes scripts/bench.sh", rounds < changesRounds)
	s := newSite(b, quickSize, smallThreshold)
	c := &changesBench{site: s, first: s.size.Last() + 1}
	c.importViewers()
	// The viewers would exceed the rate limit.
	c.server = s.tideline("TIDELINE_RATE_LIMIT=0")
	contenders := c.contenders()
	if only := os.Getenv("BENCH_ONLY"); only != "" {
		match := regexp.MustCompile(only)
		contenders = slices.DeleteFunc(contenders, func(c contender) bool { return !match.MatchString(c.name) })
		r.Quick = true
	}
	s.settle()
	got := figures{}
	must(b, got.measure(b.Context(), rounds, contenders, tell))
	r.Figures = got
	r.Compare(bench.Changes())
	must(b, r.Table(os.Stderr))
	if !r.Quick {
		store(b, "changes", r)
	}
}

// changesBench has three groups of viewers, whose ids follow those of the network.
type changesBench struct {
	*site
	server *server
	first  int64
}

// Each group has as many viewers.
const groupSize = 10

// group returns the viewers of the n-th group.
func (c *changesBench) group(n int64) []int64 {
	out := make([]int64, groupSize)
	for i := range out {
		out[i] = c.first + n*groupSize + int64(i)
	}
	return out
}

// The groups: viewers with 300 and 2,000 followees, and viewers with 2,000 and changes of some of these.
const (
	few300 = iota
	many2000
	changed2000
)

// importViewers imports the viewers and their follows. The last group follows the users 1 to 2,000,
// and the one before has others in place of the last hundred of these.
func (c *changesBench) importViewers() {
	c.b.Helper()
	var graph strings.Builder
	graph.WriteString("from,to\n")
	follow := func(group, first, last int64) {
		for _, viewer := range c.group(group) {
			for user := first; user <= last; user++ {
				fmt.Fprintf(&graph, "%d,%d\n", viewer, user)
			}
		}
	}
	follow(few300, 1, 300)
	follow(many2000, 1, 2000-hundredChanges)
	unrelated := c.group(changed2000 + 1)[0]
	follow(many2000, unrelated, unrelated+hundredChanges-1)
	follow(changed2000, 1, 2000)
	file := filepath.Join(c.b.TempDir(), "graph.csv")
	must(c.b, os.WriteFile(file, []byte(graph.String()), 0o600))
	cmd := exec.CommandContext(c.b.Context(), c.program, "import", "--graph", file)
	cmd.Env = append(os.Environ(), "TIDELINE_DATABASE_URL="+c.url, "TIDELINE_DATA_DIR="+c.b.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		c.b.Fatalf("import: %v\n%s", err, tail(out))
	}
	c.analyze()
}

// contenders logs the changes and returns what reads them and the pages.
func (c *changesBench) contenders() []contender {
	c.b.Helper()
	var out []contender
	for group, name := range []string{"page 300", "page 2000", "page changed"} {
		first := func(int64) map[string]any { return map[string]any{"first": page.Size} }
		requests := c.requests(int64(group), page.Home, first, checkPage)
		c.server.warm(c.b, requests)
		out = append(out, c.costing(name, requests))
		requests = c.requests(int64(group), page.Live, first, checkLivePage)
		c.server.warm(c.b, requests)
		out = append(out, c.costing("live "+name, requests))
	}
	// Each followee has older rows.
	c.logArrivals(1, 2000)
	before := c.place()
	c.publishHundred()
	published := c.place()
	c.scheduleHundred()
	afterHundred := c.place()
	c.logArrivals(c.first+1_000_000, 9750)
	few := c.place()
	c.logArrivals(c.first+2_000_000, 250)
	now := c.place()
	for _, since := range []struct {
		others int
		place  feed.ChangePlace
	}{{0, now}, {250, few}, {10_000, afterHundred}} {
		for group, name := range []string{"300", "2000"} {
			requests := c.changes(home, int64(group), since.place, page.Size, 0)
			out = append(out, c.costing(fmt.Sprintf("none %s/%d", name, since.others), requests))
			requests = c.changes(sessions, int64(group), since.place, page.Size, 0)
			out = append(out, c.costing(fmt.Sprintf("live none %s/%d", name, since.others), requests))
		}
	}
	return append(out,
		c.costing("hundred", c.changes(home, changed2000, before, hundredChanges, hundredChanges)),
		c.costing("live hundred", c.changes(sessions, changed2000, published, hundredChanges, hundredChanges)))
}

// home and sessions say of which feed changes are.
const (
	home     = page.Changes
	sessions = page.LiveChanges
)

// costing is a contender that measures the CPU time of a request in microseconds.
func (c *changesBench) costing(name string, requests *page.RequestSet) contender {
	p := profiled{what: name, server: c.server, read: func(ctx context.Context) (int64, error) {
		r, err := drive.Run(ctx, drive.Load{Addr: c.server.Addr, Conns: changesConns, For: changesLoad, Seed: 1, Next: requests.Next})
		return r.Requests, err
	}}
	measure := func() bench.PageCost { return p.measure(c.site) }
	return contender{name, func(context.Context) (map[string]float64, error) {
		cost := measure()
		return map[string]float64{" micros": systemOf(cost), " server": cost.Server, " postgres": cost.Postgres, " redis": cost.Redis}, nil
	}}
}

// requests makes a request for each viewer of a group, with the variables for this viewer.
func (c *changesBench) requests(
	group int64, document string, variables func(viewer int64) map[string]any, check func([]byte) error,
) *page.RequestSet {
	c.b.Helper()
	var out []*drive.Request
	for _, viewer := range c.group(group) {
		token := page.Token(secret, viewer, time.Now().Add(time.Hour))
		wire, err := page.Wire(c.server.Addr, token, document, variables(viewer))
		must(c.b, err)
		out = append(out, &drive.Request{Wire: wire, Check: check})
	}
	return page.NewRequestSet(out...)
}

// changes makes requests for the changes of a feed since a place. Each response must have want changes.
func (c *changesBench) changes(document string, group int64, since feed.ChangePlace, first, want int) *page.RequestSet {
	c.b.Helper()
	return c.requests(group, document, func(viewer int64) map[string]any {
		token := feed.SyncToken{Viewer: feed.UserID(viewer), Live: document == sessions, Place: since}
		return map[string]any{"since": token.String(), "first": first}
	}, func(body []byte) error { return checkChanges(body, want) })
}

// checkLivePage checks that a page has as many sessions as it may, and no errors.
func checkLivePage(body []byte) error {
	if n := bytes.Count(body, []byte(`"cursor":`)); n != page.Size || bytes.Contains(body, []byte(`"errors":`)) {
		return fmt.Errorf("a page has %d sessions: %.300s", n, body)
	}
	return nil
}

// checkChanges checks that a page has as many changes, all of them added, and no errors.
func checkChanges(body []byte, want int) error {
	added := bytes.Count(body, []byte(`"kind":"ADDED"`))
	if all := bytes.Count(body, []byte(`"kind":`)) - bytes.Count(body, []byte(`"kind":"POST"`)); added != want || all != want || bytes.Contains(body, []byte(`"errors":`)) || !bytes.Contains(body, []byte(`"hasMore":false`)) {
		return fmt.Errorf("a page of changes has %d of %d added: %.300s", added, all, body)
	}
	return nil
}

// place returns the place of the newest change, when the server has numbered all and its follower
// has read them.
func (c *changesBench) place() feed.ChangePlace {
	c.b.Helper()
	var p feed.ChangePlace
	db := c.server.place.network
	must(c.b, pollUntil(c.b.Context(), donePoll, patience, func() (bool, error) {
		return db.number(`SELECT (SELECT count(*) FROM change_queue) + (SELECT count(*) FROM events WHERE state = 0) + (SELECT count(*) FROM plans WHERE open_slices > 0)`) == 0, nil
	}))
	must(c.b, db.sql.QueryRow(c.b.Context(), `SELECT epoch, last FROM change_state WHERE id = 1`).Scan(&p.Epoch, &p.Number))
	viewer := c.group(few300)[0]
	wire, err := page.Wire(c.server.Addr, page.Token(secret, viewer, time.Now().Add(time.Hour)), `{ viewer { homeFeed(first: 1) { syncToken } } }`, nil)
	must(c.b, err)
	must(c.b, pollUntil(c.b.Context(), donePoll, patience, func() (bool, error) {
		body, err := page.Fetch(c.b.Context(), c.server.Addr, wire)
		if err != nil {
			return false, err
		}
		var got struct {
			Data struct {
				Viewer struct{ HomeFeed struct{ SyncToken string } }
			}
		}
		if err := json.Unmarshal(body, &got); err != nil {
			return false, err
		}
		token, err := feed.ParseSyncToken(got.Data.Viewer.HomeFeed.SyncToken, feed.UserID(viewer), feed.HomeAuthors, feed.Filter{})
		return token.Place == p, err
	}))
	return p
}

// logArrivals logs an arrival of each of n users, some at a time: a process that must read ten
// thousand at once reads everything again instead.
func (c *changesBench) logArrivals(first int64, n int) {
	c.b.Helper()
	const some = 2000
	for ; n > 0; n, first = n-some, first+some {
		c.server.place.exec(`INSERT INTO change_queue (kind, user_id, other_id, content_id) SELECT $1, u, 0, u FROM generate_series($2::bigint, $3::bigint) AS u`,
			int(feed.ChangeArrived), first, first+int64(min(n, some))-1)
		c.place()
	}
	c.server.place.analyze()
}

// publishHundred publishes a post of each of the last followees of the last group.
func (c *changesBench) publishHundred() {
	c.b.Helper()
	c.eachOfHundred("publishPost", "PublishPostInput", func(author int64) map[string]any {
		return map[string]any{"text": fmt.Sprint("news of the day, number ", author)}
	})
}

// scheduleHundred schedules a session of each of these followees.
func (c *changesBench) scheduleHundred() {
	c.b.Helper()
	at := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	c.eachOfHundred("scheduleLive", "ScheduleLiveInput", func(host int64) map[string]any {
		return map[string]any{"title": fmt.Sprint("Session of user ", host), "scheduledAt": at}
	})
}

func (c *changesBench) eachOfHundred(name, input string, value func(user int64) map[string]any) {
	c.b.Helper()
	m := &mix{size: c.size, server: c.server.Server, rand: rand.New(rand.NewPCG(1, 2)), wires: map[int64][]byte{}}
	author := int64(2000 - hundredChanges)
	operations, err := m.mutations(hundredChanges, func() (int64, string, string, map[string]any) {
		author++
		return author, name, input, value(author)
	})
	must(c.b, err)
	must(c.b, sendAll(c.b.Context(), c.server.Addr, 1, operations))
}
