package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// liveList reads a page of a list of live sessions.
type liveList func(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error)

func (r *Resolver) livePage(ctx context.Context, read liveList, args pageArgs) (*model.LiveConnection, error) {
	needs := neededOf(ctx, "LiveEdge")
	q := args.query(needs)
	page, err := read(ctx, ViewerFrom(ctx), live.Query{First: q.First, After: q.After, LookBack: q.LookBack})
	if err != nil {
		return nil, err
	}
	c := model.NewLiveConnection(page)
	return c, hydrateHosts(ctx, c.Nodes(), needs.host)
}

// liveChanges reads a page of changes of the viewer's live feed with its selection.
func (r *Resolver) liveChanges(ctx context.Context, q live.ChangeQuery) (*model.LiveChangePage, error) {
	needs := neededOf(ctx, "LiveChange")
	found, err := r.deps.LiveChanges.Changes(ctx, ViewerFrom(ctx), q)
	if err != nil {
		return nil, err
	}
	page := model.NewLiveChangePage(found)
	return page, hydrateHosts(ctx, page.Sessions(), needs.host)
}

// hydrateHosts reads what is wanted of the hosts of sessions.
func hydrateHosts(ctx context.Context, sessions []*live.Session, want *loaders.UserWant) error {
	if want == nil {
		return nil
	}
	hosts := make([]feed.UserID, len(sessions))
	for i, session := range sessions {
		hosts[i] = session.Host
	}
	return loaders.From(ctx).HydrateAuthors(ctx, hosts, want)
}

func (r *Resolver) changeLive(
	ctx context.Context,
	globalID string,
	clientMutationID *string,
	change func(ctx context.Context, viewer feed.UserID, id live.ID) (*live.Session, error),
) (*graph.LivePayload, error) {
	var session *live.Session
	id, err := r.numberIn(ctx, feed.LiveIDs, "session", "liveSessionId", globalID)
	if err == nil {
		session, err = change(ctx, ViewerFrom(ctx), live.ID(id))
	}
	return livePayload(session, err, clientMutationID)
}

// livePayload returns the payload of a change. A canceled session is not in it.
func livePayload(session *live.Session, err error, clientMutationID *string) (*graph.LivePayload, error) {
	refused, err := userErrors(err)
	if session != nil && session.State == live.Cancelled {
		session = nil
	}
	return &graph.LivePayload{LiveSession: session, UserErrors: refused, ClientMutationID: clientMutationID}, err
}

// orNull returns nil for a zero value, which means none in the domain.
func orNull[T comparable](v *T) *T {
	var none T
	if *v == none {
		return nil
	}
	return v
}
