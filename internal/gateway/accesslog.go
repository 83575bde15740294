package gateway

import (
	"bufio"
	"errors"
	"log/slog"
	"net"
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
		if r.ProtoMajor == 1 { // later versions have messages of their own
			rec.conn, _ = r.Context().Value(joinedKey{}).(*joinedConn)
		}
		// A handler that panics without an answer is cut off by the server. It is
		// written down as what it would have been.
		outcome := http.StatusInternalServerError
		r, about := withNotes(r)
		defer func() {
			if rec.status != 0 {
				outcome = rec.status
			}
			writeAccess(log, r, about, outcome, start, now())
		}()
		next.ServeHTTP(rec, r)
		outcome = http.StatusOK
	})
}

// writeAccess writes the line of a request. It makes the line itself, because the logger would
// look up for each which line of the program writes it, which no handler here tells.
func writeAccess(log *slog.Logger, r *http.Request, about *notes, status int, start, end time.Time) {
	ctx := r.Context()
	if !log.Enabled(ctx, slog.LevelInfo) {
		return
	}
	line := slog.NewRecord(end, slog.LevelInfo, "request", 0)
	line.AddAttrs(
		slog.String("method", r.Method),
		slog.String("path", r.URL.Path),
		slog.Int("status", status),
		slog.Duration("duration", end.Sub(start)),
		slog.String("requestId", about.requestID),
	)
	if about.viewer != 0 {
		line.AddAttrs(slog.String("viewer", about.viewer.String()))
	}
	_ = log.Handler().Handle(ctx, line) // there is nobody to tell, as the logger has nobody
}

// statusRecorder remembers the status of the response. It is a Flusher and a
// Hijacker itself, because streams and sockets ask for these by type.
type statusRecorder struct {
	http.ResponseWriter
	status int
	// conn is nil where the server does not say which it is; see [Joined].
	conn *joinedConn
}

// WriteHeader remembers the final status; informational ones come before it.
func (s *statusRecorder) WriteHeader(status int) {
	if s.status == 0 && status >= http.StatusOK {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

// Write makes the status 200 when none was set, as the server does.
func (s *statusRecorder) Write(p []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
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
	if s.status == 0 {
		s.status = http.StatusOK
	}
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
