// Package httpbody sends the bodies of responses: compressed to clients that accept it, and
// not again to clients that have them.
package httpbody

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// How well to compress by gzip; zstd always takes its fastest level.
const (
	// Fast is for responses that are made once: a page of 8 kB shrinks to 2.3 kB in some
	// 100 µs.
	Fast = 5
	// Small is for files that many clients load and keep: a fiftieth smaller, in twice
	// the time. Higher levels take ten times as long for another fiftieth.
	Small = 7
)

// jitter is by how many bytes at most a compressed response is lengthened, by a number that
// its content decides. So the length does not reveal whether a text that someone else chose
// occurs again in the response (the BREACH attack).
const jitter = 32

// Compressor returns what wraps a handler so that its responses are compressed by zstd or
// gzip, whichever a client accepts, if they are JSON or text of 1 KiB or more. level is [Fast]
// or [Small]. It buffers: do not wrap handlers that stream.
func Compressor(level int) func(http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(
		gzhttp.CompressionLevel(level),
		gzhttp.RandomJitter(jitter, 0, false),
		gzhttp.ContentTypes([]string{
			"application/json", "application/graphql-response+json",
			"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml",
		}),
	)
	if err != nil {
		panic(err) // only for a level that does not exist
	}
	return func(next http.Handler) http.Handler { return wrap(next) }
}

// Tag returns the entity tag of a content. It is weak, so that it holds for the content
// compressed and as it is.
func Tag(content []byte) string {
	sum := sha256.Sum256(content)
	// 128 bits: no two contents of one address have the same tag.
	return `W/"` + hex.EncodeToString(sum[:16]) + `"`
}

// Serve answers a GET or HEAD request with a body, or with 304 if the client has it. The
// type and the ETag must be in the header already.
func Serve(w http.ResponseWriter, r *http.Request, body []byte) {
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
