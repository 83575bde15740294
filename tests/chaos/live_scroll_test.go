package chaos

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// scrollPlan is the size of a run of live scrolls.
type scrollPlan struct {
	users, viewers, scrollers, announcers int
	kills, flushes                        int
	// atLeast and atMost bound the time between two faults.
	atLeast, atMost time.Duration
}

// liveScrollPlan is short unless CHAOS is "full".
func liveScrollPlan() scrollPlan {
	p := scrollPlan{users: 30, viewers: 12, scrollers: 4, announcers: 3, kills: 2, flushes: 2, atLeast: time.Second, atMost: 2 * time.Second}
	if harness.Full() {
		p.kills, p.flushes, p.atLeast, p.atMost = 10, 10, 3*time.Second, 8*time.Second
	}
	return p
}

// TestLiveScrolls_ShowOneMoment has viewers scroll through live feeds and through the sessions of
// hosts. Meanwhile other clients announce, move, start, end and cancel sessions, and viewers change
// their relations. The test kills the program and empties Redis again and again. Every page must
// match the tables as of the moment of its scroll.
func TestLiveScrolls_ShowOneMoment(t *testing.T) {
	for _, inbox := range []string{"redis", app.InboxSQL} {
		t.Run("inboxes in "+inbox, func(t *testing.T) {
			t.Parallel() // it mostly waits between faults
			newLiveScrolls(t, liveScrollPlan(), inbox).run()
		})
	}
}

// liveScrolls is one run.
type liveScrolls struct {
	*testing.T
	plan     scrollPlan
	rng      *rand.Rand
	env      []string
	database string
	redis    *testenv.RedisServer
	conn     *pgx.Conn
	server   *harness.Server
	api      *harness.Caller
	// faults counts the faults so far, fromInboxes the reads of replays from inboxes by servers
	// that have ended.
	faults      atomic.Int64
	fromInboxes int
	proofs      scrollProofs

	scrollers  []*scroller
	announcers []*announcer
	scrolling  sync.WaitGroup
	announcing sync.WaitGroup
	errs       []error
}

func newLiveScrolls(t *testing.T, p scrollPlan, inbox string) *liveScrolls {
	t.Helper()
	redis := testenv.StartRedis(t, testenv.RedisOptions{})
	addr := fmt.Sprintf("127.0.0.1:%d", testenv.FreePort(t))
	c := &liveScrolls{T: t, plan: p, rng: rand.New(rand.NewPCG(11, 21)), database: testenv.Postgres(t), redis: redis}
	c.env = []string{
		"TIDELINE_ADDR=" + addr, "TIDELINE_DATABASE_URL=" + c.database, "TIDELINE_REDIS_URL=" + redis.URL(), "TIDELINE_INBOX=" + inbox,
		"TIDELINE_JWT_SECRET=" + harness.Secret, "TIDELINE_DEMO=false", "TIDELINE_LOG_LEVEL=debug", "TIDELINE_RATE_LIMIT=0",
		// Small numbers, so that some hosts are selective and there are many slices.
		"TIDELINE_PUSH_THRESHOLD=" + strconv.Itoa(p.users/3), "TIDELINE_SUBTASK_SIZE=3", "TIDELINE_INBOX_CAP=10000",
	}
	c.api = harness.NewCaller("http://" + addr)
	harness.ImportLines(t, c.env, c.town()...)
	c.conn = c.connect()
	return c
}

// town returns records of users, random follows, and sessions of every user, many with equal times.
func (c *liveScrolls) town() []string {
	var lines, follows []string
	for user := 1; user <= c.plan.users; user++ {
		lines = append(lines, harness.UserRecord(user))
		for _, other := range c.rng.Perm(c.plan.users)[:1+c.rng.IntN(c.plan.users/2)] {
			if other+1 != user {
				follows = append(follows, harness.FollowRecord(user, other+1))
			}
		}
	}
	lines = append(lines, follows...)
	for user := 1; user <= c.plan.users; user++ {
		host := feed.UserID(user)
		lines = append(lines,
			sessionLine(host, 1, `"scheduledAt":"`+time.Now().AddDate(0, 6, 0).UTC().Format(time.RFC3339)+`"`),
			sessionLine(host, 2, `"scheduledAt":"2026-01-01T00:00:00Z","startedAt":"2026-01-01T00:00:00Z"`),
			sessionLine(host, 3, `"scheduledAt":"2025-01-01T00:00:00Z","startedAt":"2025-01-01T00:00:00Z","endedAt":"2025-01-01T01:00:00Z"`))
	}
	return lines
}

