package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// byteOrderMark precedes UTF-8 in files of some editors.
const byteOrderMark = "\ufeff"

// lineMax is the maximum length of a line in bytes. It fits the longest text and all media with
// every character escaped.
const lineMax = 4 << 20

// ErrTooLong says that a stream has more bytes, once it is decompressed, than its reader allows.
var ErrTooLong = errors.New("the decompressed records are too long")

// input reads numbered lines. A line ends with LF, CRLF, CR, or the end of the file.
type input struct {
	r *bufio.Reader
	// number is that of the last line.
	number int
	// read is the number of decompressed bytes so far, readMax their maximum; 0 for none.
	read, readMax int64
	// afterCR reports that a following LF belongs to the last line end.
	afterCR bool
}

// line is a line without its end and byte order mark.
type line struct {
	number int
	text   []byte
	// marked reports that it had a byte order mark.
	marked bool
	// tooLong reports that the text is truncated.
	tooLong bool
}

// newInput returns the lines of r, decompressed if it is gzip with any number of members. It
// fails for other compressions and encodings.
func newInput(r io.Reader) (*input, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if start, _ := buffered.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("read gzip: %w", err)
		}
		buffered = bufio.NewReaderSize(unpacked, 1<<16)
	}
	// The first read of a line returns the error again.
	start, _ := buffered.Peek(4)
	if what := foreign(start); what != "" {
		return nil, fmt.Errorf("the file is %s; it must be UTF-8 text, plain or compressed by gzip", what)
	}
	return &input{r: buffered}, nil
}

// foreign names the format of a file that begins with start; empty if it can be UTF-8 text.
func foreign(start []byte) string {
	for _, f := range []struct{ magic, name string }{
		{"\xff\xfe\x00\x00", "UTF-32 (little endian)"},
		{"\x00\x00\xfe\xff", "UTF-32 (big endian)"},
		{"\xff\xfe", "UTF-16 (little endian)"},
		{"\xfe\xff", "UTF-16 (big endian)"},
		{"\x28\xb5\x2f\xfd", "compressed by zstd"},
		{"BZh", "compressed by bzip2"},
		{"\xfd7zX", "compressed by xz"},
		{"PK\x03\x04", "a zip archive"},
	} {
		if bytes.HasPrefix(start, []byte(f.magic)) {
			return f.name
		}
	}
	// Without a byte order mark, the first character is ASCII.
	switch {
	case len(start) >= 2 && start[0] != 0 && start[1] == 0:
		return "UTF-16 (little endian)"
	case len(start) >= 2 && start[0] == 0 && start[1] != 0:
		return "UTF-16 (big endian)"
	}
	return ""
}

// next returns the next line. The error is io.EOF after the last one, or that of the reader.
func (in *input) next() (line, error) {
	l := line{number: in.number + 1}
	began := false
	for {
		part, ended, err := in.part()
		began = began || ended || len(part) > 0
		if l.tooLong = l.tooLong || len(l.text)+len(part) > lineMax; !l.tooLong {
			l.text = append(l.text, part...)
		}
		if ended || err != nil && began && errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return line{}, err
		}
	}
	in.number++
	if bytes.HasPrefix(l.text, []byte(byteOrderMark)) {
		l.text, l.marked = l.text[len(byteOrderMark):], true
	}
	return l, nil
}

// part returns the buffered part of the line, and whether it ends the line. The bytes are valid
// until the next call.
func (in *input) part() (part []byte, ended bool, err error) {
	if _, err := in.r.Peek(1); err != nil {
		return nil, false, err
	}
	part, _ = in.r.Peek(in.r.Buffered())
	if in.afterCR {
		in.afterCR = false
		if part[0] == '\n' {
			_, err := in.r.Discard(1)
			return nil, false, err
		}
	}
	n := len(part)
	if end := bytes.IndexByte(part, '\n'); end >= 0 {
		part = part[:end]
		n, ended = end+1, true
	}
	if end := bytes.IndexByte(part, '\r'); end >= 0 {
		part = part[:end]
		n, ended, in.afterCR = end+1, true, true
	}
	if in.read += int64(n); in.readMax > 0 && in.read > in.readMax {
		return nil, false, ErrTooLong
	}
	_, err = in.r.Discard(n)
	return part, ended, err
}
