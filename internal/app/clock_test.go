package app

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// clocks are the clocks of the host and the database in milliseconds, and the latency of the
// database.
type clocks struct {
	host, database, takes int64
	err                   error
}

func (c *clocks) shared() *sharedClock {
	return &sharedClock{
		host: func() time.Time { return time.UnixMilli(c.host) },
		ask: func(context.Context) (int64, error) {
			c.host += c.takes
			c.database += c.takes
			return c.database - c.takes/2, c.err
		},
	}
}

func TestSharedClock_CorrectsWrongClock(t *testing.T) {
	for name, test := range map[string]struct {
		wrong, takes time.Duration
		differ       time.Duration
	}{
		"right":                       {0, 2 * time.Millisecond, 0},
		"wrong by less than a second": {-900 * time.Millisecond, 0, -900 * time.Millisecond},
		"five minutes fast":           {5 * time.Minute, 40 * time.Millisecond, 0},
		"five minutes slow":           {-5 * time.Minute, 40 * time.Millisecond, 0},
		"wrong, and the database is too slow to tell": {time.Minute, 2 * time.Second, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			const present = 1_700_000_000_000
			c := &clocks{host: present + test.wrong.Milliseconds(), database: present, takes: test.takes.Milliseconds()}
			shared := c.shared()
			check(t, shared.compare(t.Context()))
			if got := shared.now().UnixMilli() - c.database; got != test.differ.Milliseconds() {
				t.Errorf("the shared clock is wrong by %d ms", got)
			}
		})
	}
}

func TestSharedClock_IgnoresNoise(t *testing.T) {
	c := &clocks{host: 300_000}
	shared := c.shared()
	compare := func() int64 {
		t.Helper()
		if err := shared.compare(t.Context()); !errors.Is(err, c.err) {
			t.Fatal(err)
		}
		return shared.now().UnixMilli() - c.host
	}
	if got := compare(); got != -300_000 {
		t.Errorf("a clock that is five minutes fast got the offset %d ms", got)
	}
	c.database = 100
	if got := compare(); got != -300_000 {
		t.Errorf("100 ms more changed the offset by %d ms", got+300_000)
	}
	c.err = errors.New("away")
	c.database = 200_000
	if got := compare(); got != -300_000 {
		t.Errorf("a failed comparison changed the offset by %d ms", got+300_000)
	}
	c.err, c.host, c.database = nil, 500_000, 500_050
	if got := compare(); got != 0 {
		t.Errorf("a corrected clock has the offset %d ms", got)
	}
}

// Whether a build has died depends on the clocks of two processes.
func TestServices_UseSharedClock(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	servers := RedisServers{Main: RedisServer{"--redis-url", Embedded}, Queue: RedisServer{"--queue-redis-url", Embedded}}
	database := DatabaseSettings{DatabaseURL: "sqlite://" + filepath.Join(t.TempDir(), "tideline.db")}
	st, err := openStores(t.Context(), database, servers, nil, log)
	check(t, err)
	t.Cleanup(func() { check(t, st.close()) })
	p := feed.DefaultPolicy()
	a := newServices(st, st.openCaches(cacheSettings{CacheMB: 1}, nil, true, log), InboxesInRedis(st.redis, p.InboxCap), p, log)
	t.Cleanup(func() { check(t, a.queue.Close()) })
	st.clock.offset.Store(time.Hour.Milliseconds())
	for name, clock := range map[string]feed.Clock{
		"builds of inboxes": a.builder.Clock, "builds of replay inboxes": a.live.builder.Clock,
		"fan-out": a.fanout.Clock, "upkeep of inboxes": a.maintenance.Clock, "upkeep of replay inboxes": a.live.maintenance.Clock,
		"hosting": a.live.hosting.Clock,
	} {
		if ahead := time.Until(clock()); ahead < 59*time.Minute {
			t.Errorf("the clock of %s is %v ahead, want that of the database, which is an hour", name, ahead)
		}
	}
}
