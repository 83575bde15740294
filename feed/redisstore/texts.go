package redisstore

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// How much is kept. Anybody may send texts, and this Redis evicts nothing, so without a
// bound they would push out what it is for. textsMax are the bytes that are kept in
// textFor, so that there are never more than twice as many: many times what the clients
// of a product have. After textFor, or beyond textsMax, a client sends its text once more.
//
// textOverhead are the bytes that a text counts for beside its own. A name of eighty bytes,
// its place among the keys and its expiry take 220 of Redis (measured, with texts of 17), and
// the shortest texts, of which anybody may send many, are hardly more than that.
const (
	textFor      = 24 * time.Hour
	textsMax     = 32 << 20
	textOverhead = 256
)

// textPrefix begins the names of the keys that hold texts, and textBudget is the name of
// the budget of their bytes.
const (
	textPrefix = "tideline:document:"
	textBudget = "documents"
)

// Texts keeps the texts of GraphQL documents by their hashes, for all processes that share
// the Redis. Make one with [NewTexts].
type Texts struct {
	redis         redis.UniversalClient
	reads, writes *breaker
	budgets       *Budgets
}

// NewTexts returns the texts in the client's Redis. The client stays the caller's to
// close.
func NewTexts(c *Client) *Texts {
	return &Texts{
		redis: c.redis, budgets: NewBudgets(c),
		reads: newBreaker(time.Now, budgetWithin), writes: newBreaker(time.Now, budgetWithin),
	}
}

// Text returns the text that was kept under the hash, empty when there is none. It waits
// as [Budgets.Spend] does.
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

// KeepText keeps a text under its hash for a day, unless 32 MiB of texts, with what Redis
// needs to keep them, have been kept in the last one. A text of more than that is never kept.
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
