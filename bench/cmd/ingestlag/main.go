// Ingestlag measures how long a post that POST /ingest has accepted takes to the page of its
// author's last follower, while other records arrive at half of the server's capacity:
//
//	ingestlag -url http://127.0.0.1:8080 -for 60s
//
// It measures the capacity first: the records that all connections can send, from the first one
// until their posts are in all home feeds. With -rate it offers that rate instead.
//
// The server needs an empty database, TIDELINE_SOURCE_OWNS=user,post,follow, TIDELINE_RATE_LIMIT=0
// and the TIDELINE_SERVICE_TOKEN that is also in the environment of this program. A tenth of the
// records are posts, by authors with as many followers as -followers says.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "ingestlag:", err)
		os.Exit(1)
	}
}

const (
	// authors write the posts of the load. The author of the measured posts comes after them.
	authors = 500
	// firstPost is above all ids of users. The posts of the load begin at firstLoad.
	firstPost = 1 << 40
	firstLoad = firstPost + 1<<30
	// probeEvery is the pause between two measured posts, lookEvery that between two reads.
	probeEvery = 250 * time.Millisecond
	lookEvery  = 5 * time.Millisecond
	day        = "2026-01-01T00:00:00Z"
)

// meter sends records and measures.
type meter struct {
	url, token string
	client     *http.Client
	followers  int
	// connections is the number of concurrent requests of the load.
	connections int
	// settle is how long inboxes may take that the setup asks for.
	settle  time.Duration
	version atomic.Int64
	// posts counts the posts of the load, probes the measured ones, sent the accepted records of
	// the load.
	posts, probes, sent atomic.Int64
	// refused counts requests that were sent again.
	refused atomic.Int64
}

func run(ctx context.Context, args []string, out io.Writer) error {
	m := &meter{token: os.Getenv("TIDELINE_SERVICE_TOKEN")}
	// Versions of another run are lower.
	m.version.Store(time.Now().UnixMicro())
	flags := flag.NewFlagSet("ingestlag", flag.ContinueOnError)
	flags.StringVar(&m.url, "url", "http://127.0.0.1:8080", "URL of the server")
	rate := flags.Float64("rate", 0, "records per second; 0 for half of the capacity")
	flags.IntVar(&m.connections, "connections", 8, "concurrent requests of the load")
	flags.IntVar(&m.followers, "followers", 100, "followers of each author")
	flags.DurationVar(&m.settle, "settle", 10*time.Second, "how long to wait for the inbox of the reader")
	measured := flags.Duration("capacity-for", 20*time.Second, "how long to send for the capacity")
	period := flags.Duration("for", time.Minute, "how long to measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	m.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: m.connections + 1}}
	if err := m.setUp(ctx); err != nil {
		return err
	}
	if *rate == 0 {
		capacity, err := m.capacity(ctx, *measured)
		if err != nil {
			return err
		}
		*rate = capacity / 2
		_, _ = fmt.Fprintf(out, "capacity %.0f records/s; %d requests sent again\n", capacity, m.refused.Swap(0))
	}
	lags, err := m.measure(ctx, *rate, *period)
	if err != nil {
		return err
	}
	slices.Sort(lags)
	at := func(share float64) time.Duration {
		return lags[min(len(lags)-1, int(share*float64(len(lags))))].Round(time.Millisecond)
	}
	_, err = fmt.Fprintf(out, "%d of %d records/s, %d requests sent again; %d posts seen by the last follower: p50 %v, p99 %v, longest %v\n",
		int(float64(m.sent.Load())/period.Seconds()), int(*rate), m.refused.Load(), len(lags), at(0.5), at(0.99), at(1))
	return err
}

// measure returns how long each measured post took while records arrive at a rate.
func (m *meter) measure(ctx context.Context, rate float64, period time.Duration) ([]time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, period)
	defer cancel()
	m.sent.Store(0)
	var loading sync.WaitGroup
	var failed error
	loading.Go(func() { failed = m.load(ctx, rate) })
	lags, err := m.probe(ctx)
	loading.Wait()
	if err := errors.Join(err, failed); err != nil {
		return nil, err
	}
	if len(lags) == 0 {
		return nil, errors.New("no post was measured; measure for longer")
	}
	return lags, nil
}

// reader is the last follower of the measured author, whose followers are the last ones.
func (m *meter) reader() int { return (authors + 1) * (m.followers + 1) }

