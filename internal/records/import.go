package records

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Options says how to import.
type Options struct {
	// BatchSize is how many records go into one transaction; 5,000 when 0: large
	// enough that the commits vanish, small enough that a server beside the import
	// hardly waits for the write lock.
	BatchSize int
	// ActiveFor is that of [feed.Batch].
	ActiveFor time.Duration
	// Strict stops at the first line that is refused or different. Batches stored before
	// stay.
	Strict bool
	// Update is that of [feed.Batch].
	Update bool
	// Refused is told of every line that was not stored, in order of lines within a
	// batch.
	Refused func(line int, reason string)
	// Different is called for every record whose object is stored with other content, and
	// Updated for every one that was stored so and has the record's content now.
	Different, Updated func(feed.Difference)
	// Noted is told of every line that is skipped, and of what is ignored at its edges.
	Noted func(line int, what string)
	// Grown is called when the store is so much larger that it should look at itself
	// anew: after the first batch that stored something, whenever twice as much has been
	// stored as at the call before, and at the end. Its error ends the import, which is
	// seldom wanted: what is stored is stored without it too.
	Grown func(ctx context.Context) error
}

// Summary counts what an import did.
type Summary struct {
	// Lines counts the lines read, Stored the new records, Known those that are stored as
	// they are, Refused the bad lines, and Skipped the lines that are blank, a comment or
	// the names of columns.
	Lines, Stored, Known, Refused, Skipped int
	// Different counts the records that are stored with other content, Undone those of
	// follows, reactions and relations that users have taken back since, and Updated those
	// of both kinds that were applied all the same.
	Different, Undone, Updated int
}

// AllBad says whether there were lines and every one was bad.
func (s Summary) AllBad() bool {
	return s.Refused > 0 && s.Stored+s.Known+s.Different+s.Undone+s.Updated == 0
}

// ErrStrict says that a strict import met a line that is bad or different.
var ErrStrict = errors.New("stopped at the first line that is bad or different")

// Import reads records from r, one a line, and hands them on batch by batch. It may be run
// again after any end, also in the middle: what is stored changes nothing. The error is the
// store's, r's, [ErrStrict] or the context's; the summary says how far it came.
func Import(ctx context.Context, r io.Reader, to feed.Applier, o Options) (Summary, error) {
	im := newImporter(to, o)
	return im.readAll(ctx, r, func(l line) error {
		rec, err := Decode(l.text)
		if err != nil {
			return im.refuseLine(ctx, l.number, err.Error())
		}
		rec.Line = l.number
		return im.add(ctx, rec)
	})
}

// readAll calls each with every line that is neither blank nor too long, without the spaces
// around it.
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
		return im.refuseLine(ctx, l.number, fmt.Sprintf("the line is longer than %d bytes", lineMax))
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

// skip counts and names a line that is no record and is not meant to be one.
func (im *importer) skip(number int, what string) {
	im.sum.Skipped++
	im.note(number, what+" is skipped")
}

func (im *importer) note(number int, what string) {
	if im.o.Noted != nil {
		im.o.Noted(number, what)
	}
}

// importer gathers records into batches.
type importer struct {
	to    feed.Applier
	o     Options
	batch []feed.Record
	sum   Summary
	// grown is how many records had been stored when Grown was last called.
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
	res, err := im.to.Apply(ctx, feed.Batch{Records: im.batch, Update: im.o.Update, ActiveFor: im.o.ActiveFor})
	if err != nil {
		return err
	}
	im.batch = im.batch[:0]
	im.sum.Stored += res.Stored
	im.sum.Known += res.Unchanged
	im.sum.Updated += len(res.Updated)
	if im.o.Updated != nil {
		for _, d := range res.Updated {
			im.o.Updated(d)
		}
	}
	if err := im.tellOf(res); err != nil {
		return err
	}
	if im.sum.Stored >= 2*im.grown {
		return im.tellGrown(ctx)
	}
	return nil
}

// end hands on what is left and calls Grown for the last time.
func (im *importer) end(ctx context.Context) error {
	if err := im.flush(ctx); err != nil {
		return err
	}
	return im.tellGrown(ctx)
}

// tellGrown calls Grown, unless nothing has been stored since it was last called.
func (im *importer) tellGrown(ctx context.Context) error {
	if im.o.Grown == nil || im.sum.Stored == im.grown {
		return nil
	}
	im.grown = im.sum.Stored
	return im.o.Grown(ctx)
}

// tellOf counts and names the records of a batch that are bad or different, by line.
func (im *importer) tellOf(res feed.Applied) error {
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

// refuseLine refuses a line that is no record. If the import stops here, the records of the
// lines before are applied first.
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
