package main

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/internal/warnings"
)

// serveCommand runs a server.
type serveCommand struct{ Server }

// Run serves until ctx ends.
func (c *serveCommand) Run(ctx context.Context, o output, env environment) error {
	at := time.Now()
	if err := c.check(); err != nil {
		return err
	}
	if err := c.try(ctx); err != nil {
		return err
	}
	log := c.logger(o.err)
	env.logOthers(log)
	return c.Serve(ctx, Start{At: at, Out: o.out, Log: log, Checks: []warnings.Check{env.check()}})
}

// workerCommand is serve --role=worker.
type workerCommand struct{ serverSettings }

// Run does the background work until ctx ends.
func (c *workerCommand) Run(ctx context.Context, o output, env environment) error {
	return (&serveCommand{Server{serverSettings: c.serverSettings, Role: roleWorker}}).Run(ctx, o, env)
}
