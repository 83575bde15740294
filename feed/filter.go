package feed

import "context"

// Scope says for which list contents are judged.
type Scope int

// The scopes.
const (
	// ScopePublic is for everything but home: single contents, outboxes, comments.
	ScopePublic Scope = iota
	// ScopeHome is for the home feed: only sources, and nobody who is muted.
	ScopeHome
)

// Visible says whether what the other user publishes may be shown to the viewer
// at all: neither blocks the other and the author does not hide from the viewer.
func (e Edge) Visible() bool { return !e.Blocks && !e.BlockedBy && !e.HiddenBy }

// Filter is the one predicate that decides what a viewer may see. Push, backfill
// and build never ask it: mute, hide, block and deletion can change back, so they
// are judged whenever something is read.
type Filter struct {
	// Posts may answer from a cache shared between viewers; Primary must not. A
	// viewer's own contents always come from Primary, so that he reads his writes, or
	// from what was read there since the last of them ([Knowledge]).
	Posts, Primary Posts
	Relations      Relations
}

// Judge returns one content per id: nil where none is stored, or where viewer may
// not see it. The zero viewer is nobody, who sees what is public.
//
// A content is visible when it is not deleted, neither side blocks the other, and
// the author does not hide from the viewer. In the home scope its author must also
// be the viewer himself or somebody he follows and does not mute. A repost is
// visible only when its original is, which need not be by a source, but must not
// be by somebody muted in the home scope; and so on down a chain of reposts.
func (f *Filter) Judge(ctx context.Context, viewer UserID, ids []ContentID, scope Scope) ([]*Post, error) {
	return f.judge(ctx, &view{viewer: viewer, relations: f.Relations, primary: f.Primary}, ids, scope)
}

// judge is Judge for the viewer whose view v is.
func (f *Filter) judge(ctx context.Context, v *view, ids []ContentID, scope Scope) ([]*Post, error) {
	out := make([]*Post, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	c := verdict{viewer: v.viewer, scope: scope, posts: make(map[ContentID]*Post, len(ids))}
	if err := f.loadChains(ctx, v, &c, ids); err != nil {
		return nil, err
	}
	if err := c.loadEdges(ctx, v); err != nil {
		return nil, err
	}
	for i, id := range ids {
		if c.shows(id) {
			out[i] = c.posts[id]
		}
	}
	return out, nil
}

// loadChains loads the contents and, level by level, the originals of reposts.
func (f *Filter) loadChains(ctx context.Context, v *view, c *verdict, ids []ContentID) error {
	for level := ids; len(level) > 0; {
		posts, err := f.load(ctx, v, level)
		if err != nil {
			return err
		}
		for i, id := range level {
			c.posts[id] = posts[i]
		}
		var originals []ContentID
		for _, p := range posts {
			if p == nil || p.RepostOf == 0 {
				continue
			}
			if _, seen := c.posts[p.RepostOf]; !seen {
				c.posts[p.RepostOf] = nil
				originals = append(originals, p.RepostOf)
			}
		}
		level = originals
	}
	return nil
}

// load reads contents, the viewer's own ones from the primary.
func (f *Filter) load(ctx context.Context, v *view, ids []ContentID) ([]*Post, error) {
	posts, err := f.Posts.Posts(ctx, ids)
	if err != nil || v.viewer == 0 {
		return posts, err
	}
	var own []ContentID
	var at []int
	for i, p := range posts {
		if p != nil && p.Author == v.viewer {
			own, at = append(own, ids[i]), append(at, i)
		}
	}
	if len(own) == 0 {
		return posts, nil
	}
	fresh, err := v.posts(ctx, own)
	if err != nil {
		return nil, err
	}
	for n, i := range at {
		posts[i] = fresh[n]
	}
	return posts, nil
}

// loadEdges loads what stands between the viewer and every author.
func (c *verdict) loadEdges(ctx context.Context, v *view) error {
	c.edges = make(map[UserID]Edge, len(c.posts))
	authors := make([]UserID, 0, len(c.posts))
	for _, p := range c.posts {
		if p == nil || p.Author == c.viewer || c.viewer == 0 {
			continue
		}
		if _, seen := c.edges[p.Author]; !seen {
			c.edges[p.Author] = Edge{}
			authors = append(authors, p.Author)
		}
	}
	if len(authors) == 0 {
		return nil
	}
	edges, err := v.edges(ctx, authors)
	if err != nil {
		return err
	}
	for i, e := range edges {
		c.edges[authors[i]] = e
	}
	return nil
}

// verdict is what one Judge call knows.
type verdict struct {
	viewer UserID
	scope  Scope
	posts  map[ContentID]*Post
	edges  map[UserID]Edge
}

// shows judges one content and, when it is a repost, the chain below it. The
// chain's members are all loaded; a chain that bites its tail ends where it does,
// since every member has been judged by then.
func (c *verdict) shows(id ContentID) bool {
	p := c.posts[id]
	if p == nil || (c.scope == ScopeHome && p.Author != c.viewer && !c.edges[p.Author].Follows) {
		return false
	}
	for steps := 0; steps <= len(c.posts); steps++ {
		if p == nil || p.DeletedAt != 0 || !c.allows(p.Author) {
			return false
		}
		if p.RepostOf == 0 {
			return true
		}
		p = c.posts[p.RepostOf]
	}
	return true
}

// allows says whether the viewer may see what author publishes.
func (c *verdict) allows(author UserID) bool {
	if author == c.viewer {
		return true
	}
	e := c.edges[author]
	return e.Visible() && !(c.scope == ScopeHome && e.Mutes)
}
