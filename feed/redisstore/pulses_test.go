package redisstore_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// beat returns the pulses of all servers.
func beat(t *testing.T, p *redisstore.Pulses) []feed.Pulse {
	t.Helper()
	pulses, err := p.Read(t.Context())
	must(t, err)
	return pulses
}

// onlyBeat returns the pulse of the only server.
func onlyBeat(t *testing.T, p *redisstore.Pulses) feed.Pulse {
	t.Helper()
	pulses := beat(t, p)
	if len(pulses) != 1 {
		t.Fatalf("one server has the pulses %+v", pulses)
	}
	return pulses[0]
}

// raise raises the number of each server to next.
func raise(t *testing.T, p *redisstore.Pulses, next int64) {
	t.Helper()
	for _, was := range beat(t, p) {
		if raised, err := p.Raise(t.Context(), was, next); err != nil || !raised {
			t.Fatalf("Raise of %+v to %d returned %v, %v", was, next, raised, err)
		}
	}
}

func TestPulses_ReadLastNumber(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		p := redisstore.NewPulses(c)
		first := onlyBeat(t, p)
		if first.Number != 0 || first.Server == "" {
			t.Errorf("an untouched server has the pulse %+v", first)
		}
		// Neighbours are one number to a float of 64 bits.
		for _, next := range []int64{1, math.MaxInt64 - 1, math.MaxInt64} {
			raise(t, p, next)
			if diff := cmp.Diff(feed.Pulse{Server: first.Server, Number: next, Run: first.Run}, onlyBeat(t, p)); diff != "" {
				t.Errorf("raised to %d (-want +got):\n%s", next, diff)
			}
		}
	})
}

func TestRaise_RefusesChangedNumber(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		p := redisstore.NewPulses(c)
		before := onlyBeat(t, p)
		raise(t, p, math.MaxInt64-1)
		known := onlyBeat(t, p)
		raise(t, p, math.MaxInt64)
		for _, stale := range []feed.Pulse{before, known} {
			if raised, err := p.Raise(t.Context(), stale, 7); err != nil || raised {
				t.Errorf("Raise of %+v returned %v, %v", stale, raised, err)
			}
		}
		if got := onlyBeat(t, p).Number; got != math.MaxInt64 {
			t.Errorf("the number is %d after refused calls", got)
		}
	})
}

func TestRaise_OneOfManySucceeds(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		p := redisstore.NewPulses(c)
		was := onlyBeat(t, p)
		const many = 20
		winners := make(chan int64, many)
		var all sync.WaitGroup
		for n := range int64(many) {
			all.Go(func() {
				raised, err := p.Raise(t.Context(), was, n+1)
				if err != nil {
					t.Error(err)
				}
				if raised {
					winners <- n + 1
				}
			})
		}
		all.Wait()
		if len(winners) != 1 || onlyBeat(t, p).Number != <-winners {
			t.Errorf("%d of %d raised the number, now %d", len(winners), many, onlyBeat(t, p).Number)
		}
	})
}

func TestRaise_UnknownServerIsError(t *testing.T) {
	p := redisstore.NewPulses(embedded(t).Client())
	for _, name := range []string{"", "other", "slot ", "slot -1", "slot 16384"} {
		if raised, err := p.Raise(t.Context(), feed.Pulse{Server: name}, 1); err == nil || raised {
			t.Errorf("Raise of server %q returned %v, %v", name, raised, err)
		}
	}
}

func TestPulses_RestartChangesRun(t *testing.T) {
	for name, c := range map[string]struct {
		options testenv.RedisOptions
		// lose takes a running server of number 100, of which a copy was made at number
		// 50, through its accident.
		lose func(server *testenv.RedisServer, copied string)
		want int64
	}{
		"empty": {lose: func(server *testenv.RedisServer, _ string) {
			server.Kill()
			server.Wipe()
			server.Restart()
		}, want: 0},
		"with an old copy of its file": {lose: func(server *testenv.RedisServer, copied string) {
			server.RollBack(copied)
		}, want: 50},
		"with an old copy of its append-only file": {
			options: testenv.RedisOptions{AppendFsync: "everysec"},
			lose:    func(server *testenv.RedisServer, copied string) { server.RollBack(copied) },
			want:    50,
		},
		"with all it had": {
			options: testenv.RedisOptions{AppendFsync: "always"},
			lose:    func(server *testenv.RedisServer, _ string) { server.Restart() },
			want:    100,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testenv.StartRedis(t, c.options)
			p := redisstore.NewPulses(open(t, server.URL()))
			raise(t, p, 50)
			copied := server.Snapshot()
			raise(t, p, 100)
			before := onlyBeat(t, p)

			c.lose(server, copied)
			after := onlyBeat(t, p)
			if after.Server != before.Server || after.Number != c.want {
				t.Errorf("the pulse went from %+v to %+v, want number %d", before, after, c.want)
			}
			if after.Run == before.Run || after.Run == "" {
				t.Errorf("the run went from %q to %q", before.Run, after.Run)
			}
		})
	}
}

