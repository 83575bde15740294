package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// nodesMax is the maximum number of ids of a field: the length of the largest page.
const nodesMax = 100

// nodeKey is the public id of a node; the zero value is that of none.
type nodeKey struct {
	kind feed.IDKind
	id   feed.ExternalID
}

func globalKey(globalID string) (nodeKey, bool) {
	kind, id, ok := model.ParseGlobalID(globalID)
	if !ok {
		return nodeKey{}, false
	}
	return nodeKey{kind, id}, true
}

// nodes returns one node per global id; nil if the viewer sees none, and for malformed ids.
func (r *Resolver) nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	keys := make([]nodeKey, len(ids))
	for i, id := range ids {
		keys[i], _ = globalKey(id)
	}
	return r.nodesBy(ctx, keys)
}

// nodesBy returns one node per key, nil if the viewer sees none. It reads all of a type at once.
func (r *Resolver) nodesBy(ctx context.Context, keys []nodeKey) ([]model.Node, error) {
	out := make([]model.Node, len(keys))
	public, places := map[feed.IDKind][]feed.ExternalID{}, map[feed.IDKind][]int{}
	for i, key := range keys {
		if key != (nodeKey{}) {
			public[key.kind], places[key.kind] = append(public[key.kind], key.id), append(places[key.kind], i)
		}
	}
	err := fillNodes(out, places[feed.PostIDs], func() ([]*feed.Post, error) { return r.postsBy(ctx, public[feed.PostIDs]) })
	if err != nil {
		return nil, err
	}
	err = fillNodes(out, places[feed.UserIDs], func() ([]*feed.User, error) { return r.usersBy(ctx, public[feed.UserIDs]) })
	if err != nil {
		return nil, err
	}
	err = fillNodes(out, places[feed.ListIDs], func() ([]*feed.AuthorList, error) { return r.listsBy(ctx, public[feed.ListIDs]) })
	if err != nil {
		return nil, err
	}
	return out, fillNodes(out, places[feed.LiveIDs], func() ([]*live.Session, error) { return r.sessionsBy(ctx, public[feed.LiveIDs]) })
}

// postsBy returns one post per public id, nil if the viewer sees none.
func (r *Resolver) postsBy(ctx context.Context, ids []feed.ExternalID) ([]*feed.Post, error) {
	return objectsBy(ctx, r, feed.PostIDs, ids, r.deps.Timeline.Posts, func(posts []*feed.Post) error {
		return loaders.From(ctx).HydratePosts(ctx, posts, wantOfPost(selected(ctx)))
	})
}

// usersBy returns one user per public id, nil if the viewer sees none.
func (r *Resolver) usersBy(ctx context.Context, ids []feed.ExternalID) ([]*feed.User, error) {
	return objectsBy(ctx, r, feed.UserIDs, ids, r.deps.Directory.Users, func(users []*feed.User) error {
		return loaders.From(ctx).HydrateUsers(ctx, users, wantOfUser(selected(ctx)))
	})
}

// sessionsBy returns one session per public id, nil if the viewer sees none.
func (r *Resolver) sessionsBy(ctx context.Context, ids []feed.ExternalID) ([]*live.Session, error) {
	return objectsBy(ctx, r, feed.LiveIDs, ids, r.deps.Live.Visible, func(sessions []*live.Session) error {
		return hydrateHosts(ctx, sessions, wantOfHost(selected(ctx)))
	})
}

// usersByDatabaseID returns the users with the ids as one page, without those that the viewer may
// not see.
func (r *Resolver) usersByDatabaseID(ctx context.Context, ids []string, args pageArgs) (*model.UserConnection, error) {
	if args.first != nil || value(args.after) != "" {
		return nil, feed.Errorf(feed.CodeBadInput, "first and after are for query; databaseIds are one page")
	}
	list := func(ctx context.Context, viewer feed.UserID, _ feed.PageQuery) (*feed.UserPage, error) {
		numbers, err := r.numbers(ctx, feed.UserIDs, databaseIDs(ids))
		if err != nil {
			return nil, err
		}
		users, err := r.deps.Directory.Users(ctx, viewer, known[feed.UserID](numbers))
		page := &feed.UserPage{}
		for _, u := range users {
			if u != nil {
				page.Entries = append(page.Entries, feed.UserEntry{User: u})
			}
		}
		return page, err
	}
	return r.userPage(ctx, list, args)
}

