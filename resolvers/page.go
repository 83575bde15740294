package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// pageArgs are the arguments of a connection's field.
type pageArgs struct {
	first, last   *int32
	after, before *string
	kinds         feed.Kinds
}

// query returns the arguments in the domain's terms. The flag that looks back over
// the cursor costs a read, so it is asked for only when the client selected it.
func (a pageArgs) query(needs *pageNeeds) feed.PageQuery {
	q := feed.PageQuery{
		First:  number(a.first),
		After:  value(a.after),
		Last:   number(a.last),
		Before: value(a.before),
		Kinds:  a.kinds,
	}
	q.LookBack = (q.After != "" && needs.hasPrevious) || (q.Before != "" && needs.hasNext)
	return q
}

// homePage reads one page of the viewer's home feed with all that the client selected of it.
func (r *Resolver) homePage(ctx context.Context, args pageArgs) (*model.FeedConnection, error) {
	viewer, ref := ViewerFrom(ctx), feed.HomeRef()
	needs := neededOf(ctx, "FeedEdge")
	page, err := r.deps.Timeline.Page(ctx, viewer, ref, args.query(needs))
	if err != nil {
		return nil, err
	}
	c := model.NewFeedConnection(viewer, ref, args.kinds, page)
	return c, loaders.From(ctx).HydratePosts(ctx, c.Nodes(), needs.post)
}

// postPage reads one page of an outbox or of comments with all that the client selected of it.
// Pages of many objects are read together.
func (r *Resolver) postPage(ctx context.Context, ref feed.FeedRef, args pageArgs) (*model.FeedConnection, error) {
	needs := neededOf(ctx, "FeedEdge")
	request := feed.PageRequest{Ref: ref, Query: args.query(needs)}
	page, err := loaders.From(ctx).Page(ctx, request, needs.post, isAlone(ctx))
	if err != nil {
		return nil, err
	}
	return model.NewFeedConnection(ViewerFrom(ctx), ref, args.kinds, page), nil
}

// isAlone reports whether no other object of the operation can have the field at hand, so that
// nothing is gained by waiting for others: it is in no list, and below the only root field.
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

// userList is a list of users that viewer can read by the page.
type userList func(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error)

// listOf returns the list that belongs to a user, one of those that everybody has.
func listOf(
	owner *feed.User,
	read func(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error),
) userList {
	return func(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
		return read(ctx, viewer, owner.ID, q)
	}
}

// related returns the list of those to whom whoever reads it stands in a relation.
func (r *Resolver) related(kind feed.RelationKind) userList {
	return func(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error) {
		return r.deps.Directory.Related(ctx, viewer, kind, q)
	}
}

// userPage reads one page of a list of users with all that the client selected of it.
func (r *Resolver) userPage(ctx context.Context, read userList, args pageArgs) (*model.UserConnection, error) {
	needs := neededOf(ctx, "UserEdge")
	page, err := read(ctx, ViewerFrom(ctx), args.query(needs))
	if err != nil {
		return nil, err
	}
	c := model.NewUserConnection(page)
	return c, loaders.From(ctx).HydrateUsers(ctx, c.Nodes(), needs.user)
}

// value returns what an optional argument says, and the zero value without it.
func value[T any](p *T) T {
	if p == nil {
		p = new(T)
	}
	return *p
}

// number returns an optional Int in the domain's type.
func number(p *int32) *int {
	if p == nil {
		return nil
	}
	n := int(*p)
	return &n
}
