package http1

import (
	"cmp"
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// Server serves connections. Make it with [New].
type Server struct {
	rest    *http.Server
	o       Options
	others  *others
	buffers sync.Pool
	date    date
	// writeWithin and armedFor are those of the package, but for tests.
	writeWithin, armedFor time.Duration

	// closing is set when the server is to stop, before anybody is told.
	closing atomic.Bool

	mu       sync.Mutex
	listener net.Listener
	conns    map[*conn]struct{}
	// left is closed when the last connection is gone after closing was set; nil until
	// somebody waits for that.
	left chan struct{}
}

// Options are what a server is to know of its handler.
type Options struct {
	// Streams names requests that are not to be answered in one piece, which net/http gets. It
	// is asked once for the same head on a connection, and sees a request without a body.
	Streams func(*http.Request) bool
	// Within is how long after it has come the context of a request ends by itself, which is not
	// noticed before a tenth of a second is over; zero for never.
	Within time.Duration
}

// New returns a server that answers plain requests by the handler of rest, within its
// ReadHeaderTimeout, ReadTimeout and IdleTimeout, of which ReadTimeout stands for another that is
// zero, and has rest serve all others. Its ConnContext, BaseContext, ConnState and WriteTimeout
// are for those others only.
func New(rest *http.Server, o Options) *Server {
	return &Server{
		rest: rest, o: o, writeWithin: writeWithin, armedFor: armedFor, conns: map[*conn]struct{}{},
	}
}

// Serve serves the connections of a listener, until [Server.Shutdown] or [Server.Close], after
// which it returns [http.ErrServerClosed], or until the listener fails. It is for one listener.
func (s *Server) Serve(l net.Listener) error {
	s.mu.Lock()
	s.listener, s.others = l, newOthers(l.Addr())
	s.mu.Unlock()
	if s.closing.Load() {
		_ = l.Close() // which is all there is to do
		return http.ErrServerClosed
	}
	ended := make(chan error, 1)
	go func() { ended <- s.rest.Serve(s.others) }()
	err := s.accept(l)
	if s.closing.Load() {
		return http.ErrServerClosed
	}
	return errors.Join(err, s.rest.Close(), <-ended)
}

// acceptPause is how long the server waits at first, and at most, when it has no more file
// descriptors, or the like: as long as net/http does.
const (
	acceptPause     = 5 * time.Millisecond
	acceptPauseMost = time.Second
)

func (s *Server) accept(l net.Listener) error {
	pause := acceptPause
	for {
		c, err := l.Accept()
		if err == nil {
			pause = acceptPause
			s.open(c)
			continue
		}
		var passing interface{ Temporary() bool }
		if s.closing.Load() || !errors.As(err, &passing) || !passing.Temporary() {
			return err
		}
		s.logf("no connection can be accepted: %v; trying again in %v", err, pause)
		time.Sleep(pause)
		pause = min(2*pause, acceptPauseMost)
	}
}

// open begins to serve a connection.
func (s *Server) open(accepted net.Conn) {
	c := newConn(s, accepted)
	s.mu.Lock()
	s.conns[c] = struct{}{}
	s.mu.Unlock()
	go c.serve()
}

// forget is told of each connection that is not served here any more.
func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if s.left != nil && len(s.conns) == 0 {
		close(s.left)
		s.left = nil
	}
}

// Shutdown ends the server: it accepts no more connections, closes those on which there is no
// request, and waits for requests under way, which are the last ones of their connections.
// When ctx ends before they have, it returns its error, and leaves what is not done to
// [Server.Close].
func (s *Server) Shutdown(ctx context.Context) error {
	s.rest.SetKeepAlivesEnabled(false)
	left, err := s.stop()
	select {
	case <-left:
	case <-ctx.Done():
		err = errors.Join(err, ctx.Err())
	}
	// What was handed over until now is served there, so it comes last.
	return errors.Join(err, s.rest.Shutdown(ctx))
}

// Close ends the server and cuts all connections off, whatever is under way there.
func (s *Server) Close() error {
	_, err := s.stop()
	s.mu.Lock()
	for c := range s.conns {
		_ = c.net.Close() // which ends what is under way there as well
	}
	s.mu.Unlock()
	return errors.Join(err, s.rest.Close())
}

// stop closes the listener and connections that wait for a request, and returns what is closed
// when all others are gone.
func (s *Server) stop() (left chan struct{}, err error) {
	s.closing.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.listener != nil {
		if err = s.listener.Close(); errors.Is(err, net.ErrClosed) {
			err = nil // by an earlier call
		}
	}
	for c := range s.conns {
		c.stop()
	}
	if s.left == nil {
		s.left = make(chan struct{})
	}
	left = s.left
	if len(s.conns) == 0 {
		close(s.left)
		s.left = nil
	}
	return left, err
}

// headerWithin is how long the head of a request may take.
func (s *Server) headerWithin() time.Duration {
	return cmp.Or(s.rest.ReadHeaderTimeout, s.rest.ReadTimeout)
}

// idleWithin is how long a connection is kept on which nothing comes.
func (s *Server) idleWithin() time.Duration { return cmp.Or(s.rest.IdleTimeout, s.rest.ReadTimeout) }

// logf writes where net/http would.
func (s *Server) logf(format string, about ...any) {
	to := s.rest.ErrorLog
	if to == nil {
		to = log.Default()
	}
	to.Printf(format, about...)
}

// date is the time of answers, which says no more than seconds and is written once in each.
type date struct{ last atomic.Pointer[dateText] }

type dateText struct {
	second int64
	text   string
}

// text returns the value of the header Date.
func (d *date) text(now time.Time) string {
	last := d.last.Load()
	if second := now.Unix(); last == nil || last.second != second {
		last = &dateText{second, now.UTC().Format(http.TimeFormat)}
		d.last.Store(last)
	}
	return last.text
}
