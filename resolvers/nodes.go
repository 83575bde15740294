package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// nodesMax is the maximum number of global ids of a field: the length of the largest page.
const nodesMax = 100

// nodes returns one node per global id; nil if the viewer sees none, and for malformed ids.
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

// node returns a node; nil if the viewer sees none. Nodes of several fields are read together.
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

// nodeOf converts an object to a node. A nil pointer would not be a nil node.
func nodeOf[T any, N node[T]](object N, err error) (model.Node, error) {
	if object == nil || err != nil {
		return nil, err
	}
	return object, nil
}

// fillNodes reads the objects of one type among ids into out, and hydrates the visible ones.
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
