package redisstore_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
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

// refusing is a Redis that can be made to refuse every command with one reply.
type refusing struct {
	*miniredis.Miniredis
	refused atomic.Int64
}

func newRefusing(t *testing.T) *refusing {
	return &refusing{Miniredis: miniredis.RunT(t)}
}

func (r *refusing) url() string { return "redis://" + r.Addr() }

// refuse makes every command fail with the reply, and counts them; an empty reply ends that.
func (r *refusing) refuse(reply string) {
	r.refused.Store(0)
	if reply == "" {
		r.Server().SetPreHook(nil)
		return
	}
	r.Server().SetPreHook(func(c *server.Peer, _ string, _ ...string) bool {
		r.refused.Add(1)
		c.WriteError(reply)
		return true
	})
}

// waitedFor are the calls that a request waits for, with stores of their own.
func waitedFor(c *redisstore.Client) map[string]func(context.Context) error {
	low, high := newInboxes(c, 5), newInboxes(c, 5000)
	sets, snapshots, budgets, texts := newSets(c), newSnapshots(c), redisstore.NewBudgets(c), redisstore.NewTexts(c)
	return map[string]func(context.Context) error{
		"inbox":           func(ctx context.Context) error { _, err := low.Read(ctx, viewer, whole()); return err },
		"inbox by script": func(ctx context.Context) error { _, err := high.Read(ctx, viewer, whole()); return err },
		"set": func(ctx context.Context) error {
			_, err := sets.Read(ctx, 1, []feed.UserID{1, 2, 3}, 10)
			return err
		},
		"snapshot": func(ctx context.Context) error { _, err := snapshots.Load(ctx, viewer, 1); return err },
		"budget": func(ctx context.Context) error {
			_, _, err := budgets.Spend(ctx, "key", 1, 10, time.Minute)
			return err
		},
		"budgets": func(ctx context.Context) (err error) {
			budgets.SpendAll(ctx, []string{"one", "two"}, []int{1, 1}, 10, time.Minute,
				func(_, _ int, _ time.Duration, failure error) { err = failure })
			return err
		},
		"text": func(ctx context.Context) error { _, err := texts.Text(ctx, "hash"); return err },
	}
}

// sendsMost is how many commands a call sends at most, with those that the library repeats, and
// with the greetings of a new connection.
const sendsMost = 20

// A call that meets such a reply is the last one to wait for the server until the next probe.
func TestNotNowReplies_EndWaiting(t *testing.T) {
	const calls = 200
	for name, reply := range redisstore.NotNowReplies() {
		t.Run(name, func(t *testing.T) {
			redis := newRefusing(t)
			c := open(t, redis.url())
			for what, call := range waitedFor(c) {
				redis.refuse(reply)
				began := time.Now()
				for range calls {
					if err := call(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
						t.Fatalf("%s: the error is %v", what, err)
					}
				}
				probes := 1 + int64(time.Since(began)/time.Second)
				if sent := redis.refused.Load(); sent > probes*sendsMost {
					t.Errorf("%s: %d calls sent %d commands", what, calls, sent)
				}
			}
		})
	}
}

// A Redis that is full goes on serving reads, although writes are refused.
func TestFullRedis_ServesReads(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, server.URL())
	write := func() error { return raw(t, c).Set(t.Context(), "other", "x", 0).Err() }
	for name, s := range map[string]*redisstore.Inboxes{"whole": newInboxes(c, 5), "by script": newInboxes(c, 5000)} {
		ready(t, s, viewer, 3)
		server.FillMemory()
		for range 3 {
			if write() == nil {
				t.Fatal("Redis takes a write although it is full")
			}
			if in := readAll(t, s); len(in.Keys) != 3 {
				t.Errorf("%s: the inbox has %d entries", name, len(in.Keys))
			}
		}
		server.FreeMemory()
		eventually.Succeeds(t, "a write", write)
	}
}

// says checks that a Redis takes writes, or says why not.
func says(t *testing.T, c *redisstore.Client, want string) {
	t.Helper()
	err := c.CheckWrites(t.Context())
	var known *feed.Error
	switch {
	case want == "" && err != nil, want != "" && err == nil:
		t.Errorf("CheckWrites returned %v, want %q", err, want)
	case want != "" && (!errors.As(err, &known) || known.Code != feed.CodeUnavailable || known.Message != want):
		t.Errorf("CheckWrites returned %v, want %q", err, want)
	}
}

func TestCheckWrites_SaysWhatIsWrong(t *testing.T) {
	s, other := testenv.StartRedis(t, testenv.RedisOptions{}), testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, s.URL())
	for _, state := range []struct {
		enter, undo func()
		want        string
	}{
		{s.FillMemory, s.FreeMemory, "Redis is full"},
		{func() { s.Follow(other) }, s.Promote, "Redis takes no writes, since it is a replica"},
		{s.RunScript, s.KillScript, "Redis is busy with a script"},
		{s.LoadSlowly, s.FinishLoading, "Redis is loading its data"},
		{s.Kill, s.Restart, "Redis cannot be reached"},
	} {
		says(t, c, "")
		state.enter()
		says(t, c, state.want)
		state.undo()
	}
	if n := raw(t, c).Exists(t.Context(), "tideline:pulse").Val(); n != 0 {
		t.Error("it has written a key")
	}
}

func TestCheckWrites_AcceptsEmbedded(t *testing.T) {
	says(t, embedded(t).Client(), "")
}

func TestEvictionPolicies_NamesPolicyOfServer(t *testing.T) {
	for _, want := range []string{redisstore.KeepsKeys, "allkeys-lru", "volatile-ttl"} {
		server := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--maxmemory-policy", want}})
		got, err := open(t, server.URL()).EvictionPolicies(t.Context())
		if err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("with %s they are %v, %v", want, got, err)
		}
	}
}

func TestEvictionPolicies_LeavesOutSilentServers(t *testing.T) {
	if got, err := embedded(t).Client().EvictionPolicies(t.Context()); len(got) > 0 || err != nil {
		t.Errorf("the embedded Redis has %v, %v", got, err)
	}
}
