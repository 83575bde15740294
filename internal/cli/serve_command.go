package cli

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/kit/warnings"
)

// serveCommand runs a server.
type serveCommand struct {
	app.Server
	// checks are further checks for warnings.
	checks []warnings.Check
}

func (c *serveCommand) Run(ctx context.Context, o output, env environment) error {
	at := time.Now()
	if err := c.Check(); err != nil {
		return err
	}
	if err := c.Try(ctx); err != nil {
		return err
	}
	log := c.Logger(o.err)
	env.logOthers(log)
	return c.Serve(ctx, app.Start{At: at, Out: o.out, Log: log, Checks: append(c.checks, env.check())})
}

// workerCommand is serve --role=worker.
type workerCommand struct{ app.ServerSettings }

func (c *workerCommand) Run(ctx context.Context, o output, env environment) error {
	return (&serveCommand{Server: app.Server{ServerSettings: c.ServerSettings, Role: app.RoleWorker}}).Run(ctx, o, env)
}
