package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Any client may send texts, and this Redis evicts nothing. In any textFor at most textsMax bytes
// are stored, so there are never more than twice as many. textOverhead is added to the size of each
// text, so that many short ones are limited too: key and expiry take about 220 bytes of Redis.
const (
	textFor      = 24 * time.Hour
	textsMax     = 32 << 20
	textOverhead = 256
)

const (
	textPrefix = "tideline:document:"
	textBudget = "documents"
)

// Texts stores the texts of GraphQL documents by hash, for all processes that share the Redis.
type Texts struct {
	redis         redis.UniversalClient
	reads, writes *breaker
	budgets       *Budgets
}

// NewTexts returns the texts in the client's Redis. The caller closes the client.
func NewTexts(c *Client) *Texts {
	return &Texts{
		redis: c.redis, budgets: NewBudgets(c),
		reads: newBreaker(time.Now, budgetWithin), writes: newBreaker(time.Now, budgetWithin),
	}
}

// Text returns the text stored under the hash, or "", with the timeout of [Budgets.Spend].
func (t *Texts) Text(ctx context.Context, hash string) (text string, err error) {
	name := textPrefix + hash
	err = t.reads.call(ctx, targetOf(ctx, t.redis, name), func(ctx context.Context) (err error) {
		text, err = t.redis.Get(ctx, name).Result()
		if errors.Is(err, redis.Nil) {
			return nil
		}
		return err
	})
	return text, failed(ctx, err)
}

// KeepText stores a text under its hash for a day, unless texts of 32 MiB with their overhead have
// been stored within the last one.
func (t *Texts) KeepText(ctx context.Context, hash, text string) error {
	size := textOverhead + len(text)
	if text == "" || size > textsMax {
		return nil
	}
	_, wait, err := t.budgets.Spend(ctx, textBudget, size, textsMax, textFor)
	if err != nil || wait > 0 {
		return err
	}
	name := textPrefix + hash
	return failed(ctx, t.writes.call(ctx, targetOf(ctx, t.redis, name), func(ctx context.Context) error {
		return t.redis.Set(ctx, name, text, textFor).Err()
	}))
}
