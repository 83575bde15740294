package app

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/telemetry"
	"github.com/tideline-feeds/tideline/resolvers"
)

// homePage queries what a screen of the home feed shows.
const homePage = `query Home($first: Int!, $after: String) {
  viewer {
    homeFeed(first: $first, after: $after) {
      edges {
        cursor
        node { ...Entry repostOf { ...Entry } }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
}
fragment Entry on Post {
  id kind text publishedAt editedAt media
  author { id handle name avatarUrl }
  counters { likes comments reposts favorites }
  viewerHasLiked viewerHasFavorited
}`

// benchConnections is the number of concurrent clients.
const benchConnections = 32

// BenchmarkHomePage requests a page of twenty posts, about 10.6 kB, over HTTP on this machine, on
// 32 connections. It includes everything between the network and the domain, wired as in the
// program: tokens, limits, metrics and the access log, except that addresses have no budget. The
// results of the domain are in memory (execution). The baseline is a handler that writes the same
// bytes (prebuilt). Without the network, pages are written by the encoder (handler), and by the
// executor field by field (fields).
//
// Compare the two in turns, because the speed of machines varies. On a busy machine, compare CPU
// time (cpu-ns/op).
//
//	for i in 1 2 3 4 5; do go test -run '^$' -bench HomePage -benchtime 3s ./internal/app; done
func BenchmarkHomePage(b *testing.B) {
	defer tuneMemory(os.DirFS("/"), os.Getenv)()
	page := newBenchPage(20)
	api := benchAPI(b, page)
	requests := benchRequests(b)
	answer := benchAnswer(b, api, 10)
	prebuilt := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		_, _ = w.Write(answer)
	})
	b.Run("prebuilt", func(b *testing.B) {
		benchHTTP(b, &http.Server{Handler: prebuilt, ReadHeaderTimeout: headerTimeout}, requests)
	})
	b.Run("execution", func(b *testing.B) { benchHTTP(b, newServer(api, slog.New(slog.DiscardHandler)), requests) })
	b.Run("handler", func(b *testing.B) { benchHandler(b, api) })
	plain := benchAPI(b, page, func(d *resolvers.Deps) { d.Plain = true })
	b.Run("fields", func(b *testing.B) { benchHandler(b, plain) })
}

// httpServer serves connections.
type httpServer interface {
	Serve(l net.Listener) error
	Close() error
}

// benchHTTP requests the same page repeatedly, on all connections, as one viewer after the other.
func benchHTTP(b *testing.B, srv httpServer, requests [][]byte) {
	b.Helper()
	listener, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", "127.0.0.1:0")
	check(b, err)
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(listener) }()
	defer func() {
		check(b, srv.Close())
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			b.Error(err)
		}
	}()
	b.SetParallelism(benchConnections / runtime.GOMAXPROCS(0))
	began := processorTime(b)
	defer func() { b.ReportMetric(float64(processorTime(b)-began)/float64(b.N), "cpu-ns/op") }()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		from := bufio.NewReaderSize(conn, 16<<10)
		for i := 0; pb.Next(); i++ {
			if _, err := conn.Write(requests[i%len(requests)]); err != nil {
				b.Error(err)
				return
			}
			if err := skipResponse(from); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// processorTime returns the CPU time of this process, both ends of all connections. Unlike
// elapsed time, it hardly depends on the load of the machine.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	check(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// skipResponse reads a response with status 200 and a declared length. It does little else,
// because clients are not measured.
func skipResponse(from *bufio.Reader) error {
	length := -1
	for first := true; ; first = false {
		line, err := from.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200")) {
			return fmt.Errorf("got %s", line)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if len(line) <= 2 {
			break
		}
	}
	if length < 0 {
		return skipChunks(from)
	}
	_, err := from.Discard(length)
	return err
}

// skipChunks reads a chunked body.
func skipChunks(from *bufio.Reader) error {
	for {
		line, err := from.ReadSlice('\n')
		if err != nil {
			return err
		}
		size, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return err
		}
		if _, err := from.Discard(int(size) + 2); err != nil || size == 0 {
			return err
		}
	}
}

