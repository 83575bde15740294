package redisstore_test

import (
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// inboxesIn returns ways to open inboxes, by where they are.
func inboxesIn() map[string]func(t *testing.T, cap int) *redisstore.Inboxes {
	return map[string]func(t *testing.T, cap int) *redisstore.Inboxes{
		"redis": func(t *testing.T, cap int) *redisstore.Inboxes { return newInboxes(open(t, testenv.Redis(t)), cap) },
		"replays": func(t *testing.T, cap int) *redisstore.Inboxes {
			return newReplayInboxes(open(t, testenv.Redis(t)), cap)
		},
		"embedded": func(t *testing.T, cap int) *redisstore.Inboxes { return newInboxes(embedded(t).Client(), cap) },
		"redis, by script": func(t *testing.T, cap int) *redisstore.Inboxes {
			return redisstore.ByScript(newInboxes(open(t, testenv.Redis(t)), cap))
		},
	}
}

func TestInboxes_KeepContract(t *testing.T) {
	for name, open := range inboxesIn() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			feedtest.Inboxes(t, func(t *testing.T, cap int) feedtest.InboxStore { return open(t, cap) })
		})
	}
}

func TestReplayInboxes_AreSeparate(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		home, replays := newInboxes(c, 5), newReplayInboxes(c, 5)
		ready(t, home, viewer, 3)
		ready(t, replays, 222, 2)
		for name, s := range map[string]*redisstore.Inboxes{"home": home, "replays": replays} {
			viewers, next, err := s.Walk(t.Context(), "", 1000)
			if err != nil || next != "" || len(viewers) != 1 {
				t.Errorf("%s: a walk meets %v, then %q, %v; want one viewer", name, viewers, next, err)
			}
		}
		ready(t, replays, viewer, 2)
		must(t, home.Remove(t.Context(), viewer))
		must(t, home.Trim(t.Context(), []feed.UserID{viewer, 222}, 9))
		if in, err := replays.Read(t.Context(), viewer, whole()); err != nil || in.State != feed.InboxReady || in.Count != 2 {
			t.Errorf("without the home inbox the replay inbox is %+v, %v", in, err)
		}
		wantState(t, home, viewer, feed.InboxAbsent)
	})
}

// The scripts of a Cluster run only when all their keys are in one slot, and each of
// its nodes knows its own scripts.
func TestInboxes_KeepContractInCluster(t *testing.T) {
	t.Parallel()
	cluster := testenv.StartRedisCluster(t, 0)
	emptied := func(t *testing.T) *redisstore.Client { return openEmptied(t, cluster) }
	feedtest.Inboxes(t, func(t *testing.T, cap int) feedtest.InboxStore {
		return newInboxes(emptied(t), cap)
	})
	oneForgets := func(t *testing.T, c *redisstore.Client) {
		var once sync.Once
		onEachMaster(t, c, func(ctx context.Context, node *redis.Client) (err error) {
			once.Do(func() { err = node.ScriptFlush(ctx).Err() })
			return err
		})
	}
	t.Run("A push goes on where one node forgot the scripts", func(t *testing.T) {
		pushForgotten(t, emptied(t), oneForgets)
	})
	t.Run("A trim goes on where one node forgot the scripts", func(t *testing.T) {
		trimForgotten(t, emptied(t), oneForgets)
	})
	t.Run("Sets and snapshots lie on every node", func(t *testing.T) { liveInACluster(t, emptied) })
}

// openEmptied opens a Cluster of which it has removed all that was there.
func openEmptied(t *testing.T, cluster *testenv.RedisCluster) *redisstore.Client {
	t.Helper()
	c := open(t, cluster.URL())
	onEachMaster(t, c, func(ctx context.Context, node *redis.Client) error { return node.FlushAll(ctx).Err() })
	return c
}

func onEachMaster(t *testing.T, c *redisstore.Client, do func(context.Context, *redis.Client) error) {
	t.Helper()
	must(t, raw(t, c).(*redis.ClusterClient).ForEachMaster(t.Context(), do))
}

