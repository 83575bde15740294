package bench_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

const (
	// star is an author with starFollowers followers, if there are as many people.
	star          = 900_000_001
	starFollowers = 10_000
	// lagPosts is the number of posts whose way is measured, lagEvery the pause before each, and
	// lagLook how often the page is read.
	lagPosts = 21
	lagEvery = 500 * time.Millisecond
	lagLook  = 5 * time.Millisecond
)

// lags returns how long posts of a star take from the commit in the source to the page of the last
// follower, in milliseconds. The mirror has read its snapshot.
func (m *mirrored) lags() (millis []float64) {
	m.b.Helper()
	followers := min(starFollowers, m.rows/10)
	token := strings.Repeat("t", 32)
	server := testenv.Program(m.b, []string{m.program, "serve"}, []string{
		"TIDELINE_ROLE=api", "TIDELINE_DATABASE_URL=" + m.target.databaseURL(mirrorDatabase), "TIDELINE_REDIS_URL=" + m.redisURL, "TIDELINE_ADDR=127.0.0.1:0",
		"TIDELINE_JWT_SECRET=" + secret, "TIDELINE_SERVICE_TOKEN=" + token, "TIDELINE_SOURCE_OWNS=user,post,follow", "TIDELINE_DEMO=false",
		"TIDELINE_RATE_LIMIT=0", "TIDELINE_SERVICE_RATE_LIMIT=0", "TIDELINE_DATA_DIR=" + m.b.TempDir(),
	})
	url := server.WaitReady()
	m.source.exec(`INSERT INTO people VALUES ($1, 'star', 'Star', '2026-01-01Z')`, star)
	m.source.exec(`INSERT INTO follows SELECT i, $1, '2026-01-01Z' FROM generate_series(1, $2::bigint) AS i`, star, followers)
	m.mirror(func(*testenv.Process) bool {
		for i := range lagPosts {
			<-time.After(lagEvery)
			m.source.exec(`INSERT INTO articles VALUES ($1::bigint, $2, 'a post', now())`, star+i, star)
			committed := time.Now()
			must(m.b, pollUntil(m.b.Context(), lagLook, time.Minute, func() (bool, error) {
				page, err := homePage(url, token, followers)
				return strings.Contains(page, fmt.Sprintf(`"databaseId":"%d"`, star+i)), err
			}))
			if i > 0 { // the first one waits for the follows
				millis = append(millis, float64(time.Since(committed).Microseconds())/1000)
			}
		}
		return true
	})
	server.Interrupt()
	server.Wait()
	return millis
}

// homePage returns the newest post of a viewer's home feed, as JSON.
func homePage(url, token string, viewer int) (string, error) {
	req, err := http.NewRequest(http.MethodPost, url+"/graphql", bytes.NewReader([]byte(`{"query":"{ viewer { homeFeed(first: 1) { nodes { databaseId } } } }"}`)))
	if err != nil {
		return "", err
	}
	req.Header = http.Header{"Authorization": {"Bearer " + token}, "Content-Type": {"application/json"}, "Tideline-Act-For": {fmt.Sprint(viewer)}}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = res.Body.Close() }()
	page, err := io.ReadAll(res.Body)
	return string(page), err
}