// benchHandler calls a handler without a network, to count its allocations.
func benchHandler(b *testing.B, h http.Handler) {
	b.Helper()
	b.ReportAllocs()
	template := benchHTTPRequest(b, 10)
	body := benchBody(b)
	for b.Loop() {
		r := template.Clone(template.Context())
		r.Body = io.NopCloser(bytes.NewReader(body))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

func benchBody(b *testing.B) []byte {
	b.Helper()
	body, err := json.Marshal(map[string]any{"query": homePage, "operationName": "Home", "variables": map[string]any{"first": 20}})
	check(b, err)
	return body
}

func benchHTTPRequest(b *testing.B, viewer feed.UserID) *http.Request {
	b.Helper()
	token, err := gateway.NewTokens([]byte(benchSecret), time.Now).Sign(gateway.Claims{User: viewer}, time.Hour)
	check(b, err)
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(benchBody(b)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	// As behind a local proxy, so that the budget per address applies.
	r.Header.Set("X-Forwarded-For", "192.0.2.7")
	return r
}

// benchRequests returns requests of enough viewers that none exceeds their budget.
func benchRequests(b *testing.B) [][]byte {
	b.Helper()
	const viewers = 500
	requests := make([][]byte, viewers)
	for i := range requests {
		requests[i] = benchRequest(b, feed.UserID(10+i))
	}
	return requests
}

// benchRequest returns the bytes of a viewer's request.
func benchRequest(b *testing.B, viewer feed.UserID) []byte {
	b.Helper()
	var text bytes.Buffer
	check(b, benchHTTPRequest(b, viewer).Write(&text))
	return text.Bytes()
}

// benchAnswer returns the response of the API, and checks it.
func benchAnswer(b *testing.B, api http.Handler, viewer feed.UserID) []byte {
	b.Helper()
	w := httptest.NewRecorder()
	api.ServeHTTP(w, benchHTTPRequest(b, viewer))
	var got struct {
		Data struct {
			Viewer struct {
				HomeFeed struct {
					Edges []struct{ Node struct{ ID string } }
				}
			}
		}
		Errors []any
	}
	check(b, json.Unmarshal(w.Body.Bytes(), &got))
	if n := len(got.Data.Viewer.HomeFeed.Edges); n != 20 || len(got.Errors) > 0 {
		b.Fatalf("a page of %d: %s", n, w.Body)
	}
	return w.Body.Bytes()
}

const benchSecret = "a secret of the benchmarks, long enough for HS256"

// benchAPI is the API as in the program, over the few services that a page needs.
func benchAPI(b *testing.B, page *benchPage, options ...func(*resolvers.Deps)) http.Handler {
	b.Helper()
	out, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	check(b, err)
	b.Cleanup(func() { _ = out.Close() })
	log := logSettings{LogLevel: slog.LevelInfo, LogFormat: "text"}.Logger(out)
	c := &Server{
		watchSettings:    watchSettings{SlowOperation: time.Second},
		limitSettings:    limitSettings{RateLimit: rateMost, TrustedProxies: "127.0.0.0/8,::1,192.0.2.1", OperationsMax: 256},
		identitySettings: identitySettings{TokenSettings: TokenSettings{JWTSecret: benchSecret}},
	}
	origins, err := gateway.NewOrigins(nil)
	check(b, err)
	verifiers, err := c.verifiers(c.DatabaseSettings, nil, log)
	check(b, err)
	attach := func(ctx context.Context, id gateway.Identity) (context.Context, error) {
		return resolvers.WithViewer(ctx, id.User), nil
	}
	id := &identity{verifiers: verifiers, origins: origins, who: gateway.Authenticator{Verifier: verifiers, Attach: attach, Log: log}}
	metrics := telemetry.New("bench")
	mux := http.NewServeMux()
	deps := resolvers.Deps{
		Timeline: page, Users: page, Counters: page, Relations: page,
		Log: log, Trace: c.trace(metrics, log), Guard: guard.Options{Rates: c.rates(), OperationsMax: c.OperationsMax},
	}
	for _, set := range options {
		set(&deps)
	}
	mux.Handle("/graphql", endpoint(id, newProxyWatch(log, time.Now, &recorder{}, atOnce), deps))
	return observed(mux, nil, log)
}

// benchPage is a domain in which every home feed is the same page in memory.
type benchPage struct {
	resolvers.Timeline
	feed.Counters
	page     feed.Page
	users    map[feed.UserID]*feed.User
	counters feed.PostCounters
}

func newBenchPage(n int) *benchPage {
	p := &benchPage{users: map[feed.UserID]*feed.User{}, counters: feed.PostCounters{Likes: 1234, Comments: 56, Reposts: 7, Favorites: 89}}
	for i := range n {
		author := feed.UserID(100 + i%10)
		p.users[author] = &feed.User{
			ID: author, Handle: "author" + author.String(), Name: "Author " + author.String(),
			AvatarURL: "https://cdn.example.org/avatars/" + author.String() + ".webp",
		}
		at := int64(1_777_896_000_000 - i*1000)
		post := &feed.Post{
			ID: feed.PostID(7_000_000_000 + i), Author: author, Kind: feed.KindPost, PublishedAt: at,
			Text: strings.Repeat("What people write is about as long as this. ", 2) + "№ " + strconv.Itoa(i),
		}
		p.page.Entries = append(p.page.Entries, feed.Entry{Cursor: feed.HomeCursor(post), Post: post})
	}
	p.page.HasNext = true
	return p
}

func (p *benchPage) Page(context.Context, feed.UserID, feed.FeedRef, feed.PageQuery) (*feed.Page, error) {
	return &p.page, nil
}

func (p *benchPage) Authors(_ context.Context, _ feed.UserID, ids []feed.UserID) ([]*feed.User, error) {
	users := make([]*feed.User, len(ids))
	for i, id := range ids {
		users[i] = p.users[id]
	}
	return users, nil
}

func (p *benchPage) PostCounters(_ context.Context, ids []feed.PostID) ([]feed.PostCounters, error) {
	counters := make([]feed.PostCounters, len(ids))
	for i := range ids {
		counters[i] = p.counters
	}
	return counters, nil
}

func (p *benchPage) Reactions(_ context.Context, _ feed.UserID, ids []feed.PostID) ([]feed.ViewerReactions, error) {
	return make([]feed.ViewerReactions, len(ids)), nil
}

func (p *benchPage) Edges(_ context.Context, _ feed.UserID, others []feed.UserID) ([]feed.Edge, error) {
	return make([]feed.Edge, len(others)), nil
}
