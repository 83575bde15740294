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
	if err := r.postNodes(ctx, ids, out); err != nil {
		return nil, err
	}
	if err := r.userNodes(ctx, ids, out); err != nil {
		return nil, err
	}
	return out, r.liveNodes(ctx, ids, out)
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

// nodeOf returns an object as a node. None is no node, where a nil pointer would be one.
func nodeOf[T any, N interface {
	*T
	model.Node
}](object N, err error) (model.Node, error) {
	if object == nil || err != nil {
		return nil, err
	}
	return object, nil
}

// postNodes fills in the contents among ids.
func (r *Resolver) postNodes(ctx context.Context, ids []string, out []model.Node) error {
	wanted, at := named(ids, model.ParsePostID)
	if len(wanted) == 0 {
		return nil
	}
	posts, err := r.deps.Timeline.Posts(ctx, ViewerFrom(ctx), wanted)
	if err != nil {
		return err
	}
	var seen []*feed.Post
	for i, p := range posts {
		if p != nil {
			out[at[i]] = p
			seen = append(seen, p)
		}
	}
	return loaders.From(ctx).HydratePosts(ctx, seen, wantOfPost(selected(ctx)))
}

// userNodes fills in the users among ids.
func (r *Resolver) userNodes(ctx context.Context, ids []string, out []model.Node) error {
	wanted, at := named(ids, model.ParseUserID)
	if len(wanted) == 0 {
		return nil
	}
	users, err := r.deps.Directory.Users(ctx, ViewerFrom(ctx), wanted)
	if err != nil {
		return err
	}
	var seen []*feed.User
	for i, u := range users {
		if u != nil {
			out[at[i]] = u
			seen = append(seen, u)
		}
	}
	return loaders.From(ctx).HydrateUsers(ctx, seen, wantOfUser(selected(ctx)))
}

// liveNodes fills in the live sessions among ids.
func (r *Resolver) liveNodes(ctx context.Context, ids []string, out []model.Node) error {
	wanted, at := named(ids, model.ParseLiveSessionID)
	if len(wanted) == 0 {
		return nil
	}
	sessions, err := r.deps.Live.Visible(ctx, ViewerFrom(ctx), wanted)
	if err != nil {
		return err
	}
	var seen []*live.Session
	for i, s := range sessions {
		if s != nil {
			out[at[i]] = s
			seen = append(seen, s)
		}
	}
	return r.hydrateHosts(ctx, seen, wantOfHost(selected(ctx)))
}

// named returns the ids of one type among global ids, and where each stood.
func named[ID any](global []string, parse func(string) (ID, bool)) (ids []ID, at []int) {
	for i, s := range global {
		if id, ok := parse(s); ok {
			ids, at = append(ids, id), append(at, i)
		}
	}
	return ids, at
}