func (c *liveScrolls) connect() *pgx.Conn {
	c.Helper()
	conn, err := pgx.Connect(c.Context(), c.database)
	harness.Check(c.T, err)
	c.Cleanup(func() { _ = conn.Close(context.WithoutCancel(c.Context())) })
	return conn
}

func (c *liveScrolls) run() {
	c.Helper()
	c.server = harness.StartServer(c.T, c.env...)
	number, err := liveNumber(c.Context(), c.conn)
	harness.Check(c.T, err)
	stopScrolling, stopAnnouncing := make(chan struct{}), make(chan struct{})
	c.announce(stopAnnouncing)
	c.scroll(stopScrolling)
	c.Cleanup(func() { c.scrolling.Wait(); c.announcing.Wait() })

	began := time.Now()
	c.makeFaults()
	eventually.True(c.T, "scrolls see faults and changes", c.proofs.complete)
	close(stopScrolling)
	c.scrolling.Wait() // while everything still moves
	took := time.Since(began)
	close(stopAnnouncing)
	c.announcing.Wait()

	f := c.judge()
	last, err := liveNumber(c.Context(), c.conn)
	harness.Check(c.T, err)
	f.transitions, f.took = last-number, took
	c.countInboxReads()
	c.report(f)
}

// announce starts the clients that change sessions, each with its own hosts.
func (c *liveScrolls) announce(stopping <-chan struct{}) {
	for i := range c.plan.announcers {
		a := &announcer{
			api: c.api, rng: rand.New(rand.NewPCG(1, uint64(i))), results: map[string]int{}, open: map[feed.UserID][]announced{},
		}
		for host := 1 + i; host <= c.plan.users; host += c.plan.announcers {
			a.hosts = append(a.hosts, feed.UserID(host))
		}
		c.announcers = append(c.announcers, a)
		c.announcing.Go(func() { a.run(c.Context(), stopping) })
	}
}

// scroll starts the clients that scroll, each with its own viewers. The viewers of every other one
// change their relations meanwhile.
func (c *liveScrolls) scroll(stopping <-chan struct{}) {
	c.errs = make([]error, c.plan.scrollers)
	for i := range c.plan.scrollers {
		s := &scroller{
			api: c.api, conn: c.connect(), rng: rand.New(rand.NewPCG(2, uint64(i))), users: c.plan.users,
			changing: i%2 == 0, faults: &c.faults, proofs: &c.proofs, results: map[string]int{},
		}
		for user := 1; user <= c.plan.users; user++ {
			switch {
			case user > c.plan.viewers:
				s.hosts = append(s.hosts, feed.UserID(user))
			case user%c.plan.scrollers == i:
				s.viewers = append(s.viewers, feed.UserID(user))
			}
		}
		c.scrollers = append(c.scrollers, s)
		c.scrolling.Go(func() { c.errs[i] = s.run(c.Context(), stopping) })
	}
}

// makeFaults kills the server and empties Redis, in turn, at random times.
func (c *liveScrolls) makeFaults() {
	c.Helper()
	for i := range c.plan.kills + c.plan.flushes {
		c.wait()
		if i%2 == 0 {
			c.server.Process.Kill()
			c.countInboxReads()
			c.faults.Add(1)
			c.server = harness.StartServer(c.T, c.env...)
		} else {
			c.flush()
			c.faults.Add(1)
		}
	}
	c.wait()
}

// wait waits a random time.
func (c *liveScrolls) wait() {
	c.Helper()
	select {
	case <-time.After(c.plan.atLeast + time.Duration(c.rng.Int64N(int64(c.plan.atMost-c.plan.atLeast)))):
	case <-c.Context().Done():
		c.Fatal("the test was cut off")
	}
}

// flush removes all keys from Redis, which stays up.
func (c *liveScrolls) flush() {
	c.Helper()
	conn, err := net.Dial("tcp", c.redis.Addr())
	harness.Check(c.T, err)
	defer func() { _ = conn.Close() }()
	_, err = conn.Write([]byte("FLUSHALL\r\n"))
	harness.Check(c.T, err)
	if reply, err := bufio.NewReader(conn).ReadString('\n'); reply != "+OK\r\n" {
		c.Fatalf("the reply to FLUSHALL is %q (%v)", reply, err)
	}
}

