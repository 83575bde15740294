// Ingestlag measures how long a post that POST /ingest has accepted takes to the page of its
// author's last follower, while other records arrive at a constant rate:
//
//	ingestlag -url http://127.0.0.1:8080 -rate 8000 -for 60s
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
	// firstPost is above all ids of users.
	firstPost = 1 << 40
	// batchEvery is the pause between two requests of the load.
	batchEvery = 100 * time.Millisecond
	// probeEvery is the pause between two measured posts, lookEvery that between two reads.
	probeEvery = 250 * time.Millisecond
	lookEvery  = 5 * time.Millisecond
	day        = "2026-01-01T00:00:00Z"
)

// meter sends records and measures.
type meter struct {
	url, token string
	rate       int
	followers  int
	// settle is how long inboxes may take that the setup asks for.
	settle  time.Duration
	version atomic.Int64
	sent    atomic.Int64
}

func run(ctx context.Context, args []string, out io.Writer) error {
	m := &meter{token: os.Getenv("TIDELINE_SERVICE_TOKEN")}
	// Versions of another run are lower.
	m.version.Store(time.Now().UnixMicro())
	flags := flag.NewFlagSet("ingestlag", flag.ContinueOnError)
	flags.StringVar(&m.url, "url", "http://127.0.0.1:8080", "URL of the server")
	flags.IntVar(&m.rate, "rate", 8000, "records per second")
	flags.IntVar(&m.followers, "followers", 100, "followers of each author")
	flags.DurationVar(&m.settle, "settle", 10*time.Second, "how long to wait for the inbox of the reader")
	period := flags.Duration("for", time.Minute, "how long to measure")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := m.setUp(ctx); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *period)
	defer cancel()
	var loading sync.WaitGroup
	var failed error
	loading.Go(func() { failed = m.load(ctx) })
	lags, err := m.probe(ctx)
	loading.Wait()
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	if len(lags) == 0 {
		return errors.New("no post was measured; measure for longer")
	}
	slices.Sort(lags)
	at := func(share float64) time.Duration {
		return lags[min(len(lags)-1, int(share*float64(len(lags))))].Round(time.Millisecond)
	}
	_, err = fmt.Fprintf(out, "%d records/s; %d posts seen by the last follower: p50 %v, p99 %v, longest %v\n",
		int(float64(m.sent.Load())/period.Seconds()), len(lags), at(0.5), at(0.99), at(1))
	return err
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

// load sends records at the rate until ctx ends: a tenth are posts, the others change profiles.
func (m *meter) load(ctx context.Context) error {
	tick := time.NewTicker(batchEvery)
	defer tick.Stop()
	next := firstPost + 1<<30
	for {
		lines := make([]string, 0, m.rate/10)
		for i := range cap(lines) {
			if i%10 == 0 {
				next++
				lines = append(lines, m.post(next, m.author(rand.IntN(authors))))
			} else {
				lines = append(lines, m.user(1+rand.IntN(m.author(authors)-1)))
			}
		}
		if err := m.send(ctx, lines); err != nil {
			return unlessEnded(ctx, err)
		}
		m.sent.Add(int64(len(lines)))
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// probe publishes posts until ctx ends, and returns how long each took to the reader's page.
func (m *meter) probe(ctx context.Context) (lags []time.Duration, err error) {
	for id := firstPost + 1; pause(ctx, probeEvery) == nil; id++ {
		if err := m.send(ctx, []string{m.post(id, m.author(authors))}); err != nil {
			return lags, unlessEnded(ctx, err)
		}
		accepted := time.Now()
		for seen := ""; seen != text(id); {
			if seen, err = m.newest(ctx); err != nil {
				return lags, unlessEnded(ctx, err)
			}
			if pause(ctx, lookEvery) != nil {
				return lags, nil
			}
		}
		lags = append(lags, time.Since(accepted)-lookEvery)
	}
	return lags, nil
}

func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (m *meter) send(ctx context.Context, lines []string) error {
	answer, err := m.request(ctx, "/ingest", "", []byte(strings.Join(lines, "\n")))
	if err == nil && !bytes.Contains(answer, []byte(`"badCount":0`)) {
		err = fmt.Errorf("records were refused: %.300s", answer)
	}
	return err
}

// newest returns the id of the newest post in the reader's home feed.
func (m *meter) newest(ctx context.Context) (string, error) {
	body, err := m.request(ctx, "/graphql", text(m.reader()), []byte(`{"query":"{ viewer { homeFeed(first: 1) { nodes { databaseId } } } }"}`))
	if err != nil {
		return "", err
	}
	_, rest, found := strings.Cut(string(body), `"databaseId":"`)
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
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s returned %s: %.300s", path, res.Status, answer)
	}
	return answer, nil
}
