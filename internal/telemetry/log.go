package telemetry

import (
	"context"
	"log/slog"
)

// LogContext returns a handler that adds the attributes of a line's context, such as its request,
// unless the line has them. next handles the result.
func LogContext(next slog.Handler, attrs func(context.Context) []slog.Attr) slog.Handler {
	return contextHandler{Handler: next, attrs: attrs}
}

type contextHandler struct {
	slog.Handler
	attrs func(context.Context) []slog.Attr
}

// Handle implements [slog.Handler].
func (h contextHandler) Handle(ctx context.Context, line slog.Record) error {
	for _, a := range h.attrs(ctx) {
		if !has(line, a.Key) {
			line.AddAttrs(a)
		}
	}
	return h.Handler.Handle(ctx, line)
}

func has(line slog.Record, key string) bool {
	found := false
	line.Attrs(func(a slog.Attr) bool {
		found = a.Key == key
		return !found
	})
	return found
}

// WithAttrs implements [slog.Handler].
func (h contextHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return contextHandler{Handler: h.Handler.WithAttrs(attrs), attrs: h.attrs}
}

// WithGroup implements [slog.Handler].
func (h contextHandler) WithGroup(name string) slog.Handler {
	return contextHandler{Handler: h.Handler.WithGroup(name), attrs: h.attrs}
}
