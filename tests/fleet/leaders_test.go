package fleet

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A worker that stops resigns, so that the next process leads at once. feed/inbox tests what happens
// when a leader dies.
func TestLeadership_EndsWithStoppedProcess(t *testing.T) {
	t.Parallel()
	database := harness.Postgres(t)
	worker := harness.StartWorker(t, []string{"TIDELINE_DATABASE_URL=" + database, "TIDELINE_REDIS_URL=" + testenv.Redis(t), "TIDELINE_DEMO=false"})
	oracle := harness.NewOracle(t, database)
	led := func() int64 {
		return harness.RowsOf[int64](oracle, `
SELECT COUNT(*) FROM leaders WHERE holder LIKE $1 AND until > EXTRACT(EPOCH FROM now()) * 1000`, fmt.Sprintf("%%/%d/%%", worker.Pid()))[0]
	}
	eventually.True(t, "the worker leads the heartbeat and both kinds of maintenance", func() bool { return led() >= 3 })
	worker.Interrupt()
	if code := worker.Wait(); code != 0 || strings.Contains(worker.Output(), "cannot resign leadership") {
		t.Errorf("the worker ended with exit code %d", code)
	}
	if n := led(); n > 0 {
		t.Errorf("the stopped worker keeps %d leases until they expire", n)
	}
}
