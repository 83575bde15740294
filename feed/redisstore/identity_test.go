package redisstore_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

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
