//go:build nightly

package testenv_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// One process may have a wrong clock. Its responses show that time.
func TestFleet_MemberMayHaveWrongClock(t *testing.T) {
	t.Parallel()
	fleet := testenv.StartFleet(t, testenv.FleetOptions{APIs: 1, Env: []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_DEMO=false",
		"TIDELINE_JWT_SECRET=" + strings.Repeat("s", 32),
	}})
	for _, offset := range []time.Duration{5 * time.Minute, -5 * time.Minute, 0} {
		fleet.APIs[0].Skew(offset)
		fleet.APIs[0].Restart()
		resp, err := http.Get("http://" + fleet.APIs[0].Addr() + "/healthz")
		check(t, err)
		_ = resp.Body.Close()
		says, err := http.ParseTime(resp.Header.Get("Date"))
		if got := time.Until(says); err != nil || (got-offset).Abs() > 2*time.Minute {
			t.Errorf("with a clock that is wrong by %v the response has a date %v from now (%v)", offset, got, err)
		}
	}
}
