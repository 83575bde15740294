//go:build nightly

package e2e

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// TestExport_ReadsFromReplica exports from a replica, where the load does not disturb users.
func TestExport_ReadsFromReplica(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t)
	net := harness.NewNetwork(20, 60, 5)
	harness.ImportFile(t, []string{"TIDELINE_DATABASE_URL=" + primary.URL()}, net.File(t), " 0 known, 0 bad")
	replica := testenv.StartPostgresReplica(t, primary)
	replica.CatchUp(primary)
	dir := t.TempDir()
	want := exportTo(t, []string{"TIDELINE_DATABASE_URL=" + primary.URL()}, filepath.Join(dir, "primary.ndjson"))
	got := exportTo(t, []string{"TIDELINE_DATABASE_URL=" + replica.URL()}, filepath.Join(dir, "replica.ndjson"))
	if len(want) == 0 || !bytes.Equal(got, want) {
		t.Errorf("the replica's export (%d bytes) differs from the primary's (%d bytes)", len(got), len(want))
	}
}
