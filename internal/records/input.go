package records

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// byteOrderMark is what some editors put in front of UTF-8.
const byteOrderMark = "\ufeff"

// lineMax is the longest line that is read, in bytes: the longest text and as many media
// as a record may have, with every character escaped, and room for the rest.
const lineMax = 4 << 20

// input reads the lines of a file and numbers them from 1. A line ends with LF, CRLF or
// CR, or with the file.
type input struct {
	r *bufio.Reader
	// number is that of the line read last.
	number int
	// afterCR says that a LF, if it comes next, ends nothing.
	afterCR bool
}

// line is one line without its end, and without a byte order mark before it.
type line struct {
	number int
	text   []byte
	// marked says that there was a byte order mark.
	marked bool
	// tooLong says that the rest of the line was passed over.
	tooLong bool
}

// newInput returns the lines of r, which are unpacked if they are compressed by gzip, in any
// number of members. The error says that r is packed or encoded in another way.
func newInput(r io.Reader) (*input, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if start, _ := buffered.Peek(2); bytes.Equal(start, []byte{0x1f, 0x8b}) {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, fmt.Errorf("read gzip: %w", err)
		}
		buffered = bufio.NewReaderSize(unpacked, 1<<16)
	}
	// The reader of the first line gets an error of reading again.
	start, _ := buffered.Peek(4)
	if what := foreign(start); what != "" {
		return nil, fmt.Errorf("the file is %s; it must be UTF-8 text, plain or compressed by gzip", what)
	}
	return &input{r: buffered}, nil
}

// foreign names what a file is that begins with start; it is empty for what may be text in
// UTF-8.
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
	// Without a mark, the first character of either kind of file is in ASCII.
	switch {
	case len(start) >= 2 && start[0] != 0 && start[1] == 0:
		return "UTF-16 (little endian)"
	case len(start) >= 2 && start[0] == 0 && start[1] != 0:
		return "UTF-16 (big endian)"
	}
	return ""
}

// next returns the next line. The error is io.EOF after the last one, or that of reading.
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

// part returns what is buffered of the line, and whether that ends it. The bytes hold until
// the next call.
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
	_, err = in.r.Discard(n)
	return part, ended, err
}
