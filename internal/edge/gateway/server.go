package gateway

import (
	"log/slog"
	"net/http"
	"time"
)

// Limits bound what a server accepts from its clients, and how long it waits for them.
type Limits struct {
	// HeaderBytes bounds what precedes the body of a request.
	HeaderBytes int
	// Header and Read bound the header of a request and the whole request, from its first byte.
	Header, Read time.Duration
	// Write bounds the response, from the end of the request's header. Streams move the deadline
	// with [http.ResponseController].
	Write time.Duration
	// Idle bounds the time between two requests on a connection.
	Idle time.Duration
}

// NewServer returns an HTTP/1.1 server. It logs failed connections as warnings.
func NewServer(h http.Handler, l Limits, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		MaxHeaderBytes:    l.HeaderBytes,
		ReadHeaderTimeout: l.Header,
		ReadTimeout:       l.Read,
		WriteTimeout:      l.Write,
		IdleTimeout:       l.Idle,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
