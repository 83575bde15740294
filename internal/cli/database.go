package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// withDatabase opens the database for a command that needs nothing else, calls do,
// and closes it again. Such commands have no settings of a log: what is migrated, they
// say where they say all that is no result.
func withDatabase(ctx context.Context, s app.DatabaseSettings, o output, do func(*sqlstore.Store) error, options ...sqlstore.Option) error {
	store, err := app.OpenSQL(ctx, s, slog.New(slog.NewTextHandler(o.err, nil)), options...)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}
