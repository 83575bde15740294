//go:build nightly

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// scripts/subscribers.sh sets these flags.
var (
	subscribersFlag = flag.Int("subscribers", 200, "the number of subscribers of one process")
	followersFlag   = flag.Int("followers", 0, "the number of the author's followers, 0 for as many as there are subscribers")
)

// audience are the subscribers among the followers of user 1, who are the users from 2 on.
type audience struct{ subscribers, followers int }

// audienceOf returns the audience of the flags.
func audienceOf() audience {
	return audience{*subscribersFlag, max(*subscribersFlag, *followersFlag)}
}

// user returns a subscriber. Their ids are spread evenly among those of the followers.
func (a audience) user(i int) feed.UserID { return feed.UserID(2 + i*(a.followers/a.subscribers)) }

// importStar imports user 1 and the followers. It vacuums the database, as PostgreSQL does by itself
// within a minute after large changes.
func (a audience) importStar(t *testing.T, env []string) {
	t.Helper()
	testenv.Binary(t) // its build is no part of the time
	began := time.Now()
	harness.ImportFile(t, env, harness.StarFile(t, a.followers), fmt.Sprintf("%d new, 0 known, 0 bad", 2*a.followers+1))
	t.Logf("%d followers are imported after %v", a.followers, time.Since(began).Round(time.Second))
	_, err := harness.NewOracle(t, setting(env, "TIDELINE_DATABASE_URL")).Conn.Exec(t.Context(), "VACUUM (ANALYZE)")
	harness.Check(t, err)
}

// TestSubscription_ReachesManySubscribersOfOneProcess subscribes followers of one author, each over
// its own socket, and publishes: each must receive the posts in turn. It logs memory and times. The
// import resets the change log, which must not end the first subscriptions.
func TestSubscription_ReachesManySubscribersOfOneProcess(t *testing.T) {
	t.Parallel()
	const publishes = 5
	a := audienceOf()
	n := a.subscribers
	env := shared(t, noDemo)
	a.importStar(t, env)
	s := startServer(t, env...)
	empty, before := s.residentMemory(t), s.metric(t, "process_cpu_seconds_total")

	began := time.Now()
	received := s.subscribeAll(t, a)
	t.Logf("all are subscribed after %v", time.Since(began).Round(time.Millisecond))
	settled, after := s.residentMemory(t), s.metric(t, "process_cpu_seconds_total")
	t.Logf("%d idle subscribers: %d MB, %d KB for each", n, (settled-empty)>>20, (settled-empty)>>10/int64(n))
	perSubscriber := func(seconds float64) time.Duration {
		return time.Duration(seconds / float64(n) * 1e9).Round(time.Microsecond)
	}
	t.Logf("CPU time of the server for each: %v to subscribe", perSubscriber(after-before))

	star := harness.TokenFor(t, 1)
	var posts []string
	for range publishes {
		began, before := time.Now(), s.metric(t, "process_cpu_seconds_total")
		posts = append(posts, s.Publish(t, star, "to all"))
		took := received.await(t, posts, began)
		share := func(i int) time.Duration { return took[i].Round(time.Millisecond) }
		t.Logf("one publish: half received it after %v, 99 %% after %v, the last after %v; CPU time for each %v",
			share(n/2), share(n*99/100), share(n-1), perSubscriber(s.metric(t, "process_cpu_seconds_total")-before))
	}
}

// subscribeAll subscribes an audience, some at a time, and returns when all receive events.
func (s *server) subscribeAll(t *testing.T, a audience) *receipts {
	t.Helper()
	r := &receipts{posts: map[string]string{}, reached: map[string]int{}, bySubscriber: make([][]receipt, a.subscribers)}
	var group errgroup.Group
	group.SetLimit(20)
	for i := range a.subscribers {
		token := harness.TokenFor(t, a.user(i))
		group.Go(func() error {
			conn := s.socket(t, token)
			say(t, conn, subscribeMessage)
			go r.read(i, conn)
			return nil
		})
	}
	_ = group.Wait() // a failure has ended the test
	s.awaitSubscribers(t, a.subscribers)
	return r
}

// awaitSubscribers waits until a number of subscriptions run.
func (s *server) awaitSubscribers(t *testing.T, n int) {
	t.Helper()
	eventually.True(t, "all are subscribed", func() bool { return s.metric(t, "tideline_subscribers") == float64(n) })
}

// metric returns the value of a metric without labels.
func (s *server) metric(t *testing.T, name string) float64 {
	t.Helper()
	_, text := s.Get(t, "/metrics", operatorToken)
	_, rest, found := strings.Cut(text, "\n"+name+" ")
	line, _, _ := strings.Cut(rest, "\n")
	value, err := strconv.ParseFloat(line, 64)
	if !found || err != nil {
		t.Fatalf("the metrics have no value of %s", name)
	}
	return value
}

// residentMemory returns the resident memory of the server's process in bytes.
func (s *server) residentMemory(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", s.Process.Pid()))
	harness.Check(t, err)
	pages, err := strconv.ParseInt(strings.Fields(string(text))[1], 10, 64)
	harness.Check(t, err)
	return pages * int64(os.Getpagesize())
}

