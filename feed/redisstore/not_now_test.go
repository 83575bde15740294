package redisstore_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

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
		"note":            func(ctx context.Context) error { return low.PutCached(ctx, viewer, []byte("note"), time.Minute) },
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

func TestNotNowReplies_LetCallsThroughOnceHealed(t *testing.T) {
	redis := newRefusing(t)
	c := open(t, redis.url())
	calls := waitedFor(c)
	redis.refuse("LOADING Redis is loading the dataset in memory")
	for what, call := range calls {
		if err := call(t.Context()); feed.CodeOf(err) != feed.CodeUnavailable {
			t.Fatalf("%s: the error is %v", what, err)
		}
	}
	redis.refuse("")
	for _, call := range calls {
		eventually.Succeeds(t, "the call", func() error { return call(t.Context()) })
	}
}

// A Redis that is full goes on serving reads, although notes are refused.
func TestFullRedis_ServesReads(t *testing.T) {
	server := testenv.StartRedis(t, testenv.RedisOptions{})
	c := open(t, server.URL())
	for name, s := range map[string]*redisstore.Inboxes{"whole": newInboxes(c, 5), "by script": newInboxes(c, 5000)} {
		ready(t, s, viewer, 3)
		server.FillMemory()
		for range 3 {
			err := s.PutCached(t.Context(), viewer, []byte("note"), time.Minute)
			if feed.CodeOf(err) != feed.CodeUnavailable {
				t.Errorf("%s: Note returned %v", name, err)
			}
			if in := readAll(t, s); len(in.Keys) != 3 {
				t.Errorf("%s: the inbox has %d entries", name, len(in.Keys))
			}
		}
		server.FreeMemory()
		eventually.Succeeds(t, "a note", func() error { return s.PutCached(t.Context(), viewer, []byte("note"), time.Minute) })
	}
}
