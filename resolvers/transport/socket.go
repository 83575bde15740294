package transport

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"

	"github.com/tideline-feeds/tideline/feed"
)

// upgrade turns the request into a socket and serves it until it is closed.
func (a answer) upgrade() {
	ctx := a.r.Context()
	if a.fromElsewhere() {
		a.refuse(ctx, http.StatusForbidden, feed.CodeForbidden, "a page of another site may not open a socket")
		return
	}
	leave, full := a.t.enter(ctx)
	if full != nil {
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	defer leave()
	s := newSocket(a)
	conn, err := websocket.Accept(a.w, a.r, &websocket.AcceptOptions{
		Subprotocols: []string{subprotocol},
		// The origin has been judged, by the same rule as that of all other requests.
		InsecureSkipVerify: true,
		OnPingReceived:     func(context.Context, []byte) bool { return s.chargeFrame() }, //nolint:contextcheck // the viewer is charged
		OnPongReceived:     func(context.Context, []byte) { s.chargeFrame() },             //nolint:contextcheck // the same
	})
	if err != nil {
		s.end()
		return // and has answered
	}
	if conn.Subprotocol() != subprotocol {
		s.end()
		_ = conn.Close(closeSubprotocol, "Subprotocol not acceptable")
		return
	}
	conn.SetReadLimit(bodyMax)
	s.conn = conn
	s.serve()
}

// fromElsewhere says whether a page of a site that is not trusted made the request. Its
// method is judged as if it were unsafe: what is asked for is more than to read.
func (a answer) fromElsewhere() bool {
	unsafe := *a.r
	unsafe.Method = http.MethodPost
	return a.t.o.Origins.Check(&unsafe) != nil
}

// socket is one connection. One goroutine reads from it and handles messages in their
// order; each operation has a goroutine of its own, which writes its responses.
type socket struct {
	t      *Transport
	exec   graphql.GraphExecutor
	conn   *websocket.Conn
	header http.Header

	// ctx ends with the socket, by end.
	ctx context.Context
	end context.CancelFunc
	// cut ends when the connection is cut off, by cutOff or by the server.
	cut     context.Context
	cutOff  context.CancelFunc
	address string // whose budget of unsent bytes messages spend

	// The reader's own: how far the sign-in is, and the context of who has signed in.
	initTimer       *time.Timer
	asked, signedIn bool
	viewer          context.Context

	// mu is held while a message of an operation is written, so that none comes after
	// the operation was ended.
	mu         sync.Mutex
	operations map[string]*operation // by id; what was ended is gone, though it may still run
	running    int
	stopping   bool // no operation begins any more
	done       sync.WaitGroup
}

func newSocket(a answer) *socket {
	s := &socket{t: a.t, exec: a.exec, header: a.r.Header, operations: map[string]*operation{}}
	s.ctx, s.end = context.WithCancel(a.r.Context())
	s.cut, s.cutOff = context.WithCancel(a.t.cut)
	s.address = a.address
	return s
}

// serve handles messages until the socket is closed, by either side, and returns when
// nothing of it runs any more.
func (s *socket) serve() {
	s.initTimer = time.AfterFunc(s.t.o.InitWithin, func() {
		s.close(closing{closeInitTimeout, "Connection initialisation timeout"})
	})
	defer s.initTimer.Stop()
	defer s.cutOff()
	defer context.AfterFunc(s.t.draining, s.drain)()
	defer func() {
		s.stop()
		_ = s.conn.CloseNow() // it is closed by now, unless something has panicked
		s.done.Wait()
	}()
	s.done.Go(s.keepAlive)
	var c closing
	if errors.As(s.read(), &c) {
		s.close(c)
	}
}

// read handles messages until one of them, or the connection, fails.
func (s *socket) read() error {
	for {
		// Not the socket's context: when that ends the reader must still see how the
		// client answers the closing.
		kind, text, err := s.conn.Read(s.cut)
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			return badRequest("messages are texts")
		}
		if err := s.handle(text); err != nil {
			return err
		}
	}
}

// handle does what a message asks for. Its errors end the socket.
func (s *socket) handle(text []byte) error {
	m, err := readMessage(text)
	if err != nil {
		return err
	}
	if m.Type != typeInit && m.Type != typeSubscribe {
		if err := s.charge(); err != nil {
			return err
		}
	}
	switch m.Type {
	case typeInit:
		return s.signIn(m)
	case typePing:
		return s.write(message{Type: typePong, Payload: m.Payload})
	case typeSubscribe:
		return s.subscribe(m)
	case typeComplete:
		s.complete(m.ID)
	}
	return nil
}

