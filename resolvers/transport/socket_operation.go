package transport

import (
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
)

type operation struct {
	id     string
	ctx    context.Context
	cancel context.CancelFunc
	// subscription is set once the operation is parsed; the socket's mutex guards it.
	subscription bool
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
		return nil
	case s.operations[m.ID] != nil:
		return closeError{closeDuplicateID, "Subscriber for " + m.ID + " already exists"}
	case m.malformed != nil:
		refused := errorResponse(s.viewer, s.exec, feed.CodeBadInput, "the payload has "+m.malformed.Error())
		return s.write(errorMessage(m.ID, refused))
	case s.running >= s.t.o.OperationsMax:
		full := errorResponse(s.viewer, s.exec, apierror.RateLimited, "too many operations run on this socket")
		return s.write(errorMessage(m.ID, full))
	}
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(s.viewer))
	o := &operation{id: m.ID, ctx: ctx, cancel: cancel}
	s.operations[m.ID] = o
	s.running++
	s.done.Go(func() { s.run(o, params) })
	return nil
}

// complete cancels an operation. Its id is free at once; it counts as running until it has ended.
func (s *socket) complete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.operations[id]; o != nil {
		o.cancel()
		delete(s.operations, id)
	}
}

func (s *socket) run(o *operation, params *graphql.RawParams) {
	streams := false
	defer func() {
		if !streams {
			s.ended(o)
		}
	}()
	defer s.recovered(o)
	if s.t.o.Recheck(o.ctx) != nil {
		return
	}
	now := graphql.Now()
	params.ReadTime = graphql.TraceTiming{Start: now, End: now}
	oc, refused := prepare(o.ctx, s.exec, params)
	if refused != nil {
		s.sendLast(o, errorMessage(o.id, refused))
		return
	}
	if oc.Operation.Operation == ast.Subscription {
		if s.mayStream(o) {
			s.begin(o, oc)
			streams = true
		}
		return
	}
	for response := range s.t.responses(o.ctx, s.exec, oc) {
		if s.t.o.Recheck(o.ctx) != nil || !s.sendResponse(o, response) {
			return
		}
	}
	s.sendLast(o, message{ID: o.id, Type: typeComplete})
}

// recovered answers an operation that panicked. It must be deferred.
func (s *socket) recovered(o *operation) {
	if value := recover(); value != nil {
		s.sendLast(o, errorMessage(o.id, panicked(o.ctx, s.exec, value)))
	}
}

// subscription is a subscription that has begun. Each response has a goroutine of its own.
type subscription struct {
	*operation
	s     *socket
	ctx   context.Context
	after *afterWrite
	next  graphql.ResponseHandler
}

// begin begins a subscription, which counts for done until it has ended.
func (s *socket) begin(o *operation, oc *graphql.OperationContext) {
	ctx, after := withAfterWrite(o.ctx)
	next, ctx := s.exec.DispatchOperation(ctx, oc)
	s.done.Add(1)
	(&subscription{o, s, ctx, after, next}).await()
}

// await responds once there is something to send.
func (b *subscription) await() {
	if b.after.notify == nil {
		go b.respond()
		return
	}
	b.after.notify(func() { go b.respond() })
}

func (b *subscription) respond() {
	more := false
	defer func() {
		if more {
			b.await()
			return
		}
		b.s.ended(b.operation)
		b.s.done.Done()
	}()
	defer b.s.recovered(b.operation)
	defer b.after.written()
	response := b.next(b.ctx)
	if response == nil {
		b.s.sendLast(b.operation, message{ID: b.id, Type: typeComplete})
		return
	}
	more = b.s.t.o.Recheck(b.operation.ctx) == nil && b.s.sendResponse(b.operation, response)
}

// mayStream records a subscription. It returns false if the server is stopping.
func (s *socket) mayStream(o *operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.subscription = true
	return !s.stopping
}

func (s *socket) ended(o *operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.cancel()
	s.running--
	if s.operations[o.id] == o {
		delete(s.operations, o.id)
	}
}

// sendResponse sends a response, and reports whether the client wants the next one.
func (s *socket) sendResponse(o *operation, response *graphql.Response) bool {
	m := message{ID: o.id, Type: typeNext, Payload: encode(response)}
	response.Data = nil
	// While it is written, the message is in memory twice.
	defer s.t.unsent.begin(s.address, 2*len(m.Payload), s.cutOff)()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.operations[o.id] == o && s.write(m) == nil
}

func (s *socket) sendLast(o *operation, m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.operations[o.id] == o {
		delete(s.operations, o.id)
		_ = s.write(m) // the connection fails, and the reader notices
	}
}

func errorMessage(id string, response *graphql.Response) message {
	payload, err := json.Marshal(response.Errors)
	if err != nil {
		// Only extensions that cannot be marshaled.
		payload, _ = json.Marshal(gqlerror.List{{Message: apierror.InternalMessage}})
	}
	return message{ID: id, Type: typeError, Payload: payload}
}
