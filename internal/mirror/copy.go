package mirror

import (
	"bytes"
	"errors"
	"strings"
)

// copyWriter splits the text format of COPY into rows.
type copyWriter struct {
	columns int
	// rows counts the rows so far, with the one of the call.
	rows int
	row  func([]Cell) error
	rest []byte
}

// Write implements [io.Writer]. It may get any part of the text.
func (w *copyWriter) Write(b []byte) (int, error) {
	size := len(b)
	if len(w.rest) > 0 {
		b = append(w.rest, b...)
	}
	for {
		line, rest, whole := bytes.Cut(b, []byte{'\n'})
		if !whole {
			w.rest = bytes.Clone(b)
			return size, nil
		}
		cells, err := copyCells(line, w.columns)
		if err != nil {
			return 0, err
		}
		w.rows++
		if err := w.row(cells); err != nil {
			return 0, err
		}
		b = rest
	}
}

var errCopy = errors.New("the source sends a row with another number of columns")

// copyCells returns the values of a line. They do not share its memory.
func copyCells(line []byte, columns int) ([]Cell, error) {
	cells := make([]Cell, 0, columns)
	for field := range bytes.SplitSeq(line, []byte{'\t'}) {
		if string(field) == `\N` {
			cells = append(cells, Cell{Null: true})
			continue
		}
		cells = append(cells, Cell{Text: unescape(field)})
	}
	if columns == 0 {
		cells = cells[:0]
	}
	if len(cells) != columns {
		return nil, errCopy
	}
	return cells, nil
}

// unescape returns a copy of a value without the escapes that COPY writes.
func unescape(field []byte) []byte {
	out := make([]byte, 0, len(field))
	for i := 0; i < len(field); i++ {
		c := field[i]
		if c == '\\' && i+1 < len(field) {
			i++
			c = field[i]
			if at := strings.IndexByte("bfnrtv", c); at >= 0 {
				c = "\b\f\n\r\t\v"[at]
			}
		}
		out = append(out, c)
	}
	return out
}
