package gateway

import (
	"cmp"
	"log/slog"
	"net/http"
	"time"
)

// LogAccess logs one line per finished request, with its id, its user, and the service that acts
// for the user. It omits the query and
// headers, which can contain variables and tokens. now is the clock; [time.Now] when nil.
func LogAccess(log *slog.Logger, now func() time.Time, next http.Handler) http.Handler {
	if now == nil {
		now = time.Now
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := now()
		rec := &statusRecorder{ResponseWriter: w}
		r, info := withInfo(r)
		defer func() {
			// The server cuts off a handler that panics before it responds.
			writeAccess(log, r, info, cmp.Or(rec.status, http.StatusInternalServerError), start, now())
		}()
		next.ServeHTTP(rec, r)
		// A handler that writes nothing responds with 200.
		rec.begin(http.StatusOK)
	})
}

func writeAccess(log *slog.Logger, r *http.Request, info *requestInfo, status int, start, end time.Time) {
	attrs := []slog.Attr{
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.Int("status", status),
		slog.Duration("duration", end.Sub(start)),
		slog.String("requestId", info.requestID),
	}
	if info.viewer.Number != 0 {
		attrs = append(attrs, slog.String("viewer", string(info.viewer.Text())))
	}
	if info.service != "" {
		attrs = append(attrs, slog.String("service", info.service))
	}
	log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}
