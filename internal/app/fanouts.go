package app

import (
	"bytes"
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/fanout"
	"github.com/tideline-feeds/tideline/tasks"
)

// push runs a slice and reports what it did, also before a failure, as the result of the task.
func (a *services) push(ctx context.Context, ref feed.SliceRef) error {
	done, err := a.fanout.PushCounted(ctx, ref)
	if err == nil || done.Served > 0 {
		tasks.Report(ctx, pushResult(done))
	}
	return err
}

// pushResult describes a push, such as "1,000 of 1,000, 3 late, with 2 other posts".
func pushResult(p fanout.Pushed) string {
	if p.Posts == 0 {
		return "nothing to do: done before, or another worker has it"
	}
	text := fmt.Sprintf("%s of %s", number(p.Served), number(p.Listed))
	if p.Late > 0 {
		text += fmt.Sprintf(", %s late", number(p.Late))
	}
	if p.Posts > 1 {
		text += fmt.Sprintf(", with %s other posts", number(p.Posts-1))
	}
	return text
}

// reportsDispatch runs a dispatch or a plan and reports what it did as the result of the task.
func reportsDispatch(do func(context.Context, feed.PostID) (fanout.Dispatched, error)) func(context.Context, feed.PostID) error {
	return func(ctx context.Context, id feed.PostID) error {
		done, err := do(ctx, id)
		if err == nil {
			tasks.Report(ctx, dispatchResult(done))
		}
		return err
	}
}

// dispatchResult describes a dispatch, such as "12 online first, 3 of them notified; large: another task
// plans it".
func dispatchResult(d fanout.Dispatched) string {
	var text string
	if d.Online > 0 {
		text = fmt.Sprintf("%s online first, %s of them notified; ", number(d.Online), number(d.Notified))
	}
	switch {
	case d.HandedOver:
		return text + "large: another task plans it"
	case d.Stored && d.Slices == 0:
		return "nothing to do: done before"
	case d.Stored:
		return "planned before; open slices enqueued: " + number(d.Slices)
	case d.Slices == 0:
		return text + "nothing to push: reads pull it, no followers, or deleted"
	}
	return text + "slices enqueued: " + number(d.Slices)
}

func (a *services) monitorFanouts(st *stores) *fanout.Monitor {
	return &fanout.Monitor{Fanouts: st.sql, Audience: st.sql, Posts: st.sql, Waits: a.queue.Waits, Clock: st.clock.now}
}

//go:embed fanouts.html
var fanoutsHTML string

// fanoutPages serve the progress of fan-outs below root. ids is nil where ids are numbers. The pages
// have no scripts: they ask the browser to load them again while a fan-out runs. Only administrators
// may reach them.
func fanoutPages(m *fanout.Monitor, ids feed.IDFinder, root string) http.Handler {
	page := fanoutTemplates()
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, name string, status int, data any, public feed.PublicIDs) {
		nonce := rand.Text()
		var body bytes.Buffer
		err := page.ExecuteTemplate(&body, name, map[string]any{"Nonce": nonce, "Root": root, "Data": data, "IDs": public})
		if err != nil {
			http.Error(w, "the page cannot be made", http.StatusInternalServerError)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'nonce-"+nonce+"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		w.WriteHeader(status)
		_, _ = body.WriteTo(w)
	}
	fail := func(w http.ResponseWriter, err error) {
		status := http.StatusServiceUnavailable
		if feed.CodeOf(err).Refusal() {
			status = http.StatusNotFound
		}
		serve(w, "error", status, feed.Reason(err), nil)
	}
	progress := func(w http.ResponseWriter, r *http.Request, post string) {
		p, public, err := fanout.ProgressOf(r.Context(), m, ids, post)
		if err != nil {
			fail(w, err)
			return
		}
		serve(w, "progress", http.StatusOK, p, public)
	}
	mux.HandleFunc("GET "+root+"/fanout", func(w http.ResponseWriter, r *http.Request) {
		// An id that is a segment of dots has no path of its own.
		if post := r.FormValue("post"); post != "" {
			progress(w, r, post)
			return
		}
		list, err := m.Slowest(r.Context())
		var public feed.PublicIDs
		if err == nil {
			public, err = fanout.NamedIn(list).Read(r.Context(), ids)
		}
		if err != nil {
			fail(w, err)
			return
		}
		serve(w, "slowest", http.StatusOK, list, public)
	})
	mux.HandleFunc("GET "+root+"/fanout/{post}", func(w http.ResponseWriter, r *http.Request) {
		progress(w, r, r.PathValue("post"))
	})
	return mux
}

func fanoutTemplates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"at":    func(ms int64) string { return timeOnPage(time.UnixMilli(ms)) },
		"time":  timeOnPage,
		"round": func(d time.Duration) string { return d.Round(time.Millisecond).String() },
		"lag": func(f feed.SlowFanout) string {
			return (time.Duration(f.MovedAt-f.BeganAt) * time.Millisecond).String()
		},
		"number": number[int64],
		"count":  number[int],
	}).Parse(fanoutsHTML))
}

// timeOnPage is the form of all times on the pages of operators.
func timeOnPage(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05.000 UTC") }

// number returns n with commas.
func number[T int | int64](n T) string {
	digits := fmt.Sprint(n)
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// withFanouts adds the pages to the UI of the tasks.
func withFanouts(queues, fanouts http.Handler, root string) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", queues)
	mux.Handle("GET "+root+"/fanout", fanouts)
	mux.Handle("GET "+root+"/fanout/{post}", fanouts)
	return mux
}
