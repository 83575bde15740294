package redisstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Sets implements [live.Sets] in Redis.
type Sets struct {
	redis redis.UniversalClient
	write *redis.Script
	reads *breaker
}

var _ live.Sets = (*Sets)(nil)

// setFor removes the sets of hosts who left. A read that misses a set has it written again, so an
// idle host costs one SQL read a week.
const setFor = 7 * 24 * time.Hour

// numberPrefix begins the member with a set's number, which no session has.
const numberPrefix = "number:"

// NewSets returns the sets in the client's Redis. The caller closes the client.
func NewSets(c *Client) *Sets {
	return &Sets{redis: c.redis, write: redis.NewScript(setLua), reads: newBreaker(time.Now, readWithin)}
}

// Read implements [live.Sets] in one concurrent round trip to every server that has one of the
// sets. If one of them does not reply, the whole read fails, like [Inboxes.Read].
func (s *Sets) Read(ctx context.Context, generation int64, hosts []feed.UserID, limit int) ([]live.Set, error) {
	keys := make([]string, len(hosts))
	for i, host := range hosts {
		keys[i] = setKey(generation, host)
	}
	out := make([]live.Set, len(hosts))
	var all errgroup.Group
	for server, indexes := range groupByServer(ctx, s.redis, keys) {
		all.Go(func() error { return s.readFrom(ctx, server, keys, indexes, limit, out) })
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Sets) readFrom(ctx context.Context, server string, keys []string, indexes []int, limit int, out []live.Set) error {
	replies := make([]*redis.ZSliceCmd, len(indexes))
	err := s.reads.call(ctx, target{server: server}, func(ctx context.Context) error {
		pipe := s.redis.Pipeline()
		for n, i := range indexes {
			// The number comes first; the last member says whether there are more.
			replies[n] = pipe.ZRevRangeWithScores(ctx, keys[i], 0, int64(limit)+1)
		}
		_, err := pipe.Exec(ctx)
		return err
	})
	if err != nil {
		return failed(ctx, err)
	}
	for n, i := range indexes {
		if out[i], err = parseSet(replies[n].Val(), limit); err != nil {
			return fmt.Errorf("the set %s in Redis is damaged: %w", keys[i], err)
		}
	}
	return nil
}

// parseSet reads the members, the highest score first. A set without a number is none.
func parseSet(members []redis.Z, limit int) (live.Set, error) {
	if len(members) == 0 || !math.IsInf(members[0].Score, 1) {
		return live.Set{}, nil
	}
	var err error
	integer := func(s string) int64 {
		n, bad := strconv.ParseInt(s, 10, 64)
		err = errors.Join(err, bad)
		return n
	}
	number := strings.TrimPrefix(text(members[0]), numberPrefix)
	set := live.Set{Number: integer(number), More: len(members)-1 > limit}
	for _, m := range members[1:min(len(members), limit+1)] {
		set.Open = append(set.Open, live.AtScore(int64(m.Score), live.ID(integer(text(m)))))
	}
	return set, err
}

// member returns a session's id as 20 digits, so that text order is the order of numbers.
func member(id live.ID) string { return fmt.Sprintf("%020d", id) }

func text(m redis.Z) string {
	s, _ := m.Member.(string)
	return s
}

// Write implements [live.Sets] in one round trip, or two if Redis has been restarted.
func (s *Sets) Write(ctx context.Context, generation int64, host feed.UserID, set live.Set) error {
	args := make([]any, 0, 2+2*len(set.Open))
	args = append(args, strconv.FormatInt(set.Number, 10), setFor.Milliseconds())
	for _, p := range set.Open {
		args = append(args, p.Score(), member(p.ID))
	}
	return failed(ctx, s.write.Run(ctx, s.redis, []string{setKey(generation, host)}, args...).Err())
}
