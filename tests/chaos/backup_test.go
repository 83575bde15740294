package chaos

import (
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A backup made while servers work is enough: work that was pending in it completes.
func TestBackup_OfDatabaseAloneSuffices(t *testing.T) {
	t.Parallel()
	p := plan{inbox: "redis", users: 60, clients: 4, atLeast: time.Second, atMost: 2 * time.Second}
	c := newChaos(t, p)
	c.server = harness.StartServer(t, c.Env...)
	c.Load = harness.StartLoad(t.Context(), c.API, p.users, p.clients, 11)
	c.Wait(p.atLeast)
	backup := testenv.BackUp(t, c.Database)
	c.Wait(p.atLeast)
	c.Load.Finish()
	c.server.Process.Kill()

	// Another database, another Redis.
	database := backup.Restore(t)
	c.Env = append(c.Env, "TIDELINE_DATABASE_URL="+database, "TIDELINE_REDIS_URL="+testenv.Redis(t))
	c.Oracle = harness.NewOracle(t, database)
	t.Logf("pending in the backup: %d", c.Oracle.Open())
	c.server = harness.StartServer(t, c.Env...)
	eventually.True(t, "everything is pushed", func() bool { return c.Oracle.Open() == 0 })
	sum := c.Oracle.Compare(c.API, p.users)
	t.Logf("entries %d, missing %d, extra %d", sum.Entries, sum.Missing, sum.Extra)
	c.RunDoctor()
}