// node returns a node; nil if the viewer sees none. Nodes of several fields are read together.
func (r *Resolver) node(ctx context.Context, globalID string) (model.Node, error) {
	kind, id, ok := model.ParseGlobalID(globalID)
	if !ok {
		return nil, nil
	}
	switch kind {
	case feed.PostIDs:
		return nodeOf(oneBy(ctx, r, kind, id, r.postsBy, (*loaders.Loaders).Post))
	case feed.UserIDs:
		return nodeOf(oneBy(ctx, r, kind, id, r.usersBy, (*loaders.Loaders).Profile))
	case feed.ListIDs:
		lists, err := r.listsBy(ctx, []feed.ExternalID{id})
		if err != nil {
			return nil, err
		}
		return nodeOf(lists[0], nil)
	}
	return nodeOf(oneBy(ctx, r, kind, id, r.sessionsBy, (*loaders.Loaders).Session))
}

// oneBy returns the object with a public id, nil if the viewer sees none. It reads the only object
// of an operation with its selection, and any other through its loader.
func oneBy[ID ~int64, T any](
	ctx context.Context, r *Resolver, kind feed.IDKind, id feed.ExternalID,
	read func(ctx context.Context, ids []feed.ExternalID) ([]*T, error),
	load func(l *loaders.Loaders, ctx context.Context, id ID) (*T, error),
) (*T, error) {
	if isAlone(ctx) {
		found, err := read(ctx, []feed.ExternalID{id})
		if err != nil {
			return nil, err
		}
		return found[0], nil
	}
	number, err := r.number(ctx, kind, id)
	if number == 0 || err != nil {
		return nil, err
	}
	return load(loaders.From(ctx), ctx, ID(number))
}

// node is a pointer to an object with a global id.
type node[T any] interface {
	*T
	model.Node
}

// nodeOf converts an object to a node. A nil pointer would not be a nil node.
func nodeOf[T any, N node[T]](object N, err error) (model.Node, error) {
	if object == nil || err != nil {
		return nil, err
	}
	return object, nil
}

// fillNodes reads the objects of one type, if there are places for any, into their places in out.
func fillNodes[T any, N node[T]](out []model.Node, places []int, read func() ([]N, error)) error {
	if len(places) == 0 {
		return nil
	}
	objects, err := read()
	for i, object := range objects {
		if object != nil {
			out[places[i]] = object
		}
	}
	return err
}

// objectsBy reads one object per public id, nil if the viewer sees none, and hydrates the others.
func objectsBy[ID ~int64, T any](
	ctx context.Context, r *Resolver, kind feed.IDKind, ids []feed.ExternalID,
	read func(ctx context.Context, viewer feed.UserID, ids []ID) ([]*T, error),
	hydrate func([]*T) error,
) ([]*T, error) {
	numbers, err := r.numbers(ctx, kind, ids)
	if err != nil {
		return nil, err
	}
	objects, err := read(ctx, ViewerFrom(ctx), known[ID](numbers))
	if err != nil {
		return nil, err
	}
	out := make([]*T, len(ids))
	var seen []*T
	for i, n := range numbers {
		if n == 0 {
			continue
		}
		if out[i], objects = objects[0], objects[1:]; out[i] != nil {
			seen = append(seen, out[i])
		}
	}
	return out, hydrate(seen)
}

// known returns the numbers that are not 0, in order.
func known[ID ~int64](numbers []int64) []ID {
	var list []ID
	for _, n := range numbers {
		if n != 0 {
			list = append(list, ID(n))
		}
	}
	return list
}
