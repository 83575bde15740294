package records

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tideline-feeds/tideline/feed"
)

// Line is a line of a stream of records. It has a record, or the reason why it has none.
type Line struct {
	// Number counts from 1.
	Number int
	// Text is the line without its end; of a line that is too long, only a beginning.
	Text   []byte
	Record feed.Record
	Bad    string
	// Cut reports that Text is only the beginning of the line.
	Cut bool
}

// Lines reads lines of records, decompressed if they are gzip. Blank lines are left out.
type Lines struct {
	format Format
	in     *input
	// blanks is the number of blank lines so far, blanksMax their maximum; 0 for none.
	blanks, blanksMax int
}

// ErrBlank says that a stream has more blank lines than its reader allows.
var ErrBlank = errors.New("too many blank lines")

// Limit makes Next return [ErrTooLong] after a number of decompressed bytes, and [ErrBlank] after a
// number of blank lines.
func (l *Lines) Limit(bytes int64, blanks int) { l.in.readMax, l.blanksMax = bytes, blanks }

// Lines fails if r is neither text nor gzip, or with the error of r.
func (f Format) Lines(r io.Reader) (*Lines, error) {
	in, err := newInput(r)
	if err != nil {
		return nil, err
	}
	return &Lines{format: f, in: in}, nil
}

// Next returns the next line. The error is io.EOF after the last one, or that of the reader. It
// holds at most a few megabytes, however long the line is.
func (l *Lines) Next() (Line, error) {
	for {
		read, err := l.in.next()
		if err != nil {
			return Line{}, err
		}
		text := bytes.Trim(read.text, " \t")
		if len(text) == 0 && !read.tooLong {
			if l.blanks++; l.blanksMax > 0 && l.blanks > l.blanksMax {
				return Line{}, ErrBlank
			}
			continue
		}
		if read.tooLong {
			return Line{Number: read.number, Text: text[:min(len(text), keptOfLong)], Bad: tooLong(), Cut: true}, nil
		}
		return l.format.DecodeLine(read.number, text), nil
	}
}

// DecodeLine returns the line with a number and a text.
func (f Format) DecodeLine(number int, text []byte) Line {
	line := Line{Number: number, Text: text}
	var err error
	if line.Record, err = f.Decode(text); err != nil && line.Record.Unfit == "" {
		line.Bad = feed.ShortReason(err.Error())
	}
	line.Record.Line, line.Record.Text = number, feed.TextLine(text)
	return line
}

// keptOfLong is how much of a line that is too long is kept, enough to recognize it.
const keptOfLong = 1000

func tooLong() string { return fmt.Sprintf("the line is longer than %d bytes", lineMax) }
