package gateway

import (
	"bufio"
	"net"
	"net/http"
)

// statusRecorder remembers the status of the response. It is a Flusher and a
// Hijacker itself, because streams and sockets ask for these by type.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader remembers the final status; informational ones come before it.
func (s *statusRecorder) WriteHeader(status int) {
	if status >= http.StatusOK {
		s.begin(status)
	}
	s.ResponseWriter.WriteHeader(status)
}

// begin remembers the status of a response that begins, unless it has begun before.
func (s *statusRecorder) begin(status int) {
	if s.status == 0 {
		s.status = status
	}
}

// Write makes the status 200 when none was set, as the server does.
func (s *statusRecorder) Write(p []byte) (int, error) {
	s.begin(http.StatusOK)
	return s.ResponseWriter.Write(p)
}

// Flush sends what is buffered; without effect when the server cannot.
func (s *statusRecorder) Flush() { _ = s.FlushError() }

// FlushError does so too, and tells streams when nothing can be sent any more.
func (s *statusRecorder) FlushError() error {
	s.begin(http.StatusOK)
	return http.NewResponseController(s.ResponseWriter).Flush()
}

// Hijack hands the connection over and counts the request as switched.
func (s *statusRecorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buf, err := http.NewResponseController(s.ResponseWriter).Hijack()
	if err == nil && s.status == 0 {
		s.status = http.StatusSwitchingProtocols
	}
	return conn, buf, err
}

// Unwrap lets [http.ResponseController] reach the writer below.
func (s *statusRecorder) Unwrap() http.ResponseWriter { return s.ResponseWriter }
