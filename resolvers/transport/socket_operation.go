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

// operation is one that runs on a socket.
type operation struct {
	id string
	// ctx ends with the operation.
	ctx    context.Context
	cancel context.CancelFunc
	// subscription is known once the operation was parsed; the socket's mutex guards it.
	subscription bool
}

// subscribe begins an operation. Despite its name the message may ask for any kind.
func (s *socket) subscribe(m message) error {
	if !s.signedIn {
		return closing{closeUnauthorized, "Unauthorized"}
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
		return closing{closeDuplicateID, "Subscriber for " + m.ID + " already exists"}
	case m.malformed != nil:
		refused := refusal(s.viewer, s.exec, feed.CodeBadInput, "the payload has "+m.malformed.Error())
		return s.write(errorMessage(m.ID, refused))
	case s.running >= s.t.o.OperationsMax:
		full := refusal(s.viewer, s.exec, apierror.RateLimited, "too many operations run on this socket")
		return s.write(errorMessage(m.ID, full))
	}
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(s.viewer))
	o := &operation{id: m.ID, ctx: ctx, cancel: cancel}
	s.operations[m.ID] = o
	s.running++
	s.done.Go(func() { s.run(o, params) })
	return nil
}

// complete ends an operation that the client wants nothing more of. Its id is free at
// once; its place is when it has ended.
func (s *socket) complete(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o := s.operations[id]; o != nil {
		o.cancel()
		delete(s.operations, id)
	}
}

// run runs an operation and sends what comes of it.
func (s *socket) run(o *operation, params *graphql.RawParams) {
	defer s.ended(o)
	defer func() {
		if value := recover(); value != nil {
			s.sendLast(o, errorMessage(o.id, panicked(o.ctx, s.exec, value)))
		}
	}()
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
	if oc.Operation.Operation == ast.Subscription && !s.mayStream(o) {
		return
	}
	for response := range s.t.responses(o.ctx, s.exec, oc) {
		if s.t.o.Recheck(o.ctx) != nil || !s.sendResponse(o, response) {
			return
		}
	}
	s.sendLast(o, message{ID: o.id, Type: typeComplete})
}

// mayStream notes that an operation is a subscription, and says whether it may begin: not
// when the server has begun to stop.
func (s *socket) mayStream(o *operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.subscription = true
	return !s.stopping
}

// ended frees the place of an operation.
func (s *socket) ended(o *operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.cancel()
	s.running--
	if s.operations[o.id] == o {
		delete(s.operations, o.id)
	}
}

// sendResponse sends a response of an operation, and says whether the next is still wanted.
func (s *socket) sendResponse(o *operation, response *graphql.Response) bool {
	m := message{ID: o.id, Type: typeNext, Payload: encode(response)}
	response.Data = nil
	// While the message is written, its text is there twice.
	defer s.t.unsent.begin(s.address, 2*len(m.Payload), s.cutOff)()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.operations[o.id] == o && s.write(m) == nil
}

// sendLast sends the last message of an operation, whose id is free from then on.
func (s *socket) sendLast(o *operation, m message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.operations[o.id] == o {
		delete(s.operations, o.id)
		_ = s.write(m) // the connection fails, and the reader notices
	}
}

// errorMessage is what an operation ends with that was not begun.
func errorMessage(id string, response *graphql.Response) message {
	payload, err := json.Marshal(response.Errors)
	if err != nil {
		// Only extensions that are no JSON come here.
		payload, _ = json.Marshal(gqlerror.List{{Message: apierror.InternalMessage}})
	}
	return message{ID: id, Type: typeError, Payload: payload}
}
