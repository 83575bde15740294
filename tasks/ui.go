package tasks

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"github.com/hibiken/asynq"
	"github.com/hibiken/asynqmon"

	"github.com/tideline-feeds/tideline/feed"
)

// UI returns the web UI of the queues, to be mounted at root (such as "/tasks") and
// everything below it, and a function that closes its connections to Redis. With
// readOnly it shows everything and changes nothing.
//
// The UI is asynqmon v0.7.2, its latest release. Its notices of npm packages are among those
// that tideline version --licenses prints.
//
// The UI has no sign-in of its own: the caller lets only admins reach the handler.
// Requests that change something are refused when they come from another origin,
// and the pages neither load nor run anything that this server does not send.
func UI(conn asynq.RedisConnOpt, root string, readOnly bool) (http.Handler, func() error) {
	mon := asynqmon.New(asynqmon.Options{
		RootPath:         "/" + strings.Trim(root, "/"),
		RedisConnOpt:     conn,
		PayloadFormatter: asynqmon.PayloadFormatterFunc(formatPayload),
		ResultFormatter:  asynqmon.ResultFormatterFunc(formatResult),
		ReadOnly:         readOnly,
	})
	pages := &uiPages{
		next: mon,
		// asynqmon's page asks a third party for a text and an icon font. It looks
		// well without the first, and uses nothing of the second.
		foreign: regexp.MustCompile(`<link[^>]*\shref="(?:[a-z]+:)?//[^>]*>`),
	}
	return http.NewCrossOriginProtection().Handler(pages), mon.Close
}

// formatPayload shows a payload in words, and one that no worker would take with
// the reason.
func formatPayload(typ string, raw []byte) string {
	var words string
	var err error
	switch typ {
	case TypeDispatch:
		id, e := decode(typ, PayloadVersion, raw, readContent)
		words, err = describe(id), e
	case TypePush:
		ref, e := decode(typ, PayloadVersion, raw, readSlice)
		words, err = fmt.Sprintf("%s, slice %d", describe(ref.Post), ref.Task), e
	case TypeBuild, TypeReconcile, TypeWarmUp:
		id, e := decode(typ, PayloadVersion, raw, readViewer)
		words, err = fmt.Sprintf("inbox of user %d", id), e
	case TypeReplayBuild, TypeReplayReconcile, TypeReplayWarmUp:
		id, e := decode(typ, PayloadVersion, raw, readViewer)
		words, err = fmt.Sprintf("replay inbox of user %d", id), e
	case TypeRefresh:
		hosts, e := decode(typ, PayloadVersion, raw, readHosts)
		words, err = fmt.Sprintf("live sessions of users %d", hosts), e
	case TypeAnnounce:
		words = "nothing but to show the queue"
	default:
		err = fmt.Errorf("unknown task type %q", typ)
	}
	if err != nil {
		return fmt.Sprintf("%q: %v", raw, err)
	}
	return words
}

// describe says what is fanned out under a name.
func describe(id feed.PostID) string {
	if session, ok := id.Session(); ok {
		return fmt.Sprintf("replay of session %d", session)
	}
	return fmt.Sprintf("content %d", id)
}

// formatResult shows what a finished task has left as its result. This package's
// tasks leave none, which asynqmon by itself calls bytes that cannot be printed.
func formatResult(_ string, raw []byte) string { return string(raw) }

// uiPages mends what asynqmon sends: it takes foreign links out of the page, sets
// the security headers, and names the content types that asynqmon leaves to be
// guessed or guesses wrong.
type uiPages struct {
	next    http.Handler
	foreign *regexp.Regexp
}

// ServeHTTP implements http.Handler.
func (p *uiPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Security-Policy", contentPolicy(nonce))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	out := &uiWriter{ResponseWriter: w, svg: strings.HasSuffix(r.URL.Path, ".svg")}
	p.next.ServeHTTP(out, r)
	out.flush(func(page []byte) []byte { return p.mend(page, nonce) })
}

// contentPolicy lets a page run the scripts that carry the nonce and load from this
// server only. Two of the page's scripts are inline, and its style sheets are made
// by script, which takes the nonce from a meta element.
func contentPolicy(nonce string) string {
	return "default-src 'none'; " +
		"script-src 'self' 'nonce-" + nonce + "'; " +
		"style-src 'self' 'nonce-" + nonce + "'; " +
		"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// mend returns the page without foreign links and with the nonce where scripts and
// the maker of the style sheets look for it.
func (p *uiPages) mend(page []byte, nonce string) []byte {
	page = p.foreign.ReplaceAll(page, nil)
	page = bytes.ReplaceAll(page, []byte("<script"), []byte(`<script nonce="`+nonce+`"`))
	meta := `<head><meta property="csp-nonce" content="` + nonce + `"/>`
	return bytes.Replace(page, []byte("<head>"), []byte(meta), 1)
}

// uiWriter holds back answers without a content type, which are asynqmon's page
// and its JSON; files and error messages have one and pass through.
type uiWriter struct {
	http.ResponseWriter
	svg    bool
	passed bool
	status int
	held   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *uiWriter) WriteHeader(status int) {
	w.status = status
	if w.Header().Get("Content-Type") == "" {
		return
	}
	w.passed = true
	if w.svg && status == http.StatusOK {
		// asynqmon takes it for plain text, which no browser shows as an image.
		w.Header().Set("Content-Type", "image/svg+xml")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *uiWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.passed {
		return w.ResponseWriter.Write(b)
	}
	return w.held.Write(b)
}

// flush sends what was held back. The page is told from JSON by its first bytes and
// not by the path, because asynqmon answers every path it does not know with it.
func (w *uiWriter) flush(mend func([]byte) []byte) {
	if w.passed {
		return
	}
	body := w.held.Bytes()
	switch {
	case bytes.HasPrefix(body, []byte("<!doctype html>")):
		body = mend(body)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	case len(body) > 0:
		w.Header().Set("Content-Type", "application/json")
	}
	// The page carries a nonce, and the JSON is the state of this moment.
	w.Header().Set("Cache-Control", "no-store")
	if w.status != 0 {
		w.ResponseWriter.WriteHeader(w.status)
	}
	// A client that is gone is nobody to tell about it.
	_, _ = w.ResponseWriter.Write(body)
}
