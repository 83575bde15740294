package gateway

import (
	"log/slog"
	"net/http"
	"time"
)

// Timeouts are how long a [NewServer] waits for its clients.
type Timeouts struct {
	// Header and Read bound the header of a request and the whole request, from its first byte.
	Header, Read time.Duration
	// Write bounds the whole response, from the end of the request's header. Handlers that
	// stream move this deadline with [http.ResponseController].
	Write time.Duration
	// Idle bounds the time between two requests of a connection.
	Idle time.Duration
}

// NewServer returns a server for HTTP/1.1 that answers by a handler. It logs failures of
// connections as warnings.
func NewServer(h http.Handler, t Timeouts, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: t.Header,
		ReadTimeout:       t.Read,
		WriteTimeout:      t.Write,
		IdleTimeout:       t.Idle,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
