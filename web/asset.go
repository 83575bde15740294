package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The two ways a response may be kept: a year, the longest that means anything, or
// until the server says that it is still the same.
const (
	forEver  = "public, max-age=31536000, immutable"
	askAgain = "no-cache"
)

// asset serves one unchanging body, as it is or compressed.
type asset struct {
	contentType, caching string
	// policy is the Content-Security-Policy of a page, empty for other files.
	policy string
	etag   string
	body   []byte
	// zipped returns the body compressed. That is done when first asked for, because
	// most servers are never asked for GraphiQL and all are to start at once.
	zipped func() []byte
}

// newAsset returns a handler for a file with the extension ext, which must be one
// that this package serves.
func newAsset(ext string, body []byte, caching string) *asset {
	// Not from the mime package: what that knows depends on the machine.
	contentType, ok := map[string]string{
		".html": "text/html; charset=utf-8",
		".css":  "text/css; charset=utf-8",
		".js":   "text/javascript; charset=utf-8",
		".svg":  "image/svg+xml",
		".txt":  "text/plain; charset=utf-8",
	}[ext]
	if !ok {
		panic("web: the content type of " + ext + " files is not known")
	}
	return &asset{
		contentType: contentType,
		caching:     caching,
		etag:        digest(body),
		body:        body,
		zipped:      sync.OnceValue(func() []byte { return compress(body) }),
	}
}

// newPage returns a handler for a page with its policy.
func newPage(body []byte, policy string) *asset {
	page := newAsset(".html", body, askAgain)
	page.policy = policy
	return page
}

// ServeHTTP answers with the body, or 304 when the client has it. The compressed
// body has an entity tag of its own, because it is other bytes.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, etag := a.body, a.etag
	h := w.Header()
	if acceptsGzip(r) {
		body, etag = a.zipped(), etag+"-gzip"
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", a.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", a.caching)
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", strconv.Quote(etag))
	if a.policy != "" {
		h.Set("Content-Security-Policy", a.policy)
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// acceptsGzip says whether the client names gzip among the encodings it accepts,
// and not with a weight of zero.
func acceptsGzip(r *http.Request) bool {
	for _, header := range r.Header.Values("Accept-Encoding") {
		for part := range strings.SplitSeq(header, ",") {
			name, weight, _ := strings.Cut(part, ";")
			if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
				continue
			}
			_, q, _ := strings.Cut(weight, "=")
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return err != nil || n > 0
		}
	}
	return false
}

// compress cannot fail: the level is valid and memory takes every write.
func compress(body []byte) []byte {
	var out bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	_, _ = zip.Write(body)
	_ = zip.Close()
	return out.Bytes()
}
