package gateway

import "net/http"

// fixedHeaders are headers that all responses have alike, unless a handler says otherwise.
//
// net/http puts each header into a map, copies it, sorts it among the others and writes it in
// four pieces: with seven of them that took three hundredths of what a page costs. Over a
// connection of [Joined] they are therefore sent as the lines that they are.
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
		f.lines = append(f.lines, h.name+": "+h.values[0]+"\r\n"...)
	}
	return f
}

// give gives them to a response: at once, or when it begins where a recorder below knows the
// connection.
func (f *fixedHeaders) give(w http.ResponseWriter) {
	for next := w; ; {
		rec, ok := next.(*statusRecorder)
		if !ok {
			f.complete(w.Header())
			return
		}
		if rec.conn != nil {
			rec.fixed = f
			return
		}
		next = rec.ResponseWriter
	}
}

// meet says whether a header has any of them already.
func (f *fixedHeaders) meet(header http.Header) bool {
	for _, h := range f.each {
		if _, there := header[h.name]; there {
			return true
		}
	}
	return false
}

// complete adds those that a header does not have.
func (f *fixedHeaders) complete(header http.Header) {
	for _, h := range f.each {
		if _, there := header[h.name]; !there {
			header[h.name] = h.values
		}
	}
}
