package redisstore_test

import (
	"errors"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// checkEach calls every method and hands its error to check.
func checkEach(t *testing.T, s *redisstore.Inboxes, check func(method string, err error)) {
	t.Helper()
	ctx := t.Context()
	_, err := s.Read(ctx, viewer, whole())
	check("Read", err)
	n, err := s.Push(ctx, []feed.UserID{viewer}, feed.Key{TS: 1, ID: 1})
	check("Push", err)
	if n != 0 {
		t.Errorf("Push says that it served %d viewers", n)
	}
	_, err = s.BeginBuild(ctx, viewer, feed.BuildHeader{Token: "one"}, 0)
	check("BeginBuild", err)
	_, err = s.FinishBuild(ctx, viewer, "one", feed.Build{})
	check("FinishBuild", err)
	_, err = s.Amend(ctx, viewer, feed.Amendment{Token: "one"})
	check("Amend", err)
	check("Remove", s.Remove(ctx, viewer))
	_, _, err = s.Walk(ctx, "", 10)
	check("Walk", err)
	check("Trim", s.Trim(ctx, []feed.UserID{viewer}, 0))
}

func TestInboxes_UnavailableWithoutRedis(t *testing.T) {
	server := miniredis.RunT(t)
	s := newInboxes(open(t, "redis://"+server.Addr()), 5)
	ready(t, s, viewer, 1)
	server.Close()
	checkEach(t, s, func(method string, err error) {
		if feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("%s returned %v", method, err)
		}
	})
	must(t, server.Restart())
	if n, err := s.Push(t.Context(), []feed.UserID{viewer}, feed.Key{TS: 1, ID: 1}); n != 1 || err != nil {
		t.Errorf("right after the restart Push returned %d, %v", n, err)
	}
	awaitReady(t, s)
}

// awaitReady waits until reads find the viewer's inbox ready, which they do within about
// a second once they can: they have just failed, and rest.
func awaitReady(t *testing.T, s feed.Inboxes) {
	t.Helper()
	eventually.Succeeds(t, "reading the inbox", func() error {
		in, err := s.Read(t.Context(), viewer, whole())
		if err == nil && in.State != feed.InboxReady {
			t.Fatalf("the inbox reads as state %v", in.State)
		}
		return err
	})
}

// A page that waits as long as a write does would wait twice: once to read the inbox,
// and once more to learn whether there is one again.
func TestRead_FailsSoonWhenRedisHangs(t *testing.T) {
	for name, hang := range map[string]func(*testenv.RedisServer){
		"Redis hangs":   (*testenv.RedisServer).Freeze,
		"Redis is gone": (*testenv.RedisServer).Kill,
	} {
		t.Run(name, func(t *testing.T) {
			server := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
			s := redisstore.NewInboxes(open(t, server.URL()), 5)
			ready(t, s, viewer, 1)
			hang(server)
			mustFailWithoutWaiting(t, func() error {
				_, err := s.Read(t.Context(), viewer, whole())
				return err
			})
			server.Restart()
			awaitReady(t, s)
		})
	}
}

// mustFailWithoutWaiting checks that a read which waits for half a second is refused at once
// nearly always: if every one of them waited, that would take twice as long as a test may.
func mustFailWithoutWaiting(t *testing.T, read func() error) {
	t.Helper()
	const reads = 1200
	began := time.Now()
	for range reads {
		if err := read(); feed.CodeOf(err) != feed.CodeUnavailable {
			t.Fatalf("the read returned %v", err)
		}
		if took := time.Since(began); took > eventually.Limit {
			t.Fatalf("%d reads are not done after %v", reads, took)
		}
	}
}

func TestRead_RecoversSoonAfterHang(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	s := redisstore.NewInboxes(open(t, server.URL()), 5)
	ready(t, s, viewer, 1)
	server.Freeze()
	if _, err := s.Read(t.Context(), viewer, whole()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Fatalf("Read returned %v", err)
	}
	server.Thaw()
	awaitReady(t, s)
}

func TestInboxes_NotNowIsUnavailable(t *testing.T) {
	server := miniredis.RunT(t)
	s := newInboxes(open(t, "redis://"+server.Addr()), 5)
	for _, reply := range []string{
		"LOADING Redis is loading the dataset in memory",
		"READONLY You can't write against a read only replica.",
		"MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
		"CLUSTERDOWN Hash slot not served",
		"OOM command not allowed when used memory > 'maxmemory'.",
		"NOAUTH Authentication required.",
		"ERR max number of clients reached",
	} {
		t.Run(reply, func(t *testing.T) {
			server.SetError(reply)
			checkEach(t, s, func(method string, err error) {
				if feed.CodeOf(err) != feed.CodeUnavailable {
					t.Errorf("%s returned %v", method, err)
				}
			})
		})
	}
}

func TestInboxes_RefusedCommandIsNoOutage(t *testing.T) {
	server := miniredis.RunT(t)
	s := newInboxes(open(t, "redis://"+server.Addr()), 5)
	server.SetError("ERR wrong number of arguments")
	checkEach(t, s, func(method string, err error) {
		var known *feed.Error
		if err == nil || errors.As(err, &known) {
			t.Errorf("%s returned %v", method, err)
		}
	})
}
