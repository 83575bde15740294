package resolvers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/subscribe"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/edge/apierror"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// Subscriptions sends viewers the changes of their feeds; [subscribe.Subscriptions] does.
type Subscriptions interface {
	// Subscribe subscribes viewer to their home feed until the subscription is closed;
	// UNAUTHENTICATED for viewer 0. SubscribeLive does so for their live feed.
	Subscribe(ctx context.Context, viewer feed.UserID, q subscribe.Query) (*subscribe.Subscription, error)
	SubscribeLive(ctx context.Context, viewer feed.UserID, since string) (*subscribe.LiveSubscription, error)
}

// feedSubscription is a subscription to a feed.
type feedSubscription interface {
	Notify(ready func())
	// Wait waits until there may be something to read.
	Wait(ctx context.Context) error
	// EndTurn lets another subscription have the turn that Notify has given.
	EndTurn()
	Close()
}

// stream connects the resolver of a subscription with [Resolver.respond]. The executor between them
// takes an event and executes it in one call, and knows no errors of the stream.
type stream struct {
	// field is the root field.
	field graphql.CollectedField
	// nullData is the data of an event whose field is null.
	nullData []byte
	sub      feedSubscription
	// next reads an event, if there is one, and passes it to the executor.
	next func(ctx context.Context) (found bool, err error)
	// ended is set with the last response.
	ended bool
}

type streamKey struct{}

// streamFrom returns the stream of a subscription; nil before it begins.
func streamFrom(ctx context.Context) *stream {
	s, _ := ctx.Value(streamKey{}).(*stream)
	return s
}

// subscribeHome subscribes the viewer to their home feed, like [subscribeTo].
func subscribeHome[E any](
	ctx context.Context, r *Resolver, q subscribe.Query, next func(context.Context, *subscribe.Subscription) (*E, error),
) (<-chan *E, error) {
	return subscribeTo(ctx, "home", func() (*subscribe.Subscription, error) {
		return r.deps.Subscriptions.Subscribe(ctx, ViewerFrom(ctx), q)
	}, next)
}

// subscribeTo subscribes the viewer to a feed and returns the channel from which the executor takes
// events. next reads an event, nil if there is none. The subscription ends with ctx.
func subscribeTo[S feedSubscription, E any](
	ctx context.Context, list string, subscribe func() (S, error), next func(context.Context, S) (*E, error),
) (<-chan *E, error) {
	if ViewerFrom(ctx) == 0 {
		return nil, feed.Errorf(feed.CodeUnauthenticated, "%s", signInMessage(ctx, "sign in to subscribe to a "+list+" feed"))
	}
	sub, err := subscribe()
	if err != nil {
		return nil, err
	}
	events := make(chan *E, 1)
	s := streamFrom(ctx)
	s.sub, s.next = sub, func(ctx context.Context) (found bool, err error) {
		event, err := next(ctx, sub)
		if err != nil || event == nil {
			return false, err
		}
		events <- event
		return true, nil
	}
	context.AfterFunc(ctx, sub.Close)
	transport.NotifyBy(ctx, sub.Notify)
	return events, nil
}

// nextEdge reads the next event of homeFeedEdges.
func nextEdge(ctx context.Context, sub *subscribe.Subscription) (*model.FeedEdge, error) {
	added, err := sub.PollEdge(ctx)
	if err != nil || added.ID == 0 {
		return nil, err
	}
	return model.NewEvent(added), nil
}

// nextChanges reads the next event of homeChanges.
func nextChanges(ctx context.Context, sub *subscribe.Subscription) (*model.HomeChangePage, error) {
	page, err := sub.Poll(ctx)
	if err != nil || page == nil || len(page.Changes) == 0 {
		return nil, err
	}
	return model.NewHomeChangePage(page), nil
}

// nextLiveChanges reads the next event of liveChanges.
func nextLiveChanges(ctx context.Context, sub *subscribe.LiveSubscription) (*model.LiveChangePage, error) {
	page, err := sub.Poll(ctx)
	if err != nil || page == nil || len(page.Changes) == 0 {
		return nil, err
	}
	return model.NewLiveChangePage(page), nil
}

