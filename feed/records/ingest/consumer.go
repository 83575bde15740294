package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/inbox"
)

const (
	// leaseFor is how long the partition of a dead process waits for another one.
	leaseFor = 3 * time.Second
	// standbyEvery is how often a process tries to lead a partition.
	standbyEvery = time.Second
	// lagEvery is how often a partition without new messages stores that it has none.
	lagEvery = 2 * time.Second
	// partitionsEvery is how often a consumer looks for new partitions.
	partitionsEvery = 30 * time.Second
	// retryFirst doubles after each failure, up to retryMax.
	retryFirst = 100 * time.Millisecond
	retryMax   = 30 * time.Second
)

// Consumer applies the messages of a bus. Of several processes, one reads a partition. The store
// decides: a process whose position is not the stored one applies nothing.
type Consumer struct {
	Sink *Sink
	Bus  Bus
	// Source names positions, metrics and dead letters.
	Source string
	// Payloads turns messages into lines.
	Payloads Payloads
	// Strict stops at the first bad record.
	Strict bool
	// Loads makes the records up to the end of each partition a bulk load; nil for none.
	Loads   feed.BulkLoads
	Leaders feed.Leaders
	Holder  string
	Log     *slog.Logger
	// Lag gets how far a partition is behind: the age of the message last applied, and 0 at the end.
	Lag func(source, partition string, behind time.Duration)

	load *load
}

// Run reads all partitions until ctx ends. It returns an error if one of them must not go on: after
// a [*LostError], or with Strict after a bad record. It retries after other errors.
func (c *Consumer) Run(ctx context.Context) error {
	c.load = newLoad(c.Loads, c.Source, c.Log)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		var known []string
		retry := c.retry("cannot list the partitions of the source")
		for ctx.Err() == nil {
			names, err := c.Bus.Partitions(ctx)
			if err != nil {
				retry.failed(ctx, err)
				continue
			}
			retry.succeeded(ctx)
			for _, name := range names {
				if !slices.Contains(known, name) {
					known = append(known, name)
					group.Go(func() error { return c.consume(ctx, name) })
				}
			}
			_ = c.Sink.Wait(ctx, partitionsEvery)
		}
		return nil
	})
	return group.Wait()
}

// consume reads a partition whenever this process leads it.
func (c *Consumer) consume(ctx context.Context, name string) error {
	p := &partition{Consumer: c, name: name, retry: c.retry("cannot read the source", "partition", name)}
	defer p.resign(ctx)
	for ctx.Err() == nil {
		led := false
		err := p.leadership().Do(ctx, func(ctx context.Context) error {
			led = true
			return p.read(ctx)
		})
		var final *finalError
		switch {
		case errors.As(err, &final):
			return final
		case errors.Is(err, feed.ErrPositionMoved):
			c.Log.WarnContext(ctx, "stopped reading a partition: another process has moved its position", "source", c.Source, "partition", name)
			_ = c.Sink.Wait(ctx, leaseFor)
		case err != nil:
			p.retry.failed(ctx, err)
		case !led:
			_ = c.Sink.Wait(ctx, standbyEvery)
		}
	}
	return nil
}

// finalError ends the consumer.
type finalError struct{ text string }

func (e *finalError) Error() string { return e.text }

// partition is a partition that this process reads or waits for.
type partition struct {
	*Consumer
	name  string
	at    Place
	retry *retry
	pace  pace
	// toldLag is when the lag was stored last.
	toldLag time.Time
	// workers apply concurrent polls.
	workers *workers
}

// leadership lets one process read the partition. A batch that is applied when the lease is lost is
// rolled back.
func (p *partition) leadership() inbox.Leadership {
	return inbox.Leadership{Leaders: p.Leaders, Name: "ingest " + p.Source + " " + p.name, Holder: p.Holder, For: leaseFor}
}

// resign hands the partition over.
func (p *partition) resign(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), standbyEvery)
	defer cancel()
	_ = p.leadership().Resign(ctx) // the lease ends by itself
}

// read reads from the stored position on until ctx ends.
func (p *partition) read(ctx context.Context) (err error) {
	p.load.begin(p.name)
	defer func() { err = cmp.Or(err, p.load.leave(ctx, p.name, false)) }()
	for reopen := true; reopen && err == nil && ctx.Err() == nil; {
		reopen, err = p.readOpened(ctx)
	}
	return err
}

