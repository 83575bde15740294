package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tideline-feeds/tideline/bench"
	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// warmLoad is the duration of a load of warm pages.
const warmLoad = time.Second

// fillInboxes writes the inboxes of all users but the absent ones, as a build does. A read renews
// the leases of those that are due.
func (w *writes) fillInboxes() {
	w.b.Helper()
	const lease = 30 * 24 * time.Hour
	w.network.exec(`UPDATE users SET active_until = $1`, feed.Millis(time.Now().Add(lease)))
	w.network.exec(`VACUUM ANALYZE users`)
	w.inboxes = w.openInboxes(w.api)
	generation, versions := w.network.number(`SELECT generation FROM feed_state`), w.versions()
	absent, due := setOf(w.users.absent), setOf(w.users.due)
	viewers := w.size.Crowd().Users()
	must(w.b, together(builders, func(n int) error {
		for i := n; i < len(viewers); i += builders {
			if absent[viewers[i]] {
				continue
			}
			warm := lease
			if due[viewers[i]] {
				warm -= 25 * time.Hour
			}
			if _, err := w.fillInbox(w.inboxes, viewers[i], versions[viewers[i]], generation, warm); err != nil {
				return err
			}
		}
		return nil
	}))
}

func setOf(users []int64) map[int64]bool {
	set := map[int64]bool{}
	for _, user := range users {
		set[user] = true
	}
	return set
}

// pageContenders read first pages: of known viewers, of viewers new to the process with and without
// an inbox, and of known viewers from the peer.
func (w *writes) pageContenders() []contender {
	w.b.Helper()
	warm, err := w.own.pages(w.users.known)
	must(w.b, err)
	rest, peer := w.startRest()
	restPages, err := w.restPages(rest)
	must(w.b, err)
	return []contender{
		pagesOnce("warm page", w.tideline, w.api, requestsOf(warm)),
		pagesOnce("rest page", peer, rest, restPages),
		pagesSaturated("saturated page", w.tideline, w.api, requestsOf(warm)),
		pagesSaturated("saturated rest page", peer, rest, restPages),
		{"unknown page", func(ctx context.Context) (map[string]float64, error) {
			before, err := w.api.metrics(ctx)
			if err != nil {
				return nil, err
			}
			got, err := w.firstPages(ctx, &w.users.unknown, unknownViewers)
			if err != nil {
				return nil, err
			}
			after, err := w.api.metrics(ctx)
			if err == nil && readsElsewhere(after) != readsElsewhere(before) {
				err = errors.New("a first page is not from the inbox")
			}
			return got, err
		}},
		{"due page", func(ctx context.Context) (map[string]float64, error) {
			return w.firstPages(ctx, &w.users.due, dueViewers)
		}},
		{"absent page", func(ctx context.Context) (map[string]float64, error) {
			return w.firstPages(ctx, &w.users.absent, absentViewers)
		}},
	}
}

// countersFor is the lifetime of cached counters.
const countersFor = time.Second

// pagesOnce measures warm pages like first pages: each once, and long enough after the last time
// that the counters are read again.
func pagesOnce(name string, y *system, v *server, requests []*drive.Request) contender {
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		if err := readTwice(ctx, v, requests); err != nil {
			return nil, err
		}
		<-time.After(countersFor)
		return y.each(ctx, func() (float64, error) {
			return float64(len(requests)), sendAll(ctx, v.Addr, writesConns, operationsOf(requests))
		})
	}}
}

// pagesSaturated measures random warm pages for a while. Each is read often enough that its
// counters are mostly cached.
func pagesSaturated(name string, y *system, v *server, requests []*drive.Request) contender {
	load := drive.Load{Addr: v.Addr, Conns: writesConns, For: warmLoad, Seed: 1, Next: func(r *rand.Rand) *drive.Request {
		return requests[r.IntN(len(requests))]
	}}
	return contender{name, func(ctx context.Context) (map[string]float64, error) {
		if err := readTwice(ctx, v, requests); err != nil {
			return nil, err
		}
		return y.each(ctx, func() (float64, error) {
			r, err := drive.Run(ctx, load)
			return float64(r.Requests), err
		})
	}}
}

// readTwice reads each page twice, because writes may have changed it since the last turn.
func readTwice(ctx context.Context, v *server, requests []*drive.Request) error {
	operations := operationsOf(requests)
	return errors.Join(sendAll(ctx, v.Addr, writesConns, operations), sendAll(ctx, v.Addr, writesConns, operations))
}

func operationsOf(requests []*drive.Request) []*operation {
	out := make([]*operation, len(requests))
	for i, r := range requests {
		out[i] = &operation{kind: kindPage, wire: r.Wire, check: r.Check}
	}
	return out
}

func requestsOf(operations []*operation) []*drive.Request {
	out := make([]*drive.Request, len(operations))
	for i, o := range operations {
		out[i] = &drive.Request{Wire: o.wire, Check: o.check}
	}
	return out
}

