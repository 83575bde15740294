package app

import (
	"context"
	"log/slog"

	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/feed/sqlstore"
	"github.com/tideline-feeds/tideline/internal/telemetry"
)

// SourceReader is what a process reads that brings in the records of a source.
type SourceReader interface {
	// Label names the command.
	Label() string
	// Consume applies the records of the source until ctx ends.
	Consume(ctx context.Context, in Intake) error
}

// Intake is what a process has for the records of a source.
type Intake struct {
	Sink    *ingest.Sink
	Store   *sqlstore.Store
	Metrics *telemetry.Metrics
	// Holder names the process in leases.
	Holder string
	Log    *slog.Logger
}