// readOpened opens the partition, and reads until it is to be opened again, or must not be read.
func (p *partition) readOpened(ctx context.Context) (reopen bool, err error) {
	if err := p.restore(ctx); err != nil {
		return false, err
	}
	from, err := p.Bus.Open(ctx, p.name, p.at)
	if err != nil {
		return false, p.final(err)
	}
	defer from.Close()
	p.workers = newWorkers()
	defer func() { err = cmp.Or(err, p.workers.wait()) }()
	for ctx.Err() == nil {
		got, err := from.Poll(ctx)
		if err != nil {
			return false, p.final(err)
		}
		if got.Reopen {
			return true, nil
		}
		if err := p.checkIdentity(got.Identity); err != nil {
			return false, p.final(err)
		}
		p.retry.succeeded(ctx)
		if err := p.applyPoll(ctx, &got); err != nil {
			return false, err
		}
		p.reportLag(&got)
		if got.CaughtUp {
			if err := p.load.leave(ctx, p.name, true); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

// restore reads the stored position.
func (p *partition) restore(ctx context.Context) error {
	p.at = Place{}
	list, err := p.Sink.Store.Positions(ctx, p.Source)
	for _, stored := range list {
		if stored.Partition == p.name {
			p.at = Place{Identity: stored.Identity, Position: stored.Position}
		}
	}
	return err
}

// final makes a [*LostError] final.
func (p *partition) final(err error) error {
	var lost *LostError
	if !errors.As(err, &lost) {
		return err
	}
	return &finalError{fmt.Sprintf("source %s, partition %s: cannot continue after position %s: %s; nothing was skipped; %s",
		p.Source, p.name, cmp.Or(p.at.Position, "0"), lost.Reason, cmp.Or(lost.Advice, "import what is missing, then read the source under another --source"))}
}

func (p *partition) checkIdentity(got string) error {
	if got == "" || p.at.Position == "" || got == p.at.Identity {
		p.at.Identity = got
		return nil
	}
	return &LostError{Reason: fmt.Sprintf("the source was created again: its identity is %s, and not %s", got, p.at.Identity)}
}

func (p *partition) reportLag(got *Poll) {
	switch n := len(got.Messages); {
	case got.CaughtUp:
		p.Lag(p.Source, p.name, 0)
	case n > 0 && !got.Messages[n-1].At.IsZero():
		p.Lag(p.Source, p.name, max(0, p.Sink.Clock().Sub(got.Messages[n-1].At)))
	}
}

// applyPoll applies a poll, or begins to apply a concurrent one. It waits for those before any other.
func (p *partition) applyPoll(ctx context.Context, got *Poll) error {
	if !got.Concurrent {
		if err := p.workers.wait(); err != nil {
			return err
		}
		return p.apply(ctx, got)
	}
	if err := p.pace.keep(ctx, p.Sink); err != nil {
		return err
	}
	worker := *p // batches of snapshots move no position
	return p.workers.run(func() error { return worker.apply(ctx, got) })
}

// apply applies messages in batches, each with the position of its last message. Without messages
// it stores the lag now and then, by a batch that moves the position to where it is. Tables are stored before
// the messages.
func (p *partition) apply(ctx context.Context, got *Poll) error {
	if len(got.Tables) > 0 {
		if err := p.applyBatch(ctx, &busBatch{tables: got.Tables}, p.at.Position, p.lag(got, 0)); err != nil {
			return err
		}
	}
	if len(got.Messages) == 0 {
		if got.Snapshot.Number != 0 || p.at.Position == "" || p.Sink.Clock().Sub(p.toldLag) < lagEvery {
			return nil
		}
		return p.applyBatch(ctx, &busBatch{}, p.at.Position, p.lag(got, 0))
	}
	b := p.newBatch(got.Snapshot, got.Bulk || p.load.runs(p.name))
	for i := range got.Messages {
		lines := p.Payloads.Lines(&got.Messages[i])
		if b.lines() > 0 && b.lines()+len(lines)+len(got.Messages[i].Records) > batchRecords {
			if err := p.flush(ctx, &b, p.lag(got, i)); err != nil {
				return err
			}
		}
		b.add(p.Sink, &got.Messages[i], lines)
	}
	return p.flush(ctx, &b, p.lag(got, len(got.Messages)))
}

// lag returns the lag once the first n messages of a poll are applied.
func (p *partition) lag(got *Poll, n int) feed.SourceLag {
	rest := int64(len(got.Messages) - n)
	lag := feed.SourceLag{Millis: -1, Messages: -1}
	switch {
	case got.CaughtUp:
		lag.Messages = rest
	case got.Waiting >= 0:
		lag.Messages = got.Waiting + rest
	}
	switch {
	case lag.Messages == 0:
		lag.Millis = 0
	case n > 0 && !got.Messages[n-1].At.IsZero():
		lag.Millis = max(0, p.Sink.Clock().Sub(got.Messages[n-1].At).Milliseconds())
	}
	return lag
}

func (p *partition) flush(ctx context.Context, b *busBatch, lag feed.SourceLag) error {
	if err := p.pace.keep(ctx, p.Sink); err != nil {
		return err
	}
	err := p.applyBatch(ctx, b, b.last(), lag)
	var strict *feed.StrictError
	if errors.As(err, &strict) {
		return p.stopAt(ctx, b, strict)
	}
	*b = p.newBatch(b.snapshot, b.bulk)
	return err
}

// applyBatch applies a batch and moves the position, unless it is part of a snapshot.
func (p *partition) applyBatch(ctx context.Context, b *busBatch, to string, lag feed.SourceLag) error {
	batch := feed.SourceBatch{
		Batch: feed.Batch{Records: b.records, Ordered: true, Bulk: b.bulk}, Source: p.Source, Rejected: b.rejected,
		Origins: b.origins, Strict: p.Strict, Snapshot: b.snapshot, Tables: b.tables,
	}
	if b.snapshot.Number == 0 {
		batch.Move = feed.PositionMove{Partition: p.name, Identity: p.at.Identity, From: p.at.Position, To: to, Lag: lag}
	}
	_, err := p.Sink.Apply(ctx, batch)
	if err == nil && b.snapshot.Number == 0 {
		p.at.Position, p.toldLag = to, p.Sink.Clock()
	}
	return err
}

// stopAt applies the messages before the one with a bad record, and stops.
func (p *partition) stopAt(ctx context.Context, b *busBatch, bad *feed.StrictError) error {
	at := b.origins[bad.Line-1].Position
	before := p.newBatch(b.snapshot, b.bulk)
	for i := range b.messages {
		if b.messages[i].Position == at {
			break
		}
		before.add(p.Sink, &b.messages[i], p.Payloads.Lines(&b.messages[i]))
	}
	if len(before.messages) > 0 {
		if err := p.applyBatch(ctx, &before, before.last(), feed.SourceLag{Millis: -1, Messages: -1}); err != nil {
			return err
		}
	}
	return &finalError{fmt.Sprintf("source %s, partition %s: stopped at position %s, whose record is bad: %s", p.Source, p.name, at, bad.Reason)}
}

// busBatch collects messages for one transaction.
type busBatch struct {
	messages []Message
	records  []feed.Record
	rejected []feed.Rejected
	origins  []feed.LineOrigin
	snapshot feed.SnapshotPart
	tables   []feed.MirrorTable
	bulk     bool
	// rereads reports that the bus has the lines of dead letters.
	rereads bool
}

func (p *partition) newBatch(snapshot feed.SnapshotPart, bulk bool) busBatch {
	_, rereads := p.Bus.(Rereader)
	return busBatch{snapshot: snapshot, bulk: bulk, rereads: rereads}
}

func (b *busBatch) lines() int { return len(b.origins) }

// last returns the position of the last message.
func (b *busBatch) last() string { return b.messages[len(b.messages)-1].Position }

func (b *busBatch) add(s *Sink, m *Message, lines []PayloadLine) {
	b.messages = append(b.messages, *m)
	for i, l := range lines {
		from, line := feed.LineOrigin{Position: m.Position}, l.Line(s.Format)
		if b.rereads {
			from.Key, from.Element = m.Key[:min(len(m.Key), keyMax)], i+1
			line.Text, line.Record.Text = keyOnly(line.Text), keyText{line.Record.Text}
		}
		b.origins = append(b.origins, from)
		line.Number, line.Record.Line = len(b.origins), len(b.origins)
		if line.Bad != "" {
			b.rejected = append(b.rejected, feed.Rejected{Line: line.Number, Text: line.Text, Reason: line.Bad})
		} else {
			b.records = append(b.records, line.Record)
		}
	}
	for _, r := range m.Records {
		b.origins = append(b.origins, feed.LineOrigin{Position: m.Position})
		r.Line = len(b.origins)
		b.records = append(b.records, r)
	}
}

// retry waits after failures, and logs the first of them and the next success.
type retry struct {
	consumer *Consumer
	what     string
	fields   []any
	failures int
	wait     time.Duration
}

func (c *Consumer) retry(what string, fields ...any) *retry {
	return &retry{consumer: c, what: what, fields: append([]any{"source", c.Source}, fields...)}
}

func (r *retry) failed(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return
	}
	if r.failures == 0 {
		r.wait = retryFirst
		r.consumer.Log.WarnContext(ctx, r.what+"; retrying", append(r.fields, "error", err)...)
	}
	r.failures++
	_ = r.consumer.Sink.Wait(ctx, r.wait)
	r.wait = min(2*r.wait, retryMax)
}

func (r *retry) succeeded(ctx context.Context) {
	if r.failures > 0 {
		r.consumer.Log.InfoContext(ctx, "the source can be read again", append(r.fields, "failures", r.failures)...)
		r.failures = 0
	}
}
