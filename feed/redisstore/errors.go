package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// outages begin the replies of a Redis that is there but cannot serve now: it loads
// its data, is or lost its master, moves a slot, is full, is busy, or does not let
// this client in.
func outages() []string {
	return []string{
		"LOADING", "READONLY", "MASTERDOWN", "NOREPLICAS", "CLUSTERDOWN", "MOVED", "ASK", "TRYAGAIN",
		"MISCONF", "OOM", "BUSY", "max number of clients", "NOAUTH", "WRONGPASS", "NOPERM",
	}
}

// failed turns an error of the client into one of the port's: the context's own
// when that has ended, [feed.CodeUnavailable] when Redis did not answer or could not
// serve, and otherwise, since Redis then refused what it was told, a plain error: a
// fault in this package. It returns nil for nil.
func failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ended(ctx); ended != nil {
		return ended
	}
	if !answered(err) || outage(err) {
		return feed.Unavailable("Redis", err)
	}
	return fmt.Errorf("redis: %w", err)
}

// answered says whether the error is Redis' answer, and not the lack of one.
func answered(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// outage says whether the error is the answer of a Redis that cannot serve now.
func outage(err error) bool {
	return slices.ContainsFunc(outages(), func(prefix string) bool { return redis.HasErrorPrefix(err, prefix) })
}

// ended returns the context's error. A socket's deadline is set to the context's and
// may strike a moment earlier, so the clock is asked too.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return nil
}
