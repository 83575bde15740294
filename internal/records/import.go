package records

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tideline-feeds/tideline/feed"
)

// lineMax is the longest line that is read, in bytes: the longest text, with every
// character escaped, and room for the rest.
const lineMax = 2 << 20

// Sink takes what is read, batch by batch. A [feed.Importer] is one, and so is
// [Live].
type Sink interface {
	// Import takes the records of one batch in order and says what became of each.
	Import(ctx context.Context, batch []feed.Record) (feed.ImportResult, error)
}

// Options says how to import.
type Options struct {
	// BatchSize is how many records go into one transaction; 5,000 when 0: large
	// enough that the commits vanish, small enough that a server beside the import
	// hardly waits for the write lock.
	BatchSize int
	// Strict stops at the first line that is refused. Batches stored before stay.
	Strict bool
	// Refused is told of every line that was not stored, in order of lines within a
	// batch.
	Refused func(line int, reason string)
	// Progress is told after every batch how far the import is.
	Progress func(s Summary)
	// Grown is called when the store is so much larger that it should look at itself
	// anew: after the first batch that stored something, whenever twice as much has been
	// stored as at the call before, and at the end. Its error ends the import, which is
	// seldom wanted: what is stored is stored without it too.
	Grown func(ctx context.Context) error
}

// Summary counts what an import did.
type Summary struct {
	// Lines counts the lines read, Stored the new records, Known those stored
	// before, Refused the bad lines.
	Lines, Stored, Known, Refused int
}

// ErrStrict says that a strict import met a line it had to refuse.
var ErrStrict = errors.New("stopped at the first bad line")

// Import reads records from r, one a line, and hands them on batch by batch. Empty
// lines are passed over. It may be run again after any end, also in the middle:
// what is stored changes nothing. The error is the store's, r's, [ErrStrict] or the
// context's; the summary says how far it came.
func Import(ctx context.Context, r io.Reader, to Sink, o Options) (Summary, error) {
	im := newImporter(to, o)
	lines := bufio.NewReaderSize(r, 1<<16)
	for {
		line, tooLong, err := readLine(lines)
		if err != nil && !errors.Is(err, io.EOF) {
			return im.sum, err
		}
		if len(line) > 0 || err == nil {
			im.sum.Lines++
			if err := im.line(ctx, line, tooLong); err != nil {
				return im.sum, err
			}
		}
		if err != nil {
			return im.sum, im.end(ctx)
		}
	}
}

// readLine returns the next line without its end. A line longer than lineMax is cut
// there, and the rest of it passed over.
func readLine(r *bufio.Reader) (line []byte, tooLong bool, err error) {
	for {
		part, more, err := r.ReadLine()
		if len(line)+len(part) > lineMax {
			tooLong = true
		} else {
			line = append(line, part...)
		}
		if err != nil || !more {
			return line, tooLong, err
		}
	}
}

// importer gathers records into batches.
type importer struct {
	to    Sink
	o     Options
	batch []feed.Record
	sum   Summary
	// grown is how many records had been stored when Grown was last called.
	grown int
}

func newImporter(to Sink, o Options) *importer {
	if o.BatchSize == 0 {
		o.BatchSize = 5000
	}
	return &importer{to: to, o: o}
}

func (im *importer) line(ctx context.Context, line []byte, tooLong bool) error {
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return nil
	}
	if tooLong {
		return im.refuse(im.sum.Lines, fmt.Sprintf("the line is longer than %d bytes", lineMax))
	}
	rec, err := Decode(line)
	if err != nil {
		return im.refuse(im.sum.Lines, err.Error())
	}
	rec.Line = im.sum.Lines
	return im.add(ctx, rec)
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
	res, err := im.to.Import(ctx, im.batch)
	if err != nil {
		return err
	}
	im.batch = im.batch[:0]
	im.sum.Stored += res.Stored
	im.sum.Known += res.Known
	for _, r := range res.Refused {
		if err := im.refuse(r.Line, r.Reason); err != nil {
			return err
		}
	}
	if im.o.Progress != nil {
		im.o.Progress(im.sum)
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
