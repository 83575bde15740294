package gateway

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"
)

// LogAccess writes one line for every request once it is answered: method, path,
// status, duration, request id, and the user when one is signed in ([Identify]). Of the address only the path is written, and of
// the headers none: a query may hold variables, a header a token. now is the clock;
// [time.Now] when nil.
func LogAccess(log *slog.Logger, now func() time.Time, next http.Handler) http.Handler {
	if now == nil {
		now = time.Now
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := now()
		rec := &statusRecorder{ResponseWriter: w}
		r, about := withNotes(r)
		defer func() {
			// A handler that panics without an answer is cut off by the server. It is
			// written down as what it would have been.
			writeAccess(log, r, about, cmp.Or(rec.status, http.StatusInternalServerError), start, now())
		}()
		next.ServeHTTP(rec, r)
		// Who has said nothing has said that all is well.
		rec.begin(http.StatusOK)
	})
}

// writeAccess writes the line of a request.
func writeAccess(log *slog.Logger, r *http.Request, about *notes, status int, start, end time.Time) {
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.Int("status", status),
		slog.Duration("duration", end.Sub(start)),
		slog.String("requestId", about.requestID),
	}
	if about.viewer != 0 {
		attrs = append(attrs, slog.String("viewer", about.viewer.String()))
	}
	log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}
