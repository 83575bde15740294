package e2e

import (
	"bytes"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
)

// TestAReplicaOfTheDatabaseThatIsPromotedIsFound has a server whose URL names two hosts lose
// the one that takes writes. It refuses requests until the other one, which has followed
// so far, is promoted, and then goes on with it without a restart.
func TestAReplicaOfTheDatabaseThatIsPromotedIsFound(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t)
	replica := testenv.StartPostgresReplica(t, primary)
	s := newOutage(t, bothHosts(t, primary.URL(), replica.URL()), testenv.Redis(t))
	s.publishAll()
	replica.CatchUp(primary)
	primary.Kill()
	s.beRefused(refusedWithin)
	replica.Promote()
	s.oracle = newOracle(t, replica.URL())
	s.comeBack()
}

// bothHosts returns a URL for whichever of two servers takes writes.
func bothHosts(t *testing.T, first, second string) string {
	t.Helper()
	u, err := url.Parse(first)
	check(t, err)
	v, err := url.Parse(second)
	check(t, err)
	return fmt.Sprintf("postgres://postgres@%s,%s%s?sslmode=disable&target_session_attrs=read-write", u.Host, v.Host, u.Path)
}

// TestAnExportMayBeMadeFromAReplica makes the one kind of read that may be a little old where
// it is in nobody's way.
func TestAnExportMayBeMadeFromAReplica(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t)
	net := newNetwork(20, 60, 5)
	tangle(net, 5)
	importFile(t, []string{"TIDELINE_DATABASE_URL=" + primary.URL()}, net.file(t), " 0 known, 0 bad")
	replica := testenv.StartPostgresReplica(t, primary)
	replica.CatchUp(primary)
	dir := t.TempDir()
	want := exportTo(t, []string{"TIDELINE_DATABASE_URL=" + primary.URL()}, filepath.Join(dir, "primary.ndjson"))
	got := exportTo(t, []string{"TIDELINE_DATABASE_URL=" + replica.URL()}, filepath.Join(dir, "replica.ndjson"))
	if len(want) == 0 || !bytes.Equal(got, want) {
		t.Errorf("the replica's export has %d bytes and the primary's %d, or they differ", len(got), len(want))
	}
}
