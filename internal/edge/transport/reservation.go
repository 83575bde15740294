package transport

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
)

// reservationHeader has the token of a reservation; the parameter token of the URL may have it too.
const reservationHeader = "X-GraphQL-Event-Stream-Token"

// operationID names the id of an operation: in the extensions of a POST, and in the URL of a DELETE.
const operationID = "operationId"

// reservation is a stream of server-sent events for several operations, which other requests of the
// same owner begin and cancel. It has the viewer of its PUT. It ends with the token of the PUT, with
// its stream, and if that does not open within InitWithin. Until then, it counts among the unopened
// reservations and not among the streams.
type reservation struct {
	multiplex
	owner string
	// ctx ends with the reservation, by end.
	ctx context.Context
	end context.CancelFunc
	// evicted is set if the reservation ends to make room for another client.
	evicted atomic.Bool
	// opened is closed once there is a stream, and leave gives up the place of one without.
	opened chan struct{}
	leave  func()
	stream *events // nil before; mu guards it
}

// reserve answers a PUT with the token of a new reservation.
func (a exchange) reserve() {
	ctx := a.r.Context()
	if err := a.t.charge(ctx); err != nil {
		a.write(http.StatusTooManyRequests, failedResponse(ctx, a.exec, err))
		return
	}
	base, end := context.WithCancel(context.WithoutCancel(ctx)) // the identity is watched until its end
	leave, full := a.t.take(a.t.unopened, a.t.o.ConnectionKey(ctx), end)
	if full != nil {
		end()
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	signedIn, _, err := a.t.signIn(base)
	if err != nil {
		end()
		leave()
		a.write(signInStatus(err), failedResponse(ctx, a.exec, err))
		return
	}
	r := &reservation{
		multiplex: newMultiplex(a),
		owner:     a.t.o.Owner(ctx), ctx: signedIn, end: end, opened: make(chan struct{}), leave: leave,
	}
	r.channel, r.cutOff, r.evict = r, end, r.makeRoom
	token := rand.Text()
	a.t.reservations.Store(token, r)
	r.watch(func() {
		a.t.reservations.Delete(token)
		leave()
	})
	a.w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	a.w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(a.w, token)
}

// watch ends the reservation in time, and calls ended when its operations have ended too.
func (r *reservation) watch(ended func()) {
	unused := time.AfterFunc(r.t.o.InitWithin, func() {
		if !r.isOpen() {
			r.end()
		}
	})
	undrain := context.AfterFunc(r.t.draining, r.drain)
	uncut := context.AfterFunc(r.t.cut, r.end)
	context.AfterFunc(r.ctx, func() {
		unused.Stop()
		undrain()
		uncut()
		r.end()
		r.stop()
		r.done.Wait()
		ended()
	})
}

// drain ends the reservation once its queries and mutations are answered.
func (r *reservation) drain() {
	if r.isOpen() {
		r.finish()
	}
	r.end()
}

func (r *reservation) isOpen() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stream != nil
}

func (r *reservation) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.stopping = true
	clear(r.operations)
}

// isEnding reports whether the reservation takes no more operations. mu is held.
func (r *reservation) isEnding() bool { return r.stopping || r.ctx.Err() != nil }

// reserved answers a request for an existing reservation, which has a token.
func (a exchange) reserved(ctx context.Context) {
	value, _ := a.t.reservations.Load(reservationToken(a.r))
	r, _ := value.(*reservation)
	switch {
	case r == nil || r.owner != a.t.o.Owner(ctx):
		a.refuse(ctx, http.StatusNotFound, feed.CodeNotFound, noReservation)
	case a.r.Method == http.MethodPost:
		a.beginReserved(ctx, r)
	case a.r.Method == http.MethodDelete:
		a.cancelReserved(ctx, r)
	case a.r.Method == http.MethodGet:
		a.openReserved(ctx, r)
	default:
		a.refuseMethod(ctx)
	}
}

const noReservation = "you have no such reservation with this server; reserve another stream"

func reservationToken(r *http.Request) string {
	if token := r.Header.Get(reservationHeader); token != "" {
		return token
	}
	if r.URL.RawQuery == "" {
		return ""
	}
	return r.URL.Query().Get("token")
}

// openReserved answers a GET with the stream, until the reservation or the request ends.
func (a exchange) openReserved(ctx context.Context, r *reservation) {
	leave, full := a.t.enter(ctx, r.makeRoom)
	if full != nil {
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	defer leave()
	if status, reason := a.claim(r); status != http.StatusOK {
		a.refuse(ctx, status, feed.CodeBadInput, reason)
		return
	}
	r.leave()
	close(r.opened)
	defer context.AfterFunc(ctx, r.end)()
	r.stream.keepAlive(r.ctx, r.t.o.KeepAlive) //nolint:contextcheck // it ends with the request
	r.stop()
	r.done.Wait()
	if r.evicted.Load() {
		r.stream.write([]byte(r.stream.madeRoom))
	}
	r.stream.end()
}

// makeRoom ends the reservation for another client.
func (r *reservation) makeRoom() {
	r.evicted.Store(true)
	r.end()
}

// claim makes the response the stream of a reservation, or returns the status of the error.
func (a exchange) claim(r *reservation) (status int, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case a.mediaType != mediaEvents:
		return http.StatusNotAcceptable, "a reserved stream needs Accept: " + mediaEvents
	case r.isEnding():
		return http.StatusNotFound, noReservation
	case r.stream != nil:
		return http.StatusConflict, "the reserved stream is already open"
	}
	r.stream = a.events(r.end, serverSent())
	r.cutOff = r.stream.cutOff
	return http.StatusOK, ""
}