// author returns the id of an author; the followers of author n come after it.
func (m *meter) author(n int) int { return 1 + n*(m.followers+1) }

// setUp stores all users and follows, and has the inbox of the reader built.
func (m *meter) setUp(ctx context.Context) error {
	var lines []string
	for n := range authors + 1 {
		for i := range m.followers + 1 {
			lines = append(lines, m.user(m.author(n)+i))
			if i > 0 {
				lines = append(lines, m.line(map[string]any{
					"type": "follow", "follower": text(m.author(n) + i), "followee": text(m.author(n)), "createdAt": day,
				}))
			}
		}
	}
	if err := m.send(ctx, lines); err != nil {
		return err
	}
	if err := m.send(ctx, []string{m.post(firstPost, m.author(authors))}); err != nil {
		return err
	}
	if _, err := m.newest(ctx); err != nil {
		return err
	}
	return pause(ctx, m.settle)
}

func text(n int) string { return fmt.Sprint(n) }

func (m *meter) line(record map[string]any) string {
	record["version"] = m.version.Add(1)
	b, _ := json.Marshal(record) // texts and numbers always have a JSON form
	return string(b)
}

func (m *meter) user(id int) string {
	return m.line(map[string]any{"type": "user", "id": text(id), "handle": "", "name": "User " + text(rand.IntN(1000)), "createdAt": day})
}

func (m *meter) post(id, author int) string {
	return m.line(map[string]any{
		"type": "post", "id": text(id), "author": text(author), "kind": "POST", "text": "a post",
		"publishedAt": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
	})
}

// probe publishes posts until ctx ends, and returns how long each took to the reader's page.
func (m *meter) probe(ctx context.Context) (lags []time.Duration, err error) {
	for pause(ctx, probeEvery) == nil {
		lag, err := m.lag(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			return nil, err
		}
		lags = append(lags, lag)
	}
	return lags, nil
}

// lag publishes a post, and returns how long it took to the reader's page.
func (m *meter) lag(ctx context.Context) (time.Duration, error) {
	id := firstPost + int(m.probes.Add(1))
	if err := m.send(ctx, []string{m.post(id, m.author(authors))}); err != nil {
		return 0, err
	}
	accepted := time.Now()
	for {
		seen, err := m.newest(ctx)
		if err != nil || seen == text(id) {
			return time.Since(accepted), err
		}
		if err := pause(ctx, lookEvery); err != nil {
			return 0, err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// send sends records, again if the server is behind or too busy.
func (m *meter) send(ctx context.Context, lines []string) error {
	body := []byte(strings.Join(lines, "\n"))
	for {
		answer, err := m.request(ctx, "/ingest", "", body)
		var busy *busyError
		switch {
		case errors.As(err, &busy):
			m.refused.Add(1)
			if err := pause(ctx, busy.wait); err != nil {
				return err
			}
			continue
		case err == nil && !bytes.Contains(answer, []byte(`"badCount":0`)):
			err = fmt.Errorf("records were refused: %.300s", answer)
		}
		return err
	}
}

// newest returns the id of the newest post in the reader's home feed; "" if the server is too busy.
func (m *meter) newest(ctx context.Context) (string, error) {
	body, err := m.request(ctx, "/graphql", text(m.reader()), []byte(`{"query":"{ viewer { homeFeed(first: 1) { nodes { databaseId } } } }"}`))
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(body), `"databaseId":"`)
	if !found && bytes.Contains(body, []byte(`"code":"UNAVAILABLE"`)) {
		return "", nil
	}
	if !found {
		return "", fmt.Errorf("the home feed is empty: %.300s", body)
	}
	id, _, _ := strings.Cut(rest, `"`)
	return id, nil
}

func (m *meter) request(ctx context.Context, path, actFor string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.url+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+m.token)
	req.Header.Set("Content-Type", "application/json")
	if actFor != "" {
		req.Header.Set("Tideline-Act-For", actFor)
	}
	res, err := m.client.Do(req)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	if code := res.StatusCode; code == http.StatusTooManyRequests || code == http.StatusServiceUnavailable {
		wait, _ := strconv.Atoi(res.Header.Get("Retry-After"))
		return nil, &busyError{time.Duration(max(1, wait)) * time.Second}
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s returned %s: %.300s", path, res.Status, answer)
	}
	return answer, nil
}

// busyError says that a request is to be sent again after a while.
type busyError struct{ wait time.Duration }

func (e *busyError) Error() string { return "the server is busy" }