func TestPulses_IgnoreReplica(t *testing.T) {
	master := testenv.StartRedis(t, testenv.RedisOptions{})
	port := master.Addr()[len("127.0.0.1:"):]
	replica := testenv.StartRedis(t, testenv.RedisOptions{Args: []string{"--replicaof", "127.0.0.1", port}})
	if pulses, err := redisstore.NewPulses(open(t, replica.URL())).Read(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("Read returned %+v, %v", pulses, err)
	}
}

func TestPulses_DamagedNumberIsNoOutage(t *testing.T) {
	c := embedded(t).Client()
	must(t, raw(t, c).Set(t.Context(), "tideline:pulse", "12x", 0).Err())
	if _, err := redisstore.NewPulses(c).Read(t.Context()); err == nil || feed.CodeOf(err) == feed.CodeUnavailable {
		t.Errorf("Read returned %v", err)
	}
}

// formatOf returns the format number of an identity.
func formatOf(t *testing.T, i *redisstore.Identity) int64 {
	t.Helper()
	format, err := i.Format(t.Context())
	must(t, err)
	return format
}

func TestIdentity_SameForAllClients(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		const many = 20
		numbers := make([]int64, many)
		var all sync.WaitGroup
		for n := range numbers {
			all.Go(func() { numbers[n], _ = redisstore.NewIdentity(c, 1).Format(t.Context()) })
		}
		all.Wait()
		for _, format := range numbers {
			if format != numbers[0] || format < 256 || format%256 != 1 {
				t.Fatalf("concurrent processes got the numbers %v", numbers)
			}
		}
		if next := formatOf(t, redisstore.NewIdentity(c, 2)); next != numbers[0]+1 {
			t.Errorf("the number of the next format is %d, that of this one %d", next, numbers[0])
		}
		if other := formatOf(t, redisstore.NewIdentity(embedded(t).Client(), 1)); other == numbers[0] {
			t.Errorf("another Redis has the number %d too", other)
		}
	})
}

// Pulses detect the loss. Running processes must not wait for each other, nor for new ones, as if
// they used another Redis. So a process that starts first after a loss has another number, and the running
// ones follow it.
func TestIdentity_SurvivesLossForRunningProcess(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		runs := redisstore.NewIdentity(c, 1)
		before := formatOf(t, runs)
		must(t, raw(t, c).FlushAll(t.Context()).Err())
		if after, begins := formatOf(t, runs), formatOf(t, redisstore.NewIdentity(c, 1)); after != before || begins != before {
			t.Errorf("after a loss the number %d is %d, and %d for a new process", before, after, begins)
		}
		must(t, raw(t, c).FlushAll(t.Context()).Err())
		if begins, after := formatOf(t, redisstore.NewIdentity(c, 1)), formatOf(t, runs); begins == before || after != begins {
			t.Errorf("after the loss the number %d is %d for a new process and %d for a running one", before, begins, after)
		}
	})
}

// keepsFormat waits until Redis returns a format, which must be the one before.
func keepsFormat(t *testing.T, c *redisstore.Client, before int64) {
	t.Helper()
	var after int64
	eventually.Succeeds(t, "reading the format", func() (err error) {
		after, err = redisstore.NewIdentity(c, 1).Format(t.Context())
		return err
	})
	if after != before {
		t.Errorf("the number %d is now %d", before, after)
	}
}

func TestIdentity_SurvivesRestartWithData(t *testing.T) {
	t.Parallel()
	server := testenv.StartRedis(t, testenv.RedisOptions{AppendFsync: "always"})
	c := open(t, server.URL())
	before := formatOf(t, redisstore.NewIdentity(c, 1))
	server.Restart()
	keepsFormat(t, c, before)
}

func TestIdentity_KeptWhileRedisIsSilent(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, server.URL())
	known, unknown := redisstore.NewIdentity(c, 1), redisstore.NewIdentity(c, 1)
	before := formatOf(t, known)
	server.Freeze()
	if after := formatOf(t, known); after != before {
		t.Errorf("while Redis is frozen the number %d is %d", before, after)
	}
	if within := redisstore.IdentityWithin; within > inbox.FormatInterval {
		t.Errorf("a call takes up to %v, but formats are renewed every %v", within, inbox.FormatInterval)
	}
	server.Thaw()
	server.Kill()
	if after := formatOf(t, known); after != before {
		t.Errorf("without Redis the number %d is %d", before, after)
	}
	if format, err := unknown.Format(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
		t.Errorf("for a process that never read it the number is %d, %v", format, err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if format, err := unknown.Format(over); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context the number is %d, %v", format, err)
	}
}

