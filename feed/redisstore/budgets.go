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
	// group is how many buckets one script takes.
	group int
}

// spendGroup is how many buckets one script takes where there is one server: enough that what
// a call of a script costs does not count, which is several times what a bucket does, and so
// few that Redis is done with them in about a tenth of a millisecond.
const spendGroup = 64

// NewBudgets returns the budgets in the client's Redis. The client stays the caller's to
// close.
func NewBudgets(c *Client) *Budgets {
	return &Budgets{
		redis: c.redis, spend: redis.NewScript(spendLua), breaker: newBreaker(time.Now, budgetWithin),
		group: c.together(spendGroup),
	}
}

// Spend takes cost, from 1 to quota, out of the bucket with the key. A bucket holds quota
// when full, as it is when it is new, and fills up within window. It returns what is left
// and no wait; when less than cost is left it takes nothing, and returns in how long there
// will be enough. Should the answer be lost, cost may be taken twice. A server
// that does not answer within a tenth of a second is [feed.CodeUnavailable], and is not
// asked again for a second; of a Cluster the other masters are.
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

// SpendAll does what [Budgets.Spend] does for many buckets of one kind, in one message to
// each server that has some of them, and tells what became of each by its place in keys. It
// calls tell from one goroutine, each time with another place.
func (b *Budgets) SpendAll(ctx context.Context, keys []string, costs []int, quota int, window time.Duration,
	tell func(i, left int, wait time.Duration, err error),
) {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = budgetKey(key)
	}
	results := make([]spending, len(keys))
	// A master that is gone holds up who is paid at the others no longer than itself.
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

// calls returns what asks one server for the buckets at some places of keys, and at which
// places those of each call are.
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

// spending is what became of one bucket: the two numbers that the script says of it, or an
// error.
type spending struct {
	times []int64
	err   error
}

// spendingOf returns what an answer says of the bucket with the given number.
func spendingOf(times []int64, number int, err error) spending {
	if err == nil && len(times) < 2*number+2 {
		err = errors.New("the script does not say what became of each bucket")
	}
	if err != nil {
		return spending{err: err}
	}
	return spending{times: times[2*number : 2*number+2]}
}

func budgetKey(key string) string { return budgetPrefix + key }

// timeOf returns how long a bucket takes to fill in a cost again, in microseconds.
func timeOf(cost, quota int, window time.Duration) int64 {
	return int64(math.Ceil(float64(window.Microseconds()) * float64(cost) / float64(quota)))
}

// spent reads what the script says.
func spent(times []int64, quota int, window time.Duration) (left int, wait time.Duration) {
	full := float64(window.Microseconds())
	left = int(float64(quota) * (full - float64(times[0])) / full)
	return left, time.Duration(times[1]) * time.Microsecond
}
