package redisstore

import (
	"context"
	"math"
	"time"

	"github.com/redis/go-redis/v9"
)

// budgetWithin is how long a budget may be waited for, which takes Redis less than a
// millisecond. Every request waits for it, and whoever gets no answer counts by himself.
const budgetWithin = 100 * time.Millisecond

// budgetPrefix begins the names of the keys that hold budgets.
const budgetPrefix = "tideline:budget:"

// Budgets keeps what clients may spend, for all processes that share the Redis. Each is a
// bucket that fills up evenly, in one key that says when it will be full, so that a full
// one needs no key. Make one with [NewBudgets].
type Budgets struct {
	redis   redis.UniversalClient
	spend   *redis.Script
	breaker *breaker
}

// NewBudgets returns the budgets in the client's Redis. The client stays the caller's to
// close.
func NewBudgets(c *Client) *Budgets {
	return &Budgets{redis: c.redis, spend: redis.NewScript(spendLua), breaker: newBreaker(time.Now, budgetWithin)}
}

// Spend takes cost, from 1 to quota, out of the bucket with the key. A bucket holds quota
// when full, as it is when it is new, and fills up within window. It returns what is left
// and no wait; when less than cost is left it takes nothing, and returns in how long there
// will be enough. Should the answer be lost, cost may be taken twice. A server
// that does not answer within a tenth of a second is [feed.CodeUnavailable], and is not
// asked again for a second; of a Cluster the other masters are.
func (b *Budgets) Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (left int, wait time.Duration, err error) {
	full := float64(window.Microseconds())
	take := math.Ceil(full * float64(cost) / float64(quota))
	var times []int64
	name := budgetPrefix + key
	err = b.breaker.call(ctx, serverOf(ctx, b.redis, name), func(ctx context.Context) error {
		var err error
		times, err = b.spend.Run(ctx, b.redis, []string{name}, int64(take), int64(full)).Int64Slice()
		return err
	})
	if err != nil {
		return 0, 0, failed(ctx, err)
	}
	left = int(float64(quota) * (full - float64(times[0])) / full)
	return left, time.Duration(times[1]) * time.Microsecond, nil
}