// turnMax is how long a subscription that waits for a slot keeps its turn. Slots of an address may be
// held by slow clients, who must not hold up others.
const turnMax = 100 * time.Millisecond

// wait waits for an event and its slot, which the caller must release. At the end, release is nil
// and the error is the reason; nil if the client ended it. Only with a slot is an event read: what
// changes before then is in the same event.
func (s *stream) wait(ctx context.Context, g *guard.Guard) (release func(), err error) {
	for !s.ended && s.sub.Wait(ctx) == nil && ctx.Err() == nil {
		keep := time.AfterFunc(turnMax, s.sub.EndTurn)
		release := g.Slot(ctx)
		keep.Stop()
		if release == nil {
			break
		}
		found, err := s.read(ctx, release)
		if err != nil {
			return nil, s.reason(ctx, err)
		}
		if found {
			return release, nil
		}
	}
	return nil, nil
}

// read reads an event. It releases the slot if there is none.
func (s *stream) read(ctx context.Context, release func()) (found bool, err error) {
	defer func() {
		if !found {
			release()
		}
	}()
	return s.next(ctx)
}

// reason returns why a subscription ends; nil if the client ended it.
func (*stream) reason(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.Is(err, subscribe.ErrMissed), errors.Is(err, subscribe.ErrReset):
		// Every subscriber gets these at once, and no store has failed: they are not logged.
		return apierror.New(feed.CodeOf(err), cmp.Or(reason(err), apierror.InternalMessage))
	}
	return err
}

// end returns the last response, with the reason; nil if the client gets none.
func (s *stream) end(ctx context.Context, p presenter, err error) *graphql.Response {
	s.ended = true
	s.sub.Close()
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return &graphql.Response{Errors: gqlerror.List{p.present(ctx, err)}}
}

// withField lets the paths of errors begin with the root field, as the executor does not for
// events.
func (s *stream) withField(ctx context.Context) context.Context {
	return graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: "Subscription", Field: s.field})
}

// event returns the response to an event. The root field must not be null: then all data is.
func (s *stream) event(response *graphql.Response) *graphql.Response {
	if bytes.Equal(response.Data, s.nullData) {
		response.Data = json.RawMessage("null")
	}
	return response
}

func beginSubscription(ctx context.Context, p presenter, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	fields := graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Subscription"})
	// The executor would refuse these without a code.
	if len(fields) != 1 {
		refused := apierror.New(feed.CodeBadInput, "a subscription must select exactly one field")
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{p.present(ctx, refused)}})
	}
	if oc.Headers.Get(transport.AtLeastHeader) != "" {
		refused := apierror.New(feed.CodeBadInput, transport.AtLeastHeader+" is for queries and mutations")
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{p.present(ctx, refused)}})
	}
	s := &stream{field: fields[0], nullData: []byte(`{"` + fields[0].Alias + `":null}`)}
	return next(context.WithValue(ctx, streamKey{}, s))
}

// respond executes each event like an operation: charged to the viewer, with a slot, a timeout and
// new loaders. If the stream ends or an event cannot be executed, the last response says why.
func (r *Resolver) respond(p presenter, g *guard.Guard) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		if kindOf(guard.OperationOf(ctx)) != ast.Subscription {
			return boundErrors(next(ctx))
		}
		s := streamFrom(ctx)
		if s == nil {
			return boundErrors(next(ctx))
		}
		release, err := s.wait(ctx, g)
		if release == nil {
			return s.end(ctx, p, err)
		}
		bounded, done := r.deps.Transport.Bounded(ctx)
		defer done()
		response, refused := g.Event(bounded, release, func(ctx context.Context) *graphql.Response {
			return boundErrors(next(s.withField(loaders.With(r.withUpstreamNotes(ctx), r.loaders(ctx)))))
		})
		switch {
		case refused != nil:
			return s.end(ctx, p, refused)
		case response == nil:
			// The executor did not take the event in time.
			return s.end(ctx, p, apierror.New(feed.CodeUnavailable, subscribe.ErrMissed.Message))
		}
		return s.event(response)
	}
}