// receipts are the posts that many subscribers receive. The subscribers share the cores with the
// server that they measure, so each message costs little: messages with the same text are decoded once.
type receipts struct {
	mu           sync.Mutex
	posts        map[string]string // by the text of a message
	reached      map[string]int    // the number of subscribers by post
	bySubscriber [][]receipt
	err          error // why a subscription ended
}

// receipt is the arrival of a post.
type receipt struct {
	post string
	at   time.Time
}

// read reads the messages of a subscriber until its socket is closed or one is no post.
func (r *receipts) read(i int, conn *websocket.Conn) {
	text := bytes.NewBuffer(make([]byte, 0, 2*bytes.MinRead))
	for more := true; more; {
		// A context that may end would cost two registrations per message.
		_, reader, err := conn.Reader(context.Background())
		text.Reset()
		if err == nil {
			_, err = text.ReadFrom(reader)
		}
		more = r.take(i, text.Bytes(), err)
	}
}

// take records a message. It returns false if the subscription has ended.
func (r *receipts) take(i int, text []byte, err error) bool {
	at := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	post, known := r.posts[string(text)]
	if err == nil && !known {
		post, err = postOf(text)
		r.posts[string(text)] = post
	}
	if err != nil {
		r.err = fmt.Errorf("subscriber %d: %w", i, err)
		return false
	}
	if !slices.ContainsFunc(r.bySubscriber[i], func(earlier receipt) bool { return earlier.post == post }) {
		r.reached[post]++
	}
	r.bySubscriber[i] = append(r.bySubscriber[i], receipt{post, at})
	return true
}

// postOf returns the post of a message, which must be an event with one.
func postOf(text []byte) (string, error) {
	var m message
	err := json.Unmarshal(text, &m)
	post := m.Payload.Data.HomeFeedEdges.Node.DatabaseID
	if err != nil || m.Type != "next" || len(m.Payload.Errors) > 0 || post == "" {
		return "", fmt.Errorf("the message is %s", text)
	}
	return post, nil
}

// await waits until all subscribers have the last of the posts. It returns how long after a time each
// received it, the shortest first. It checks that all have the posts in turn and nothing else.
func (r *receipts) await(t *testing.T, posts []string, began time.Time) []time.Duration {
	t.Helper()
	last := posts[len(posts)-1]
	eventually.True(t, "all subscribers have post "+last, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.reached[last] == len(r.bySubscriber) || len(r.reached) > len(posts) || r.err != nil
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		t.Fatal(r.err)
	}
	took := make([]time.Duration, len(r.bySubscriber))
	for i, got := range r.bySubscriber {
		if !inTurn(got, posts) {
			t.Fatalf("subscriber %d receives %v, want the posts %v", i, got, posts)
		}
		at := slices.IndexFunc(got, func(g receipt) bool { return g.post == last })
		took[i] = got[at].at.Sub(began)
	}
	slices.Sort(took)
	return took
}

// inTurn reports whether posts arrived in turn and no others. Subscribers who get a post before all
// others may get it again, so each may come twice before the next.
func inTurn(got []receipt, posts []string) bool {
	for _, post := range posts {
		if len(got) == 0 || got[0].post != post {
			return false
		}
		if got = got[1:]; len(got) > 0 && got[0].post == post {
			got = got[1:]
		}
	}
	return len(got) == 0
}

// TestCallback_SendsEventsToARouter checks that the setting reaches the server. The tests of
// internal/edge/transport have the protocol.
func TestCallback_SendsEventsToARouter(t *testing.T) {
	t.Parallel()
	messages := make(chan string, 1000)
	router := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		messages <- string(body)
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(router.Close)
	s := startServer(t, embedded(t, noDemo, "TIDELINE_CALLBACK_URLS="+router.URL+"/callback")...)
	ann := harness.TokenFor(t, 11)
	subscribe := func(path string) response {
		body := `{"query":"` + homeFeedEdges + `","extensions":{"subscription":{"callbackUrl":"` + router.URL + path + `","subscriptionId":"one","verifier":"secret","heartbeatIntervalMs":0}}}`
		return s.send(t, http.MethodPost, "/graphql", body, as(ann), "Accept: application/json;callbackSpec=1.0")
	}
	if got := subscribe("/elsewhere"); got.StatusCode != http.StatusBadRequest || len(messages) > 0 {
		t.Errorf("for a URL that is not allowed the response is %d %s", got.StatusCode, got.body)
	}
	if got := subscribe("/callback/one"); got.StatusCode != http.StatusOK || got.body != `{"data":null}` {
		t.Fatalf("the response is %d %s", got.StatusCode, got.body)
	}
	wants := func(parts ...string) {
		t.Helper()
		got := eventually.Receive(t, "message to the router", messages)
		for _, part := range parts {
			if !strings.Contains(got, part) {
				t.Fatalf("the router gets %s, want %s", got, part)
			}
		}
	}
	wants(`"action":"check"`)
	wants(`"action":"next"`, s.Publish(t, ann, "by ann"))
	s.Process.Interrupt()
	wants(`"action":"complete"`, "UNAVAILABLE")
	if code := s.Process.Wait(); code != 0 {
		t.Errorf("the exit code is %d, want 0", code)
	}
}
