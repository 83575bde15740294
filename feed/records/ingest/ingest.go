// Package ingest takes in the change records of systems that own objects.
package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/records"
)

const (
	// batchRecords and batchBytes bound a transaction: a third of a second, and a few megabytes. With
	// 2,000 records, PostgreSQL took a sixth more CPU time.
	batchRecords = 5000
	batchBytes   = 4 << 20
	// badMax is the number of bad lines that a summary lists, and of dead letters that a stream makes.
	// Who has more of them has a fault in a program, which a thousand show.
	badMax = 1000
	// sourcesMax is the number of sources that the lines of a stream may name, since each has letters and
	// metrics.
	sourcesMax = 16
	// flushCost is the least that a batch costs. A transaction takes as long as that many records.
	flushCost = 50
	// backlogEvery is how often a stream asks for the backlog, which counts rows.
	backlogEvery = time.Second
)

// Sink applies batches and begins what follows from them. Its fields are set before the first use.
type Sink struct {
	Store    feed.Ingester
	Progress feed.Progress
	Queue    feed.Queue
	Evictor  feed.Evictor
	Clock    feed.Clock
	// Policy has the types that sources own. Records of other types are bad.
	Policy feed.Policy
	Trace  feed.Trace
	// Commits names what has been applied, for answers.
	Commits feed.Commits
	// Wait waits for a while, or until the context ends.
	Wait func(context.Context, time.Duration) error
	// Format decodes lines, and numbers their ids.
	Format records.Format
}

// Apply applies a batch of one source. It fills in what the deployment decides: owned types,
// leases, and how fan-outs begin.
func (s *Sink) Apply(ctx context.Context, b feed.SourceBatch) (Summary, error) {
	now := feed.Millis(s.Clock())
	b.Owned, b.Upstream, b.ActiveFor = s.Policy.Owned, s.Policy.Upstream, s.Policy.ActiveFor
	b.Dispatch = feed.FirstDispatch{
		EventDue:  now + s.Policy.EventPatience.Milliseconds(),
		SliceDue:  now + s.Policy.QueuePatience.Milliseconds(),
		PlanBelow: s.Policy.PlanBelow(),
	}
	b.Records, b.Rejected = s.split(b.Records, b.Rejected)
	fit, bad, err := s.Format.Number(ctx, b.Records)
	if err != nil {
		return Summary{}, err
	}
	b.Records, b.Rejected = fit, append(b.Rejected, bad...)
	done, err := s.Store.Ingest(ctx, b)
	if err != nil {
		return Summary{}, err
	}
	s.Evictor.Evict(done.Posts, done.Users)
	s.enqueue(ctx, done)
	s.Trace.ReportIngested(b.Source, done)
	return summaryOf(&done.Applied, b.Rejected), nil
}

// split rejects records of types that no source owns.
func (s *Sink) split(list []feed.Record, rejected []feed.Rejected) ([]feed.Record, []feed.Rejected) {
	owned := make([]feed.Record, 0, len(list))
	for i := range list {
		switch t := list[i].Type(); {
		case t == feed.RecordSeen, s.Policy.Owned.Has(t):
			owned = append(owned, list[i])
		default:
			rejected = append(rejected, feed.Rejected{
				Line: list[i].Line, Text: list[i].LineText(), Reason: feed.Unowned(t),
			})
		}
	}
	return owned, rejected
}

// enqueue begins fan-outs. If the queue fails, or this process dies before, the sweep of any worker
// begins them two to three seconds after the batch.
func (s *Sink) enqueue(ctx context.Context, done feed.Ingested) {
	if len(done.Planned) > 0 {
		whole := make([]feed.Dispatchable[feed.SliceRef], len(done.Planned))
		for i, id := range done.Planned {
			whole[i].Ref = feed.SliceOfAll(id).SliceRef
		}
		s.Trace.ReportEnqueue(s.Queue.Push(ctx, whole))
	}
	if len(done.Pending) > 0 {
		pending := make([]feed.Dispatchable[feed.PostID], len(done.Pending))
		for i, id := range done.Pending {
			pending[i].Ref = id
		}
		s.Trace.ReportEnqueue(s.Queue.Dispatch(ctx, pending))
	}
}

// Summary counts the outcomes of a stream.
type Summary struct {
	Stored    int `json:"stored"`
	Updated   int `json:"updated"`
	Unchanged int `json:"unchanged"`
	Outdated  int `json:"outdated"`
	// BadCount counts bad lines. Bad lists the first of them, which are dead letters now unless the source
	// has too many.
	BadCount int       `json:"badCount"`
	Bad      []BadLine `json:"bad"`
}

// BadLine is a line that was not applied.
type BadLine struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

func summaryOf(a *feed.Applied, rejected []feed.Rejected) Summary {
	s := Summary{Stored: a.Stored, Updated: len(a.Updated), Unchanged: a.Unchanged, Outdated: a.Outdated, BadCount: len(a.Bad) + len(rejected)}
	for _, b := range a.Bad {
		s.Bad = append(s.Bad, BadLine{b.Line, feed.ShortReason(b.Reason)})
	}
	for _, r := range rejected {
		s.Bad = append(s.Bad, BadLine{r.Line, feed.ShortReason(r.Reason)})
	}
	slices.SortFunc(s.Bad, func(a, b BadLine) int { return cmp.Compare(a.Line, b.Line) })
	return s
}

// add adds a later summary of the same stream.
func (s *Summary) add(t Summary) {
	s.Stored += t.Stored
	s.Updated += t.Updated
	s.Unchanged += t.Unchanged
	s.Outdated += t.Outdated
	s.BadCount += t.BadCount
	s.Bad = append(s.Bad, t.Bad[:min(len(t.Bad), badMax-len(s.Bad))]...)
}

