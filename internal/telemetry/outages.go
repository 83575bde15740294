package telemetry

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// quiet is how long after its last line an outage has ended. Work that repeats pauses for five seconds
// at most, and some tries take ten.
const quiet = 30 * time.Second

// Outages returns a handler that logs an outage when it begins and when it ends. Warnings and errors
// belong to an outage if their "error" has [feed.CodeUnavailable]; those with the same message belong
// to the same outage. Its other lines have the level debug. next handles the result.
func Outages(next slog.Handler) slog.Handler {
	return outagesHandler{next, &outages{log: next, open: map[string]*outage{}}}
}

type outagesHandler struct {
	slog.Handler
	outages *outages
}

// outages are the outages of a process. log gets their ends.
type outages struct {
	log  slog.Handler
	mu   sync.Mutex
	open map[string]*outage // by message; guarded by mu
}

type outage struct {
	began, last time.Time
	lines       int
}

// Handle implements [slog.Handler].
func (h outagesHandler) Handle(ctx context.Context, line slog.Record) error {
	if line.Level < slog.LevelWarn { // most are, and need no search
		return h.Handler.Handle(ctx, line)
	}
	what := outageOf(line)
	switch {
	case what == "":
	case h.outages.begins(what):
		line.AddAttrs(slog.String("outage", what))
		time.AfterFunc(quiet, func() { h.outages.endIfQuiet(what) })
	case !h.Enabled(ctx, slog.LevelDebug):
		return nil
	default:
		line.Level = slog.LevelDebug
	}
	return h.Handler.Handle(ctx, line)
}

// outageOf returns the message of the error in a line about an outage; empty for other lines.
func outageOf(line slog.Record) (what string) {
	line.Attrs(func(a slog.Attr) bool {
		err, isError := a.Value.Any().(error)
		var known *feed.Error
		if isError && errors.As(err, &known) && known.Code == feed.CodeUnavailable {
			what = known.Message
		}
		return what == ""
	})
	return what
}

// begins counts a line. It returns true for the first one of an outage.
func (o *outages) begins(what string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	now, known := time.Now(), o.open[what]
	if known == nil {
		known = &outage{began: now}
		o.open[what] = known
	}
	known.last = now
	known.lines++
	return known.lines == 1
}

// endIfQuiet logs the end of an outage if it had no line for so long, and else looks again then.
func (o *outages) endIfQuiet(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	ended := o.open[what]
	if left := quiet - time.Since(ended.last); left > 0 {
		time.AfterFunc(left, func() { o.endIfQuiet(what) })
		return
	}
	delete(o.open, what)
	slog.New(o.log).Info("an outage ended", "outage", what, "lasted", ended.last.Sub(ended.began), "lines", ended.lines)
}

// WithAttrs implements [slog.Handler].
func (h outagesHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return outagesHandler{h.Handler.WithAttrs(attrs), h.outages}
}

// WithGroup implements [slog.Handler].
func (h outagesHandler) WithGroup(name string) slog.Handler {
	return outagesHandler{h.Handler.WithGroup(name), h.outages}
}
