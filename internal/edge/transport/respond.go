package transport

import (
	"net/http"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/internal/kit/httpbody"
)

// body is the body of a response, in parts. As a handler, it writes them.
type body struct {
	parts [][]byte
	// unsent is the memory that the parts take.
	unsent int
}

func (b body) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for _, part := range b.parts {
		if _, err := w.Write(part); err != nil {
			return // the client is gone
		}
	}
}

func (b body) length() (n int) {
	for _, part := range b.parts {
		n += len(part)
	}
	return n
}

// write sends a response. Until it is written, its bytes count as unsent.
func (a exchange) write(status int, response *graphql.Response) {
	header := a.w.Header()
	if a.mediaType == mediaEvents || a.mediaType == mediaMultipart {
		// A stream that does not begin is an ordinary response.
		a.mediaType = mediaJSON
	}
	header["Content-Type"] = []string{a.mediaType + "; charset=utf-8"}
	if status == http.StatusServiceUnavailable && header.Get("Retry-After") == "" {
		header.Set("Retry-After", retryAfter)
	}
	cacheable := a.cacheable(status, response)
	b := a.encode(response)
	if cacheable && len(b.parts) > 1 {
		b = a.rewrite(b)
	}
	header["Content-Length"] = []string{strconv.Itoa(b.length())}
	control := http.NewResponseController(a.w)
	// This fails only for writers of tests.
	_ = control.SetWriteDeadline(time.Now().Add(a.t.o.ResponseWithin))
	cut := func() { cutOff(control) }
	defer a.t.keep(a.holder, b.unsent, cut)()
	defer a.after.writing(cut)()
	if cacheable {
		httpbody.Serve(a.w, a.r, b.parts[0])
		return
	}
	a.w.WriteHeader(status)
	b.ServeHTTP(a.w, a.r)
}

// cacheable reports whether shared caches may store a response, and sets its header. They may if
// the request has no credentials, the response no errors, and no field called [NoStore]. They must revalidate each time, so
// that a deleted post disappears at once. The entity tag ignores extensions, which differ.
func (a exchange) cacheable(status int, response *graphql.Response) bool {
	if a.r.Method != http.MethodGet || status != http.StatusOK || len(response.Errors) > 0 || a.after != nil && a.after.private.Load() ||
		a.r.Header.Get("Authorization") != "" || a.r.Header.Get("Cookie") != "" || a.r.Header.Get(AtLeastHeader) != "" {
		return false
	}
	header := a.w.Header()
	header.Set("Cache-Control", "public, no-cache")
	header.Add("Vary", "Authorization, Cookie, "+AtLeastHeader)
	header.Set("ETag", httpbody.Tag(response.Data))
	return true
}

// encode returns the body of a response, compressed as a whole if the client accepts it, so that
// slow clients hold only the compressed body in memory.
func (a exchange) encode(response *graphql.Response) body {
	text, at := encodeAround(response)
	plain := body{parts: [][]byte{text[:at], response.Data, text[at:]}, unsent: cap(response.Data) + len(text)}
	switch {
	case a.t.compress == nil:
		return plain
	case a.r.Header.Get("Accept-Encoding") == "":
		a.w.Header().Add("Vary", "Accept-Encoding")
		return plain
	}
	return a.rewrite(a.t.compress(plain))
}

// rewrite returns what a handler writes, in one part.
func (a exchange) rewrite(h http.Handler) body {
	written := &memory{header: a.w.Header()}
	h.ServeHTTP(written, a.r)
	return body{parts: [][]byte{written.body}, unsent: cap(written.body)}
}

// memory is a response writer to memory, with the header of another writer.
type memory struct {
	header http.Header
	body   []byte
}

func (m *memory) Header() http.Header { return m.header }

func (m *memory) WriteHeader(int) {}

func (m *memory) Write(part []byte) (int, error) {
	m.body = append(m.body, part...)
	return len(part), nil
}

// keep counts unsent bytes of a holder until release is called. cut makes their write fail; it must
// not block, and is not called after release has returned.
func (t *Transport) keep(holder string, bytes int, cut func()) (release func()) {
	release, _ = t.unsent.Take(holder, bytes, cut) // the pool refuses nothing
	return release
}

func cutOff(control *http.ResponseController) {
	_ = control.SetWriteDeadline(time.Unix(1, 0)) // it fails as above
}
