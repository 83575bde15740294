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
	few, nobody := strconv.FormatInt(world.Few().First, 10), "1000000"
	for _, reads := range []string{"inbox", "all", "lean"} {
		ask := served(t, "bound", "-database", database, "-redis", redis, "-reads", reads, "-first", few, "-last", few)
		ticker := time.NewTicker(50 * time.Millisecond)
		status, body := ask()
		for tries := 0; status != http.StatusOK && tries < 200; tries++ {
			<-ticker.C
			status, body = ask()
		}
		ticker.Stop()
		if status != http.StatusOK || body != servedBody {
			t.Errorf("%s: the answer is %d, %s", reads, status, body)
		}
	}
	ask := served(t, "bound", "-database", database, "-redis", redis, "-first", nobody, "-last", nobody)
	if status, body := ask(); status != http.StatusInternalServerError || !strings.Contains(body, "the inbox of 1000000 has no page") {
		t.Errorf("behind the reads of nobody the answer is %d, %s", status, body)
	}
}
