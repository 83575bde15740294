package gateway

import (
	"errors"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/tideline-feeds/tideline/feed"
)

// Recover responds with 500 and INTERNAL if a handler panics, and logs the panic with its stack
// and the request id. If the response has begun, it aborts the connection instead, so that
// clients do not take half a response for a whole one. [http.ErrAbortHandler] is passed on.
func Recover(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := &statusRecorder{ResponseWriter: w}
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if err, ok := value.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			log.ErrorContext(r.Context(), "handler panicked", "requestId", RequestIDFrom(r.Context()),
				"method", r.Method, "path", r.URL.Path, "panic", value, "stack", string(debug.Stack()))
			if rec.status != 0 {
				panic(http.ErrAbortHandler)
			}
			refuse(w, r, http.StatusInternalServerError, feed.CodeInternal, internalMessage)
		}()
		next.ServeHTTP(rec, r)
	})
}
