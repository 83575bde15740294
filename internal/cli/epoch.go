package cli

import (
	"context"
	"fmt"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// epochCommand draws a new epoch of the change log, so that no process continues at a place of the
// lost database.
type epochCommand struct {
	app.DatabaseSettings
	Action string `arg:"" enum:"new" help:"new draws an epoch."`
}

func (c *epochCommand) Run(ctx context.Context, o output) error {
	if err := app.CheckAll(c.DatabaseSettings); err != nil {
		return err
	}
	if err := c.CheckExists("epoch new"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		before, err := store.LastChange(ctx)
		if err != nil {
			return err
		}
		if err := store.NewEpoch(ctx); err != nil {
			return err
		}
		after, err := store.LastChange(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(o.out, "the change log is in epoch %d, before in %d; all earlier places are refused, "+
			"and servers drop their caches within a second\n", after.Epoch, before.Epoch)
		return err
	})
}
