package main

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/bench/loadgen/world"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
)

// testBound checks that bound serves the file for a viewer with an inbox or a pending build. For a
// viewer without one it must respond with status 500.
func testBound(t *testing.T, database, redis string) {
	t.Helper()
	few, unknown := strconv.FormatInt(world.Few().First, 10), "1000000"
	for _, reads := range []string{"inbox", "all", "lean"} {
		ask := served(t, "bound", "-database", database, "-redis", redis, "-reads", reads, "-first", few, "-last", few)
		var body string
		eventually.True(t, "the response to "+reads, func() bool {
			var status int
			status, body = ask()
			return status == http.StatusOK
		})
		if body != servedBody {
			t.Errorf("%s: the response is %s", reads, body)
		}
	}
	ask := served(t, "bound", "-database", database, "-redis", redis, "-first", unknown, "-last", unknown)
	if status, body := ask(); status != http.StatusInternalServerError || !strings.Contains(body, "the inbox of 1000000 has no page") {
		t.Errorf("for a viewer without an inbox the response is %d, %s", status, body)
	}
}
