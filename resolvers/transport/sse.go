package transport

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
)

// stream answers with server-sent events: a "next" for every response, and a "complete"
// after the last. What is wrong with an operation is such a response too, with status
// 200, because a browser's EventSource shows no other to its page.
func (a answer) stream(ctx context.Context, params *graphql.RawParams) {
	leave, full := a.t.enter(ctx)
	if full != nil {
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	defer leave()
	signedIn, cancel, err := a.t.signIn(ctx)
	if err != nil {
		a.write(signInStatus(err), failure(ctx, a.exec, err))
		return
	}
	defer cancel()
	a.streamAs(signedIn, cancel, params)
}

// streamAs answers with events who was let in, in a context that cancel ends.
func (a answer) streamAs(ctx context.Context, cancel context.CancelFunc, params *graphql.RawParams) {
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

// signIn asks who begins a stream, and returns a context that ends with his token.
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

// signInStatus returns the HTTP status of a sign-in that failed.
func signInStatus(err error) int {
	switch feed.CodeOf(err) {
	case feed.CodeUnauthenticated:
		return http.StatusUnauthorized
	case feed.CodeForbidden:
		return http.StatusForbidden
	case feed.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// streamOperation sends the responses of an operation, and signs of life between them.
// The stream of a subscription that the server ends, or whose token does, has no
// "complete", so that the client begins it anew.
func (a answer) streamOperation(ctx context.Context, cancel context.CancelFunc, oc *graphql.OperationContext) {
	defer context.AfterFunc(a.t.cut, cancel)() //nolint:contextcheck // it is the server that ends
	if oc.Operation.Operation == ast.Subscription {
		defer context.AfterFunc(a.t.draining, cancel)() //nolint:contextcheck // as above
	}
	e := a.events(cancel)
	var alive sync.WaitGroup
	alive.Go(func() { e.keepAlive(ctx, a.t.o.KeepAlive) })
	a.sendAll(ctx, e, oc)
	if ctx.Err() == nil {
		e.complete()
	}
	cancel()
	alive.Wait()
	e.end()
}

// sendAll sends the responses of an operation, of which a panic is the last.
func (a answer) sendAll(ctx context.Context, e *events, oc *graphql.OperationContext) {
	defer func() {
		if value := recover(); value != nil {
			e.response(panicked(ctx, a.exec, value))
		}
	}()
	for response := range a.t.responses(ctx, a.exec, oc) {
		if a.t.o.Recheck(ctx) != nil {
			return
		}
		e.response(response)
	}
}

// events begins the response. cancel is called when it cannot be written any further.
func (a answer) events(cancel context.CancelFunc) *events {
	e := &events{
		w: a.w, control: http.NewResponseController(a.w), within: a.t.o.WriteWithin, cancel: cancel,
		unsent: a.t.unsent, address: a.address,
	}
	// The server's patience is for requests; this response may take as long as it likes.
	// Writers that know no deadlines are those of tests.
	_ = e.control.SetReadDeadline(time.Time{})
	a.w.Header().Set("Content-Type", mediaEvents)
	// Some proxies gather a response before they pass it on.
	a.w.Header().Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(http.StatusOK)
	e.write()
	return e
}

// events is the body of a stream. Its methods may be called concurrently.
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
	text, at := encodeAround(nil, r)
	defer e.unsent.begin(e.address, cap(r.Data)+len(text), e.cutOff)()
	e.write([]byte("event: next\ndata: "), text[:at], r.Data, text[at:], []byte("\n\n"))
}

// cutOff has the write fail that goes on, or the next one.
func (e *events) cutOff() {
	e.cut.Store(true)
	cutOff(e.control)
}

// complete has an empty line of data: an EventSource passes over events without any.
func (e *events) complete() { e.write([]byte("event: complete\ndata:\n\n")) }

// keepAlive sends comments, which clients skip, until ctx ends.
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

// write sends a message in parts. A client that does not receive it in time, or has gone, ends
// the stream.
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

// end leaves the connection to the server as it was, unless nothing can be written to it.
func (e *events) end() {
	if !e.failed {
		_ = e.control.SetWriteDeadline(time.Time{})
	}
}
