package redisstore_test

import (
	"errors"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
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
	_, err = s.BeginBuild(ctx, viewer, feed.BuildMark{Token: "one"}, 0)
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

func TestEveryMethodIsUnavailableWhileRedisIsGoneAndWorksAgainAfterwards(t *testing.T) {
	server := miniredis.RunT(t)
	s := redisstore.NewInboxes(open(t, "redis://"+server.Addr()), 5)
	ready(t, s, viewer, 1)
	server.Close()
	checkEach(t, s, func(method string, err error) {
		if feed.CodeOf(err) != feed.CodeUnavailable {
			t.Errorf("%s returned %v", method, err)
		}
	})
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if got := state(t, s, viewer); got != feed.InboxReady {
		t.Errorf("after the restart the inbox reads as state %v", got)
	}
}

func TestARedisThatCannotServeIsUnavailable(t *testing.T) {
	server := miniredis.RunT(t)
	s := redisstore.NewInboxes(open(t, "redis://"+server.Addr()), 5)
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

func TestARefusedCommandIsAFaultAndNoOutage(t *testing.T) {
	server := miniredis.RunT(t)
	s := redisstore.NewInboxes(open(t, "redis://"+server.Addr()), 5)
	server.SetError("ERR wrong number of arguments")
	checkEach(t, s, func(method string, err error) {
		var known *feed.Error
		if err == nil || errors.As(err, &known) {
			t.Errorf("%s returned %v", method, err)
		}
	})
}
