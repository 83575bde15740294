package gateway

import (
	"bufio"
	"net"
	"net/http"
)

// statusRecorder records the status. Streams and sockets need it to be a Flusher and Hijacker.
type statusRecorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader ignores informational statuses.
func (s *statusRecorder) WriteHeader(status int) {
	if status >= http.StatusOK {
		s.begin(status)
	}
	s.ResponseWriter.WriteHeader(status)
}

func (s *statusRecorder) begin(status int) {
	if s.status == 0 {
		s.status = status
	}
}

// Write implies status 200, as in net/http.
func (s *statusRecorder) Write(p []byte) (int, error) {
	s.begin(http.StatusOK)
	return s.ResponseWriter.Write(p)
}

func (s *statusRecorder) Flush() { _ = s.FlushError() }

// FlushError tells streams that the client is gone.
func (s *statusRecorder) FlushError() error {
	s.begin(http.StatusOK)
	return http.NewResponseController(s.ResponseWriter).Flush()
}

func (s *statusRecorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buf, err := http.NewResponseController(s.ResponseWriter).Hijack()
	if err == nil && s.status == 0 {
		s.status = http.StatusSwitchingProtocols
	}
	return conn, buf, err
}

// Unwrap is for [http.ResponseController].
func (s *statusRecorder) Unwrap() http.ResponseWriter { return s.ResponseWriter }
