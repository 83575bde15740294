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

// Identity tells the inboxes of one Redis from those that are kept anywhere else. Make one
// with [NewIdentity].
//
// A Redis is known by a random number that lies in it like any other key: replicas and
// files have it too, so a takeover or a restart with its data leaves it as it is. Where it
// is missing whoever asks writes it, and a process that has known one writes that again: so
// a Redis which loses everything while processes run stays the same one to them. That it is
// empty is for its pulse to tell ([Pulses]).
type Identity struct {
	redis  redis.UniversalClient
	name   string
	layout int64
	// known is the number as it was read last; 0 before.
	known atomic.Int64
}

// NewIdentity returns the identity of the inboxes which the client's Redis keeps in a
// layout. The client stays the caller's to close.
func NewIdentity(c *Client, layout int64) *Identity {
	i := &Identity{redis: c.redis, name: identityKey, layout: layout}
	if c.Sharded() {
		i.name = clusterIdentityKey
	}
	return i
}

const (
	// layoutBits is how much of the number that [Identity.Layout] returns is the layout.
	layoutBits = 8
	// identities is how many numbers a Redis may be known by. With the layout beside them
	// they are below 2^53, which whatever shows them can show.
	identities = 1 << 44
	// identityWithin is how long to wait for a Redis that is known already: the one behind
	// an address seldom changes, and the holds that wait for the answer are due soon.
	identityWithin = time.Second
)

// Layout returns one number for this Redis and the layout together, from 256 on, so none
// that a layout has by itself. It takes a round trip, and three when there is no number yet.
// While Redis does not answer it is what was known before; when that is nothing, an error
// of code [feed.CodeUnavailable].
func (i *Identity) Layout(ctx context.Context) (int64, error) {
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
	return number<<layoutBits | i.layout, nil
}

// ask returns the number in Redis, and before that writes one where there is none: what
// was known, if anything was.
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
		// Of many who write at once one is let through, so what stands there is read again.
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
