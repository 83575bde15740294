package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// withDatabase calls do with the database. Commands that use it have no log settings, so it logs
// migrations to standard error.
func withDatabase(ctx context.Context, s app.DatabaseSettings, o output, do func(*sqlstore.Store) error, options ...sqlstore.Option) error {
	store, err := app.OpenSQL(ctx, s, slog.New(slog.NewTextHandler(o.err, nil)), options...)
	if err != nil {
		return err
	}
	return errors.Join(do(store), store.Close())
}
