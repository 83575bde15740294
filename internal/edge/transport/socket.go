package transport

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

func (a exchange) upgrade() {
	ctx := a.r.Context()
	if a.isCrossOrigin() {
		a.refuse(ctx, http.StatusForbidden, feed.CodeForbidden, "a page of another site may not open a socket")
		return
	}
	s := newSocket(a)
	if full := s.enter(ctx); full != nil {
		s.end()
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	detached := false
	defer func() {
		if !detached {
			s.leave()
		}
	}()
	conn, err := websocket.Accept(a.w, a.r, &websocket.AcceptOptions{
		Subprotocols: []string{subprotocol},
		// isCrossOrigin has checked the origin, by the same rule as for other requests.
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
	conn.SetReadLimit(requestMax)
	s.conn = conn
	if u := upgradeFrom(ctx); u != nil {
		detached = true
		u.serve(func() {
			defer func() { s.leave() }()
			s.serve()
		})
		return
	}
	s.serve()
}

// isCrossOrigin reports whether a page of another, untrusted site made the request.
func (a exchange) isCrossOrigin() bool {
	unsafe := *a.r
	unsafe.Method = http.MethodPost
	return a.t.o.Origins.Check(&unsafe) != nil
}

// socket is one WebSocket. One goroutine reads and handles messages in order. An idle socket has no
// other goroutine.
type socket struct {
	multiplex
	conn   *websocket.Conn
	header http.Header

	// ctx ends with the socket, by end.
	ctx context.Context
	end context.CancelFunc
	// cut ends when the connection is cut off, by cutOff or by the server.
	cut context.Context

	// evicted ends when the socket must make room for another client.
	evicted context.Context

	// Only the reader uses these until the socket has ended: the place among the connections, the
	// state of the sign-in, and the viewer's context.
	leave                  func()
	initTimer              *time.Timer
	initReceived, signedIn bool
	viewer                 context.Context

	alive *time.Timer // mu guards it
}

func newSocket(a exchange) *socket {
	s := &socket{header: onlyRead(a.r.Header), multiplex: newMultiplex(a)}
	s.ctx, s.end = context.WithCancel(a.r.Context())
	s.cut, s.cutOff = context.WithCancel(a.t.cut)
	s.evicted, s.evict = context.WithCancel(context.Background())
	s.channel = s
	return s
}

// enter takes a place among the connections for the client of ctx.
func (s *socket) enter(ctx context.Context) (full *limitError) {
	s.leave, full = s.t.enter(ctx, s.evict)
	return full
}

// serve handles messages until the socket is closed, and returns when its goroutines have ended.
func (s *socket) serve() {
	s.initTimer = time.AfterFunc(s.t.o.InitWithin, func() {
		s.close(closeError{closeInitTimeout, "Connection initialisation timeout"})
	})
	defer s.initTimer.Stop()
	defer s.cutOff()
	defer context.AfterFunc(s.t.draining, s.drain)()
	defer context.AfterFunc(s.evicted, func() { s.close(closeError{websocket.StatusTryAgainLater, madeRoom}) })()
	defer func() {
		s.stop()
		_ = s.conn.CloseNow() // it is closed by now, unless something has panicked
		s.done.Wait()
	}()
	s.startKeepAlive()
	var c closeError
	if errors.As(s.read(), &c) {
		s.close(c)
	}
}

func (s *socket) read() error {
	for {
		// The socket's own context ends before the client answers the close frame.
		kind, text, err := s.conn.Read(s.cut)
		if err != nil {
			return err
		}
		if kind != websocket.MessageText {
			return badRequest("a message must be text")
		}
		if err := apart(func() error { return s.handle(text) }); err != nil {
			return err
		}
	}
}

// apart calls f on another stack, so that the caller's stays small.
func apart(f func() error) (err error) {
	var panicked any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		err = f()
	}()
	<-done
	if panicked != nil {
		panic(panicked)
	}
	return err
}

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
		s.cancel(m.ID)
	}
	return nil
}

// charge charges the client for a message that starts no operation. Its error closes the socket.
func (s *socket) charge() error {
	ctx := s.viewer
	if ctx == nil {
		ctx = s.ctx
	}
	if err := s.t.charge(ctx); err != nil {
		return closeError{closeTooManyMessages, "Rate limited: too many messages"}
	}
	return nil
}

// chargeFrame charges for a ping or pong frame, and reports whether to answer it. It is called in
// the middle of a read, so it must not close the socket itself.
func (s *socket) chargeFrame() bool {
	var c closeError
	if errors.As(s.charge(), &c) {
		s.done.Go(func() { s.close(c) })
		return false
	}
	return true
}

