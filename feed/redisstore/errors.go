package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/tideline-feeds/tideline/feed"
)

// reach says for which keys a reply means that Redis cannot serve now.
type reach int

// The reaches.
const (
	// servesNow: the reply does not say so.
	servesNow reach = iota
	// slotOnly: for the keys of one slot of a Cluster.
	slotOnly
	// serverWide: for all keys of the server.
	serverWide
)

// notNow returns for which keys an error is the reply of a Redis that is there but cannot
// serve now: it loads its data, has lost its master or become a replica, misses a part of its
// Cluster, moves a slot, is full, is busy, or does not let this client in. Waiting for it costs
// a page as much as a refused connection does.
func notNow(err error) reach {
	switch text := replyText(err); {
	case hasAnyPrefix(text, "CLUSTERDOWN Hash slot not served", "TRYAGAIN "):
		return slotOnly
	case hasAnyPrefix(text,
		"LOADING ", "READONLY ", "MASTERDOWN ", "NOREPLICAS ", "CLUSTERDOWN ", "MISCONF ", "OOM ", "BUSY ",
		"NOAUTH ", "WRONGPASS ", "NOPERM ", "max number of clients"):
		return serverWide
	}
	return servesNow
}

// replyText returns what Redis replied, without the words around an error that a script met;
// nothing when the error is no reply.
func replyText(err error) string {
	var reply redis.Error
	if !errors.As(err, &reply) {
		return ""
	}
	text := strings.TrimPrefix(reply.Error(), "ERR ")
	// Redis 6 says "ERR Error running script (call to f_1b…): @user_script: 7: -OOM command …".
	if _, inner, found := strings.Cut(text, ": -"); found && strings.HasPrefix(text, "Error running script") {
		return inner
	}
	return text
}

func hasAnyPrefix(text string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
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

// outage says whether the error is the answer of a Redis that cannot serve now, or one about
// where a slot lies that is left when the client has followed as many as it may.
func outage(err error) bool {
	return notNow(err) != servesNow || hasAnyPrefix(replyText(err), "MOVED ", "ASK ")
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
