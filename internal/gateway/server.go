package gateway

import (
	"log/slog"
	"net/http"
	"time"
)

// Timeouts bound how long a server waits for its clients.
type Timeouts struct {
	// Header and Read bound the header of a request and the whole request, from its first byte.
	Header, Read time.Duration
	// Write bounds the response, from the end of the request's header. Streams move the deadline
	// with [http.ResponseController].
	Write time.Duration
	// Idle bounds the time between two requests on a connection.
	Idle time.Duration
}

// NewServer returns an HTTP/1.1 server. It logs failed connections as warnings.
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
