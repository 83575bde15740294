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
	// values are those of each, as net/http takes them. Nobody writes into them: whoever has
	// something else to say replaces one.
	values [][]string
}

// fixedHeader is one of them, with its name in its canonical form.
type fixedHeader struct{ name, value string }

func newFixedHeaders(each []fixedHeader) *fixedHeaders {
	f := &fixedHeaders{each: each}
	for _, h := range each {
		f.lines = append(f.lines, h.name+": "+h.value+"\r\n"...)
		f.values = append(f.values, []string{h.value})
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
	for i, h := range f.each {
		if _, there := header[h.name]; !there {
			header[h.name] = f.values[i]
		}
	}
}