// charge charges the client for a message that begins no operation. Its error closes the
// socket.
func (s *socket) charge() error {
	ctx := s.viewer
	if ctx == nil {
		ctx = s.ctx
	}
	if err := s.t.charge(ctx); err != nil {
		return closing{closeTooManyMessages, "Rate limited: too many messages"}
	}
	return nil
}

// chargeFrame does so for a ping or a pong of the WebSocket protocol, and reports whether to
// answer it. The reader calls it in the middle of a read, so that it must not close the
// socket itself.
func (s *socket) chargeFrame() bool {
	var c closing
	if errors.As(s.charge(), &c) {
		s.done.Go(func() { s.close(c) })
		return false
	}
	return true
}

// signIn answers connection_init: with an acknowledgement, or by closing the socket.
func (s *socket) signIn(m message) error {
	if s.asked {
		return closing{closeTooManyInits, "Too many initialisation requests"}
	}
	s.asked = true
	s.initTimer.Stop()
	payload, err := m.credentials()
	if err != nil {
		return badRequest("the payload of a message is a JSON object")
	}
	ctx, expires, err := s.t.o.Authenticate(s.ctx, payload)
	if err != nil {
		return s.refused(err)
	}
	s.viewer, s.signedIn = ctx, true
	context.AfterFunc(ctx, func() {
		if s.ctx.Err() == nil { // the viewer has ended, and not the socket
			s.close(s.refused(context.Cause(ctx)))
		}
	})
	if !expires.IsZero() {
		s.endAt(expires)
	}
	return s.write(message{Type: typeAck})
}

// refused returns how the socket is closed for a sign-in that failed. The error's text is
// what the executor's error presenter lets clients see of it.
func (s *socket) refused(err error) closing {
	shown := failure(s.ctx, s.exec, err).Errors[0].Message
	switch feed.CodeOf(err) {
	case feed.CodeUnauthenticated, feed.CodeForbidden:
		return closing{closeForbidden, shorten("Forbidden: " + shown)}
	case feed.CodeUnavailable:
		return closing{websocket.StatusTryAgainLater, shorten(shown)}
	}
	return closing{closeInternalFailure, "Internal server error"}
}

// shorten cuts a reason to what a closing can carry. Reasons are plain ASCII.
func shorten(reason string) string { return reason[:min(len(reason), 123)] }

// endAt closes the socket when its token stops holding. Clients come again with a new one.
func (s *socket) endAt(expires time.Time) {
	timer := time.AfterFunc(time.Until(expires), func() {
		s.close(closing{closeForbidden, "Forbidden: the token has expired"})
	})
	context.AfterFunc(s.ctx, func() { timer.Stop() })
}

// keepAlive asks for signs of life until the socket ends, and cuts off who gives none.
func (s *socket) keepAlive() {
	tick := time.NewTicker(s.t.o.KeepAlive)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			// Not the socket's context: a write that is given up cuts the connection, and
			// the socket may be about to say why it ends.
			ctx, cancel := context.WithTimeout(s.cut, s.t.o.WriteWithin)
			err := s.conn.Ping(ctx)
			cancel()
			if err != nil {
				s.stop()
				_ = s.conn.CloseNow()
				return
			}
		case <-s.ctx.Done():
			return
		}
	}
}

// drain closes the socket once the queries and mutations under way are answered.
// Subscriptions end without a "complete", and what comes now is not begun: clients
// repeat both on their next connection.
func (s *socket) drain() {
	s.mu.Lock()
	s.stopping = true
	var finishing []*operation
	for id, o := range s.operations {
		if o.subscription {
			o.cancel()
			delete(s.operations, id)
		} else {
			finishing = append(finishing, o)
		}
	}
	s.mu.Unlock()
	for _, o := range finishing {
		<-o.ctx.Done()
	}
	s.close(closing{closeGoingAway, "Going away"})
}

// close ends everything and tells the client why. Of several closings the first counts.
func (s *socket) close(c closing) {
	s.stop()
	_ = s.conn.Close(c.code, c.reason) // a client that has gone, or does not answer, is cut off
}

// stop ends all operations without a word.
func (s *socket) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping = true
	clear(s.operations)
	s.end()
}

// write sends a message. Who does not take it in time is cut off.
func (s *socket) write(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.cut, s.t.o.WriteWithin)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, text)
}
