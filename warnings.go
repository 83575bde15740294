package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
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
func (c *serveCommand) monitor(a *app, st *stores, env environment, log *slog.Logger) *warnings.Monitor {
	worker := &workerWatch{workers: a.queue.Workers, waits: a.waits(st), clock: time.Now}
	checks := []warnings.Check{env.check(), noWorkerCheck(worker.look)}
	return warnings.New(log, append(checks, policyChecks(c.redis(), st.redis, st.queue)...)...)
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

// policyChecks warn about every Redis of the servers that may evict keys. The one in this
// process does not.
func policyChecks(s redisServers, main, queue policySource) []warnings.Check {
	var checks []warnings.Check
	if s.main.url != embedded {
		checks = append(checks, policyCheck("redis_policy", s.main, main))
	}
	if s.queue.url != embedded && s.queue.url != s.main.url {
		checks = append(checks, policyCheck("queue_redis_policy", s.queue, queue))
	}
	return checks
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

// warn adds to the report what an operator should know of beside its findings, as far as it
// can be found out without a running server.
func (c *doctorCommand) warn(ctx context.Context, env environment, r *doctorReport) {
	checks := []warnings.Check{env.check(), noWorkerCheck(func(context.Context) (string, error) { return r.noWorker(), nil })}
	servers := c.servers(c.Inbox)
	checks = append(checks, policyChecks(servers, policyReader(servers.main.url), policyReader(servers.queue.url))...)
	m := warnings.New(slog.New(slog.DiscardHandler), checks...)
	m.Evaluate(ctx)
	r.checked, r.warnings = slices.Sorted(maps.Keys(m.States())), m.Active()
}

// noWorker is the doctor's [workerWatch]. It cannot watch for half a minute, so it asks
// for how long work has been waiting.
func (r *doctorReport) noWorker() string {
	old := func(q tasks.QueueState) bool { return q.Oldest >= workerGoneFor }
	if r.queuesErr != nil || r.workers > 0 || r.pending.Overdue == 0 && !slices.ContainsFunc(r.queues, old) {
		return ""
	}
	return noWorkerMessage
}

// policyReader is a policySource that connects to the Redis of this URL to ask it.
type policyReader string

// EvictionPolicies implements policySource.
func (url policyReader) EvictionPolicies(ctx context.Context) ([]string, error) {
	client, err := redisstore.Open(ctx, string(url))
	if err != nil {
		return nil, err
	}
	policies, err := client.EvictionPolicies(ctx)
	return policies, errors.Join(err, client.Close())
}
