package resolvers

import (
	"context"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
)

// Positions knows how far the data is; [positions.Waiter] and [positions.Reports] do.
type Positions interface {
	// Reach returns once the data reflects need, or [feed.CodeStale] after a second.
	Reach(ctx context.Context, need feed.AtLeast) error
	// AsOf returns what every read that begins after the call includes.
	AsOf(ctx context.Context) (positions.AsOf, error)
}

// atLeastBest is the value of [transport.AtLeastModeHeader] to read what is there if the data does not
// reflect the position in time. By default the operation fails.
const atLeastBest = "best"

// atLeast is what an operation must reflect.
type atLeast struct {
	need feed.AtLeast
	best bool
	// err refuses the operation.
	err error
}

type atLeastKey struct{}

// parseAtLeast reads the headers of an operation; false without [transport.AtLeastHeader].
func parseAtLeast(header http.Header) (a atLeast, given bool) {
	values := header.Values(transport.AtLeastHeader)
	if len(values) == 0 {
		return a, false
	}
	if a.need, a.err = feed.ParseAtLeast(strings.Join(values, ",")); a.err != nil {
		a.err = feed.Errorf(feed.CodeBadInput, "%s: %s", transport.AtLeastHeader, feed.Reason(a.err))
	}
	switch mode := header.Get(transport.AtLeastModeHeader); mode {
	case "":
	case atLeastBest:
		a.best = true
	default:
		a.err = feed.Errorf(feed.CodeBadInput, "%s must be %s", transport.AtLeastModeHeader, atLeastBest)
	}
	return a, true
}

// withAtLeast makes the reads of an operation fresh if it must reflect a position. [Resolver.reach]
// waits for the position.
func withAtLeast(ctx context.Context, oc *graphql.OperationContext) context.Context {
	a, given := parseAtLeast(oc.Headers)
	if !given {
		return ctx
	}
	return context.WithValue(feed.WithFreshReads(ctx), atLeastKey{}, a)
}

// reach waits until the data reflects what the operation must reflect. Waiting takes no slot of
// the guard, and the operation begins afterwards.
func (r *Resolver) reach(p presenter) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		a, given := ctx.Value(atLeastKey{}).(atLeast)
		if !given {
			return next(ctx)
		}
		err := a.err
		switch {
		case err != nil:
		case len(a.need.Sources) > 0 && !seesSources(ctx):
			err = feed.Errorf(feed.CodeForbidden, "positions of sources in %s are for services and administrators; send the token of POST /ingest", transport.AtLeastHeader)
		default:
			err = r.deps.Positions.Reach(ctx, a.need)
		}
		if err == nil || a.best && feed.CodeOf(err) == feed.CodeStale {
			return next(ctx)
		}
		return &graphql.Response{Errors: gqlerror.List{p.present(ctx, err)}, Extensions: graphql.GetExtensions(ctx)}
	}
}
