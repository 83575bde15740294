package transport

import (
	"context"
	"errors"
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
// Or it answers a subscription with a part for each response, and other operations as if there were
// no stream.
// Errors too have status 200, because an EventSource hides all others from its page.
func (a exchange) stream(ctx context.Context, params *graphql.RawParams) {
	ctx, evict := context.WithCancelCause(ctx)
	defer evict(nil)
	leave, full := a.t.enter(ctx, func() { evict(errMadeRoom) })
	if full != nil {
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	defer leave()
	a.evict = func() { evict(errMadeRoom) }
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
	case a.mediaType == mediaMultipart && refused != nil:
		a.write(status(mediaJSON, refused), refused)
	case a.mediaType == mediaMultipart && oc.Operation.Operation != ast.Subscription:
		a.refuse(ctx, http.StatusNotAcceptable, feed.CodeBadInput, mediaMultipart+" is for subscriptions")
	case refused != nil && status(mediaEvents, refused) != http.StatusOK:
		a.write(status(mediaEvents, refused), refused)
	case refused != nil:
		e := a.events(cancel, a.streamFraming())
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
	if isSubscription(oc) {
		defer new(idle).keep(a.t, a.holder, oc, a.evict)()
		defer context.AfterFunc(a.t.draining, cancel)() //nolint:contextcheck // as above
	}
	ctx, a.after = withAfterWrite(ctx)
	responses := a.begin(ctx, oc)
	e := a.events(cancel, a.streamFraming())
	var alive sync.WaitGroup
	alive.Go(func() { e.keepAlive(ctx, a.t.o.KeepAlive) })
	a.sendAll(ctx, e, responses)
	switch {
	case ctx.Err() == nil:
		e.complete()
	case errors.Is(context.Cause(ctx), errMadeRoom):
		e.write([]byte(e.madeRoom))
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
	return a.t.responses(ctx, a.after, a.exec, oc)
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
func (a exchange) events(cancel context.CancelFunc, f framing) *events {
	e := &events{
		w: a.w, control: http.NewResponseController(a.w), within: a.t.o.WriteWithin, cancel: cancel,
		t: a.t, holder: a.holder, framing: f,
	}
	// The server's timeouts are for requests. Only writers of tests know no deadlines.
	_ = e.control.SetReadDeadline(time.Time{})
	a.w.Header().Set("Content-Type", e.mediaType)
	// Some proxies buffer responses.
	a.w.Header().Set("X-Accel-Buffering", "no")
	a.w.WriteHeader(http.StatusOK)
	e.write([]byte(e.first))
	return e
}

// framing is what the responses of a stream are written between. madeRoom ends a stream that is closed
// for another client, which is to begin it again.
type framing struct{ mediaType, first, before, after, alive, last, madeRoom string }

func (a exchange) streamFraming() framing {
	if a.mediaType == mediaMultipart {
		return multipart()
	}
	return serverSent()
}

// serverSent ends with an empty data line, because an EventSource ignores events without one.
func serverSent() framing {
	return framing{
		mediaType: mediaEvents, before: "event: next\ndata: ", after: "\n\n",
		alive: ":\n\n", last: "event: complete\ndata:\n\n", madeRoom: ": " + madeRoom + "\n\n",
	}
}

// The boundary of parts, and the header of each.
const (
	partHeader   = "\r\nContent-Type: application/json\r\n\r\n"
	partBoundary = "\r\n--graphql"
)

// multipart ends each part with the boundary of the next one, for which clients need not wait.
func multipart() framing {
	return framing{
		mediaType: mediaMultipart + `;boundary="graphql";subscriptionSpec="` + subscriptionSpec + `"`,
		first:     partBoundary, before: partHeader + `{"payload":`, after: "}" + partBoundary,
		alive: partHeader + "{}" + partBoundary, last: "--\r\n",
		madeRoom: partHeader + `{"payload":null,"errors":[{"message":"` + madeRoom + `","extensions":{"code":"UNAVAILABLE"}}]}` + partBoundary + "--\r\n",
	}
}

// events is the body of a stream. It is safe for concurrent use.
type events struct {
	framing
	control *http.ResponseController
	within  time.Duration
	cancel  context.CancelFunc
	t       *Transport
	holder  string
	cut     atomic.Bool // by the budget of unsent bytes

	mu     sync.Mutex
	w      io.Writer
	failed bool
}

func (e *events) response(r *graphql.Response) {
	text, at := encodeAround(r)
	e.send(text[:at], r.Data, text[at:])
}

// send writes a response in pieces. Until it is written, its bytes count as unsent.
func (e *events) send(begin, data, end []byte) {
	defer e.t.keep(e.holder, len(begin)+cap(data)+len(end), e.cutOff)()
	e.write([]byte(e.before), begin, data, end, []byte(e.after))
}

func (e *events) cutOff() {
	e.cut.Store(true)
	cutOff(e.control)
}

func (e *events) complete() { e.write([]byte(e.last)) }

// keepAlive sends what clients ignore until ctx ends.
func (e *events) keepAlive(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			e.write([]byte(e.alive))
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
