package resolvers

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// Subscriptions tells viewers of contents that have just entered their home feeds;
// [feed.Subscriptions] does.
type Subscriptions interface {
	// Subscribe subscribes viewer until the subscription is closed. Nobody is
	// UNAUTHENTICATED.
	Subscribe(ctx context.Context, viewer feed.UserID) (*feed.Subscription, error)
}

// deliver hands over what comes until ctx or the subscription ends.
func deliver(ctx context.Context, sub *feed.Subscription, edges chan<- *graph.FeedEdge) {
	defer close(edges)
	defer sub.Close()
	for {
		e, err := sub.Next(ctx)
		if err != nil {
			endingFrom(ctx).because(ctx, err)
			return
		}
		select {
		case edges <- &graph.FeedEdge{Cursor: e.Cursor, Node: e.Post}:
		case <-ctx.Done():
			return
		}
	}
}

// ending is why a subscription has ended. The executor has no way to say that: for it, a
// stream of events just ends. It is written before that end and read after it.
type ending struct{ why error }

type endingKey struct{}

// endingFrom returns the ending of the subscription that ctx belongs to; nil for one that has
// not begun.
func endingFrom(ctx context.Context) *ending {
	e, _ := ctx.Value(endingKey{}).(*ending)
	return e
}

// because notes why the subscription ends, unless its client has ended it.
func (e *ending) because(ctx context.Context, why error) {
	switch {
	case ctx.Err() != nil:
	case errors.Is(why, feed.ErrMissed), errors.Is(why, feed.ErrTooSlow):
		// Told to every subscriber at once, and no failure of a store: nothing for the log.
		e.why = coded(string(feed.CodeOf(why)), messageOf(why))
	default:
		e.why = why
	}
}

func messageOf(err error) string {
	var known *feed.Error
	if errors.As(err, &known) {
		return known.Message
	}
	return internalMessage
}

// beginSubscription gives a subscription a place for its ending, in the place of loaders,
// which its events have each for itself.
func beginSubscription(ctx context.Context, p presenter, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	// The executor refuses all others too, and with no code.
	if len(graphql.CollectFields(oc, oc.Operation.SelectionSet, []string{"Subscription"})) != 1 {
		refused := coded(string(feed.CodeBadInput), "a subscription selects exactly one field")
		return graphql.OneShot(&graphql.Response{Errors: gqlerror.List{p.present(ctx, refused)}})
	}
	return next(context.WithValue(ctx, endingKey{}, &ending{}))
}

// respond gives every event of a subscription fresh loaders, made when they are needed:
// most of the time a subscription waits. When it has ended by itself, the last response
// says why.
func (r *Resolver) respond(p presenter) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		if kindOf(guard.OperationOf(ctx)) != ast.Subscription {
			return next(ctx)
		}
		end := endingFrom(ctx)
		if end == nil {
			return next(ctx)
		}
		response := next(loaders.WithNew(ctx, func() *loaders.Loaders { return r.loaders(ctx) }))
		if response != nil || end.why == nil || ctx.Err() != nil {
			return response
		}
		why := end.why
		end.why = nil
		return &graphql.Response{Errors: gqlerror.List{p.present(ctx, why)}}
	}
}
