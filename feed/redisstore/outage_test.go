package redisstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// mustBeUnavailable ends a test if a call did not fail as it does without Redis.
func mustBeUnavailable(t *testing.T, call string, err error) {
	t.Helper()
	if feed.CodeOf(err) != feed.CodeUnavailable {
		t.Fatalf("%s returned %v", call, err)
	}
}

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
	checkEach(t, s, func(method string, err error) { mustBeUnavailable(t, method, err) })
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

// A page that waits as long as a write does would wait twice: once to read the inbox, and once more
// to learn whether there is one again. It has another way to what is in sets and snapshots.
func TestReads_FailSoonWhenRedisIsSilent(t *testing.T) {
	for name, c := range map[string]struct {
		hang, heal func(*testenv.RedisServer)
	}{
		"Redis hangs":   {(*testenv.RedisServer).Freeze, (*testenv.RedisServer).Thaw},
		"Redis is gone": {(*testenv.RedisServer).Kill, (*testenv.RedisServer).Restart},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // it waits for the most part
			server := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
			client := open(t, server.URL())
			inboxes, sets, snapshots := redisstore.NewInboxes(client, 5), redisstore.NewSets(client), redisstore.NewSnapshots(client)
			ready(t, inboxes, viewer, 1)
			writeSet(t, sets, host, programme(1))
			must(t, snapshots.Save(t.Context(), viewer, 1, someSnapshot(), time.Hour))
			reads := map[string]func() error{
				"inbox":    func() error { _, err := inboxes.Read(t.Context(), viewer, whole()); return err },
				"sets":     func() error { _, err := sets.Read(t.Context(), 1, []feed.UserID{1, host}, 101); return err },
				"snapshot": func() error { _, err := snapshots.Load(t.Context(), viewer, 1); return err },
			}
			c.hang(server)
			for _, read := range reads {
				mustFailWithoutWaiting(t, read)
			}
			mustBeUnavailable(t, "Save", snapshots.Save(t.Context(), viewer, 1, someSnapshot(), time.Hour))
			c.heal(server)
			for what, read := range reads {
				eventually.Succeeds(t, "reading the "+what, read)
			}
			awaitReady(t, inboxes)
			wantSets(t, sets, []feed.UserID{host}, 101, programme(1))
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
		mustBeUnavailable(t, "the read", read())
		if took := time.Since(began); took > eventually.Limit {
			t.Fatalf("%d reads are not done after %v", reads, took)
		}
	}
}

func TestInboxes_NotNowIsUnavailable(t *testing.T) {
	server := miniredis.RunT(t)
	s := newInboxes(open(t, "redis://"+server.Addr()), 5)
	for name, reply := range redisstore.NotNowReplies() {
		t.Run(name, func(t *testing.T) {
			server.SetError(reply)
			checkEach(t, s, func(method string, err error) { mustBeUnavailable(t, method, err) })
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

// listeners are the ways to listen until a context ends. They call ready when they have begun.
func listeners(c *redisstore.Client) map[string]func(ctx context.Context, ready func()) error {
	announcements, signal := redisstore.NewAnnouncements(c), redisstore.NewChangeSignal(c)
	return map[string]func(ctx context.Context, ready func()) error{
		"announcements": func(ctx context.Context, ready func()) error {
			return announcements.Listen(ctx, ready, func(feed.Announcement) {})
		},
		"changes": signal.Listen, "waiting changes": signal.ListenWaiting,
	}
}

// A Redis that hangs keeps its connections, as a cable that was pulled does.
func TestListen_EndsWhenRedisIsSilent(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	ended := map[string]chan error{}
	for what, listen := range listeners(open(t, server.URL())) {
		ready, end := make(chan struct{}, 9), make(chan error, 1)
		go func() { end <- listen(t.Context(), func() { ready <- struct{}{} }) }()
		<-ready
		ended[what] = end
	}
	server.Freeze()
	for what, end := range ended {
		mustBeUnavailable(t, what, eventually.Receive(t, "end of listening", end))
	}
}

func TestPorts_UnavailableWithoutRedis(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, server.URL())
	calls := waitedFor(c)
	for what, listen := range listeners(c) {
		calls["listening for "+what] = func(ctx context.Context) error { return listen(ctx, func() { t.Errorf("%s: it listens", what) }) }
	}
	signal, pulses, texts := redisstore.NewChangeSignal(c), redisstore.NewPulses(c), redisstore.NewTexts(c)
	known := onlyBeat(t, pulses)
	calls["Announce"] = func(ctx context.Context) error {
		return redisstore.NewAnnouncements(c).Announce(ctx, feed.Announcement{Post: 1, Author: 2})
	}
	calls["Signal"] = func(ctx context.Context) error { return signal.Signal(ctx, feed.ChangePlace{}) }
	calls["SignalWaiting"] = signal.SignalWaiting
	calls["KeepText"] = func(ctx context.Context) error { return texts.KeepText(ctx, "hash", "{a}") }
	calls["Pulses"] = func(ctx context.Context) error { _, err := pulses.Read(ctx); return err }
	calls["Raise"] = func(ctx context.Context) error { _, err := pulses.Raise(ctx, known, 1); return err }
	server.Kill()
	for what, call := range calls {
		for range 3 { // the breaker refuses the later ones
			mustBeUnavailable(t, what, call(t.Context()))
		}
	}
}
