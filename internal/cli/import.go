package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/app"
)

// importCommand imports records into the database. It needs no Redis: the end of a bulk load raises
// the generation of inboxes, so that servers rebuild them, and servers find the posts of --live in
// the database.
type importCommand struct {
	app.DatabaseSettings
	app.ActivitySettings
	app.SourceSettings
	Files  []string `arg:"" optional:"" help:"Files of JSON lines, plain or compressed by gzip; - is standard input."`
	Strict bool     `help:"Stop at the first line that is bad or differs from the stored record."`
	Update bool     `help:"Apply lines that differ from the stored record: renames, edits, deletions, and edges that users have removed since."`
	graphSettings
	liveSettings
}

// graphSettings configure the import of an edge list.
type graphSettings struct {
	Graph    string `placeholder:"FILE" help:"Edge list, two comma-separated ids per line, to create users and mutual follows from; - is standard input."`
	Directed bool   `help:"With --graph, the first user of an edge follows the second, and not the other way round."`
	IDOffset int64  `placeholder:"N" help:"With --graph, add N to every id, such as 1 if ids begin at 0."`
}

// Check refuses options without a graph.
func (s graphSettings) Check() error {
	if s.Graph == "" && (s.Directed || s.IDOffset != 0) {
		return app.BadSetting("--directed and --id-offset need --graph")
	}
	return nil
}

// read imports the edge list.
func (s graphSettings) read(ctx context.Context, r io.Reader, to feed.Applier, o records.Options) (records.Summary, error) {
	return records.ImportGraph(ctx, r, to, o, records.Graph{Directed: s.Directed, IDOffset: s.IDOffset})
}

// check refuses missing input.
func (c *importCommand) check() error {
	if len(c.Files) == 0 && c.Graph == "" {
		return app.BadSetting("import needs a file of records, - for standard input, or --graph FILE")
	}
	for _, name := range append(c.Files, c.Graph) {
		if name == "" || name == "-" {
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return app.BadSetting("import: %v", err)
		}
		if info.IsDir() {
			return app.BadSetting("import: %s is a directory, not a file of records", name)
		}
	}
	if c.Update && c.Live {
		return app.BadSetting("--update does not work with --live, which plays records as users' actions")
	}
	return app.CheckAll(c.DatabaseSettings, c.ActivitySettings, c.SourceSettings, c.graphSettings, c.liveSettings)
}

// Run imports the edge list, and then the files in order.
func (c *importCommand) Run(ctx context.Context, o output) error {
	if err := c.check(); err != nil {
		return err
	}
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		owned, err := c.UseOwners(ctx, store, slog.New(slog.NewTextHandler(o.err, nil)))
		if err != nil {
			return err
		}
		if c.Graph != "" && store.TextIDs() {
			return app.BadSetting("--graph makes users with numbers as ids; in this database ids are text, so import records")
		}
		if c.Graph != "" && owned.Has(feed.RecordUser) {
			return app.BadSetting("--graph makes users up, but in this database a source owns users; import records of follows instead")
		}
		to := c.sink(store, owned)
		defer to.stop()
		return errors.Join(c.importAll(ctx, o, to), to.endLoad(ctx))
	})
}

// errAllBad is the error of a file without a good line.
var errAllBad = errors.New("every line is bad")

// importAll imports every file. It continues after a file without a good line, and returns that
// error at the end.
func (c *importCommand) importAll(ctx context.Context, o output, to sink) error {
	var allBad error
	each := func(name string, read importer) error {
		err := c.importFile(ctx, o, name, to, read)
		if errors.Is(err, errAllBad) {
			allBad = errors.Join(allBad, err)
			return nil
		}
		return err
	}
	if c.Graph != "" {
		if !c.Directed {
			_, _ = fmt.Fprintf(o.out, "%s: edges are mutual; use --directed to import them as written\n", c.Graph)
		}
		if err := each(c.Graph, c.graphSettings.read); err != nil {
			return err
		}
	}
	for _, file := range c.Files {
		if err := each(file, records.Import); err != nil {
			return err
		}
	}
	return allBad
}

// importer is records.Import or graphSettings.read.
type importer func(context.Context, io.Reader, feed.Applier, records.Options) (records.Summary, error)

func (c *importCommand) importFile(ctx context.Context, o output, name string, to sink, read importer) error {
	in, size, err := openInput(name)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	bar := newBytes(o.err, name, size)
	report := newImportReport(name, o, func() { _ = bar.Clear() })
	began := time.Now()
	sum, err := read(ctx, io.TeeReader(in, bar), to, records.Options{
		Format:    to.format,
		BatchSize: to.batchSize, Owned: to.owned, Upstream: c.Upstream(), ActiveFor: c.ActiveFor, Strict: c.Strict, Update: c.Update, Bulk: to.loads != nil,
		Grown: orWarn(to.grown, report.slow), Refused: report.bad.add, Different: report.differ, Updated: report.update, Noted: report.notes.add,
	})
	_ = bar.Finish()
	report.end(sum, to.done, time.Since(began), err)
	switch {
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: interrupted near line %d; run the same import again to continue", name, sum.Lines)
	case err != nil && sum.Lines == 0:
		return fmt.Errorf("%s: %w", name, err)
	case err != nil:
		return fmt.Errorf("%s: near line %d: %w", name, sum.Lines, err)
	case sum.AllBad():
		return fmt.Errorf("%s: %w", name, errAllBad)
	}
	return nil
}

// orWarn warns about failures of grown instead of returning them, because the records are stored.
// Only the end of the context ends the import.
func orWarn(grown func(context.Context) error, warn func(error)) func(context.Context) error {
	if grown == nil {
		return nil
	}
	return func(ctx context.Context) error {
		if err := grown(ctx); err != nil && ctx.Err() == nil {
			warn(err)
		}
		return ctx.Err()
	}
}

// openInput opens a file, or standard input for "-", whose size is -1.
func openInput(name string) (io.ReadCloser, int64, error) {
	if name == "-" {
		return io.NopCloser(bufio.NewReader(os.Stdin)), -1, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}