func TestIdentity_DamagedIsNoOutage(t *testing.T) {
	c := embedded(t).Client()
	for _, text := range []string{"", "12x", "0", "-1", "9223372036854775807"} {
		must(t, raw(t, c).Set(t.Context(), "tideline:identity", text, 0).Err())
		if format, err := redisstore.NewIdentity(c, 1).Format(t.Context()); err == nil || feed.CodeOf(err) == feed.CodeUnavailable {
			t.Errorf("with the stored text %q the number is %d, %v", text, format, err)
		}
	}
}

// announcing returns two processes on the Redis at a URL.
func announcing(t *testing.T, url string) (one, other *redisstore.Announcements) {
	t.Helper()
	return redisstore.NewAnnouncements(open(t, url)), redisstore.NewAnnouncements(open(t, url))
}

func TestAnnouncements(t *testing.T) {
	t.Run("redis", func(t *testing.T) {
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			url := testenv.StartRedis(t, testenv.RedisOptions{}).URL()
			one, other = announcing(t, url)
			return one, other, func() {
				must(t, raw(t, open(t, url)).ClientKillByFilter(t.Context(), "TYPE", "pubsub").Err())
			}
		})
	})
	t.Run("embedded", func(t *testing.T) {
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			url := embedded(t).URL()
			one, other = announcing(t, url)
			return one, other, func() { publish(t, url, `{"v":2}`) }
		})
	})
	t.Run("cluster", func(t *testing.T) {
		url := testenv.StartRedisCluster(t, 0).URL()
		feedtest.Announcements(t, func(t *testing.T) (one, other feedtest.Announcer, lose func()) {
			one, other = announcing(t, url)
			return one, other, func() { publish(t, url, "nonsense") }
		})
	})
}

// publish puts a text on the channel of announcements.
func publish(t *testing.T, url, text string) {
	t.Helper()
	must(t, raw(t, open(t, url)).Publish(t.Context(), "tideline:announce", text).Err())
}

// hearing listens for signals until the test ends, and returns a channel with one value for the
// beginning and for each signal.
func hearing(t *testing.T, listen func(ctx context.Context, heard func()) error) <-chan struct{} {
	t.Helper()
	heard, ended := make(chan struct{}, 100), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(ended)
		_ = listen(ctx, func() { heard <- struct{}{} })
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return heard
}

func TestChangeSignal_WakesAllProcesses(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(t *testing.T) string{
		"redis":    func(t *testing.T) string { return testenv.Redis(t) },
		"embedded": func(t *testing.T) string { return embedded(t).URL() },
		"cluster":  func(t *testing.T) string { return testenv.StartRedisCluster(t, 0).URL() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := url(t)
			first, second := redisstore.NewChangeSignal(open(t, at)), redisstore.NewChangeSignal(open(t, at))
			one, two, leader := hearing(t, first.Listen), hearing(t, second.Listen), hearing(t, second.ListenWaiting)
			for _, heard := range []<-chan struct{}{one, two, leader} {
				eventually.Receive(t, "the beginning", heard)
			}
			sender := redisstore.NewChangeSignal(open(t, at))
			must(t, sender.Signal(t.Context(), feed.ChangePlace{Epoch: 5, Number: 7}))
			for _, heard := range []<-chan struct{}{one, two} {
				eventually.Receive(t, "a signal", heard)
			}
			if len(leader) > 0 {
				t.Error("numbered changes wake the process that numbers")
			}
			must(t, sender.SignalWaiting(t.Context()))
			eventually.Receive(t, "a signal of waiting changes", leader)
			if len(one)+len(two) > 0 {
				t.Error("changes without numbers wake readers")
			}
		})
	}
}

// BenchmarkAnnounce announces a post without listeners, and to one listening process.
func BenchmarkAnnounce(b *testing.B) {
	url := testenv.Redis(b)
	a := redisstore.NewAnnouncements(open(b, url))
	announce := func(b *testing.B) {
		for b.Loop() {
			must(b, a.Announce(b.Context(), feed.Announcement{Post: 1 << 62, Author: 1}))
		}
	}
	b.Run("nobody listens", announce)
	ready := make(chan struct{})
	go func() { _ = a.Listen(b.Context(), func() { close(ready) }, func(feed.Announcement) {}) }()
	<-ready
	b.Run("one listens", announce)
}
