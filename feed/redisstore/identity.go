package redisstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// Identity identifies the Redis that has the inboxes, by a random number under an ordinary key.
//
// Replicas and files have the key too, so it survives a failover or a restart with data. If it is
// missing, a process writes the number it knows, or else a new one. So a Redis that loses
// everything keeps its identity for running processes; that it is empty shows in its pulse
// ([Pulses]).
type Identity struct {
	redis  redis.UniversalClient
	name   string
	format int64
	// known is the number as last read; 0 before.
	known atomic.Int64
}

// NewIdentity returns the identity of the inboxes of a format. The caller closes the client.
func NewIdentity(c *Client, format int64) *Identity {
	i := &Identity{redis: c.redis, name: identityKey, format: format}
	if c.Sharded() {
		i.name = clusterIdentityKey
	}
	return i
}

const (
	// formatBits is how many low bits of [Identity.Format]'s result hold the format.
	formatBits = 8
	// identities, with the format, stays below 2^53, which every tool can show.
	identities = 1 << 44
	// identityWithin is short: the number seldom changes, and the lease of the format is due soon.
	identityWithin = time.Second
)

// Format returns one number, at least 256, for this Redis and the format. It takes a round trip, or
// three if there is no number yet. While Redis does not reply it returns the last known number, or
// [feed.CodeUnavailable] if there is none.
func (i *Identity) Format(ctx context.Context) (int64, error) {
	known := i.known.Load()
	number, err := i.ask(ctx, known)
	switch {
	case err == nil:
		i.known.Store(number)
	case known == 0:
		return 0, err
	default:
		number = known
	}
	return number<<formatBits | i.format, nil
}

func (i *Identity) ask(ctx context.Context, known int64) (int64, error) {
	if known > 0 {
		bounded, cancel := context.WithTimeout(ctx, identityWithin)
		defer cancel()
		ctx = bounded
	}
	text, err := i.redis.Get(ctx, i.name).Result()
	if errors.Is(err, redis.Nil) {
		if known == 0 {
			known = 1 + rand.Int64N(identities)
		}
		// Of concurrent writes one wins, so the value is read again.
		if err = i.redis.SetNX(ctx, i.name, known, 0).Err(); err == nil {
			text, err = i.redis.Get(ctx, i.name).Result()
		}
	}
	if err != nil {
		return 0, failed(ctx, err)
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 1 || number > identities {
		return 0, fmt.Errorf("the number of this Redis is damaged: %s holds %.40q", i.name, text)
	}
	return number, nil
}
