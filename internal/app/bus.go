package app

import (
	"context"
	"errors"
	"log/slog"
	"os"

	"github.com/tideline-feeds/tideline/connect/bus"
	"github.com/tideline-feeds/tideline/connect/mapping"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// SourceReader is what a process reads that brings in the records of a source.
type SourceReader interface {
	// label names the command.
	label() string
	consume(ctx context.Context, a *services, st *stores, log *slog.Logger) error
}

// BusSettings configure the reading of a message bus.
type BusSettings struct {
	From    string `env:"TIDELINE_INGEST_FROM" required:"" placeholder:"URL" help:"Stream or topic with change records, such as redis://HOST/STREAM; see docs/connect.md. Set URLs with passwords in the environment."`
	Source  string `env:"TIDELINE_INGEST_SOURCE" placeholder:"NAME" help:"Name of the source in positions, metrics and dead letters; by default that of the stream or topic. Another name has no position and begins with the oldest message."`
	Mapping string `env:"TIDELINE_INGEST_MAPPING" placeholder:"FILE" help:"File that says which records to make of messages of another form; see docs/connect.md."`
	Bulk    bool   `env:"TIDELINE_INGEST_BULK" help:"Load the messages up to the end of the stream or topic as one bulk load, without fan-outs; then go on as usual. For a first snapshot."`
	Strict  bool   `env:"TIDELINE_INGEST_STRICT" help:"Stop at the first record that cannot be applied, instead of making it a dead letter."`
}

// sourceNameMax is the maximum length of a source's name, which is a label of metrics.
const sourceNameMax = 64

// Check returns an error that names the first invalid setting.
func (s BusSettings) Check() error {
	if _, err := s.payloads(); err != nil {
		return err
	}
	b, _, err := s.open()
	if err != nil {
		return err
	}
	return b.Close()
}

// open returns the bus and the name of the source.
func (s BusSettings) open() (ingest.Bus, string, error) {
	b, name, err := bus.Open(s.From)
	if err != nil {
		return nil, "", BadSetting("--from: %s", feed.Reason(err))
	}
	if s.Source != "" {
		name = s.Source
	}
	if len(name) > sourceNameMax {
		return nil, "", errors.Join(BadSetting("--source must have at most %d bytes; set a shorter name than %.80q", sourceNameMax, name), b.Close())
	}
	return b, name, nil
}

// payloads reads the mapping.
func (s BusSettings) payloads() (ingest.Payloads, error) {
	if s.Mapping == "" {
		return ingest.Payloads{}, nil
	}
	text, err := os.ReadFile(s.Mapping)
	if err != nil {
		return ingest.Payloads{}, BadSetting("--mapping: %v", err)
	}
	m, err := mapping.Parse(text, mapping.Options{Fields: records.Fields, Variables: ingest.MappingVariables()})
	if err != nil {
		return ingest.Payloads{}, BadSetting("--mapping: %s:\n%v", s.Mapping, err)
	}
	return ingest.Payloads{Mapping: m}, nil
}

// RereadSettings say where the lines of dead letters of a bus are.
type RereadSettings struct {
	From    string `env:"TIDELINE_INGEST_FROM" placeholder:"URL" help:"Stream or topic from which to read the lines of letters again, for --retry."`
	Mapping string `env:"TIDELINE_INGEST_MAPPING" placeholder:"FILE" help:"Mapping of that stream or topic."`
}

// LineReader reads the line of a dead letter again, or says why it is not there.
type LineReader func(context.Context, *feed.DeadLetter) (line []byte, reason string, err error)

// Reader returns a reader of the letters in a store, to be closed.
func (s RereadSettings) Reader(store feed.Ingester) (read LineReader, closeBus func() error, err error) {
	if s.From == "" {
		return func(context.Context, *feed.DeadLetter) ([]byte, string, error) {
			return nil, "its line is in the stream or topic of its source; name that with --from", nil
		}, func() error { return nil }, nil
	}
	settings := BusSettings{From: s.From, Mapping: s.Mapping}
	payloads, err := settings.payloads()
	if err != nil {
		return nil, nil, err
	}
	b, _, err := settings.open()
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, l *feed.DeadLetter) ([]byte, string, error) {
		positions, err := store.Positions(ctx, l.Source)
		if err != nil {
			return nil, "", err
		}
		line, err := ingest.Reread(ctx, b, payloads, positions, l)
		var lost *ingest.LostError
		if errors.As(err, &lost) {
			return nil, lost.Reason, nil
		}
		return line, "", err
	}, b.Close, nil
}

func (s BusSettings) label() string { return "ingest" }

// consume reads the bus until ctx ends.
func (s BusSettings) consume(ctx context.Context, a *services, st *stores, log *slog.Logger) error {
	if len(a.sink.Policy.Owned) == 0 {
		return BadSetting("--source-owns names no types, so no record can be applied; set the types of this source")
	}
	b, name, err := s.open()
	if err != nil {
		return err
	}
	payloads, err := s.payloads()
	if err != nil {
		return errors.Join(err, b.Close())
	}
	c := &ingest.Consumer{
		Sink: a.sink, Bus: b, Source: name, Payloads: payloads, Strict: s.Strict, Leaders: st.sql, Holder: a.maintenance.Holder, Log: log, Lag: a.metrics.SourceLag,
	}
	if s.Bulk {
		c.Loads = st.sql
	}
	return errors.Join(c.Run(ctx), b.Close())
}
