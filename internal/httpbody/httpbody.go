// Package httpbody sends response bodies: compressed, and only if the client does not have them.
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
	// Fast is for responses that are sent once: 8 kB shrink to 2.3 kB in some 100 µs.
	Fast = 5
	// Small is for files that many clients load and cache: 2 % smaller in twice the time. Higher
	// levels take ten times as long for another 2 %.
	Small = 7
)

// jitter is the maximum number of bytes, derived from the content, by which a compressed response
// is padded. So its length does not reveal whether it contains a text that an attacker chose (the
// BREACH attack).
const jitter = 32

// Compressor returns a middleware that compresses JSON and text of 1 KiB or more with zstd or
// gzip, whichever the client accepts. level is [Fast] or [Small], for gzip; zstd uses its fastest
// level. It buffers: do not use it for streams.
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

// Tag returns the entity tag of a body. It is weak, so it is valid for every compression.
func Tag(content []byte) string {
	sum := sha256.Sum256(content)
	// 128 bits: no two contents of one address have the same tag.
	return `W/"` + hex.EncodeToString(sum[:16]) + `"`
}

// Serve answers a GET or HEAD request with a body, or with 304 if the client has it. Set the type
// and the ETag in the header before.
func Serve(w http.ResponseWriter, r *http.Request, body []byte) {
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}
