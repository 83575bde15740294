package main

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/loadgen/world"
)

// testBound has the file answered behind the reads of a viewer who has an inbox by now, or will
// soon, and not behind those of somebody who has none.
func testBound(t *testing.T, database, redis string) {
	t.Helper()
	behind := func(reads, viewer string) func() (int, string) {
		return served(t, "bound", "-database", database, "-redis", redis, "-reads", reads, "-first", viewer, "-last", viewer)
	}
	few := strconv.FormatInt(world.Few().First, 10)
	for _, reads := range []string{"inbox", "unjudged", "all", "lean"} {
		eventually(t, behind(reads, few), http.StatusOK, servedBody)
	}
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
