package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/apierror"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// Subscriptions tells viewers of contents that have just entered their home feeds;
// [subscribe.Subscriptions] does.
type Subscriptions interface {
	// Subscribe subscribes viewer until the subscription is closed. Nobody is
	// UNAUTHENTICATED.
	Subscribe(ctx context.Context, viewer feed.UserID) (*subscribe.Subscription, error)
}

// deliver hands over what comes until ctx or the subscription ends.
func deliver(ctx context.Context, sub *subscribe.Subscription, edges chan<- *model.FeedEdge) {
	s := streamFrom(ctx)
	defer close(edges)
	defer close(s.due)
	defer sub.Close()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			s.because(ctx, err)
			return
		}
		select {
		case s.due <- struct{}{}:
		case <-ctx.Done():
			return
		}
		select {
		case edges <- &model.FeedEdge{Cursor: e.Cursor, Node: e.Post}:
		case <-ctx.Done():
			return
		}
	}
}

// stream is what the resolver of a subscription and who answers its events know of each
// other. The executor stands between them: it waits for an event and executes what was
// selected of it in one go, and for it a stream just ends.
type stream struct {
	// field is what the subscription selects.
	field graphql.CollectedField
	// void is the data of an event whose field is null.
	void []byte
	// due takes an element before each event is handed to the executor, and is closed at the
	// end.
	due chan struct{}
	// why the stream has ended. It is written before due is closed and read after it.
	why error
	// over says that the last response was given.
	over bool
}

type streamKey struct{}

// streamFrom returns the stream of the subscription that ctx belongs to; nil for one that has
// not begun.
func streamFrom(ctx context.Context) *stream {
	s, _ := ctx.Value(streamKey{}).(*stream)
	return s
}

// because notes why the subscription ends, unless its client has ended it.
func (s *stream) because(ctx context.Context, why error) {
	switch {
	case ctx.Err() != nil:
	case errors.Is(why, subscribe.ErrMissed), errors.Is(why, subscribe.ErrTooSlow):
		// Told to every subscriber at once, and no failure of a store: nothing for the log.
		s.why = apierror.New(feed.CodeOf(why), cmp.Or(reason(why), apierror.InternalMessage))
	default:
		s.why = why
	}
}

// wait waits for an event. When there is none any more it returns false and why that is; nil
// when the client has ended the subscription, or was told already.
func (s *stream) wait(ctx context.Context) (bool, error) {
	if s.over {
		return false, nil
	}
	select {
	case _, more := <-s.due:
		if more {
			return true, nil
		}
		return false, s.why
	case <-ctx.Done():
		return false, nil
	}
}

// end ends the subscription, and returns the last response, which says why; none when nobody
// is to be told.
func (s *stream) end(ctx context.Context, p presenter, why error) *graphql.Response {
	s.over = true
	if why == nil || ctx.Err() != nil {
		return nil
	}
	return &graphql.Response{Errors: gqlerror.List{p.present(ctx, why)}}
}

// beneath puts what is executed of an event beneath the field that the subscription selects,
// as paths of errors name it: the executor knows it only while it subscribes.
func (s *stream) beneath(ctx context.Context) context.Context {
	return graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Subscription", Field: s.field})
}

// event returns the response to an event. The field of a subscription is never null: when
// something in it failed that may not be null, all of the data is. The executor has written
// null in the place of the field then.
func (s *stream) event(response *graphql.Response) *graphql.Response {
	if bytes.Equal(response.Data, s.void) {
		response.Data = json.RawMessage("null")
	}
	return response
}

// beginSubscription gives a subscription its stream, in the place of loaders, which its events
// have each for itself.
func beginSubscription(ctx context.Context, p presenter, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	fields := graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Subscription"})
	// The executor refuses all others too, and with no code.
	if len(fields) != 1 {
		refused := apierror.New(feed.CodeBadInput, "a subscription selects exactly one field")
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{p.present(ctx, refused)}})
	}
	s := &stream{field: fields[0], void: []byte(`{"` + fields[0].Alias + `":null}`), due: make(chan struct{})}
	return next(context.WithValue(ctx, streamKey{}, s))
}

// respond waits for each event of a subscription, and has it executed as an operation of its
// own: charged to the subscriber, in one of the places of operations, in the time of one, and
// with fresh loaders. While a subscription waits it takes none of this. When it has ended by
// itself, or an event cannot be executed, the last response says why.
func (r *Resolver) respond(p presenter, g *guard.Guard) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		if kindOf(guard.OperationOf(ctx)) != ast.Subscription {
			return boundErrors(next(ctx))
		}
		s := streamFrom(ctx)
		if s == nil {
			return boundErrors(next(ctx))
		}
		if more, why := s.wait(ctx); !more {
			return s.end(ctx, p, why)
		}
		bounded, done := r.deps.Transport.Bounded(ctx)
		defer done()
		response, refused := g.Event(bounded, func(ctx context.Context) *graphql.Response {
			return boundErrors(next(s.beneath(loaders.With(ctx, r.loaders(ctx)))))
		})
		switch {
		case refused != nil:
			return s.end(ctx, p, refused)
		case response == nil:
			// The executor has not taken the event: its time, or its client's, was over.
			return s.end(ctx, p, apierror.New(feed.CodeUnavailable, subscribe.ErrMissed.Message))
		}
		return s.event(response)
	}
}