// firstPages measures the first pages of the next n viewers of a list until all have an inbox, and
// takes these viewers from the list.
func (w *writes) firstPages(ctx context.Context, list *[]int64, n int) (map[string]float64, error) {
	viewers := (*list)[:n]
	*list = (*list)[n:]
	operations, err := w.own.pages(viewers)
	if err != nil {
		return nil, err
	}
	got, err := w.tideline.each(ctx, func() (float64, error) {
		return float64(n), sendAll(ctx, w.api.Addr, writesConns, operations)
	})
	return got, errors.Join(err, w.allBuilt(ctx, viewers))
}

// allBuilt waits until all viewers have an inbox.
func (w *writes) allBuilt(ctx context.Context, viewers []int64) error {
	for _, viewer := range viewers {
		err := pollUntil(ctx, donePoll, patience, func() (bool, error) {
			inbox, err := w.inboxes.Read(ctx, feed.UserID(viewer), feed.Range{Above: feed.Bottom, Below: feed.Top, Limit: 1})
			return inbox.State == feed.InboxReady, err
		})
		if err != nil {
			return fmt.Errorf("the inbox of %d: %w", viewer, err)
		}
	}
	return nil
}

// startRest starts the handwritten peer with the inboxes of the known viewers.
func (w *writes) startRest() (*server, *system) {
	w.b.Helper()
	program := filepath.Join(w.b.TempDir(), "rest")
	build := exec.CommandContext(w.b.Context(), "go", "build", "-trimpath", "-o", program, "./peers/rest")
	must(w.b, runCommand(build))
	redisURL := testenv.Redis(w.b)
	client := redisClient(w.b, redisURL)
	w.other.fillPeers(client, w.users.known)
	port := strconv.Itoa(testenv.FreePort(w.b))
	p := w.site.start([]string{program}, []string{"PEER_DATABASE_URL=" + w.other.url, "PEER_REDIS_URL=" + redisURL, "PEER_PORT=" + port, "PEER_SECRET=" + secret})
	p.WaitLine(`^ready`)
	v := &server{Server: page.Server{Addr: "127.0.0.1:" + port, Secret: secret}, process: p, redis: client}
	return v, &system{b: w.b, programs: []int{p.Pid()}, redis: v.redisPid(w.b), postmaster: w.other.postmaster()}
}

// restPages returns requests for the known viewers' first pages. It compares each page with the
// expected one and so fills the peer's cache; later responses must be equal.
func (w *writes) restPages(v *server) ([]*drive.Request, error) {
	var out []*drive.Request
	for _, viewer := range w.users.known {
		wire := fmt.Appendf(nil, "GET /home HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", v.Addr, page.Token(secret, viewer, time.Now().Add(24*time.Hour)))
		body, err := page.Fetch(w.b.Context(), v.Addr, wire)
		if err == nil {
			err = checkRest(body, w.size.Home(viewer, page.Size).Posts)
		}
		if err != nil {
			return nil, fmt.Errorf("viewer %d: %w", viewer, err)
		}
		out = append(out, page.Same(wire, body).All()...)
	}
	return out, nil
}

// checkRest compares a page of the handwritten peer with the expected posts.
func checkRest(body []byte, want []world.Post) error {
	var got struct {
		Posts []struct {
			Post struct {
				ID, Text    string
				PublishedAt time.Time
				Author      struct{ ID, Handle string }
			}
			Counters struct{ Likes int }
		}
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return err
	}
	if len(got.Posts) != len(want) {
		return fmt.Errorf("the page has %d posts, want %d", len(got.Posts), len(want))
	}
	for i, p := range want {
		entry := got.Posts[i]
		if entry.Post.ID != strconv.FormatInt(p.ID, 10) || entry.Post.Text != p.Text || entry.Post.PublishedAt.UnixMilli() != p.TS ||
			entry.Post.Author.Handle != world.Handle(p.Author) || entry.Counters.Likes != world.Likes(p) {
			return fmt.Errorf("place %d has %+v, want %+v", i+1, entry, p)
		}
	}
	return nil
}

// parts profiles the API process under warm pages. server and sql are the CPU times of such a page
// in the process and in PostgreSQL.
func (w *writes) parts(server, sql float64) []bench.Part {
	w.b.Helper()
	operations, err := w.own.pages(w.users.known)
	must(w.b, err)
	requests := requestsOf(operations)
	must(w.b, readTwice(w.b.Context(), w.api, requests))
	loaded := make(chan error, 1)
	go func() {
		_, err := drive.Run(w.b.Context(), drive.Load{Addr: w.api.Addr, Conns: writesConns, For: profileLoad, Next: func(r *rand.Rand) *drive.Request {
			return requests[r.IntN(len(requests))]
		}})
		loaded <- err
	}()
	wire := fmt.Appendf(nil, "GET /debug/pprof/profile?seconds=%d HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n", profileFor, w.admin, adminToken)
	raw, err := page.Fetch(w.b.Context(), w.admin, wire)
	must(w.b, err)
	must(w.b, <-loaded)
	parsed, err := profile.ParseData(raw)
	must(w.b, err)
	return bench.Parts(parsed, server, sql)
}
