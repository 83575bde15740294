package resolvers

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/positions"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
)

// asOfExtension says what a response includes: of a query at least what was there before it, of a
// mutation also its changes.
type asOfExtension struct {
	Token       string           `json:"token"`
	Positions   []asOfPosition   `json:"positions"`
	DeadLetters []asOfDeadLetter `json:"deadLetters"`
}

type asOfPosition struct {
	Source    string `json:"source"`
	Partition string `json:"partition"`
	Position  string `json:"position"`
	MovedAt   string `json:"movedAt"`
	// LagMs and LagMessages are null if the source cannot tell them.
	LagMs       *int64 `json:"lagMs"`
	LagMessages *int64 `json:"lagMessages"`
}

type asOfDeadLetter struct {
	Source string `json:"source"`
	Count  int    `json:"count"`
	// Incomplete says that there were more bad lines than are kept.
	Incomplete bool `json:"incomplete,omitempty"`
}

func newAsOf(a *positions.AsOf) *asOfExtension {
	out := &asOfExtension{Token: a.Commit.String(), Positions: []asOfPosition{}, DeadLetters: []asOfDeadLetter{}}
	for i := range a.Positions {
		p := &a.Positions[i]
		moved := time.UnixMilli(p.MovedAt).UTC().Format(time.RFC3339Nano)
		millis, messages := p.Lag(a.Now).Known()
		out.Positions = append(out.Positions, asOfPosition{p.Source, p.Partition, p.Position, moved, millis, messages})
	}
	for _, d := range a.DeadLetters {
		out.DeadLetters = append(out.DeadLetters, asOfDeadLetter{d.Source, d.Letters, d.Counted > 0})
	}
	return out
}

// showAsOf adds extensions.asOf to the response of a query or mutation whose header asks for it by the
// value 1. It is for services and administrators, because it shows names and positions of other
// systems.
func (r *Resolver) showAsOf(p presenter) graphql.ResponseMiddleware {
	return func(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
		oc := guard.OperationOf(ctx)
		kind := kindOf(oc)
		if oc.Headers.Get(transport.AsOfHeader) != "1" || kind == "" || kind == ast.Subscription {
			return next(ctx)
		}
		if !seesSources(ctx) {
			refused := feed.Errorf(feed.CodeForbidden, "%s is for services and administrators", transport.AsOfHeader)
			return &graphql.Response{Errors: gqlerror.List{p.present(ctx, refused)}, Extensions: graphql.GetExtensions(ctx)}
		}
		var response *graphql.Response
		if kind == ast.Mutation {
			response = next(ctx)
		}
		as, err := r.deps.Positions.AsOf(ctx)
		if response == nil {
			response = next(ctx)
		}
		switch {
		case response == nil:
		case err != nil:
			response.Errors = append(response.Errors, p.present(ctx, err))
		default:
			extend(response, "asOf", newAsOf(&as))
		}
		return response
	}
}

// seesSources reports whether a request may name positions of sources, and read them.
func seesSources(ctx context.Context) bool {
	viewer := viewerFrom(ctx)
	return viewer.service != "" || viewer.role == model.RoleAdmin
}

// extend adds an extension to a response.
func extend(response *graphql.Response, name string, value any) {
	if response.Extensions == nil {
		response.Extensions = map[string]any{}
	}
	response.Extensions[name] = value
}
