package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// mirrorCommand mirrors the tables of another system.
type mirrorCommand struct {
	Run        mirrorRunCommand        `cmd:"" default:"withargs" help:"Read a snapshot of the tables, then follow their changes until it is stopped. This is the default."`
	Init       mirrorInitCommand       `cmd:"" help:"Propose a mapping file for the tables of a source, and print it. Changes nothing."`
	Check      mirrorCheckCommand      `cmd:"" help:"Try a mapping file on rows of the source, and list what the source lacks, with the statements to run. Fails if a mirror cannot run."`
	Resnapshot mirrorResnapshotCommand `cmd:"" help:"Ask the running or next tideline mirror run to read tables again, while feeds are served."`
	Drop       mirrorDropCommand       `cmd:"" help:"Remove the slot and the publication from the source, and the state of the mirror. What it has written stays."`
}

// mirrorRunCommand runs a mirror.
type mirrorRunCommand struct {
	app.ServerSettings
	app.MirrorSettings
}

func (c *mirrorRunCommand) Run(ctx context.Context, o output, env environment) error {
	if err := c.MirrorSettings.Check(); err != nil {
		return err
	}
	server := app.Server{ServerSettings: c.ServerSettings, Role: app.RoleWorker, Reads: c.MirrorSettings}
	return (&serveCommand{Server: server, checks: c.MirrorChecks()}).Run(ctx, o, env)
}

// mirrorResnapshotCommand asks for a snapshot.
type mirrorResnapshotCommand struct {
	app.DatabaseSettings
	app.MirrorName
	Tables []string `arg:"" optional:"" name:"table" help:"Tables as the mapping file names them, such as public.users; all if there are none."`
}

func (c *mirrorResnapshotCommand) Run(ctx context.Context, o output) error {
	if err := app.CheckAll(c.DatabaseSettings, c.MirrorName); err != nil {
		return err
	}
	if err := c.CheckExists("mirror resnapshot"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		state, err := store.Mirror(ctx, c.Name)
		if err != nil {
			return err
		}
		if state.Slot == "" {
			return fmt.Errorf("there is no mirror %s in this database; tideline mirror run begins with a snapshot", c.Name)
		}
		if err := store.RequestSnapshot(ctx, c.Name, c.Tables); err != nil {
			return err
		}
		what := "all tables"
		if len(c.Tables) > 0 {
			what = strings.Join(slices.Sorted(slices.Values(c.Tables)), ", ")
		}
		_, err = fmt.Fprintf(o.out, "tideline mirror run reads %s again, with all tables that make the same types\n", what)
		return err
	})
}

// mirrorDropCommand ends a mirror.
type mirrorDropCommand struct {
	app.DatabaseSettings
	app.MirrorName
	app.MirrorSource
}

func (c *mirrorDropCommand) Run(ctx context.Context, o output) error {
	if err := app.CheckAll(c.DatabaseSettings, c.MirrorName); err != nil {
		return err
	}
	if err := c.CheckExists("mirror drop"); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		if err := app.DropMirror(ctx, c.MirrorName, c.MirrorSource, store); err != nil {
			return err
		}
		_, err := fmt.Fprintf(o.out, "dropped the slot and the publication %s, and the state of the mirror\n", c.Names().Slot)
		return err
	})
}
