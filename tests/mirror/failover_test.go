package mirror

import (
	"net/url"
	"strings"
	"testing"

	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// The server of the other system is killed and comes back. Later a standby replaces it, which has no
// slots and lacks the last commits. The URL names both.
func TestMirror_OutlivesServersOfTheSource(t *testing.T) {
	t.Parallel()
	primary := testenv.StartPostgres(t, "wal_level=logical")
	w := newWorld(t, primary.URL(), rails())
	standby := testenv.StartPostgresReplica(t, primary)
	w.setSource(bothHosts(t, primary.URL(), standby.URL()) + "&target_session_attrs=read-write")
	p := w.start()
	eventually.True(t, "the snapshot is complete", func() bool { return w.position() > 0 })
	w.check()

	t.Log("a kill")
	w.change(20)
	primary.Kill()
	eventually.True(t, "the mirror has noticed it", func() bool { return strings.Contains(p.Output(), "cannot read the source; retrying") })
	primary.Restart()
	w.connect()
	w.change(50)
	w.check()

	t.Log("a failover that loses commits")
	standby.CatchUp(primary)
	standby.Kill()
	w.change(50)
	w.check()
	generation := w.oracle.Generation()
	primary.Kill()
	standby.Restart()
	standby.Promote()
	w.url = standby.URL()
	w.connect()
	line := w.stops(p)
	if !strings.Contains(line, "the source was restored or has failed over") || !strings.Contains(line, "run tideline mirror resnapshot") {
		t.Errorf("the mirror ends with: %s", line)
	}
	w.change(50)
	if line := w.stops(w.start()); !strings.Contains(line, "has failed over") {
		t.Errorf("the next mirror ends with: %s", line)
	}
	w.command("resnapshot")
	p = w.start()
	p.WaitLine("the snapshot is complete")
	w.check()
	w.change(20)
	w.check()
	if n := harness.RowsOf[int64](w.oracle, `SELECT bulk_since FROM feed_state`)[0]; n != 0 || w.oracle.Generation() != generation {
		t.Errorf("the snapshot has dropped all inboxes")
	}
}

// bothHosts returns a URL with the hosts of two.
func bothHosts(t *testing.T, a, b string) string {
	t.Helper()
	first, err := url.Parse(a)
	harness.Check(t, err)
	second, err := url.Parse(b)
	harness.Check(t, err)
	return strings.Replace(a, first.Host, first.Host+","+second.Host, 1)
}
