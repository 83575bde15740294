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

// Names name the objects of payloads for people.
type Names struct {
	// Post names a post, or the replay of a [feed.ReplayRef].
	Post  func(feed.PostID) string
	Users func(...feed.UserID) []feed.PublicID
}

// UI returns asynqmon, with a link to root/fanout, to be mounted at root (such as "/tasks") and below, and a function that
// closes its connections. It has no sign-in: the caller must let only admins reach it.
func UI(conn asynq.RedisConnOpt, root string, readOnly bool, names Names) (http.Handler, func() error) {
	mon := asynqmon.New(asynqmon.Options{
		RootPath:         "/" + strings.Trim(root, "/"),
		RedisConnOpt:     conn,
		PayloadFormatter: asynqmon.PayloadFormatterFunc(names.formatPayload),
		ResultFormatter:  asynqmon.ResultFormatterFunc(formatResult),
		ReadOnly:         readOnly,
	})
	pages := &uiPages{
		next: mon,
		root: "/" + strings.Trim(root, "/"),
		// asynqmon's page asks a third party for two fonts that it can do without.
		foreign: regexp.MustCompile(`<link[^>]*\shref="(?:[a-z]+:)?//[^>]*>`),
	}
	return http.NewCrossOriginProtection().Handler(pages), mon.Close
}

// formatPayload describes a payload, or why no worker would take it.
func (n Names) formatPayload(typ string, raw []byte) string {
	var words string
	var err error
	switch typ {
	case TypeDispatch, TypePlan:
		id, e := decode(typ, PayloadVersion, raw, readContent)
		words, err = n.Post(id), e
	case TypePush:
		refs, e := decode(typ, PayloadVersion, raw, readSlices)
		var list []string
		for _, ref := range refs {
			list = append(list, fmt.Sprintf("%s, slice %d", n.Post(ref.Post), ref.Task))
		}
		words, err = strings.Join(list, "; "), e
	case TypeBuild, TypeReconcile, TypeWarmUp:
		id, e := decode(typ, PayloadVersion, raw, readViewer)
		words, err = fmt.Sprintf("inbox of user %s", n.Users(id)[0]), e
	case TypeReplayBuild, TypeReplayReconcile, TypeReplayWarmUp:
		id, e := decode(typ, PayloadVersion, raw, readViewer)
		words, err = fmt.Sprintf("replay inbox of user %s", n.Users(id)[0]), e
	case TypeRefresh:
		hosts, e := decode(typ, PayloadVersion, raw, readHosts)
		words, err = fmt.Sprintf("live sessions of users %s", n.Users(hosts...)), e
	case TypeAnnounce:
		words = "lists the queue"
	default:
		err = fmt.Errorf("unknown task type %q", typ)
	}
	if err != nil {
		return fmt.Sprintf("%q: %v", raw, err)
	}
	return words
}

// formatResult shows what [Report] has set. asynqmon calls nothing unprintable bytes.
func formatResult(_ string, raw []byte) string { return string(raw) }

// uiPages removes foreign links, sets security headers, and corrects content types of asynqmon.
type uiPages struct {
	next    http.Handler
	root    string
	foreign *regexp.Regexp
}

func (p *uiPages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	nonce := rand.Text()
	h := w.Header()
	h.Set("Content-Security-Policy", contentPolicy(nonce))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	out := &uiWriter{ResponseWriter: w, svg: strings.HasSuffix(r.URL.Path, ".svg")}
	p.next.ServeHTTP(out, r)
	out.flush(func(page []byte) []byte { return p.rewrite(page, nonce) })
}

// contentPolicy allows scripts with the nonce, since two are inline and one makes the styles.
func contentPolicy(nonce string) string {
	return "default-src 'none'; " +
		"script-src 'self' 'nonce-" + nonce + "'; " +
		"style-src 'self' 'nonce-" + nonce + "'; " +
		"img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func (p *uiPages) rewrite(page []byte, nonce string) []byte {
	page = p.foreign.ReplaceAll(page, nil)
	page = bytes.ReplaceAll(page, []byte("<script"), []byte(`<script nonce="`+nonce+`"`))
	meta := `<head><meta property="csp-nonce" content="` + nonce + `"/>`
	page = bytes.Replace(page, []byte("<head>"), []byte(meta), 1)
	link := `<style nonce="` + nonce + `">.fanouts{position:fixed;right:1rem;bottom:1rem;z-index:2000;padding:.4rem .8rem;` +
		`border-radius:1rem;background:#0b5cad;color:#fff;font:14px system-ui,sans-serif}</style>` +
		`<a class="fanouts" href="` + p.root + `/fanout">Fan-outs</a></body>`
	return bytes.Replace(page, []byte("</body>"), []byte(link), 1)
}

// uiWriter buffers responses without a content type: asynqmon's page and its JSON.
type uiWriter struct {
	http.ResponseWriter
	svg    bool
	passed bool
	status int
	buffer bytes.Buffer
}

func (w *uiWriter) WriteHeader(status int) {
	w.status = status
	if w.Header().Get("Content-Type") == "" {
		return
	}
	w.passed = true
	if w.svg && status == http.StatusOK {
		// asynqmon sends it as plain text, which no browser shows as an image.
		w.Header().Set("Content-Type", "image/svg+xml")
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *uiWriter) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.passed {
		return w.ResponseWriter.Write(b)
	}
	return w.buffer.Write(b)
}

// flush tells the page from JSON by its beginning: asynqmon sends it for every unknown path.
func (w *uiWriter) flush(rewrite func([]byte) []byte) {
	if w.passed {
		return
	}
	body := w.buffer.Bytes()
	switch {
	case bytes.HasPrefix(body, []byte("<!doctype html>")):
		body = rewrite(body)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
	case len(body) > 0:
		w.Header().Set("Content-Type", "application/json")
	}
	// The page has a nonce, and the JSON is the current state.
	w.Header().Set("Cache-Control", "no-store")
	if w.status != 0 {
		w.ResponseWriter.WriteHeader(w.status)
	}
	_, _ = w.ResponseWriter.Write(body)
}