// beginReserved begins the operation of a POST. The response is 202; if the operation is refused, it
// is as without a reservation, except that it has a status of 400 or more.
func (a exchange) beginReserved(ctx context.Context, r *reservation) {
	params, status, err := readRequest(a.w, a.r)
	if err != nil {
		a.refuse(ctx, status, feed.CodeBadInput, err.Error())
		return
	}
	o, full := r.begins(params)
	if full != nil {
		a.refuse(ctx, full.status, full.code, full.message)
		return
	}
	oc, status, refused := a.prepareReserved(r, o, params) //nolint:contextcheck // the viewer is that of the reservation
	if refused != nil {
		r.ended(o)
		if r.ctx.Err() != nil {
			// The end of the reservation is why.
			a.refuse(ctx, http.StatusNotFound, feed.CodeNotFound, noReservation)
			return
		}
		a.write(status, refused)
		return
	}
	go r.run(o, oc) //nolint:contextcheck // the viewer is that of the reservation
	a.w.WriteHeader(http.StatusAccepted)
}

// run executes an operation once there is a stream.
func (r *reservation) run(o *operation, oc *graphql.OperationContext) {
	r.keep(o, oc)
	select {
	case <-r.opened:
		r.execute(o, oc)
	case <-o.ctx.Done():
		r.ended(o)
	}
}

// begins returns an operation that is to run, or why there is none.
func (r *reservation) begins(params *graphql.RawParams) (*operation, *limitError) {
	id, _ := params.Extensions[operationID].(string)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case id == "" || len(id) > idMax:
		return nil, &limitError{http.StatusBadRequest, feed.CodeBadInput, "extensions.operationId must have 1 to 64 bytes"}
	case r.isEnding():
		return nil, &limitError{http.StatusNotFound, feed.CodeNotFound, noReservation}
	case r.operations[id] != nil:
		return nil, &limitError{http.StatusConflict, feed.CodeBadInput, "an operation with this operationId is running"}
	case r.isFull():
		return nil, &limitError{http.StatusTooManyRequests, apierror.RateLimited, "too many operations run on this stream"}
	}
	return r.add(r.ctx, id), nil
}

// prepareReserved prepares an operation in the context of the viewer, or returns a response and its
// status. The header has the rest of the budgets.
func (a exchange) prepareReserved(r *reservation, o *operation, params *graphql.RawParams) (oc *graphql.OperationContext, code int, refused *graphql.Response) {
	defer func() {
		if value := recover(); value != nil {
			code, refused = http.StatusInternalServerError, panicked(o.ctx, a.exec, value)
		}
	}()
	if err := r.t.o.Recheck(o.ctx); err != nil {
		return nil, signInStatus(err), failedResponse(o.ctx, a.exec, err)
	}
	now := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: now, End: now}
	oc, refused = prepare(withHeader(o.ctx, a.w.Header()), a.exec, params)
	if refused != nil {
		code = status(mediaResponse, refused)
	}
	return oc, code, refused
}

// cancelReserved cancels the operation of a DELETE. One that has ended is no error.
func (a exchange) cancelReserved(ctx context.Context, r *reservation) {
	id := a.r.URL.Query().Get(operationID)
	if id == "" {
		a.refuse(ctx, http.StatusBadRequest, feed.CodeBadInput, "the URL must have the parameter "+operationID)
		return
	}
	if err := a.t.charge(ctx); err != nil {
		a.write(http.StatusTooManyRequests, failedResponse(ctx, a.exec, err))
		return
	}
	r.cancel(id)
	a.w.WriteHeader(http.StatusOK)
}

func (r *reservation) next(id string, response []byte) error {
	r.send("next", id, []byte(`,"payload":`), response)
	return r.ctx.Err()
}

func (r *reservation) failed(id string, response *graphql.Response) {
	_ = r.next(id, encode(response)) // it cannot be repeated
	r.complete(id)
}

func (r *reservation) complete(id string) { r.send("complete", id) }

// send writes an event, unless the reservation has ended: then the client is to begin again.
func (r *reservation) send(event, id string, more ...[]byte) {
	if r.ctx.Err() == nil {
		begin := "event: " + event + "\ndata: {\"id\":" + quoted(id)
		r.stream.write(slices.Concat([][]byte{[]byte(begin)}, more, [][]byte{[]byte("}\n\n")})...)
	}
}

func quoted(id string) string {
	text, err := json.Marshal(id)
	if err != nil {
		panic(err) // a string is never an error
	}
	return string(text)
}
