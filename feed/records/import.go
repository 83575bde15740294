package records

import (
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Options configure an import.
type Options struct {
	// Format is that of the lines.
	Format Format
	// BatchSize is the number of records per transaction; 5,000 when 0: large enough to amortize
	// commits, and small enough that servers hardly wait for the write lock.
	BatchSize int
	// ActiveFor is that of [feed.Batch].
	ActiveFor time.Duration
	// Strict stops at the first line that is bad or different. Batches before it stay stored.
	Strict bool
	// Owned, Upstream and Update are those of [feed.Batch]. The order of lines decides.
	Owned, Upstream feed.RecordTypes
	Update          bool
	// Bulk is that of [feed.Batch]. The caller ends the load.
	Bulk bool
	// Refused is called for every bad line, in order within a batch.
	Refused func(line int, reason string)
	// Different is called for every record that differs from the stored one, and Updated for
	// every record that replaced it.
	Different, Updated func(feed.Difference)
	// Noted is called for every skipped line and ignored detail.
	Noted func(line int, what string)
	// Grown is called when the store has grown so much that it should update its statistics:
	// after the first batch that stored something, whenever the number of stored records has
	// doubled, and at the end. Its error ends the import.
	Grown func(ctx context.Context) error
}

// Summary counts the outcomes of an import.
type Summary struct {
	// Lines are the lines read, Stored new records, Known records that were stored already,
	// Refused bad lines, and Skipped blank lines, comments and headers.
	Lines, Stored, Known, Refused, Skipped int
	// Different are records that differ from the stored ones. Undone are follows, reactions and
	// relations that users have removed since. Updated are those of both kinds that were applied
	// anyway.
	Different, Undone, Updated int
}

// AllBad reports whether there were records and all were bad.
func (s Summary) AllBad() bool {
	return s.Refused > 0 && s.Stored+s.Known+s.Different+s.Undone+s.Updated == 0
}

// ErrStrict is the error of a strict import at a line that is bad or different.
var ErrStrict = errors.New("stopped at the first line that is bad or different")

// Import imports records from r, one per line, in batches. It is idempotent: after an
// interruption, run it again. The error is that of the store, r or ctx, or [ErrStrict]; the
// summary covers the import until then.
func Import(ctx context.Context, r io.Reader, to feed.Applier, o Options) (Summary, error) {
	im := newImporter(to, o)
	return im.readAll(ctx, r, func(l line) error {
		rec, err := o.Format.Decode(l.text)
		if err != nil {
			return im.refuseLine(ctx, l.number, err.Error())
		}
		rec.Line = l.number
		return im.add(ctx, rec)
	})
}

// readAll calls each for every line that is neither blank nor too long, without surrounding
// spaces.
func (im *importer) readAll(ctx context.Context, r io.Reader, each func(line) error) (Summary, error) {
	in, err := newInput(r)
	if err != nil {
		return im.sum, err
	}
	for {
		l, err := in.next()
		if errors.Is(err, io.EOF) {
			return im.sum, im.end(ctx)
		}
		if err != nil {
			return im.sum, err
		}
		im.sum.Lines++
		if err := im.line(ctx, l, each); err != nil {
			return im.sum, err
		}
	}
}

func (im *importer) line(ctx context.Context, l line, each func(line) error) error {
	if l.marked {
		im.note(l.number, "a byte order mark is ignored")
	}
	if l.tooLong {
		return im.refuseLine(ctx, l.number, tooLong())
	}
	if l.text = bytes.Trim(l.text, " \t"); len(l.text) == 0 {
		im.skip(l.number, "a blank line")
		return nil
	}
	if err := checkUTF8(l.text); err != nil {
		return im.refuseLine(ctx, l.number, err.Error())
	}
	return each(l)
}

// skip counts and reports a line that is not a record.
func (im *importer) skip(number int, what string) {
	im.sum.Skipped++
	im.note(number, what+" is skipped")
}

func (im *importer) note(number int, what string) {
	if im.o.Noted != nil {
		im.o.Noted(number, what)
	}
}

// importer collects records into batches.
type importer struct {
	to    feed.Applier
	o     Options
	batch []feed.Record
	sum   Summary
	// grown is the number of stored records when Grown was last called.
	grown int
}

func newImporter(to feed.Applier, o Options) *importer {
	if o.BatchSize == 0 {
		o.BatchSize = 5000
	}
	return &importer{to: to, o: o}
}

func (im *importer) add(ctx context.Context, rec feed.Record) error {
	im.batch = append(im.batch, rec)
	if len(im.batch) < im.o.BatchSize {
		return nil
	}
	return im.flush(ctx)
}

func (im *importer) flush(ctx context.Context) error {
	if len(im.batch) == 0 {
		return nil
	}
	fit, bad, err := im.o.Format.Number(ctx, im.batch)
	if err != nil {
		return err
	}
	res, err := im.to.Apply(ctx, feed.Batch{
		Records: fit, Owned: im.o.Owned, Upstream: im.o.Upstream, Ordered: true, Update: im.o.Update, Bulk: im.o.Bulk, ActiveFor: im.o.ActiveFor,
	})
	if err != nil {
		return err
	}
	im.batch = im.batch[:0]
	for _, r := range bad {
		res.AddBad(feed.BadRecord{Line: r.Line, Reason: r.Reason})
	}
	im.sum.Stored += res.Stored
	im.sum.Known += res.Unchanged
	im.sum.Updated += len(res.Updated)
	if im.o.Updated != nil {
		for _, d := range res.Updated {
			im.o.Updated(d)
		}
	}
	if err := im.reportBatch(res); err != nil {
		return err
	}
	if im.sum.Stored >= 2*im.grown {
		return im.callGrown(ctx)
	}
	return nil
}

// end applies the last batch and calls Grown.
func (im *importer) end(ctx context.Context) error {
	if err := im.flush(ctx); err != nil {
		return err
	}
	return im.callGrown(ctx)
}

// callGrown calls Grown unless nothing was stored since the last call.
func (im *importer) callGrown(ctx context.Context) error {
	if im.o.Grown == nil || im.sum.Stored == im.grown {
		return nil
	}
	im.grown = im.sum.Stored
	return im.o.Grown(ctx)
}

// reportBatch counts and reports bad and different records, in order of lines.
func (im *importer) reportBatch(res feed.Applied) error {
	bad, different := res.Bad, res.Different
	for len(bad) > 0 || len(different) > 0 {
		var err error
		if len(different) == 0 || len(bad) > 0 && bad[0].Line <= different[0].Line {
			err, bad = im.refuse(bad[0].Line, bad[0].Reason), bad[1:]
		} else {
			err, different = im.differ(different[0]), different[1:]
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (im *importer) differ(d feed.Difference) error {
	if d.Undone {
		im.sum.Undone++
	} else {
		im.sum.Different++
	}
	if im.o.Different != nil {
		im.o.Different(d)
	}
	if im.o.Strict {
		return ErrStrict
	}
	return nil
}

// refuseLine refuses a malformed line. If the import stops here, it applies the records before it
// first.
func (im *importer) refuseLine(ctx context.Context, line int, reason string) error {
	if im.o.Strict {
		if err := im.flush(ctx); err != nil {
			return err
		}
	}
	return im.refuse(line, reason)
}

func (im *importer) refuse(line int, reason string) error {
	im.sum.Refused++
	if im.o.Refused != nil {
		im.o.Refused(line, reason)
	}
	if im.o.Strict {
		return ErrStrict
	}
	return nil
}
