package app

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
	"github.com/tideline-feeds/tideline/tasks"
)

// Checks that need no running server belong into the command doctor as well.
func (c *Server) monitor(a *services, st *stores, start Start) *warnings.Monitor {
	worker := &workerWatch{workers: a.queue.Workers, hasWork: a.hasWork(st), clock: time.Now}
	checks := append(slices.Clone(start.Checks), NoWorkerCheck(worker.look))
	checks = append(checks, WritesCheck("database_refuses", "database", func(context.Context) error { return st.sql.Refused() }))
	checks = append(checks, RedisChecks(c.redis(), st.redis, st.queue)...)
	var settles func(gateway.Doubt, netip.Addr) bool
	if c.Role != RoleWorker { // which has no settings about proxies
		settles = c.proxies().Settle
	}
	checks = append(checks, proxyChecks(st.sql, false, settles)...)
	return warnings.New(start.Log, checks...)
}

// NoWorkerCheck returns the check for work without a worker. look returns [NoWorkerMessage] or an
// empty text.
func NoWorkerCheck(look func(context.Context) (string, error)) warnings.Check {
	return warnings.Check{
		Name: "no_worker",
		Action: "start tideline worker, or serve --role=all, with this database and this queue Redis; " +
			"nothing is lost, but new posts reach most followers only when one runs",
		Evaluate: look,
	}
}

// WorkerGoneFor delays the warning about missing workers. A restart takes some seconds.
const WorkerGoneFor = 30 * time.Second

// workerWatch tracks since when there is no worker.
type workerWatch struct {
	workers func(context.Context) (int, error)
	// hasWork reports whether work is waiting.
	hasWork func(context.Context) (bool, error)
	clock   feed.Clock
	// since is when no worker was seen first; zero if there is one.
	since time.Time
}

// look returns a warning if there was no worker for [WorkerGoneFor] and work is waiting.
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
	if now.Sub(w.since) < WorkerGoneFor {
		return "", nil
	}
	waits, err := w.hasWork(ctx)
	if err != nil || !waits {
		return "", err
	}
	return NoWorkerMessage, nil
}

// NoWorkerMessage is the message of [NoWorkerCheck].
const NoWorkerMessage = "no worker for 30 seconds, and work is waiting"

// hasWork also looks for fan-outs in the database, whose tasks may be lost with a Redis.
func (a *services) hasWork(st *stores) func(context.Context) (bool, error) {
	return func(ctx context.Context) (bool, error) {
		queues, err := a.queue.Inspect(ctx)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(queues, func(q tasks.QueueState) bool { return Waiting(q) > 0 }) {
			return true, nil
		}
		now := feed.Millis(time.Now())
		pending, err := st.sql.Pending(ctx, now, feed.Waits{}.DueBy(now))
		return pending.Events+pending.Slices > 0, err
	}
}

// redisSource is a Redis that can be checked.
type redisSource interface {
	// EvictionPolicies returns the maxmemory-policy of each server.
	EvictionPolicies(ctx context.Context) ([]string, error)
	// CheckWrites returns an error if a server refuses writes.
	CheckWrites(ctx context.Context) error
}

// RedisChecks returns checks of Redis servers, unless embedded: eviction policy, and writes.
func RedisChecks(s RedisServers, main, queue redisSource) []warnings.Check {
	var checks []warnings.Check
	add := func(name string, server RedisServer, redis redisSource) {
		checks = append(checks, policyCheck(name+"_policy", server, redis),
			WritesCheck(name+"_refuses", "Redis of "+server.Flag, redis.CheckWrites))
	}
	if s.Main.URL != Embedded {
		add("redis", s.Main, main)
	}
	if s.Queue.URL != Embedded && s.Queue.URL != s.Main.URL {
		add("queue_redis", s.Queue, queue)
	}
	return checks
}

// WritesCheck returns the check for a store that refuses writes. refused returns the reason; only
// errors with [feed.CodeUnavailable] cause a warning.
func WritesCheck(name, store string, refused func(context.Context) error) warnings.Check {
	return warnings.Check{
		Name:      name,
		ActionFor: writesAction,
		Evaluate: func(ctx context.Context) (string, error) {
			err := refused(ctx)
			var known *feed.Error
			if errors.As(err, &known) && known.Code == feed.CodeUnavailable {
				return fmt.Sprintf("writes to the %s fail: %s", store, known.Message), nil
			}
			return "", err
		},
	}
}

// writesAction returns what to do about the reason in a message.
func writesAction(message string) string {
	action := "read its log"
	for _, of := range []struct{ reason, action string }{
		{"cannot be reached", "start it, or mend its address in the settings or the network"},
		{"full", "make room for its data, or give it more"},
		{"let this program in", "mend user and password in its address, or the rights of the user"},
		{"replica", "make its master take writes, or name the master in the settings"},
		{"has no connection left", "let it take more connections"},
	} {
		if strings.Contains(message, of.reason) {
			action = of.action
			break
		}
	}
	return action + "; without writes to the database posts are refused, without writes to a Redis they reach followers later"
}

func policyCheck(name string, server RedisServer, redis redisSource) warnings.Check {
	return warnings.Check{
		Name: name,
		Action: "set maxmemory-policy noeviction on every server of that Redis, in its configuration and by CONFIG SET: " +
			"under any other policy a full Redis drops tasks and inboxes",
		Evaluate: func(ctx context.Context) (string, error) {
			policies, err := redis.EvictionPolicies(ctx)
			if err != nil {
				return "", err
			}
			return policyMessage(server.Flag, policies), nil
		},
	}
}

// policyMessage names the policies other than noeviction; empty if there are none.
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

// Waiting returns the number of unfinished tasks that are not running.
func Waiting(q tasks.QueueState) int { return q.Pending + q.Scheduled + q.Retry }
