package testenv_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

func fleetEnv(t *testing.T) []string {
	t.Helper()
	return []string{
		"TIDELINE_DATABASE_URL=" + testenv.Postgres(t), "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_DEMO=false",
		"TIDELINE_JWT_SECRET=" + strings.Repeat("s", 32),
	}
}

// Every process responds at its own addresses, also after a kill and a restart. Killing one does not
// affect the others.
func TestFleet_ProcessesAreIsolated(t *testing.T) {
	t.Parallel()
	fleet := testenv.StartFleet(t, testenv.FleetOptions{APIs: 2, Workers: 1, Env: fleetEnv(t)})
	if len(fleet.APIs) != 2 || len(fleet.Workers) != 1 || len(fleet.Members()) != 3 {
		t.Fatalf("there are %d APIs and %d workers", len(fleet.APIs), len(fleet.Workers))
	}
	for _, m := range fleet.Members() {
		assertReady(t, m.AdminURL()+"/readyz")
	}
	first, pid := fleet.APIs[0], fleet.APIs[0].Process().Pid()
	address := first.Addr()
	first.Kill()
	if !refuses(t, "http://"+address) {
		t.Error("a killed API takes connections")
	}
	assertReady(t, "http://"+fleet.APIs[1].Addr()+"/readyz")
	first.Env = []string{"TIDELINE_LOG_LEVEL=debug"}
	first.Restart()
	assertReady(t, "http://"+address+"/readyz")
	if first.Process().Pid() == pid || first.Addr() != address {
		t.Error("the restarted API is the same process, or has another address")
	}
	if !strings.Contains(first.Process().Output(), "ready after") {
		t.Errorf("the log has no ready line: %s", first.Process().Output())
	}
}

// One process may have a wrong clock. Its responses show that time.
func TestFleet_MemberMayHaveWrongClock(t *testing.T) {
	t.Parallel()
	fleet := testenv.StartFleet(t, testenv.FleetOptions{APIs: 1, Env: fleetEnv(t)})
	for _, offset := range []time.Duration{5 * time.Minute, -5 * time.Minute, 0} {
		fleet.APIs[0].Skew(offset)
		fleet.APIs[0].Restart()
		resp, err := http.Get("http://" + fleet.APIs[0].Addr() + "/healthz")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		says, err := http.ParseTime(resp.Header.Get("Date"))
		if got := time.Until(says); err != nil || (got-offset).Abs() > 2*time.Minute {
			t.Errorf("with a clock that is wrong by %v the response has a date %v from now (%v)", offset, got, err)
		}
	}
}

func assertReady(t *testing.T, url string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if body, err := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		t.Errorf("%s returns %d (%v): %s", url, resp.StatusCode, err, body)
	}
}

// Fleets and sentinels end with the test binary, even if it is killed.
func TestFleet_EndsWithTestBinary(t *testing.T) {
	t.Parallel()
	if os.Getenv(victimEnv) != "" {
		fleet := testenv.StartFleet(t, testenv.FleetOptions{APIs: 1, Workers: 1, Env: fleetEnv(t)})
		sentinels := testenv.StartRedisSentinels(t, testenv.RedisOptions{})
		fmt.Printf("\nstarted http://%s %s redis://%s\n", fleet.APIs[0].Addr(), fleet.Workers[0].AdminURL(), sentinels.Sentinels[0].Addr())
		select {}
	}
	victim := testenv.Program(t, []string{os.Args[0], "-test.run=^TestFleet_EndsWithTestBinary$"}, []string{victimEnv + "=kill"})
	started := victim.WaitLine(`^started (\S+) (\S+) (\S+)$`)
	victim.Kill()
	for i, what := range []string{"the API", "the worker", "a sentinel"} {
		eventually.True(t, what+" refuses connections", func() bool { return refuses(t, started[i+1]) })
	}
}
