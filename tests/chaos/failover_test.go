package chaos

import (
	"fmt"
	"net/url"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestFailover_FindsPromotedReplica gives a server the URL of two hosts and kills the primary. The
// server refuses requests until the replica is promoted, then uses it without a restart.
func TestFailover_FindsPromotedReplica(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t)
	replica := testenv.StartPostgresReplica(t, primary)
	s := newOutage(t, bothHosts(t, primary.URL(), replica.URL()), testenv.Redis(t))
	s.publishAll()
	replica.CatchUp(primary)
	primary.Kill()
	s.beRefused(refusedWithin)
	replica.Promote()
	s.oracle = harness.NewOracle(t, replica.URL())
	s.comeBack()
}

// bothHosts returns a URL that selects the primary of two servers.
func bothHosts(t *testing.T, first, second string) string {
	t.Helper()
	u, err := url.Parse(first)
	harness.Check(t, err)
	v, err := url.Parse(second)
	harness.Check(t, err)
	return fmt.Sprintf("postgres://postgres@%s,%s%s?sslmode=disable&target_session_attrs=read-write", u.Host, v.Host, u.Path)
}