// signIn acknowledges connection_init, or returns the error that closes the socket.
func (s *socket) signIn(m message) error {
	if s.initReceived {
		return closeError{closeTooManyInits, "Too many initialisation requests"}
	}
	s.initReceived = true
	s.initTimer.Stop()
	payload, err := m.credentials()
	if err != nil {
		return badRequest("the payload of a message must be a JSON object")
	}
	ctx, expires, err := s.t.o.Authenticate(s.ctx, payload)
	if err != nil {
		return s.refused(err)
	}
	if err := s.become(ctx); err != nil {
		return err
	}
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

// become makes the socket that of the viewer in ctx, and counts it for this viewer.
func (s *socket) become(ctx context.Context) error {
	s.leave()
	if full := s.enter(ctx); full != nil {
		s.leave = func() {}
		return closeError{websocket.StatusTryAgainLater, full.message}
	}
	s.viewer, s.signedIn, s.holder = ctx, true, s.t.o.Holder(ctx)
	return nil
}

// refused returns how a failed sign-in closes the socket, with the presenter's text.
func (s *socket) refused(err error) closeError {
	shown := failedResponse(s.ctx, s.exec, err).Errors[0].Message
	switch feed.CodeOf(err) {
	case feed.CodeUnauthenticated, feed.CodeForbidden:
		return closeError{closeForbidden, shorten("Forbidden: " + shown)}
	case feed.CodeBadInput:
		return closeError{closeBadRequest, shorten(shown)}
	case feed.CodeUnavailable:
		return closeError{websocket.StatusTryAgainLater, shorten(shown)}
	}
	return closeError{closeInternalFailure, "Internal server error"}
}

func shorten(reason string) string { return reason[:min(len(reason), 123)] }

func (s *socket) endAt(expires time.Time) {
	timer := time.AfterFunc(time.Until(expires), func() {
		s.close(closeError{closeForbidden, "Forbidden: the token has expired"})
	})
	context.AfterFunc(s.ctx, func() { timer.Stop() })
}

// startKeepAlive starts the timer that sends pings.
func (s *socket) startKeepAlive() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.alive = time.AfterFunc(s.t.o.KeepAlive, s.keepAlive)
}

// keepAlive sends a ping and schedules the next. It cuts off a client that does not answer.
func (s *socket) keepAlive() {
	began := time.Now()
	if !s.beginPing() {
		return
	}
	defer s.done.Done()
	ctx, cancel := context.WithTimeout(s.cut, s.t.o.WriteWithin)
	err := s.conn.Ping(ctx)
	cancel()
	s.mu.Lock()
	ended := s.ctx.Err() != nil
	if !ended && err == nil {
		s.alive.Reset(max(0, s.t.o.KeepAlive-time.Since(began)))
	}
	s.mu.Unlock()
	if err != nil {
		s.stop()
		_ = s.conn.CloseNow()
	}
}

// beginPing lets serve wait for a ping. It returns false if the socket has ended.
func (s *socket) beginPing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return false
	}
	s.done.Add(1)
	return true
}

// drain closes the socket once its queries and mutations are answered.
func (s *socket) drain() {
	s.finish()
	s.close(closeError{closeGoingAway, "Going away"})
}

// close ends all operations and closes the socket. The first of several calls decides the code.
func (s *socket) close(c closeError) {
	s.stop()
	_ = s.conn.Close(c.code, c.reason) // a client that has gone, or does not answer, is cut off
}

func (s *socket) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopping = true
	clear(s.operations)
	if s.alive != nil {
		s.alive.Stop()
	}
	s.end()
}

// write sends a message. It cuts off a client that does not receive it in time.
func (s *socket) write(m message) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(s.cut, s.t.o.WriteWithin)
	defer cancel()
	return s.conn.Write(ctx, websocket.MessageText, text)
}

func (s *socket) subscribe(m message) error {
	if !s.signedIn {
		return closeError{closeUnauthorized, "Unauthorized"}
	}
	params, err := m.params(s.header)
	if err != nil {
		return badRequest(err.Error())
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopping:
	case s.operations[m.ID] != nil:
		return closeError{closeDuplicateID, "Subscriber for " + m.ID + " already exists"}
	case m.malformed != nil:
		s.failed(m.ID, errorResponse(s.viewer, s.exec, feed.CodeBadInput, "the payload has "+m.malformed.Error()))
	case s.isFull():
		s.failed(m.ID, errorResponse(s.viewer, s.exec, apierror.RateLimited, "too many operations run on this socket"))
	default:
		o := s.add(s.viewer, m.ID)
		go s.run(o, params)
	}
	return nil
}

// run prepares and executes an operation.
func (s *socket) run(o *operation, params *graphql.RawParams) {
	oc := s.prepare(o, params)
	if oc == nil {
		s.ended(o)
		return
	}
	s.execute(o, oc)
}

// prepare returns nil if the operation is refused, and tells the client.
func (s *socket) prepare(o *operation, params *graphql.RawParams) *graphql.OperationContext {
	defer s.recovered(o)
	if s.t.o.Recheck(o.ctx) != nil {
		return nil
	}
	now := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: now, End: now}
	oc, refused := prepare(o.ctx, s.exec, params)
	if refused != nil {
		s.fail(o, refused)
		return nil
	}
	return oc
}

func (s *socket) next(id string, response []byte) error {
	return s.write(message{ID: id, Type: typeNext, Payload: response})
}

// failed ignores failures of the connection, which the reader notices.
func (s *socket) failed(id string, response *graphql.Response) {
	payload, err := json.Marshal(response.Errors)
	if err != nil {
		// Only extensions that cannot be marshaled.
		payload, _ = json.Marshal(gqlerror.List{{Message: apierror.InternalMessage}})
	}
	_ = s.write(message{ID: id, Type: typeError, Payload: payload})
}

func (s *socket) complete(id string) { _ = s.write(message{ID: id, Type: typeComplete}) }
