package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/connect/compare"
	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// compareSettings say with what the stored objects are compared.
type compareSettings struct {
	Name   string `name:"mirror-name" env:"TIDELINE_MIRROR_NAME" default:"mirror" placeholder:"NAME" help:"With --source: name of the mirror, or of the source of the dump (${default})."`
	Source string `name:"mirror-source" env:"TIDELINE_MIRROR_SOURCE" placeholder:"URL" help:"With --source: the PostgreSQL database that is mirrored."`
	Map    string `name:"mirror-map" env:"TIDELINE_MIRROR_MAP" placeholder:"FILE" help:"With --source: the mapping file of the mirror."`
}

// Mirror compares the source of a mirror with what is stored.
func (s compareSettings) Mirror(ctx context.Context, store *sqlstore.Store, log *slog.Logger, progress func(int)) (*compare.Result, error) {
	name := mirrorName{s.Name}
	if err := name.Check(); err != nil {
		return nil, err
	}
	if s.Source == "" || s.Map == "" {
		return nil, app.BadSetting("--source needs TIDELINE_MIRROR_SOURCE and TIDELINE_MIRROR_MAP, as tideline mirror run has them, or a dump")
	}
	file, err := mirrorMap{s.Map}.Read()
	if err != nil {
		return nil, err
	}
	c := mirror.Comparer{
		Source: &mirror.Source{
			URL: s.Source, Name: s.Name, Names: name.Names(), File: file, Owned: append(feed.OwnedTypes(), feed.RecordCounters),
			TextIDs: store.TextIDs(), Store: store, Holds: store, Clock: time.Now, Log: log,
		},
		Stored: store, ID: 1 + rand.Int64N(1<<62), Wait: func(ctx context.Context, d time.Duration) error { return await(ctx, time.After(d)) }, Progress: progress,
	}
	return c.Run(ctx)
}

// Dump compares records in a file with what is stored. Each of positions, PARTITION:POSITION, must be
// where the source is applied up to.
func (s compareSettings) Dump(ctx context.Context, store *sqlstore.Store, path string, positions []string, progress func(int)) (result *compare.Result, err error) {
	at, err := compare.ParsePositions(positions)
	if err != nil {
		return nil, app.BadSetting("--position: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, app.BadSetting("%v", err)
	}
	err = store.Snapshot(ctx, func(stored feed.StoredSnapshot) error {
		if err := at.Check(ctx, stored, s.Name); err != nil {
			return err
		}
		c := compare.Comparison{Source: &compare.Dump{Path: path}, Stored: stored, Name: s.Name, TextIDs: store.TextIDs(), Progress: progress}
		result, err = c.Run(ctx)
		return err
	})
	return result, err
}

// compare compares all objects with those of a source, and fails if one differs.
func (c *doctorCommand) compare(ctx context.Context, o output) error {
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		began := time.Now()
		bar := newCount(o.err, "compared", -1)
		progress := func(n int) { _ = bar.Add(n) }
		var result *compare.Result
		var err error
		if c.Dump != "" {
			result, err = c.compareSettings.Dump(ctx, store, c.Dump, c.Position, progress)
		} else {
			result, err = c.Mirror(ctx, store, slog.New(slog.NewTextHandler(o.err, nil)), progress)
		}
		_ = bar.Finish()
		switch {
		case errors.Is(ctx.Err(), context.Canceled):
			return errInterrupted
		case err != nil:
			return err
		}
		result.Took = time.Since(began).Milliseconds()
		if err := o.print(c.JSON, result, result.Write); err != nil {
			return err
		}
		if result.Different > 0 {
			return fmt.Errorf("found objects that differ from the source: %d; docs/mirror.md says what to do", result.Different)
		}
		return nil
	})
}
