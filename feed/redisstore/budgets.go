package redisstore

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// budgetWithin limits the wait for a budget, which takes Redis less than a millisecond. Then the
// process counts locally.
const budgetWithin = 100 * time.Millisecond

const budgetPrefix = "tideline:budget:"

// Budgets keeps the rate limits of clients for all processes that share the Redis. Each is a bucket
// that refills evenly. Its key says when it will be full, so a full one needs no key.
type Budgets struct {
	redis   redis.UniversalClient
	spend   *redis.Script
	breaker *breaker
	group   int
}

// spendGroup outweighs the call of a script, and occupies Redis for only a tenth of a millisecond.
const spendGroup = 64

// NewBudgets returns the budgets in the client's Redis. The caller closes the client.
func NewBudgets(c *Client) *Budgets {
	return &Budgets{
		redis: c.redis, spend: redis.NewScript(spendLua), breaker: newBreaker(time.Now, budgetWithin),
		group: c.together(spendGroup),
	}
}

// Spend takes cost, from 1 to quota, out of the bucket with the key. A bucket holds quota when
// full, as a new one is, and refills within window. If less than cost is left, Spend takes nothing
// and returns how long to wait. If the reply is lost, cost may be taken twice. A server that does
// not reply within a tenth of a second is [feed.CodeUnavailable] and gets no calls for a second.
func (b *Budgets) Spend(ctx context.Context, key string, cost, quota int, window time.Duration) (left int, wait time.Duration, err error) {
	var result spending
	name := budgetKey(key)
	err = b.breaker.call(ctx, targetOf(ctx, b.redis, name), func(ctx context.Context) error {
		times, err := b.spend.Run(ctx, b.redis, []string{name}, window.Microseconds(), timeOf(cost, quota, window)).Int64Slice()
		result = spendingOf(times, 0, err)
		return result.err
	})
	if err != nil {
		return 0, 0, failed(ctx, err)
	}
	left, wait = spent(result.times, quota, window)
	return left, wait, nil
}

// SpendAll is [Budgets.Spend] for many buckets of one kind, in one message to each server. It calls
// tell for each bucket, from one goroutine, with its index in keys.
func (b *Budgets) SpendAll(ctx context.Context, keys []string, costs []int, quota int, window time.Duration,
	tell func(i, left int, wait time.Duration, err error),
) {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = budgetKey(key)
	}
	results := make([]spending, len(keys))
	// Concurrently, so that a dead master delays only its own buckets.
	var all sync.WaitGroup
	for server, places := range groupByServer(ctx, b.redis, names) {
		calls, groups := b.calls(places, names, costs, quota, window)
		all.Go(func() {
			err := b.breaker.call(ctx, target{server: server}, func(ctx context.Context) (err error) {
				for n, result := range callAll(ctx, b.redis, b.spend, calls) {
					times, failure := result.Int64Slice()
					for m, i := range groups[n] {
						results[i] = spendingOf(times, m, failure)
					}
					err = cmp.Or(err, failure)
				}
				return err
			})
			for _, i := range places {
				if results[i].times == nil {
					results[i].err = cmp.Or(results[i].err, err)
				}
			}
		})
	}
	all.Wait()
	for i, result := range results {
		if result.err != nil {
			tell(i, 0, 0, failed(ctx, result.err))
			continue
		}
		left, wait := spent(result.times, quota, window)
		tell(i, left, wait, nil)
	}
}

// calls returns the script calls for the buckets at places, and the indexes of each call.
func (b *Budgets) calls(places []int, names []string, costs []int, quota int, window time.Duration) (calls []scriptCall, groups [][]int) {
	for group := range slices.Chunk(places, b.group) {
		keys, args := make([]string, len(group)), make([]any, 1+len(group))
		args[0] = window.Microseconds()
		for n, i := range group {
			keys[n], args[1+n] = names[i], timeOf(costs[i], quota, window)
		}
		calls, groups = append(calls, scriptCall{keys, args}), append(groups, group)
	}
	return calls, groups
}

type spending struct {
	times []int64
	err   error
}

func spendingOf(times []int64, number int, err error) spending {
	if err == nil && len(times) < 2*number+2 {
		err = errors.New("the script did not return a result for each bucket")
	}
	if err != nil {
		return spending{err: err}
	}
	return spending{times: times[2*number : 2*number+2]}
}

func budgetKey(key string) string { return budgetPrefix + key }

// timeOf returns how long a bucket takes to refill a cost, in microseconds.
func timeOf(cost, quota int, window time.Duration) int64 {
	return int64(math.Ceil(float64(window.Microseconds()) * float64(cost) / float64(quota)))
}

func spent(times []int64, quota int, window time.Duration) (left int, wait time.Duration) {
	full := float64(window.Microseconds())
	left = int(float64(quota) * (full - float64(times[0])) / full)
	return left, time.Duration(times[1]) * time.Microsecond
}
