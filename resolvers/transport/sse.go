package transport

import (
	"context"
	"io"
	"iter"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
)

// stream answers with server-sent events: "next" for each response, and "complete" after the last.
// Errors too have status 200, because an EventSource hides all others from its page.
func (a exchange) stream(ctx context.Context, params *graphql.RawParams) {
	leave, full := a.t.enter(ctx)
	if full != nil {
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	defer leave()
	signedIn, cancel, err := a.t.signIn(ctx)
	if err != nil {
		a.write(signInStatus(err), failedResponse(ctx, a.exec, err))
		return
	}
	defer cancel()
	a.streamAs(signedIn, cancel, params)
}

// streamAs streams an operation in the context of the viewer, which cancel ends.
func (a exchange) streamAs(ctx context.Context, cancel context.CancelFunc, params *graphql.RawParams) {
	oc, refused := prepare(ctx, a.exec, params)
	switch {
	case refused != nil && status(mediaEvents, refused) != http.StatusOK:
		a.write(status(mediaEvents, refused), refused)
	case refused != nil:
		e := a.events(cancel)
		e.response(refused)
		e.complete()
		e.end()
	case a.r.Method == http.MethodGet && oc.Operation.Operation == ast.Mutation:
		a.refuseMutation(ctx)
	default:
		a.streamOperation(ctx, cancel, oc)
	}
}

// signIn authenticates a stream, and returns a context that ends with its token.
func (t *Transport) signIn(ctx context.Context) (context.Context, context.CancelFunc, error) {
	ctx, expires, err := t.o.Authenticate(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	if expires.IsZero() {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, cancel, nil
	}
	ctx, cancel := context.WithDeadline(ctx, expires)
	return ctx, cancel, nil
}

func signInStatus(err error) int {
	switch feed.CodeOf(err) {
	case feed.CodeUnauthenticated:
		return http.StatusUnauthorized
	case feed.CodeForbidden:
		return http.StatusForbidden
	case feed.CodeBadInput:
		return http.StatusBadRequest
	case feed.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// streamOperation sends the responses of an operation, with keep-alive comments between them. If
// the server or the token ends a subscription, there is no "complete", so that the client
// subscribes again.
func (a exchange) streamOperation(ctx context.Context, cancel context.CancelFunc, oc *graphql.OperationContext) {
	defer context.AfterFunc(a.t.cut, cancel)() //nolint:contextcheck // it is the server that ends
	if oc.Operation.Operation == ast.Subscription {
		defer context.AfterFunc(a.t.draining, cancel)() //nolint:contextcheck // as above
	}
	responses := a.begin(ctx, oc)
	e := a.events(cancel)
	var alive sync.WaitGroup
	alive.Go(func() { e.keepAlive(ctx, a.t.o.KeepAlive) })
	a.sendAll(ctx, e, responses)
	if ctx.Err() == nil {
		e.complete()
	}
	cancel()
	alive.Wait()
	e.end()
}

// begin starts an operation before its stream. So a client that has the header of a stream gets
// every event from then on.
func (a exchange) begin(ctx context.Context, oc *graphql.OperationContext) (responses iter.Seq[*graphql.Response]) {
	defer func() {
		if value := recover(); value != nil {
			responses = slices.Values([]*graphql.Response{panicked(ctx, a.exec, value)})
		}
	}()
	return a.t.responses(ctx, a.exec, oc)
}

func (a exchange) sendAll(ctx context.Context, e *events, responses iter.Seq[*graphql.Response]) {
	defer func() {
		if value := recover(); value != nil {
			e.response(panicked(ctx, a.exec, value))
		}
	}()
	for response := range responses {
		if a.t.o.Recheck(ctx) != nil {
			return
		}
		e.response(response)
	}
}

// events begins the response. It calls cancel when a write fails.
func (a exchange) events(cancel context.CancelFunc) *events {
	e := &events{
		w: a.w, control: http.NewResponseController(a.w), within: a.t.o.WriteWithin, cancel: cancel,
		unsent: a.t.unsent, address: a.address,
	}
	// The server's timeouts are for requests. Only writers of tests know no deadlines.
	_ = e.control.SetReadDeadline(time.Time{})
	a.w.Header().Set("Content-Type", mediaEvents)
	// Some proxies buffer responses.
	a.w.Header().Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(http.StatusOK)
	e.write()
	return e
}

// events is the body of a stream. It is safe for concurrent use.
type events struct {
	control *http.ResponseController
	within  time.Duration
	cancel  context.CancelFunc
	unsent  *unsent
	address string
	cut     atomic.Bool // by the budget of unsent bytes

	mu     sync.Mutex
	w      io.Writer
	failed bool
}

func (e *events) response(r *graphql.Response) {
	text, at := encodeAround(r)
	defer e.unsent.begin(e.address, cap(r.Data)+len(text), e.cutOff)()
	e.write([]byte("event: next\ndata: "), text[:at], r.Data, text[at:], []byte("\n\n"))
}

func (e *events) cutOff() {
	e.cut.Store(true)
	cutOff(e.control)
}

// complete has an empty data line, because an EventSource ignores events without one.
func (e *events) complete() { e.write([]byte("event: complete\ndata:\n\n")) }

// keepAlive sends comments, which clients ignore, until ctx ends.
func (e *events) keepAlive(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			e.write([]byte(":\n\n"))
		case <-ctx.Done():
			return
		}
	}
}

// write writes a message in parts. It ends the stream if the client has gone or is too slow.
func (e *events) write(parts ...[]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	_ = e.control.SetWriteDeadline(time.Now().Add(e.within))
	if e.cut.Load() {
		cutOff(e.control)
	}
	if err := e.flush(parts); err != nil {
		e.failed = true
		e.cancel()
	}
}

func (e *events) flush(parts [][]byte) error {
	for _, part := range parts {
		if _, err := e.w.Write(part); err != nil {
			return err
		}
	}
	return e.control.Flush()
}

// end resets the deadline of the connection for the server.
func (e *events) end() {
	if !e.failed {
		_ = e.control.SetWriteDeadline(time.Time{})
	}
}
