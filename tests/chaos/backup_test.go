package chaos

import (
	"fmt"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tests/harness"
)

// A backup made while servers work is enough: work that was pending in it completes.
func TestBackup_OfDatabaseAloneSuffices(t *testing.T) {
	t.Parallel()
	p := plan{users: 60, clients: 4, atLeast: time.Second, atMost: 2 * time.Second}
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

// The database is restored to an earlier state while the servers and Redis go on. Inboxes then have
// relations and version numbers that the database no longer has, and it will give the same numbers
// to other changes.
func TestBackup_NoticesRestoredDatabase(t *testing.T) {
	t.Parallel()
	database := testenv.Postgres(t)
	s := newOutage(t, database, testenv.Redis(t))
	eventually.True(t, "everything is pushed", func() bool { return s.oracle.Open() == 0 })
	backup := testenv.BackUp(t, database)
	before := s.oracle.Generation()
	s.publishAll()
	s.unfollowAll()
	eventually.True(t, "everything is pushed", func() bool { return s.oracle.Open() == 0 })
	s.awaitInboxes()
	s.awaitBeat()

	backup.RestoreOver(t, database)
	s.oracle = harness.NewOracle(t, database)
	// These changes get the version numbers of the lost ones.
	s.refollowAll()
	eventually.True(t, "the servers have noticed", func() bool { return s.oracle.Generation() > before })
	s.recover()
}

// unfollowAll has each viewer unfollow one user.
func (s *outage) unfollowAll() {
	s.Helper()
	for follower, followee := range s.someEdges() {
		if err := s.api.Relate(s.Context(), "unfollowUser", follower, followee); err != nil {
			s.Fatal(err)
		}
	}
}

// refollowAll has each viewer follow the next user, once the server has reconnected to the
// database.
func (s *outage) refollowAll() {
	s.Helper()
	for viewer := range s.viewers() {
		eventually.True(s.T, fmt.Sprint(viewer, " can follow"), func() bool {
			return s.api.Relate(s.Context(), "followUser", viewer, viewer%feed.UserID(s.net.Users)+1) == nil
		})
	}
}

// someEdges returns one followed user of each viewer.
func (s *outage) someEdges() map[feed.UserID]feed.UserID {
	s.Helper()
	edges := map[feed.UserID]feed.UserID{}
	for viewer := range s.viewers() {
		for _, id := range harness.RowsOf[int64](s.oracle, `SELECT followee_id FROM follows WHERE follower_id = $1 AND active = 1 LIMIT 1`, int64(viewer)) {
			edges[viewer] = feed.UserID(id)
		}
	}
	return edges
}

// awaitBeat waits until a heartbeat has begun and ended since the call.
func (s *outage) awaitBeat() {
	s.Helper()
	since := s.oracle.Heartbeats()
	eventually.True(s.T, "a heartbeat ends", func() bool { return s.oracle.Heartbeats() > since })
}
