package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// pageArgs are the arguments of a connection field.
type pageArgs struct {
	first, last   *int32
	after, before *string
	filter        feed.Filter
}

// Looking back over the cursor costs a read, so only a client that selects the flag gets it.
func (a pageArgs) query(needs *pageNeeds) feed.PageQuery {
	q := feed.PageQuery{
		First:  number(a.first),
		After:  value(a.after),
		Last:   number(a.last),
		Before: value(a.before),
		Filter: a.filter,
	}
	q.LookBack = (q.After != "" && needs.hasPrevious) || (q.Before != "" && needs.hasNext)
	return q
}

// feedPage reads a page of the viewer's home feed, or of the feed of a list, with its selection.
func (r *Resolver) feedPage(ctx context.Context, ref feed.FeedRef, args pageArgs) (c *model.FeedConnection, err error) {
	viewer := ViewerFrom(ctx)
	needs, load := neededOf(ctx, "FeedEdge"), loaders.From(ctx)
	var placing *loaders.Placing
	err = load.Refill(func() error {
		page, err := r.deps.Timeline.Page(ctx, viewer, ref, args.query(needs))
		if err != nil {
			return err
		}
		c = model.NewFeedConnection(viewer, ref, args.filter, page)
		if needs.slots && placing == nil {
			placing = load.Place(ctx, ref, c.Nodes())
		}
		return load.HydratePosts(ctx, c.Nodes(), needs.post)
	})
	if err == nil && placing != nil {
		c.Place(placing.On)
	}
	return c, err
}

// homeChanges reads a page of changes of the viewer's home feed with its selection.
func (r *Resolver) homeChanges(ctx context.Context, q feed.HomeChangeQuery) (*model.HomeChangePage, error) {
	needs := neededOf(ctx, "HomeChange")
	found, err := r.deps.Timeline.HomeChanges(ctx, ViewerFrom(ctx), q)
	if err != nil {
		return nil, err
	}
	page := model.NewHomeChangePage(found)
	return page, loaders.From(ctx).HydratePosts(ctx, page.Posts(), needs.post)
}

// postPage reads a page of posts with its selection. Pages of several objects are read together.
func (r *Resolver) postPage(ctx context.Context, ref feed.FeedRef, args pageArgs) (*model.FeedConnection, error) {
	needs := neededOf(ctx, "FeedEdge")
	request := feed.PageRequest{Ref: ref, Query: args.query(needs)}
	page, placing, err := loaders.From(ctx).Page(ctx, request, needs.post, needs.slots, isAlone(ctx))
	if err != nil {
		return nil, err
	}
	c := model.NewFeedConnection(ViewerFrom(ctx), ref, args.filter, page)
	if placing != nil {
		c.Place(placing.On)
	}
	return c, nil
}

// isAlone reports whether no other object of the operation can have the current field: it is in no
// list, and below the only root field. Then waiting for a batch is useless.
func isAlone(ctx context.Context) bool {
	set := graphql.GetOperationContext(ctx).Operation.SelectionSet
	if _, isField := set[0].(*ast.Field); !isField || len(set) > 1 {
		return false
	}
	for f := graphql.GetFieldContext(ctx); f != nil; f = f.Parent {
		if f.Index != nil {
			return false
		}
	}
	return true
}

type userList func(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error)

// listOf returns a list of a user.
func listOf(
	owner *feed.User,
	read func(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error),
) userList {
	return func(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
		return read(ctx, viewer, owner.ID, q)
	}
}

// related returns the users of one relation of the viewer.
func (r *Resolver) related(kind feed.RelationKind) userList {
	return func(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
		return r.deps.Directory.Related(ctx, viewer, kind, q)
	}
}

// userPage reads a page of a list of users with its selection.
func (r *Resolver) userPage(ctx context.Context, read userList, args pageArgs) (*model.UserConnection, error) {
	needs := neededOf(ctx, "UserEdge")
	page, err := read(ctx, ViewerFrom(ctx), args.query(needs))
	if err != nil {
		return nil, err
	}
	c := model.NewUserConnection(page)
	return c, loaders.From(ctx).HydrateUsers(ctx, c.Nodes(), needs.user)
}

// addOptions adds the options of the viewer's follows to a page of their followees.
func addOptions(ctx context.Context, c *model.UserConnection) error {
	if err := loaders.From(ctx).HydrateUsers(ctx, c.Nodes(), &loaders.UserWant{Edge: true}); err != nil {
		return err
	}
	for i := range c.Edges {
		edge, err := loaders.From(ctx).Edge(ctx, c.Edges[i].Node.ID)
		if err != nil {
			return err
		}
		c.Edges[i].SetOptions(edge.Options)
	}
	return nil
}

func value[T any](p *T) T {
	if p == nil {
		p = new(T)
	}
	return *p
}

func number(p *int32) *int {
	if p == nil {
		return nil
	}
	n := int(*p)
	return &n
}

// homeRef refers to the viewer's home feed, or to that of their special follows.
func homeRef(special *bool) feed.FeedRef {
	ref := feed.HomeRef()
	if value(special) {
		ref.Of = feed.SpecialAuthors
	}
	return ref
}

// filterOf returns the filter of the arguments filter and, before there was one, kinds.
func filterOf(kinds []feed.Kind, in *graph.FeedFilter) (feed.Filter, error) {
	switch {
	case in == nil:
		return feed.OfKinds(kinds...), nil
	case len(kinds) > 0:
		return feed.Filter{}, feed.Errorf(feed.CodeBadInput, "give kinds in the filter only")
	}
	f := feed.OfKinds(in.Kinds...).InLanguages(in.Languages...)
	if in.HasMedia != nil {
		f = f.WithMedia(*in.HasMedia)
	}
	return f, nil
}
