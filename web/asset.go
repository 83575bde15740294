package web

import (
	"net/http"

	"github.com/tideline-feeds/tideline/internal/kit/httpbody"
)

const (
	forEver  = "public, max-age=31536000, immutable"
	askAgain = "no-cache"
)

type asset struct {
	contentType, caching string
	// policy is the Content-Security-Policy of a page; empty for other files.
	policy string
	etag   string
	body   []byte
}

// newAsset panics for an extension that this package does not serve.
func newAsset(ext string, body []byte, caching string) *asset {
	// Package mime depends on the machine.
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
		etag:        httpbody.Tag(body),
		body:        body,
	}
}

func newPage(body []byte, policy string) *asset {
	page := newAsset(".html", body, askAgain)
	page.policy = policy
	return page
}

// ServeHTTP responds with the body, or with 304 if the client has it.
func (a *asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", a.caching)
	h.Set("ETag", a.etag)
	if a.policy != "" {
		h.Set("Content-Security-Policy", a.policy)
	}
	httpbody.Serve(w, r, a.body)
}
