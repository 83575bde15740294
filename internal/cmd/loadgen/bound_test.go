package main

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/internal/loadgen/world"
)

// testBound has the file answered behind the reads of a viewer who has an inbox by now, or will
// soon, and not behind those of somebody who has none, or of counters that are not there.
func testBound(t *testing.T, database, redis string) {
	t.Helper()
	behind := func(reads, viewer string) func() (int, string) {
		return served(t, "bound", "-database", database, "-redis", redis, "-reads", reads, "-first", viewer, "-last", viewer)
	}
	few := strconv.FormatInt(world.Few().First, 10)
	for _, reads := range []string{"inbox", "unjudged", "all"} {
		eventually(t, behind(reads, few), http.StatusOK, servedBody)
	}
	eventually(t, behind("lean", few), http.StatusInternalServerError, "there are no counters")
	fillCounters(t, redis, "7,0,0,x")
	eventually(t, behind("lean", few), http.StatusInternalServerError, "invalid syntax")
	fillCounters(t, redis, "7,0")
	eventually(t, behind("lean", few), http.StatusInternalServerError, "are not four counters")
	fillCounters(t, redis, "7,0,0,0")
	eventually(t, behind("lean", few), http.StatusOK, servedBody)
	eventually(t, behind("all", "1000000"), http.StatusInternalServerError, "the inbox of 1000000 has no page")
}

// eventually asks until the answer is as wanted.
func eventually(t *testing.T, ask func() (int, string), want int, says string) {
	t.Helper()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	status, body := ask()
	for tries := 0; (status != want || !strings.Contains(body, says)) && tries < 200; tries++ {
		<-ticker.C
		status, body = ask()
	}
	if status != want || !strings.Contains(body, says) {
		t.Errorf("the answer is %d, %s, and not %d, %s", status, body, want, says)
	}
}

// fillCounters gives all contents of the network that somebody with few followees may see the
// same counters, where tests/peers has them.
func fillCounters(t *testing.T, url, counters string) {
	t.Helper()
	options, err := goredis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	c := goredis.NewClient(options)
	defer func() { _ = c.Close() }()
	small := world.Size{Seed: 3, Users: 1000, Follows: 5, Posts: 8, Live: true}
	for _, p := range small.Home(world.Few().First, 1000).Posts {
		if err := c.Set(t.Context(), "peer:counters:"+strconv.FormatInt(p.ID, 10), counters, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
}
