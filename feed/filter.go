package feed

import (
	"context"
	"slices"
)

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
	// Fresh says that Posts answers from no cache either, so that nobody's own contents need
	// be read twice.
	Fresh     bool
	Relations Relations
	// Hydrator, where it is set, is by what contents are read for who shows them with authors
	// and counters ([PageQuery.Hydrated]). It is set only where Fresh is.
	Hydrator Hydrator
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
	posts, err := f.load(ctx, v, ids)
	if err != nil {
		return nil, err
	}
	c := verdict{viewer: v.viewer, scope: scope}
	if err := f.loadOriginals(ctx, v, &c, posts); err != nil {
		return nil, err
	}
	if err := c.loadEdges(ctx, v, posts); err != nil {
		return nil, err
	}
	for i, p := range posts {
		if c.shows(p) {
			out[i] = p
		}
	}
	return out, nil
}

// loadOriginals loads, level by level, the originals of reposts.
func (f *Filter) loadOriginals(ctx context.Context, v *view, c *verdict, posts []*Post) error {
	for level := c.unknown(posts); len(level) > 0; {
		originals, err := f.load(ctx, v, level)
		if err != nil {
			return err
		}
		c.know(originals)
		level = c.unknown(originals)
	}
	return nil
}

// read reads contents, or waits for those that are being read, and tells of what was read with
// them.
func (f *Filter) read(ctx context.Context, v *view, ids []ContentID) ([]*Post, error) {
	found, err := f.found(ctx, v, ids)
	if err == nil && found.Counters != nil {
		v.hydrated(found)
	}
	return found.Posts, err
}

// found is what reading them brings.
func (f *Filter) found(ctx context.Context, v *view, ids []ContentID) (Hydrated, error) {
	if e := v.early; e.are(ids) {
		v.early = nil // who judges them changes the list
		return e.wait(ctx)
	}
	return f.find(ctx, ids, f.hydrates(v), nil)
}

// load reads contents, the viewer's own ones from the primary.
func (f *Filter) load(ctx context.Context, v *view, ids []ContentID) ([]*Post, error) {
	posts, err := f.read(ctx, v, ids)
	if err != nil || v.viewer == 0 || f.Fresh {
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

// verdict is what one Judge call knows besides the contents it judges. Hardly any of these is a
// repost and they are few, so it has no maps unless it must.
type verdict struct {
	viewer UserID
	scope  Scope
	// chains are all contents by id, from when the first repost was met; nil for one that is
	// not stored, or not loaded yet.
	chains map[ContentID]*Post
	// authors are those of all contents, each once and without the viewer, and edges how he
	// stands to each.
	authors []UserID
	edges   []Edge
	// places are where many authors stand.
	places map[UserID]int
}

// authorsFew is up to how many authors are looked through instead of being in a map.
const authorsFew = 32

// unknown returns the ids of the originals of reposts that are not known yet, each once.
func (c *verdict) unknown(posts []*Post) (originals []ContentID) {
	for _, p := range posts {
		if p == nil || p.RepostOf == 0 {
			continue
		}
		if c.chains == nil {
			c.chains = make(map[ContentID]*Post, 2*len(posts))
			c.know(posts)
		}
		if _, seen := c.chains[p.RepostOf]; !seen {
			c.chains[p.RepostOf] = nil
			originals = append(originals, p.RepostOf)
		}
	}
	return originals
}

func (c *verdict) know(posts []*Post) {
	for _, p := range posts {
		if p != nil {
			c.chains[p.ID] = p
		}
	}
}

// loadEdges loads what stands between the viewer and every author.
func (c *verdict) loadEdges(ctx context.Context, v *view, posts []*Post) error {
	if c.viewer == 0 {
		return nil
	}
	c.authors = make([]UserID, 0, len(posts))
	for _, p := range posts {
		c.noteAuthor(p)
	}
	for _, p := range c.chains {
		c.noteAuthor(p)
	}
	if len(c.authors) == 0 {
		return nil
	}
	var err error
	c.edges, err = v.edges(ctx, c.authors, posts...)
	return err
}

func (c *verdict) noteAuthor(p *Post) {
	if p == nil || p.Author == c.viewer || c.place(p.Author) >= 0 {
		return
	}
	c.authors = append(c.authors, p.Author)
	switch n := len(c.authors); {
	case c.places != nil:
		c.places[p.Author] = n - 1
	case n > authorsFew:
		c.places = make(map[UserID]int, 2*n)
		for i, author := range c.authors {
			c.places[author] = i
		}
	}
}

// place returns where an author stands; -1 for who does not.
func (c *verdict) place(author UserID) int {
	if c.places == nil {
		return slices.Index(c.authors, author)
	}
	if i, ok := c.places[author]; ok {
		return i
	}
	return -1
}

// edge returns how the viewer stands to an author. Nobody has an edge to himself, or to
// anybody when he is nobody.
func (c *verdict) edge(author UserID) Edge {
	if i := c.place(author); i >= 0 {
		return c.edges[i]
	}
	return Edge{}
}

// shows judges one content and, when it is a repost, the chain below it. The
// chain's members are all loaded; a chain that bites its tail ends where it does,
// since every member has been judged by then.
func (c *verdict) shows(p *Post) bool {
	if p == nil || (c.scope == ScopeHome && p.Author != c.viewer && !c.edge(p.Author).Follows) {
		return false
	}
	for steps := 0; steps <= len(c.chains); steps++ {
		if p == nil || p.DeletedAt != 0 || !c.allows(p.Author) {
			return false
		}
		if p.RepostOf == 0 {
			return true
		}
		p = c.chains[p.RepostOf]
	}
	return true
}

// allows says whether the viewer may see what author publishes.
func (c *verdict) allows(author UserID) bool {
	if author == c.viewer {
		return true
	}
	e := c.edge(author)
	return e.Visible() && !(c.scope == ScopeHome && e.Mutes)
}
