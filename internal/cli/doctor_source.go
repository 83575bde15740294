package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"text/tabwriter"
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
func (s compareSettings) Mirror(ctx context.Context, store *sqlstore.Store, log *slog.Logger, progress func(int)) (*compare.Report, error) {
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
func (s compareSettings) Dump(ctx context.Context, store *sqlstore.Store, path string, positions []string, progress func(int)) (report *compare.Report, err error) {
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
		report, err = c.Run(ctx)
		return err
	})
	return report, err
}

// compare compares all objects with those of a source, and fails if one differs.
func (c *doctorCommand) compare(ctx context.Context, o output) error {
	return withDatabase(ctx, c.DatabaseSettings, o, func(store *sqlstore.Store) error {
		began := time.Now()
		bar := newCount(o.err, "compared", -1)
		progress := func(n int) { _ = bar.Add(n) }
		var report *compare.Report
		var err error
		if c.Dump != "" {
			report, err = c.compareSettings.Dump(ctx, store, c.Dump, c.Position, progress)
		} else {
			report, err = c.Mirror(ctx, store, slog.New(slog.NewTextHandler(o.err, nil)), progress)
		}
		_ = bar.Finish()
		switch {
		case errors.Is(ctx.Err(), context.Canceled):
			return errInterrupted
		case err != nil:
			return err
		}
		r := sourceReport{report, time.Since(began)}
		write := r.print
		if c.JSON {
			write = r.printJSON
		}
		if err := write(o.out); err != nil {
			return err
		}
		if report.Different > 0 {
			return fmt.Errorf("found objects that differ from the source: %d; docs/mirror.md says what to do", report.Different)
		}
		return nil
	})
}

// sourceReport is the result of a comparison.
type sourceReport struct {
	*compare.Report
	took time.Duration
}

func (r *sourceReport) print(w io.Writer) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(out, "compared with the source in %v\n", r.took.Round(time.Millisecond))
	for _, n := range r.Counts {
		_, _ = fmt.Fprintf(out, "  %s\t%d in the source\t%d here\n", n.Type, n.Theirs, n.Ours)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	for i := range r.Differences {
		_, _ = fmt.Fprintln(w, &r.Differences[i])
	}
	for i := range r.Explained {
		_, _ = fmt.Fprintln(w, "explained:", &r.Explained[i])
	}
	if max(len(r.Differences), len(r.Explained)) == compare.ListMax {
		_, _ = fmt.Fprintln(w, "and others, which are not listed")
	}
	if r.Rest > 0 {
		_, _ = fmt.Fprintf(w, "enough was found: of %d other parts that differ, the objects were not compared\n", r.Rest)
	}
	if r.Nameless > 0 {
		_, _ = fmt.Fprintf(w, "records of the source without a usable id: %d; tideline ingest dead lists them\n", r.Nameless)
	}
	_, err := fmt.Fprintf(w, "%d objects differ, %d are explained\n", r.Different, r.Excused)
	return err
}

type (
	jsonSource struct {
		Types []jsonCompared `json:"types"`
		// Different counts the objects of Differences, Excused those of Explained. The lists may be
		// shorter.
		Different   int                  `json:"different"`
		Differences []compare.Difference `json:"differences"`
		Excused     int                  `json:"excused"`
		Explained   []compare.Difference `json:"explained"`
		Nameless    int                  `json:"nameless"`
		Rest        int                  `json:"rest"`
		Took        int64                `json:"tookMs"`
	}
	jsonCompared struct {
		Type   feed.RecordType `json:"type"`
		Source int             `json:"source"`
		Here   int             `json:"here"`
	}
)

func (r *sourceReport) printJSON(w io.Writer) error {
	out := jsonSource{
		Types: []jsonCompared{}, Different: r.Different, Differences: append([]compare.Difference{}, r.Differences...),
		Excused: r.Excused, Explained: append([]compare.Difference{}, r.Explained...), Nameless: r.Nameless, Rest: r.Rest, Took: r.took.Milliseconds(),
	}
	for _, n := range r.Counts {
		out.Types = append(out.Types, jsonCompared{n.Type, n.Theirs, n.Ours})
	}
	return printJSON(w, out)
}
