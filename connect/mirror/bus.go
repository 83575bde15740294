package mirror

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pglogrepl"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
	"github.com/tideline-feeds/tideline/feed/records/ingest"
)

// Partition is the name of the only partition of a mirror.
const Partition = "0"

// DefaultName is the name of a mirror without another one.
const DefaultName = "mirror"

// Source is another system's PostgreSQL database. It is an [ingest.Bus]: its messages are
// transactions, after those of a snapshot. Its fields are set before the first use.
type Source struct {
	// URL is that of the database. Its role may replicate, and read the tables.
	URL string
	// Name is that of the source in positions and dead letters.
	Name string
	// Names are those of the slot and the publication.
	Names
	// File is the mapping file.
	File []byte
	// Owned are the types that sources own.
	Owned feed.RecordTypes
	// TextIDs reports that our ids are texts.
	TextIDs bool
	// Format makes the records.
	Format records.Format
	Store  feed.Mirrors
	Holds  feed.MirrorHolds
	Loads  feed.BulkLoads
	Clock  func() time.Time
	Log    *slog.Logger
}

var _ ingest.Bus = (*Source)(nil)

// Partitions implements [ingest.Bus].
func (s *Source) Partitions(context.Context) ([]string, error) { return []string{Partition}, nil }

// Close implements [ingest.Bus].
func (s *Source) Close() error { return nil }

// Open implements [ingest.Bus]. It reads a snapshot if one is due, and otherwise the changes after a
// place.
func (s *Source) Open(ctx context.Context, _ string, after ingest.Place) (ingest.Partition, error) {
	o := &opened{Source: s, after: after}
	p, err := o.open(ctx)
	if err != nil {
		o.close(ctx)
		return nil, err
	}
	return p, nil
}

// opened is a source with its connections, and what they say.
type opened struct {
	*Source
	after       ingest.Place
	conn        *pgx.Conn
	replication *pgconn.PgConn
	// identity tells the source from another one, also from itself after a failover.
	identity string
	mapper   *Mapper
	server   *server
	state    feed.Mirror
	// facts are those of the mapped tables, by their names.
	facts map[string]facts
}

func (o *opened) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if o.replication != nil {
		_ = o.replication.Close(ctx)
	}
	if o.conn != nil {
		_ = o.conn.Close(ctx)
	}
}

func (o *opened) open(ctx context.Context) (ingest.Partition, error) {
	if err := o.inspect(ctx); err != nil {
		return nil, err
	}
	switch due, err := o.due(ctx); {
	case err != nil:
		return nil, err
	case due != nil:
		return o.openSnapshot(ctx, due)
	}
	return o.openStream(ctx)
}

// inspect connects, and reads the state of both sides.
func (o *opened) inspect(ctx context.Context) error {
	var err error
	if o.conn, err = Connect(ctx, o.URL); err != nil {
		return failed("connect to the source", err)
	}
	if o.replication, err = connectReplication(ctx, o.URL); err != nil {
		return failed("connect to the source for replication", err)
	}
	system, err := pglogrepl.IdentifySystem(ctx, o.replication)
	if err != nil {
		return failed("identify the source", err)
	}
	o.identity = fmt.Sprintf("%s/%d", system.SystemID, system.Timeline)
	if o.server, err = readServer(ctx, o.conn, o.Names); err != nil {
		return failed("read the state of the source", err)
	}
	if o.state, err = o.Store.Mirror(ctx, o.Name); err != nil {
		return err
	}
	if err := o.readMapping(ctx); err != nil {
		return err
	}
	return o.lookAtTables(ctx)
}

// readMapping compares the mapping with the tables as they are, and with what the mirror needs.
func (o *opened) readMapping(ctx context.Context) error {
	catalog, err := Inspect(ctx, o.conn)
	if err != nil {
		return failed("read the catalog of the source", err)
	}
	if o.mapper, err = NewMapper(o.File, catalog); err != nil {
		return &ingest.LostError{Reason: "the mapping file does not fit the tables: " + oneLine(err.Error()), Advice: checkAdvice}
	}
	for _, t := range o.mapper.Tables() {
		for _, typ := range o.mapper.Types(t) {
			if typ != feed.RecordSeen && !o.Owned.Has(typ) {
				return &ingest.LostError{Reason: fmt.Sprintf("the table %s makes records of the type %s", t.Quoted, typ), Advice: feed.Unowned(typ)}
			}
		}
	}
	var faults []string
	for _, f := range o.mapper.findings(o.server, o.Names) {
		if !f.Warning {
			faults = append(faults, f.String())
		}
	}
	if len(faults) > 0 {
		return &ingest.LostError{Reason: "the source is not ready: " + oneLine(strings.Join(faults, "; ")), Advice: checkAdvice}
	}
	return nil
}

const checkAdvice = "run tideline mirror check, which says what to do"

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", "; ") }

// problem says why the changes after the position cannot be read; empty if they can.
func (o *opened) problem() string {
	at, err := parsePosition(o.after.Position)
	switch {
	case o.after.Position == "":
		return "there is no stored position"
	case err != nil:
		return err.Error()
	case o.after.Identity != o.identity:
		return fmt.Sprintf("the source was restored or has failed over: its identity is %s, and not %s", o.identity, o.after.Identity)
	}
	problem := o.server.slot.problem(o.Slot, o.conn.Config().Database, at)
	if problem == "" && !o.server.HasPublication {
		return fmt.Sprintf("the publication %s is missing", o.Publication)
	}
	return problem
}

// checkIDs refuses the first snapshot of a source with texts as ids, where ours are numbers: each of
// its records would be bad.
func (o *opened) checkIDs(ctx context.Context) error {
	if o.TextIDs || o.state.Complete {
		return nil
	}
	samples, err := o.mapper.sample(ctx, o.conn, o.Clock(), idRows)
	if err == nil && samples.TextIDs {
		return &ingest.LostError{
			Reason: "the rows make ids that are texts, and this database has --ids=number",
			Advice: "use an empty database, and start all processes with TIDELINE_IDS=text",
		}
	}
	return failed("read the ids of the source", err)
}

// openStream begins to read the changes.
func (o *opened) openStream(ctx context.Context) (ingest.Partition, error) {
	at, err := parsePosition(o.after.Position)
	if err != nil {
		return nil, err
	}
	err = startStream(ctx, o.replication, o.Slot, o.Publication, at)
	if pgCode(err) == codeInUse {
		// The stream of a process that was killed may not have ended yet; the caller tries again.
		return nil, errors.Join(err, release(ctx, o.conn, o.Slot))
	}
	if err != nil {
		return nil, failed("start the stream", err)
	}
	return newReader(ctx, o, at), nil
}
