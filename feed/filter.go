package feed

import (
	"context"
	"maps"
	"slices"
)

// Scope is the kind of list that posts are judged for.
type Scope int

// ScopeHome shows only posts by the viewer and by followees who are not muted.
const (
	ScopePublic Scope = iota
	ScopeHome
)

// Visible reports whether the viewer may see the other user's posts at all.
func (e Edge) Visible() bool { return !e.Blocks && !e.BlockedBy && !e.HiddenBy }

// Judge returns one post for each id: nil if none is stored, or if viewer, 0 for anonymous, may not
// see it. It is the only predicate for visibility. Only reads use it, because mutes, hides, blocks
// and deletions can be undone. A repost is visible only if the whole chain of its originals is, and
// has at most [Policy.RepostDepth] links. Their authors need not be followed, but in the home scope
// must not be muted.
func Judge(ctx context.Context, viewer UserID, state ViewerState, ids []PostID, scope Scope) ([]*Post, error) {
	out := make([]*Post, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	posts, err := state.Posts(ctx, ids)
	if err != nil {
		return nil, err
	}
	v := verdict{viewer: viewer, scope: scope, state: state, depth: DefaultPolicy().RepostDepth}
	if err := v.loadOriginals(ctx, posts); err != nil {
		return nil, err
	}
	if err := v.loadEdges(ctx, posts); err != nil {
		return nil, err
	}
	for i, p := range posts {
		if v.shows(p) {
			out[i] = p
		}
	}
	return out, nil
}

type verdict struct {
	viewer UserID
	scope  Scope
	state  ViewerState
	// depth limits the links of a chain of reposts. Chains that are longer may arrive in parts.
	depth int
	// chains has all posts by id if any is a repost; nil for a missing one.
	chains map[PostID]*Post
	edges  map[UserID]Edge
}

func (v *verdict) loadOriginals(ctx context.Context, posts []*Post) error {
	level := v.originals(posts)
	for links := 0; links < v.depth && len(level) > 0; links++ {
		found, err := v.state.Posts(ctx, level)
		if err != nil {
			return err
		}
		for i, p := range found {
			v.chains[level[i]] = p
		}
		level = v.originals(found)
	}
	return nil
}

func (v *verdict) originals(posts []*Post) (ids []PostID) {
	for _, p := range posts {
		if p == nil || p.RepostOf == 0 {
			continue
		}
		if v.chains == nil {
			v.chains = map[PostID]*Post{}
			for _, judged := range posts {
				if judged != nil {
					v.chains[judged.ID] = judged
				}
			}
		}
		if _, listed := v.chains[p.RepostOf]; !listed {
			v.chains[p.RepostOf] = nil
			ids = append(ids, p.RepostOf)
		}
	}
	return ids
}

func (v *verdict) loadEdges(ctx context.Context, posts []*Post) error {
	if v.viewer == 0 {
		return nil
	}
	v.edges = make(map[UserID]Edge, len(posts))
	var authors []UserID
	for _, p := range slices.AppendSeq(slices.Clone(posts), maps.Values(v.chains)) {
		if p == nil || p.Author == v.viewer {
			continue
		}
		if _, listed := v.edges[p.Author]; !listed {
			v.edges[p.Author] = Edge{}
			authors = append(authors, p.Author)
		}
	}
	if len(authors) == 0 {
		return nil
	}
	edges, err := v.state.Edges(ctx, authors)
	if err != nil {
		return err
	}
	for i, author := range authors {
		v.edges[author] = edges[i]
	}
	return nil
}

func (v *verdict) shows(p *Post) bool {
	if p == nil || (v.scope == ScopeHome && p.Author != v.viewer && !v.edges[p.Author].Follows) {
		return false
	}
	for range v.depth + 1 {
		if p == nil || p.DeletedAt != 0 || !v.allows(p.Author) {
			return false
		}
		if p.RepostOf == 0 {
			return true
		}
		p = v.chains[p.RepostOf]
	}
	return false
}

func (v *verdict) allows(author UserID) bool {
	if author == v.viewer {
		return true
	}
	e := v.edges[author]
	return e.Visible() && !(v.scope == ScopeHome && e.Mutes)
}

// WithOwn replaces the viewer's own posts by those that read returns for their ids.
func WithOwn(ctx context.Context, viewer UserID, posts []*Post, read func(context.Context, []PostID) ([]*Post, error)) ([]*Post, error) {
	var own []PostID
	var at []int
	for i, p := range posts {
		if p != nil && p.Author == viewer {
			own, at = append(own, p.ID), append(at, i)
		}
	}
	if len(own) == 0 {
		return posts, nil
	}
	fresh, err := read(ctx, own)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		posts[i] = fresh[n]
	}
	return posts, nil
}
