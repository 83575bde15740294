package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// monitor returns what warns the operators of this server. A new warning is one more
// check in this list; those that need no running server go into [doctorCommand.warn] too.
func (c *Server) monitor(a *app, st *stores, start Start) *warnings.Monitor {
	worker := &workerWatch{workers: a.queue.Workers, waits: a.waits(st), clock: time.Now}
	checks := append(slices.Clone(start.Checks), noWorkerCheck(worker.look))
	checks = append(checks, writesCheck("database_refuses", "database", func(context.Context) error { return st.sql.Refused() }))
	checks = append(checks, redisChecks(c.redis(), st.redis, st.queue)...)
	return warnings.New(start.Log, checks...)
}

// noWorkerCheck warns that work waits and no process does it.
func noWorkerCheck(look func(context.Context) (string, error)) warnings.Check {
	return warnings.Check{
		Name: "no_worker",
		Action: "start tideline worker, or serve --role=all, with this database and this Redis of the queues; " +
			"nothing is lost meanwhile, but what is published reaches most followers only when one runs",
		Look: look,
	}
}

// workerGoneFor is how long no worker may be seen: a restart takes some seconds.
const workerGoneFor = 30 * time.Second

// workerWatch remembers since when no worker was seen.
type workerWatch struct {
	workers func(context.Context) (int, error)
	// waits says whether there is work to do.
	waits func(context.Context) (bool, error)
	clock feed.Clock
	// since is when no worker was seen for the first time; zero while one is.
	since time.Time
}

// look returns a warning if no worker was seen for [workerGoneFor] and work waits.
func (w *workerWatch) look(ctx context.Context) (string, error) {
	n, err := w.workers(ctx)
	if err != nil {
		return "", err
	}
	now := w.clock()
	switch {
	case n > 0:
		w.since = time.Time{}
		return "", nil
	case w.since.IsZero():
		w.since = now
	}
	if now.Sub(w.since) < workerGoneFor {
		return "", nil
	}
	waits, err := w.waits(ctx)
	if err != nil || !waits {
		return "", err
	}
	return noWorkerMessage, nil
}

const noWorkerMessage = "no worker has been seen for 30 seconds, and work waits for one"

// waits returns a function that says whether tasks wait in the queues, or fan-outs in the
// database, whose tasks a Redis that lost its data does not have any more.
func (a *app) waits(st *stores) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		queues, err := a.queue.Inspect(ctx)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(queues, func(q tasks.QueueState) bool { return waiting(q) > 0 }) {
			return true, nil
		}
		now := feed.Millis(time.Now())
		pending, err := st.sql.Pending(ctx, now, feed.Waits{}.DueBy(now))
		return pending.Events+pending.Slices > 0, err
	}
}

// policySource returns the maxmemory-policy of each server of a Redis.
type policySource interface {
	EvictionPolicies(ctx context.Context) ([]string, error)
}

// redisSource is what the checks ask of a Redis.
type redisSource interface {
	policySource
	// CheckWrites returns why a server takes no writes, or nil.
	CheckWrites(ctx context.Context) error
}

// redisChecks warn about every Redis of the servers that may evict keys or takes no writes.
// The one in this process does neither.
func redisChecks(s redisServers, main, queue redisSource) []warnings.Check {
	var checks []warnings.Check
	add := func(name string, server redisServer, redis redisSource) {
		checks = append(checks, policyCheck(name+"_policy", server, redis),
			writesCheck(name+"_refuses", "Redis of "+server.flag, redis.CheckWrites))
	}
	if s.main.url != embedded {
		add("redis", s.main, main)
	}
	if s.queue.url != embedded && s.queue.url != s.main.url {
		add("queue_redis", s.queue, queue)
	}
	return checks
}

// writesCheck warns that a store does not take writes, or did not a moment ago.
func writesCheck(name, store string, refused func(context.Context) error) warnings.Check {
	return warnings.Check{
		Name: name,
		Action: "make room for its data if it is full, and see its log otherwise; " +
			"what is published meanwhile is refused if the database takes no writes, and reaches followers later if a Redis does not",
		Look: func(ctx context.Context) (string, error) {
			err := refused(ctx)
			var known *feed.Error
			if errors.As(err, &known) && known.Code == feed.CodeUnavailable {
				return fmt.Sprintf("writes to the %s fail: %s", store, known.Message), nil
			}
			return "", err
		},
	}
}

// policyCheck warns about a Redis that may evict keys.
func policyCheck(name string, server redisServer, redis policySource) warnings.Check {
	return warnings.Check{
		Name: name,
		Action: "set maxmemory-policy noeviction on every server of that Redis, in its configuration and by CONFIG SET: " +
			"under any other policy a full Redis drops tasks and inboxes",
		Look: func(ctx context.Context) (string, error) {
			policies, err := redis.EvictionPolicies(ctx)
			if err != nil {
				return "", err
			}
			return policyMessage(server.flag, policies), nil
		},
	}
}

// policyMessage says which other policies than noeviction there are, and "" if none is.
func policyMessage(flag string, policies []string) string {
	others := slices.DeleteFunc(slices.Clone(policies), func(p string) bool { return p == redisstore.KeepsKeys })
	if len(others) == 0 {
		return ""
	}
	n := len(others)
	slices.Sort(others)
	text := fmt.Sprintf("the Redis of %s runs with maxmemory-policy %s", flag, strings.Join(slices.Compact(others), " and "))
	if len(policies) > 1 {
		text += fmt.Sprintf(" on %d of %d servers", n, len(policies))
	}
	return text
}
