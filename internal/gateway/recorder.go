package gateway

import (
	"bufio"
	"errors"
	"net"
	"net/http"
)

// statusRecorder remembers the status of the response. It is a Flusher and a
// Hijacker itself, because streams and sockets ask for these by type.
type statusRecorder struct {
	http.ResponseWriter
	status int
	// conn is nil where the server does not say which it is; see [Joined].
	conn *joinedConn
	// fixed are headers that the response is to have; nil for none. They are for where there
	// is a conn.
	fixed *fixedHeaders
}

// WriteHeader remembers the final status; informational ones come before it.
func (s *statusRecorder) WriteHeader(status int) {
	if status >= http.StatusOK {
		s.begin(status)
	}
	s.ResponseWriter.WriteHeader(status)
}

// begin remembers the status of a response that is about to begin, unless it has begun before,
// and gives it its fixed headers: as they are, or among the others when one of them is there
// already, which then stays.
func (s *statusRecorder) begin(status int) {
	if s.status != 0 {
		return
	}
	s.status = status
	if s.fixed == nil {
		return
	}
	if header := s.Header(); s.fixed.meet(header) {
		s.fixed.complete(header)
	} else {
		s.conn.insert(s.fixed.lines)
	}
}

// Write makes the status 200 when none was set, as the server does.
func (s *statusRecorder) Write(p []byte) (int, error) {
	s.begin(http.StatusOK)
	if s.conn == nil || len(p) < joinedMin || s.Header().Get("Content-Length") == "" {
		return s.ResponseWriter.Write(p)
	}
	s.conn.hold()
	n, err := s.ResponseWriter.Write(p)
	// What is still in buffers comes along.
	return n, errors.Join(err, s.FlushError(), s.conn.release())
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