// countInboxReads counts the current server's reads of replay inboxes.
func (c *liveScrolls) countInboxReads() {
	c.fromInboxes += c.server.CountLines("replays read", "source=inbox") + c.server.CountLines("replays read", "source=both")
}

// scrollProofs counts what makes a run prove something. On a busy machine that takes longer than the
// faults.
type scrollProofs struct {
	// changing counts the scrolls whose viewer changed relations meanwhile, and faulted those during a
	// fault. changed counts the entries whose state had changed since the moment of their scroll.
	changing, faulted, changed atomic.Int64
}

// add counts a scroll that has ended after a number of faults.
func (p *scrollProofs) add(s *liveScroll, faults int64) {
	if s.changes > 0 {
		p.changing.Add(1)
	}
	if s.faults < faults {
		p.faulted.Add(1)
	}
	for _, page := range s.pages {
		for _, e := range page.entries {
			if e.state != e.now {
				p.changed.Add(1)
			}
		}
	}
}

func (p *scrollProofs) complete() bool {
	return p.changing.Load() > 0 && p.faulted.Load() > 0 && p.changed.Load() > 0
}

// scrollFigures is the result of a run.
type scrollFigures struct {
	took        time.Duration
	transitions int64
	// ofHosts counts the scrolls through the sessions of one host.
	scrolls, ofHosts, pages, entries, differences int
	results                                       map[string]int
}

// judge compares every scroll with the tables.
func (c *liveScrolls) judge() scrollFigures {
	c.Helper()
	history, err := readLiveHistory(c.Context(), c.conn)
	harness.Check(c.T, err)
	f := scrollFigures{results: map[string]int{}}
	for _, a := range c.announcers {
		f.count(a.results)
	}
	for i, s := range c.scrollers {
		if c.errs[i] != nil {
			c.Error(c.errs[i])
		}
		f.count(s.results)
		for _, scroll := range s.done {
			f.add(scroll)
			if complaint := history.check(scroll); complaint != "" {
				f.differences++
				c.Error(complaint)
			}
		}
	}
	return f
}

func (f *scrollFigures) count(results map[string]int) {
	for code, n := range results {
		f.results[code] += n
	}
}

func (f *scrollFigures) add(s *liveScroll) {
	f.scrolls++
	f.pages += len(s.pages)
	if s.host != 0 {
		f.ofHosts++
	}
	for _, page := range s.pages {
		f.entries += len(page.entries)
	}
}

// report logs the figures, one a line. It fails the test for figures that prove nothing and for
// errors that no fault causes.
func (c *liveScrolls) report(f scrollFigures) {
	c.Helper()
	for _, line := range []struct {
		what  string
		value any
	}{
		{"kills, flushes", []int{c.plan.kills, c.plan.flushes}},
		{"time", f.took.Round(time.Second)},
		{"responses", f.results},
		{"transitions during the scrolls", f.transitions},
		{"scrolls", f.scrolls},
		{"scrolls of the sessions of one host", f.ofHosts},
		{"scrolls with a follow, mute or block in between", c.proofs.changing.Load()},
		{"scrolls with a kill or a flush in between", c.proofs.faulted.Load()},
		{"pages", f.pages},
		{"entries", f.entries},
		{"entries that had changed since the moment shown", c.proofs.changed.Load()},
		{"reads of replays from inboxes", c.fromInboxes},
		{"scrolls that differ from the tables", f.differences},
	} {
		c.Logf("%s: %v", line.what, line.value)
	}
	if !c.proofs.complete() || c.fromInboxes == 0 {
		c.Error("one of the figures is zero, so the run proves little")
	}
	for code, n := range f.results {
		switch code {
		case "ok", "no response", string(feed.CodeUnavailable):
		default:
			c.Errorf("%d requests got the code %s, which no fault causes", n, code)
		}
	}
}

// sessionLine returns the record of the n-th session of a host.
func sessionLine(host feed.UserID, n int, times string) string {
	return fmt.Sprintf(`{"type":"live","id":"%d","host":"%d","title":"session %d",%s}`, int64(host)*10+int64(n), host, n, times)
}
