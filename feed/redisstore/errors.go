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

// condition is a state in which Redis is there but cannot serve now, as its replies tell.
type condition struct {
	reach reach
	// reason says for clients and operators what is wrong, after "Redis".
	reason string
	// prefixes begin the replies, without "ERR ".
	prefixes []string
}

// conditions returns all conditions; the first one counts that a reply fits.
func conditions() []condition {
	const refused = "does not let this program in"
	return []condition{
		{slotOnly, "misses a slot of its Cluster", []string{"CLUSTERDOWN Hash slot not served"}},
		{slotOnly, "is moving a slot of its Cluster", []string{"TRYAGAIN "}},
		{serverWide, "misses a part of its Cluster", []string{"CLUSTERDOWN "}},
		{serverWide, "is loading its data", []string{"LOADING "}},
		{serverWide, "is full", []string{"OOM "}},
		{serverWide, "cannot save its data", []string{"MISCONF "}},
		{serverWide, "takes no writes, since it is a replica", []string{"READONLY "}},
		{serverWide, "takes no writes, since it has too few replicas", []string{"NOREPLICAS "}},
		{serverWide, "has lost its master", []string{"MASTERDOWN "}},
		{serverWide, "is busy with a script", []string{"BUSY "}},
		{serverWide, "has no connection left", []string{"max number of clients"}},
		{serverWide, refused, []string{"NOAUTH ", "WRONGPASS ", "NOPERM "}},
	}
}

// notNow returns for which keys an error is the reply of a Redis that is there but cannot
// serve now. Waiting for it costs a page as much as a refused connection does.
func notNow(err error) reach { return conditionOf(err).reach }

// conditionOf returns the condition that an error is a reply of, and the zero value for any
// other error.
func conditionOf(err error) condition {
	text := replyText(err)
	if text == "" {
		return condition{}
	}
	for _, c := range conditions() {
		if hasAnyPrefix(text, c.prefixes...) {
			return c
		}
	}
	return condition{}
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
// serve, with a message that says why, and otherwise, since Redis then refused what it was told, a plain error: a
// fault in this package. It returns nil for nil.
func failed(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if ended := ended(ctx); ended != nil {
		return ended
	}
	if c := conditionOf(err); c.reason != "" {
		return feed.CannotServe("Redis", c.reason, err)
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