func open(t testing.TB, url string) *redisstore.Client {
	t.Helper()
	c, err := redisstore.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// must ends a test, or one run of a property, if there is an error.
func must(t interface {
	Helper()
	Fatal(args ...any)
}, err error,
) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newInboxes returns inboxes whose reads wait for a machine that is busy.
func newInboxes(c *redisstore.Client, cap int) *redisstore.Inboxes {
	return redisstore.Patient(redisstore.NewInboxes(c, cap))
}

func newReplayInboxes(c *redisstore.Client, cap int) *redisstore.Inboxes {
	return redisstore.Patient(redisstore.NewReplayInboxes(c, cap))
}

func embedded(t testing.TB) *redisstore.Embedded {
	t.Helper()
	e, err := redisstore.OpenEmbedded(t.Context())
	must(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// raw returns a client to look at, and break, what the store keeps.
func raw(t testing.TB, c *redisstore.Client) redis.UniversalClient {
	r := c.MakeRedisClient().(redis.UniversalClient)
	t.Cleanup(func() { _ = r.Close() })
	return r
}

const viewer = feed.UserID(111)

// stored is the name of viewer's inbox.
const stored = "tideline:inbox:{111}"

// ready gives the viewer an inbox with n entries, one a second.
func ready(t testing.TB, s feed.Inboxes, viewer feed.UserID, n int) {
	t.Helper()
	var keys []feed.Key
	for i := range int64(n) {
		keys = append(keys, feed.Key{TS: 1700000000000 + 1000*i, ID: 1 + i})
	}
	buildOf(t, s, viewer, 0, feed.Build{Keys: keys})
}

func whole() feed.Range { return feed.Range{Below: feed.Top, Limit: 1000} }

// wantState checks the state of the viewer's inbox.
func wantState(t *testing.T, s feed.Inboxes, viewer feed.UserID, want feed.InboxState) {
	t.Helper()
	in, err := s.Read(t.Context(), viewer, whole())
	if err != nil || in.State != want {
		t.Errorf("the inbox of %d is %+v, %v; want state %v", viewer, in, err, want)
	}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// losses returns ways to break viewer's inbox, which must have entries.
func losses() map[string]func(context.Context, redis.UniversalClient) error {
	shortened := func(to int64) func(context.Context, redis.UniversalClient) error {
		return func(ctx context.Context, r redis.UniversalClient) error {
			s, err := r.GetRange(ctx, stored, 0, to-1).Result()
			return errors.Join(err, r.Set(ctx, stored, s, 0).Err())
		}
	}
	return map[string]func(context.Context, redis.UniversalClient) error{
		"all lost":            func(ctx context.Context, r redis.UniversalClient) error { return r.Del(ctx, stored).Err() },
		"half an entry lost":  shortened(114 + 3*14 + 7),
		"its floor lost":      shortened(114),
		"half of its head":    shortened(50),
		"all but one byte":    shortened(1),
		"some bytes too many": func(ctx context.Context, r redis.UniversalClient) error { return r.Append(ctx, stored, "some").Err() },
	}
}

func TestRead_TruncatedInboxIsAbsent(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) {
		for name, lose := range losses() {
			t.Run(name, func(t *testing.T) {
				s := newInboxes(c, 5)
				ready(t, s, viewer, 3)
				must(t, lose(t.Context(), raw(t, c)))
				wantState(t, s, viewer, feed.InboxAbsent)
				if _, err := s.Push(t.Context(), []feed.UserID{viewer}, feed.Key{TS: 1800000000000, ID: 9}); err != nil {
					t.Error(err)
				}
				wantState(t, s, viewer, feed.InboxAbsent)
				ready(t, s, viewer, 2)
				wantState(t, s, viewer, feed.InboxReady)
			})
		}
	})
}

func TestFinishBuild_RefusesTruncatedInbox(t *testing.T) {
	c := embedded(t).Client()
	s := newInboxes(c, 5)
	mark := feed.BuildHeader{Token: "one", StartedAt: 1000}
	_, err := s.BeginBuild(t.Context(), viewer, mark, 0)
	must(t, err)
	_, err = s.Push(t.Context(), []feed.UserID{viewer}, feed.Key{TS: 1, ID: 1})
	must(t, err)
	must(t, raw(t, c).Append(t.Context(), stored, "some").Err())
	if done, err := s.FinishBuild(t.Context(), viewer, "one", feed.Build{}); err != nil || done {
		t.Errorf("FinishBuild returned %v, %v", done, err)
	}
	mark.Token = "two"
	if began, err := s.BeginBuild(t.Context(), viewer, mark, 0); err != nil || !began {
		t.Errorf("BeginBuild returned %v, %v", began, err)
	}
}

func TestPush_CountsServedBeforeFailure(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s := newInboxes(c, 5)
	ready(t, s, 1, 0)
	ready(t, s, 4, 0)
	must(t, raw(t, c).HSet(t.Context(), "tideline:inbox:{3}", "no", "string").Err())
	n, err := s.Push(t.Context(), []feed.UserID{1, 2, 3, 4}, feed.Key{TS: 1, ID: 1})
	if n != 2 || feed.CodeOf(err) != feed.CodeInternal {
		t.Errorf("Push returned %d, %v; the third of four viewers must fail", n, err)
	}
}

// everyRedis runs a test in a real Redis and in the embedded one.
func everyRedis(t *testing.T, test func(t *testing.T, c *redisstore.Client)) {
	t.Run("redis", func(t *testing.T) { test(t, open(t, testenv.Redis(t))) })
	t.Run("embedded", func(t *testing.T) { test(t, embedded(t).Client()) })
}

// flushScripts makes a single Redis forget its scripts.
func flushScripts(t *testing.T, c *redisstore.Client) {
	t.Helper()
	must(t, raw(t, c).ScriptFlush(t.Context()).Err())
}

func TestPush_ReloadsForgottenScript(t *testing.T) {
	everyRedis(t, func(t *testing.T, c *redisstore.Client) { pushForgotten(t, c, flushScripts) })
}

// pushForgotten pushes to many viewers, some of them without an inbox, and makes
// Redis forget its scripts in between.
func pushForgotten(t *testing.T, c *redisstore.Client, forget func(*testing.T, *redisstore.Client)) {
	const many, pushes = 20, 3
	s := newInboxes(c, 5)
	var viewers []feed.UserID
	for v := feed.UserID(1); v <= many; v++ {
		viewers = append(viewers, v)
		if v%2 == 0 {
			ready(t, s, v, 0)
		}
	}
	for id := range int64(pushes) {
		forget(t, c)
		n, err := s.Push(t.Context(), viewers, feed.Key{TS: 1, ID: 1 + id})
		if n != many || err != nil {
			t.Errorf("Push returned %d, %v", n, err)
		}
	}
	for v := feed.UserID(2); v <= many; v += 2 {
		if in, err := s.Read(t.Context(), v, whole()); err != nil || in.Count != pushes {
			t.Errorf("the inbox of %d has %d entries, %v", v, in.Count, err)
		}
	}
}

// Entries that a read does not return must not travel either: the port promises
// that a read deep in the inbox costs what a read at its top does.
func TestRead_FetchesOnlyResult(t *testing.T) {
	c := open(t, testenv.Redis(t))
	s := newInboxes(c, 300)
	ready(t, s, viewer, 300)
	r := raw(t, c)
	for _, depth := range []int64{10, 150, 290} {
		// Asking takes about 4 kB itself.
		before := stat(t, r, "stats", "total_net_output_bytes")
		in, err := s.Read(t.Context(), viewer, feed.Range{Below: feed.Key{TS: 1700000000000 + 1000*depth, ID: 1 + depth}, Limit: 5})
		if err != nil || len(in.Keys) != 5 {
			t.Fatalf("Read returned %d keys, %v", len(in.Keys), err)
		}
		if sent := stat(t, r, "stats", "total_net_output_bytes") - before; sent > 6000 {
			t.Errorf("a read of 5 entries at depth %d made Redis send %d bytes", depth, sent)
		}
	}
}

// What a script fetches and does not return costs Redis, which does one thing at a time,
// as much as if it did return it. To fetch half of this inbox takes ten times longer than
// is allowed here, and to fetch five entries less than a tenth.
func TestRead_TouchesFewEntries(t *testing.T) {
	c := open(t, testenv.Redis(t))
	const many, allowed = 100_000, 5000
	s := newInboxes(c, many)
	ready(t, s, viewer, many)
	r := raw(t, c)
	for _, depth := range []int64{10, many / 2, many} {
		fastest := math.MaxInt
		for range 10 {
			must(t, r.ConfigResetStat(t.Context()).Err())
			in, err := s.Read(t.Context(), viewer, feed.Range{Below: feed.Key{TS: 1700000000000 + 1000*depth, ID: 1 + depth}, Limit: 5})
			if err != nil || len(in.Keys) != 5 {
				t.Fatalf("Read returned %d keys, %v", len(in.Keys), err)
			}
			fastest = min(fastest, stat(t, r, "commandstats", "cmdstat_evalsha:calls=1,usec"))
		}
		if fastest > allowed {
			t.Errorf("a read of 5 entries at depth %d of %d took Redis %d microseconds at best", depth, many, fastest)
		}
	}
}

// stat returns one number of a section of what the server says about itself.
func stat(t *testing.T, r redis.UniversalClient, section, name string) int {
	t.Helper()
	stats, err := r.Info(t.Context(), section).Result()
	must(t, err)
	_, rest, _ := strings.Cut(stats, name)
	rest = strings.TrimLeft(rest, ":=")
	n, err := strconv.Atoi(rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))])
	must(t, err)
	return n
}

func TestStores_OfNoneMakeNoRoundTrip(t *testing.T) {
	c := embedded(t).Client()
	inboxes, sets := newInboxes(c, 5), newSets(c)
	must(t, c.Close())
	if n, err := inboxes.Push(t.Context(), nil, feed.Key{TS: 1, ID: 1}); n != 0 || err != nil {
		t.Errorf("Push returned %d, %v", n, err)
	}
	wantSets(t, sets, nil, 101, []live.Set{}...)
}

func TestInboxes_EndedContextIsNoOutage(t *testing.T) {
	s := newInboxes(embedded(t).Client(), 5)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err := s.Read(ctx, viewer, whole())
	if !errors.Is(err, context.DeadlineExceeded) || feed.CodeOf(err) == feed.CodeUnavailable {
		t.Errorf("Read returned %v", err)
	}
}
