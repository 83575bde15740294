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

// Full reports whether this is a run of scripts/chaos.sh.
func Full() bool { return os.Getenv("CHAOS") == "full" }

// AtMost returns the limit of a measured time. It is limit in a full run, which has the machine to
// itself. Other runs only look for hangs, so it is [eventually.Limit].
func AtMost(limit time.Duration) time.Duration {
	if Full() {
		return limit
	}
	return eventually.Limit
}
