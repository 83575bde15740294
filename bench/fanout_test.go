package bench_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hibiken/asynq"
	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/bench/loadgen/drive"
	"github.com/tideline-feeds/tideline/bench/loadgen/page"
	"github.com/tideline-feeds/tideline/internal/testenv"
	"github.com/tideline-feeds/tideline/tasks"
)

// sliceSize is the number of followers per slice, Tideline's default.
const sliceSize = 1000

// fanouts measure the fan-out of the star's posts into the full inboxes of all followers.
func (s *site) fanouts(t timing, main *server) []contender {
	s.b.Helper()
	followers := s.size.StarFollowers()
	main.warm(s.b, s.home(main, followers, 1))
	return []contender{
		{"fanout", func(ctx context.Context) (map[string]float64, error) { return s.fanout(ctx, t, main) }},
		s.zadd("zadd"),
		{"publish", func(ctx context.Context) (map[string]float64, error) { return s.publishToLast(ctx, main, followers) }},
	}
}

// fanoutsApart measure a program that pushes each post separately, as peers do. It uses the inboxes
// of main, which it stops.
func (s *site) fanoutsApart(t timing, main *server) []contender {
	s.b.Helper()
	apart := s.tidelineAt(main.place, "TIDELINE_PUSH_TOGETHER=1")
	s.leave(apart)
	peers := place{testenv.Redis(s.b), main.place.network}
	s.fillPeers(redisClient(s.b, peers.redisURL), s.size.StarFollowers())
	return []contender{
		{"fanout apart", func(ctx context.Context) (map[string]float64, error) { return s.fanout(ctx, t, apart) }},
		s.zadd("zadd apart"),
		{"bullmq", func(ctx context.Context) (map[string]float64, error) { return s.bullmq(ctx, t, peers) }},
	}
}

// fanout measures how long waiting posts take until all of their slices are done, in entries per
// second. Publishing is not measured: one after the other it takes longer than the fan-out.
func (s *site) fanout(ctx context.Context, t timing, main *server) (map[string]float64, error) {
	inspector := asynq.NewInspectorFromRedisClient(main.redis)
	// Small audiences need no task in the first queue.
	queues := []string{tasks.QueueDispatch, tasks.QueueDispatchLarge, tasks.QueuePush, tasks.QueuePushLarge}
	for _, queue := range queues {
		if err := inspector.PauseQueue(queue); err != nil {
			return nil, err
		}
	}
	for n := range t.publishes {
		if _, err := page.Publish(ctx, main.Server, s.size.Star(), fmt.Sprint("number ", n)); err != nil {
			return nil, err
		}
	}
	began := time.Now()
	for _, queue := range queues {
		if err := inspector.UnpauseQueue(queue); err != nil {
			return nil, err
		}
	}
	if err := main.place.settled(ctx); err != nil {
		return nil, err
	}
	entries := float64(t.publishes) * float64(s.size.Followers)
	return map[string]float64{"": entries / time.Since(began).Seconds()}, nil
}

// patience is the timeout of operations that take about a second.
const patience = time.Minute

// settled waits until no push is pending.
func (n *network) settled(ctx context.Context) error { return n.settledWithin(ctx, patience) }

func (n *network) settledWithin(ctx context.Context, patience time.Duration) error {
	return until(ctx, patience, func() (bool, error) {
		var open bool
		err := n.sql.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM events WHERE state = 0)
			OR EXISTS (SELECT 1 FROM plans WHERE open_slices > 0)`).Scan(&open)
		return !open, err
	})
}

// until polls ready every two milliseconds.
func until(ctx context.Context, patience time.Duration, ready func() (bool, error)) error {
	return pollUntil(ctx, 2*time.Millisecond, patience, ready)
}

// pollUntil calls ready at an interval until it returns true or an error.
func pollUntil(ctx context.Context, every, patience time.Duration, ready func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		if ok, err := ready(); ok || err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return fmt.Errorf("work is pending after %v", patience)
		}
	}
}

// publishToLast publishes a post without other load, and waits until the last follower of every
// slice can read it. An executor serves a slice in ascending order, so then all can; it checks one
// in fifty.
func (s *site) publishToLast(ctx context.Context, main *server, followers []int64) (map[string]float64, error) {
	began := time.Now()
	id, err := page.Publish(ctx, main.Server, s.size.Star(), "news")
	if err != nil {
		return nil, err
	}
	conn, err := drive.Dial(ctx, main.Addr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close() }()
	for last := min(sliceSize, len(followers)) - 1; last < len(followers); last += sliceSize {
		err := until(ctx, patience, func() (bool, error) { return page.IsFirst(conn, main.Server, followers[last], id) })
		if err != nil {
			return nil, err
		}
	}
	took := time.Since(began)
	for i := 0; i < len(followers); i += 50 {
		follower := followers[i]
		if ok, err := page.IsFirst(conn, main.Server, follower, id); !ok || err != nil {
			return nil, errors.Join(fmt.Errorf("follower %d does not see what was pushed", follower), err)
		}
	}
	return map[string]float64{"": took.Seconds()}, main.place.settled(ctx)
}

// zadd is a contender whose figure is the rate of redis-benchmark on an empty Redis: commands that
// write one entry each to one of ten thousand sorted sets, the least that a fan-out needs of Redis.
func (s *site) zadd(name string) contender {
	return contender{name, func(ctx context.Context) (map[string]float64, error) { return zadds(ctx, testenv.Redis(s.b)) }}
}

func zadds(ctx context.Context, redisURL string) (map[string]float64, error) {
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(options.Addr)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, "redis-benchmark", "-p", port, "-c", "1", "-P", "1000", "-n", "1000000", "-r", "10000", "--csv",
		"ZADD", "inbox:__rand_int__", "__rand_int__", "__rand_int__")
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Split(line, ","); strings.HasPrefix(line, `"ZADD`) {
			rate, err := strconv.ParseFloat(strings.Trim(fields[1], `"`), 64)
			return map[string]float64{"": rate}, err
		}
	}
	return nil, fmt.Errorf("redis-benchmark printed no rate: %q", out)
}

// bullmq measures the fan-out of the same number of posts with BullMQ.
func (s *site) bullmq(ctx context.Context, t timing, at place) (map[string]float64, error) {
	cmd := exec.CommandContext(ctx, "node", filepath.Join(s.peers, "bullmq.mjs"),
		strconv.FormatInt(s.size.Star(), 10), strconv.Itoa(t.publishes), strconv.Itoa(sliceSize), strconv.Itoa(inboxCap))
	cmd.Env = append(os.Environ(), "PEER_DATABASE_URL="+at.url, "PEER_REDIS_URL="+at.redisURL, "NODE_ENV=production")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("bullmq.mjs: %w\n%s", err, out)
	}
	rate, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	return map[string]float64{"": rate}, err
}