// ReadError is the error of a reader: it ended early, or is neither text nor gzip.
type ReadError struct{ err error }

func (e *ReadError) Error() string { return "cannot read the records: " + e.err.Error() }

// Unwrap returns the error of the reader.
func (e *ReadError) Unwrap() error { return e.err }

// Limits bound a stream of lines. The zero value has none.
type Limits struct {
	// Bytes is the maximum number of decompressed bytes, Blanks that of blank lines.
	Bytes  int64
	Blanks int
	// Charge takes the cost of a batch from a budget. It returns how long to wait until the budget
	// suffices, and takes nothing then. nil charges nothing.
	Charge func(ctx context.Context, cost int) (wait time.Duration)
}

// Lines applies the lines of r, in batches, as records of a source without order. It slows down
// while fan-outs are behind, or a budget is spent. The summary counts what has been applied, also with
// an error: a [*ReadError] if r cannot be read further, also because of a limit.
func (s *Sink) Lines(ctx context.Context, r io.Reader, source string, limits Limits) (Summary, error) {
	st := stream{sink: s, source: source, charge: limits.Charge}
	st.sum.Bad = []BadLine{}
	lines, err := s.Format.Lines(r)
	if err != nil {
		return st.sum, &ReadError{err}
	}
	lines.Limit(limits.Bytes, limits.Blanks)
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return st.sum, st.flush(ctx)
		}
		if err != nil {
			return st.sum, &ReadError{err}
		}
		if err := st.add(ctx, line); err != nil {
			return st.sum, err
		}
	}
}

// Records applies records, each a JSON text, as Lines does. Their lines are their places, from 1.
func (s *Sink) Records(ctx context.Context, texts [][]byte, source string) (Summary, error) {
	st := stream{sink: s, source: source}
	for i, text := range texts {
		if err := st.add(ctx, s.Format.DecodeLine(i+1, text)); err != nil {
			return st.sum, err
		}
	}
	return st.sum, st.flush(ctx)
}

// stream collects lines into batches, each of one source.
type stream struct {
	sink *Sink
	// source is that of the way in, current that of the batch.
	source, current string
	batch           feed.SourceBatch
	lines, bytes    int
	sum             Summary
	pace            pace
	// sources are those that lines have named.
	sources []string
	charge  func(context.Context, int) time.Duration
}

// sourceOf returns the source of a line. A line that names one too many is bad.
func (st *stream) sourceOf(line *records.Line) string {
	name := line.Record.Source
	switch {
	case name == "" || name == st.source:
		return st.source
	case slices.Contains(st.sources, name):
		return name
	case len(st.sources) == sourcesMax:
		line.Bad = fmt.Sprintf("the lines before name %d sources already; send those of other sources in another request", sourcesMax)
		return st.source
	}
	st.sources = append(st.sources, name)
	return name
}

func (st *stream) add(ctx context.Context, line records.Line) error {
	source := st.sourceOf(&line)
	if st.lines == batchRecords || st.bytes+len(line.Text) > batchBytes || st.lines > 0 && source != st.current {
		if err := st.flush(ctx); err != nil {
			return err
		}
	}
	st.current = source
	st.lines++
	st.bytes += len(line.Text)
	if line.Bad != "" {
		st.batch.Rejected = append(st.batch.Rejected, feed.Rejected{Line: line.Number, Text: line.Text, Reason: line.Bad, Cut: line.Cut})
	} else {
		st.batch.Records = append(st.batch.Records, line.Record)
	}
	return nil
}

func (st *stream) flush(ctx context.Context) error {
	if st.lines == 0 {
		return nil
	}
	if err := st.pace.keep(ctx, st.sink); err != nil {
		return err
	}
	if err := st.pay(ctx); err != nil {
		return err
	}
	st.batch.Source, st.batch.LettersMax = st.current, badMax-st.sum.BadCount
	if st.batch.LettersMax <= 0 {
		st.batch.LettersMax = -1
	}
	sum, err := st.sink.Apply(ctx, st.batch)
	if err != nil {
		return err
	}
	st.sum.add(sum)
	st.batch, st.lines, st.bytes = feed.SourceBatch{}, 0, 0
	return nil
}

// pay charges the batch: a unit for each line and each KiB. It waits until the budget suffices.
func (st *stream) pay(ctx context.Context) error {
	if st.charge == nil {
		return nil
	}
	cost := max(flushCost, st.lines+st.bytes>>10)
	for wait := st.charge(ctx, cost); wait > 0; wait = st.charge(ctx, cost) {
		if err := st.sink.Wait(ctx, wait); err != nil {
			return err
		}
	}
	return nil
}

// pace slows a source down while fan-outs are behind.
type pace struct{ asked time.Time }

// keep waits until fan-outs are no longer behind. It asks once in [backlogEvery].
func (p *pace) keep(ctx context.Context, s *Sink) error {
	for s.Clock().Sub(p.asked) >= backlogEvery {
		behind, err := s.Behind(ctx)
		if err != nil {
			return err
		}
		p.asked = s.Clock()
		if !behind {
			return nil
		}
		if err := s.Wait(ctx, backlogEvery); err != nil {
			return err
		}
	}
	return nil
}

// token names a place that includes everything that was applied before the call.
func (s *Sink) token(ctx context.Context) (string, error) {
	place, err := s.Commits.LastCommit(ctx)
	return place.String(), err
}

// Behind reports whether so many slices wait that sources should slow down: half of those from
// which on a publish marks its author.
func (s *Sink) Behind(ctx context.Context) (bool, error) {
	limit := s.Policy.BacklogMax / 2
	n, err := s.Progress.Backlog(ctx, limit+1)
	return n > limit, err
}
