package app

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"github.com/tideline-feeds/tideline/connect/compare"
	"github.com/tideline-feeds/tideline/connect/mirror"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
)

// CompareSettings say with what the stored objects are compared.
type CompareSettings struct {
	Name   string `name:"mirror-name" env:"TIDELINE_MIRROR_NAME" default:"mirror" placeholder:"NAME" help:"With --source: name of the mirror, or of the source of the dump (${default})."`
	Source string `name:"mirror-source" env:"TIDELINE_MIRROR_SOURCE" placeholder:"URL" help:"With --source: the PostgreSQL database that is mirrored."`
	Map    string `name:"mirror-map" env:"TIDELINE_MIRROR_MAP" placeholder:"FILE" help:"With --source: the mapping file of the mirror."`
}

// Mirror compares the source of a mirror with what is stored.
func (s CompareSettings) Mirror(ctx context.Context, store *sqlstore.Store, log *slog.Logger, progress func(int)) (*compare.Report, error) {
	name := MirrorName{s.Name}
	if err := name.Check(); err != nil {
		return nil, err
	}
	if s.Source == "" || s.Map == "" {
		return nil, BadSetting("--source needs TIDELINE_MIRROR_SOURCE and TIDELINE_MIRROR_MAP, as tideline mirror run has them, or a dump")
	}
	file, err := MirrorMap{s.Map}.Read()
	if err != nil {
		return nil, err
	}
	c := mirror.Comparer{
		Source: &mirror.Source{
			URL: s.Source, Name: s.Name, Names: name.Names(), File: file, Owned: append(feed.OwnedTypes(), feed.RecordCounters),
			TextIDs: store.TextIDs(), Store: store, Holds: store, Clock: time.Now, Log: log,
		},
		Stored: store, ID: 1 + rand.Int64N(1<<62), Wait: wait, Progress: progress,
	}
	return c.Run(ctx)
}

// Dump compares records in a file with what is stored. Each of positions, PARTITION:POSITION, must be
// where the source is applied up to.
func (s CompareSettings) Dump(ctx context.Context, store *sqlstore.Store, path string, positions []string, progress func(int)) (report *compare.Report, err error) {
	at, err := compare.ParsePositions(positions)
	if err != nil {
		return nil, BadSetting("--position: %v", err)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, BadSetting("%v", err)
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
