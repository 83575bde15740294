package harness

import (
	"os"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
)

// Check ends the test if there is an error.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Full says whether this is a run of scripts/chaos.sh.
func Full() bool { return os.Getenv("CHAOS") == "full" }

// AtMost returns the limit of a measured time: limit in the full run, which has the machine to
// itself, and [eventually.Limit] in others, which only find what hangs.
func AtMost(limit time.Duration) time.Duration {
	if Full() {
		return limit
	}
	return eventually.Limit
}
