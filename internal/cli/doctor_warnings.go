package cli

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"

	"github.com/tideline-feeds/tideline/feed/redisstore"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// warn adds the warnings to the report that need no running server.
func (c *doctorCommand) warn(ctx context.Context, env environment, store *sqlstore.Store, r *doctorReport) {
	checks := []warnings.Check{env.check(), app.NoWorkerCheck(func(context.Context) (string, error) { return r.noWorker(), nil })}
	servers := c.Servers(c.Inbox)
	checks = append(checks, app.WritesCheck("database_refuses", "database", store.CheckWrites))
	checks = append(checks, app.RedisChecks(servers, redisReader(servers.Main.URL), redisReader(servers.Queue.URL))...)
	checks = append(checks, app.ProxyChecks(store)...)
	checks = append(checks, app.SourceChecks(store)...)
	m := warnings.New(slog.New(slog.DiscardHandler), checks...)
	m.Evaluate(ctx)
	r.checked, r.Warnings = slices.Sorted(maps.Keys(m.States())), append(r.Warnings, m.Active()...)
}

// noWorker replaces the server's watch for workers: the command cannot watch for half a minute,
// so it checks how long work has been waiting.
func (r *doctorReport) noWorker() string {
	old := func(q jsonQueue) bool { return q.oldest >= app.WorkerGoneFor }
	if r.queuesErr != nil || r.Workers > 0 || r.Pending.Stuck == 0 && !slices.ContainsFunc(r.Queues, old) {
		return ""
	}
	return app.NoWorkerMessage
}

// redisReader connects to the Redis of a URL for each check.
type redisReader string

// EvictionPolicies implements the interface of [app.RedisChecks].
func (url redisReader) EvictionPolicies(ctx context.Context) (policies []string, err error) {
	err = url.connected(ctx, func(c *redisstore.Client) (err error) {
		policies, err = c.EvictionPolicies(ctx)
		return err
	})
	return policies, err
}

// CheckWrites implements the interface of [app.RedisChecks].
func (url redisReader) CheckWrites(ctx context.Context) error {
	return url.connected(ctx, func(c *redisstore.Client) error { return c.CheckWrites(ctx) })
}

func (url redisReader) connected(ctx context.Context, do func(*redisstore.Client) error) error {
	client, err := redisstore.Open(ctx, string(url))
	if err != nil {
		return err
	}
	return errors.Join(do(client), client.Close())
}
