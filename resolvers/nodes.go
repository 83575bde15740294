package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// nodesMax is how many global ids one field takes: as many as the largest page has
// entries.
const nodesMax = 100

// nodes returns one node per global id, nil where the viewer sees none. Ids of no
// type, of a type that is no node, and ids that cannot be read are all the same to
// the client: nothing is there.
func (r *Resolver) nodes(ctx context.Context, ids []string) ([]model.Node, error) {
	out := make([]model.Node, len(ids))
	l := loaders.From(ctx)
	err := fillNodes(ctx, ids, out, model.ParsePostID, r.deps.Timeline.Posts, func(posts []*feed.Post) error {
		return l.HydratePosts(ctx, posts, wantOfPost(selected(ctx)))
	})
	if err != nil {
		return nil, err
	}
	err = fillNodes(ctx, ids, out, model.ParseUserID, r.deps.Directory.Users, func(users []*feed.User) error {
		return l.HydrateUsers(ctx, users, wantOfUser(selected(ctx)))
	})
	if err != nil {
		return nil, err
	}
	return out, fillNodes(ctx, ids, out, model.ParseLiveSessionID, r.deps.Live.Visible, func(sessions []*live.Session) error {
		return hydrateHosts(ctx, sessions, wantOfHost(selected(ctx)))
	})
}

// node returns one node, nil if the viewer sees none. Nodes that an operation asks for by
// several fields are read together, and so is what is selected of them.
func (r *Resolver) node(ctx context.Context, id string) (model.Node, error) {
	if isAlone(ctx) {
		found, err := r.nodes(ctx, []string{id})
		if err != nil {
			return nil, err
		}
		return found[0], nil
	}
	l := loaders.From(ctx)
	if post, ok := model.ParsePostID(id); ok {
		return nodeOf(l.Post(ctx, post))
	}
	if user, ok := model.ParseUserID(id); ok {
		return nodeOf(l.Profile(ctx, user))
	}
	if session, ok := model.ParseLiveSessionID(id); ok {
		return nodeOf(l.Session(ctx, session))
	}
	return nil, nil
}

// node is a pointer to an object with a global id.
type node[T any] interface {
	*T
	model.Node
}

// nodeOf returns an object as a node. None is no node, where a nil pointer would be one.
func nodeOf[T any, N node[T]](object N, err error) (model.Node, error) {
	if object == nil || err != nil {
		return nil, err
	}
	return object, nil
}

// fillNodes reads the objects of one type among ids into out, and hydrates those that the viewer
// may see.
func fillNodes[ID, T any, N node[T]](
	ctx context.Context, ids []string, out []model.Node,
	parse func(string) (ID, bool),
	read func(ctx context.Context, viewer feed.UserID, ids []ID) ([]N, error),
	hydrate func([]N) error,
) error {
	var wanted []ID
	var at []int
	for i, s := range ids {
		if id, ok := parse(s); ok {
			wanted, at = append(wanted, id), append(at, i)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	objects, err := read(ctx, ViewerFrom(ctx), wanted)
	if err != nil {
		return err
	}
	var seen []N
	for i, object := range objects {
		if object != nil {
			out[at[i]] = object
			seen = append(seen, object)
		}
	}
	return hydrate(seen)
}
