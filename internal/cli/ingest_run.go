package cli

import (
	"context"
	"errors"
	"os"

	"github.com/tideline-feeds/tideline/connect/bus"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
	"github.com/tideline-feeds/tideline/internal/app"
)

// busSettings configure the reading of a message bus.
type busSettings struct {
	From    string `env:"TIDELINE_INGEST_FROM" required:"" placeholder:"URL" help:"Stream or topic with change records, such as redis://HOST/STREAM; see docs/connect.md. Set URLs with passwords in the environment."`
	Source  string `env:"TIDELINE_INGEST_SOURCE" placeholder:"NAME" help:"Name of the source in positions, metrics and dead letters; by default that of the stream or topic. Another name has no position and begins with the oldest message."`
	Mapping string `env:"TIDELINE_INGEST_MAPPING" placeholder:"FILE" help:"File that says which records to make of messages of another form; see docs/connect.md."`
	Bulk    bool   `env:"TIDELINE_INGEST_BULK" help:"Load the messages up to the end of the stream or topic as one bulk load, without fan-outs; then go on as usual. For a first snapshot."`
	Strict  bool   `env:"TIDELINE_INGEST_STRICT" help:"Stop at the first record that cannot be applied, instead of making it a dead letter."`
}

// sourceNameMax is the maximum length of a source's name, which is a label of metrics.
const sourceNameMax = 64

// Check returns an error that names the first invalid setting.
func (s busSettings) Check() error {
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
func (s busSettings) open() (ingest.Bus, string, error) {
	b, name, err := bus.Open(s.From)
	if err != nil {
		return nil, "", app.BadSetting("--from: %s", feed.Reason(err))
	}
	if s.Source != "" {
		name = s.Source
	}
	if len(name) > sourceNameMax {
		return nil, "", errors.Join(app.BadSetting("--source must have at most %d bytes; set a shorter name than %.80q", sourceNameMax, name), b.Close())
	}
	return b, name, nil
}

// payloads reads the mapping.
func (s busSettings) payloads() (ingest.Payloads, error) {
	if s.Mapping == "" {
		return ingest.Payloads{}, nil
	}
	text, err := os.ReadFile(s.Mapping)
	if err != nil {
		return ingest.Payloads{}, app.BadSetting("--mapping: %v", err)
	}
	m, err := bus.ParseMapping(text)
	if err != nil {
		return ingest.Payloads{}, app.BadSetting("--mapping: %s:\n%v", s.Mapping, err)
	}
	return ingest.Payloads{Mapping: m}, nil
}

// rereadSettings say where the lines of dead letters of a bus are.
type rereadSettings struct {
	From    string `env:"TIDELINE_INGEST_FROM" placeholder:"URL" help:"Stream or topic from which to read the lines of letters again, for --retry."`
	Mapping string `env:"TIDELINE_INGEST_MAPPING" placeholder:"FILE" help:"Mapping of that stream or topic."`
}

// lineReader reads the line of a dead letter again, or says why it is not there.
type lineReader func(context.Context, *feed.DeadLetter) (line []byte, reason string, err error)

// Reader returns a reader of the letters in a store, to be closed.
func (s rereadSettings) Reader(store feed.Ingester) (read lineReader, closeBus func() error, err error) {
	if s.From == "" {
		return func(context.Context, *feed.DeadLetter) ([]byte, string, error) {
			return nil, "its line is in the stream or topic of its source; name that with --from", nil
		}, func() error { return nil }, nil
	}
	settings := busSettings{From: s.From, Mapping: s.Mapping}
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

func (s busSettings) Label() string { return "ingest" }

// Consume reads the bus until ctx ends.
func (s busSettings) Consume(ctx context.Context, in app.Intake) error {
	if len(in.Sink.Policy.Owned) == 0 {
		return app.BadSetting("--source-owns names no types, so no record can be applied; set the types of this source")
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
		Sink: in.Sink, Bus: b, Source: name, Payloads: payloads, Strict: s.Strict, Leaders: in.Store, Holder: in.Holder, Log: in.Log, Lag: in.Metrics.SourceLag,
	}
	if s.Bulk {
		c.Loads = in.Store
	}
	return errors.Join(c.Run(ctx), b.Close())
}
