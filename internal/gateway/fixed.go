package gateway

import (
	"net/http"

	"github.com/tideline-feeds/tideline/internal/http1"
)

// fixedHeaders are headers that all responses have alike, unless a handler says otherwise.
//
// As part of the header each of them would be looked up and put into a map, and written in
// pieces: with seven of them that took three hundredths of what a page costs. Where the server
// takes them as the lines that they are, they are sent so ([http1.Fixed]).
type fixedHeaders struct {
	each  []fixedHeader
	lines []byte
}

// fixedHeader is one of them, with its name in its canonical form.
type fixedHeader struct {
	name string
	// values is its one value as net/http takes it. Nobody writes into it: a handler that has
	// something else to say replaces the list, or appends to it.
	values []string
}

func newFixedHeaders(each []fixedHeader) *fixedHeaders {
	f := &fixedHeaders{each: each}
	for _, h := range each {
		f.lines = h.appendTo(f.lines)
	}
	return f
}

func (h fixedHeader) appendTo(b []byte) []byte {
	return append(b, h.name+": "+h.values[0]+"\r\n"...)
}

// give gives them to a response.
func (f *fixedHeaders) give(w http.ResponseWriter) {
	if !http1.SetFixed(w, f) {
		f.complete(w.Header())
	}
}

// AppendTo implements [http1.Fixed].
func (f *fixedHeaders) AppendTo(b []byte, header http.Header) []byte {
	for _, h := range f.each {
		if _, there := header[h.name]; there {
			return f.appendRest(b, header)
		}
	}
	return append(b, f.lines...)
}

// appendRest appends the lines of those that a header does not have.
func (f *fixedHeaders) appendRest(b []byte, header http.Header) []byte {
	for _, h := range f.each {
		if _, there := header[h.name]; !there {
			b = h.appendTo(b)
		}
	}
	return b
}

// complete adds those that a header does not have.
func (f *fixedHeaders) complete(header http.Header) {
	for _, h := range f.each {
		if _, there := header[h.name]; !there {
			header[h.name] = h.values
		}
	}
}
