package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// exportCommand exports all records. It needs no Redis and does not disturb servers.
type exportCommand struct {
	app.DatabaseSettings
	File  string `arg:"" optional:"" default:"-" help:"Output file, readable only by its owner; - is standard output (${default})."`
	Force bool   `help:"Overwrite an existing file."`
}

// check refuses to create an empty database and to overwrite a file.
func (c *exportCommand) check() error {
	if err := c.DatabaseSettings.Check(); err != nil {
		return err
	}
	if err := c.CheckExists("export"); err != nil {
		return err
	}
	return c.checkFile()
}

// checkFile refuses to replace devices and links, even with --force: users who name one want to
// write into it.
func (c *exportCommand) checkFile() error {
	if c.File == "-" {
		return nil
	}
	info, err := os.Lstat(c.File)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return app.BadSetting("export: %v", err)
	case !info.Mode().IsRegular():
		return app.BadSetting("export: %s is not a file; to write into it, export to - and redirect the output", c.File)
	case !c.Force:
		return app.BadSetting("export: %s already exists; choose another file, or overwrite it with --force", c.File)
	}
	return nil
}

func (c *exportCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		if c.File == "-" {
			return c.export(ctx, o.err, store, formatOf(store), o.out)
		}
		return c.exportFile(ctx, o.err, store, formatOf(store))
	}, sqlstore.WithPostgres(sqlstore.Postgres{Standby: true}))
}

// exportFile writes to a temporary file and renames it at the end, so that the file is always
// complete.
func (c *exportCommand) exportFile(ctx context.Context, progress io.Writer, from feed.Exporter, format records.Format) error {
	part, err := os.CreateTemp(filepath.Dir(c.File), "."+filepath.Base(c.File)+".*")
	if err != nil {
		return app.BadSetting("export: %v; choose a file in a writable directory", err)
	}
	defer func() { _ = os.Remove(part.Name()) }() // in vain once it has its name
	err = c.export(ctx, progress, from, format, part)
	if err == nil {
		err = part.Sync()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	// The file may have been created during the export.
	if err := c.checkFile(); err != nil {
		return err
	}
	return os.Rename(part.Name(), c.File)
}

// export writes the records to w, and progress and totals to progress.
func (c *exportCommand) export(ctx context.Context, progress io.Writer, from feed.Exporter, format records.Format, w io.Writer) error {
	name := c.File
	if name == "-" {
		name = "standard output"
	}
	bar := newBytes(progress, name, -1)
	began := time.Now()
	done, err := records.Export(ctx, from, format, io.MultiWriter(w, bar))
	_ = bar.Finish()
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: interrupted after %d lines", name, done.Lines())
	case err != nil:
		return fmt.Errorf("%s: after %d lines: %w", name, done.Lines(), err)
	}
	_, _ = fmt.Fprintf(progress, "%s: %d lines: %d users, %d follows, %d posts, %d likes and favorites, %d mutes, hides and blocks, %d live sessions, %d lists with %d members, %d counters, in %v\n",
		name, done.Lines(), done.Users, done.Follows, done.Posts, done.Reactions, done.Relations, done.Live, done.Lists, done.ListMembers, done.Counters, time.Since(began).Round(time.Millisecond))
	return nil
}
