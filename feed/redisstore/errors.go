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

const (
	servesNow reach = iota
	slotOnly
	serverWide
)

// condition is a state in which Redis replies but cannot serve.
type condition struct {
	reach reach
	// reason goes after "Redis" in errors, for clients and operators.
	reason string
	// prefixes begin the replies, without "ERR ".
	prefixes []string
}

// conditions returns all conditions. The first one that matches a reply counts.
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

// notNow returns for which keys an error is the reply of a Redis that cannot serve now. Waiting for
// it costs a page as much as a refused connection.
func notNow(err error) reach { return conditionOf(err).reach }

// conditionOf returns the zero value for an error that is no such reply.
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

// replyText drops the words around an error inside a script. It is empty if the error is no reply.
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

// failed returns the context's own error if that has ended, and [feed.CodeUnavailable] if Redis did
// not reply or cannot serve. Else the error is plain: this package is at fault.
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

func answered(err error) bool {
	var reply redis.Error
	return errors.As(err, &reply)
}

// outage reports whether the error is a reply of [notNow], or a redirection that is left after the
// client has followed as many as it may.
func outage(err error) bool {
	return notNow(err) != servesNow || hasAnyPrefix(replyText(err), "MOVED ", "ASK ")
}

// ended also asks the clock, because a socket's deadline may pass a moment before the context's.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if deadline, ok := ctx.Deadline(); ok && !time.Now().Before(deadline) {
		return context.DeadlineExceeded
	}
	return nil
}
