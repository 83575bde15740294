package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/connect/mirror/propose"
	"github.com/tideline-feeds/tideline/internal/app"
)

// readSource calls a function with a transaction that can change nothing.
func readSource(ctx context.Context, url string, read func(mirror.Querier, *mirror.Catalog) error) error {
	conn, err := mirror.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect to the source: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // nothing was written
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return pgx.BeginTxFunc(ctx, conn, options, func(tx pgx.Tx) error {
		catalog, err := mirror.Inspect(ctx, tx)
		if err != nil {
			return fmt.Errorf("read the catalog of the source: %w", err)
		}
		return read(tx, catalog)
	})
}

// mirrorInitCommand proposes a mapping file. On a terminal it asks what rows do not tell.
type mirrorInitCommand struct{ mirrorSource }

func (c *mirrorInitCommand) Run(ctx context.Context, o output) error {
	return readSource(ctx, c.Source, func(q mirror.Querier, catalog *mirror.Catalog) error {
		return propose.Write(ctx, o.out, catalog, q, newTerminalAsker(os.Stdin, o.err))
	})
}

// mirrorCheckCommand tries a mapping file on the rows of a source.
type mirrorCheckCommand struct {
	mirrorName
	mirrorSource
	mirrorMap
}

// Run fails if a mirror cannot run.
func (c *mirrorCheckCommand) Run(ctx context.Context, o output) error {
	if err := c.mirrorName.Check(); err != nil {
		return err
	}
	file, err := c.Read()
	if err != nil {
		return err
	}
	return readSource(ctx, c.Source, func(q mirror.Querier, catalog *mirror.Catalog) error {
		m, err := mirror.NewMapper(file, catalog)
		if err != nil {
			return app.BadSetting("--map: %s:\n%v", c.Map, err)
		}
		result, err := m.Check(ctx, q, c.Names(), time.Now())
		if err != nil {
			return err
		}
		if err := result.Write(o.out); err != nil {
			return err
		}
		if n := result.Faults(); n > 0 {
			return fmt.Errorf("a mirror of this source cannot run yet; faults: %d", n)
		}
		return nil
	})
}
