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
	v, posts, err := load(ctx, viewer, state, ids, scope)
	if err != nil {
		return nil, err
	}
	for i, p := range posts {
		if hidden, _ := v.hides(p); hidden == Visible {
			out[i] = p
		}
	}
	return out, nil
}

// Hidden says why a viewer may not see a post, in a word that is the same in all versions.
type Hidden string

// The reasons. Visible stands for none.
const (
	Visible           Hidden = ""
	HiddenNotStored   Hidden = "not-stored"
	HiddenDeleted     Hidden = "deleted"
	HiddenNotFollowed Hidden = "not-followed"
	HiddenMuted       Hidden = "muted"
	// HiddenAuthorAbsent: the author has not arrived, or was taken back.
	HiddenAuthorAbsent Hidden = "author-absent"
	// HiddenFromViewer: the author hides their posts from the viewer.
	HiddenFromViewer Hidden = "hidden"
	// HiddenBlocked: the viewer blocks the author. HiddenBlockedBy: the author blocks the viewer.
	HiddenBlocked   Hidden = "blocked"
	HiddenBlockedBy Hidden = "blocked-by"
	// HiddenChainTooLong: the chain of reposts has more than [Policy.RepostDepth] links.
	HiddenChainTooLong Hidden = "chain-too-long"
)

// Judgement is why [Judge] shows or hides a post.
type Judgement struct {
	// Post is set if it is stored, visible or not.
	Post   *Post
	Hidden Hidden
	// Cause is the post that decides: Post, or an original in its chain of reposts.
	Cause PostID
}

// JudgeOne judges one post as [Judge] does.
func JudgeOne(ctx context.Context, viewer UserID, state ViewerState, id PostID, scope Scope) (Judgement, error) {
	v, posts, err := load(ctx, viewer, state, []PostID{id}, scope)
	if err != nil {
		return Judgement{}, err
	}
	j := Judgement{Post: posts[0]}
	j.Hidden, j.Cause = v.hides(posts[0])
	return j, nil
}

// load returns the posts of the ids and what their judgement needs.
func load(ctx context.Context, viewer UserID, state ViewerState, ids []PostID, scope Scope) (verdict, []*Post, error) {
	v := verdict{viewer: viewer, scope: scope, state: state, depth: DefaultPolicy().RepostDepth}
	posts, err := state.Posts(ctx, ids)
	if err == nil {
		err = v.loadOriginals(ctx, posts)
	}
	if err == nil {
		err = v.loadEdges(ctx, posts)
	}
	return v, posts, err
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

// hides returns why the viewer may not see p, and the post of the chain that decides it.
func (v *verdict) hides(p *Post) (Hidden, PostID) {
	switch {
	case p == nil:
		return HiddenNotStored, 0
	case v.scope == ScopeHome && p.Author != v.viewer && !v.edges[p.Author].Follows:
		return HiddenNotFollowed, p.ID
	}
	id := p.ID
	for range v.depth + 1 {
		if p == nil {
			return HiddenNotStored, id
		}
		if hidden := v.hidesAlone(p); hidden != Visible || p.RepostOf == 0 {
			return hidden, id
		}
		id = p.RepostOf
		p = v.chains[id]
	}
	return HiddenChainTooLong, id
}

// hidesAlone judges a post without its originals.
func (v *verdict) hidesAlone(p *Post) Hidden {
	switch {
	case p.DeletedAt == AuthorAbsent:
		return HiddenAuthorAbsent
	case p.DeletedAt != 0:
		return HiddenDeleted
	case p.Author == v.viewer:
		return Visible
	}
	switch e := v.edges[p.Author]; {
	case e.Visible():
		if v.scope == ScopeHome && e.Mutes {
			return HiddenMuted
		}
		return Visible
	case e.Blocks:
		return HiddenBlocked
	case e.BlockedBy:
		return HiddenBlockedBy
	}
	return HiddenFromViewer
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

// Obstacle is a reason why a user cannot see an author's posts. The change log stores the numbers.
type Obstacle PostID

// The obstacles: the author hides from the user, the author blocks the user, the user blocks the author.
const (
	ObstacleHidden Obstacle = 1 + iota
	ObstacleBlocked
	ObstacleBlocks
)

func (e Edge) has(o Obstacle) bool {
	switch o {
	case ObstacleHidden:
		return e.HiddenBy
	case ObstacleBlocked:
		return e.BlockedBy
	case ObstacleBlocks:
		return e.Blocks
	}
	return false
}

// EverSeen reports for each post whether the token's viewer can see it now, or could see it at some time
// since the change log begins. A repost and its original need not have been visible at the same time,
// because a page may show an outdated state of either. Viewers have always seen their own posts. EverSeen
// returns [ErrChangesGone] if the log does not reach back to the token.
func EverSeen(ctx context.Context, token SyncToken, state ViewerState, log SightLog, ids []PostID) ([]bool, error) {
	viewer := token.Viewer
	v, posts, err := load(ctx, viewer, state, ids, ScopePublic)
	if err != nil {
		return nil, err
	}
	seen := make([]bool, len(ids))
	past := NewPast(token)
	for i, p := range posts {
		if hidden, _ := v.hides(p); hidden == Visible || p != nil && p.Author == viewer {
			seen[i] = true
			continue
		}
		for _, post := range v.chain(p) {
			past.Require(i, post.ID, post.DeletedAt, post.Author, v.edges[post.Author])
		}
	}
	return seen, past.Replay(ctx, log, func(i int) { seen[i] = true })
}

// chain returns a post and its originals; nil if an original is missing or the chain is too long.
func (v *verdict) chain(p *Post) (chain []*Post) {
	for range v.depth + 1 {
		if p == nil {
			return nil
		}
		if chain = append(chain, p); p.RepostOf == 0 {
			return chain
		}
		p = v.chains[p.RepostOf]
	}
	return nil
}

// Past replays the change log to find the objects that a token's viewer could see earlier. Callers number the
// objects; each has posts. The viewer could see an object at a moment at which its posts had no obstacle, if
// each of them had been visible by itself by then.
type Past struct {
	token   SyncToken
	authors map[UserID]bool
	posts   map[PostID]*pastPost
	// holds says which conditions hold at the current row of the replay.
	holds map[condition]bool
	// of are the posts with a condition, objects the posts of each object.
	of      map[condition][]*pastPost
	objects map[int][]*pastPost
}

// pastPost is a post with its conditions.
type pastPost struct {
	author    UserID
	deletedAt int64
	// there are the conditions that the post and its author's account exist. clear are the conditions that
	// the post has no obstacle. seen says that all of them have held at the same time.
	there, clear []condition
	seen         bool
	objects      []int
}

// condition says that a post is not deleted, that an author's account exists, or that an author's posts do
// not have an obstacle. Fields that it does not concern are zero.
type condition struct {
	post     PostID
	author   UserID
	obstacle Obstacle
}

// NewPast returns a Past without objects.
func NewPast(token SyncToken) *Past {
	return &Past{
		token: token, authors: map[UserID]bool{}, posts: map[PostID]*pastPost{}, holds: map[condition]bool{},
		of: map[condition][]*pastPost{}, objects: map[int][]*pastPost{},
	}
}

// Require adds a post, or the replay of a session, to an object. deletedAt is the post's current deletion
// time, and e the viewer's current edge to its author.
func (p *Past) Require(object int, post PostID, deletedAt int64, author UserID, e Edge) {
	required := p.posts[post]
	if required == nil {
		required = &pastPost{author: author, deletedAt: deletedAt}
		p.posts[post] = required
		p.authors[author] = true
		required.there = []condition{
			p.condition(required, condition{post: post}, deletedAt <= 0),
			p.condition(required, condition{author: author}, deletedAt != AuthorAbsent),
		}
		for o := ObstacleHidden; o <= ObstacleBlocks && author != p.token.Viewer; o++ {
			required.clear = append(required.clear, p.condition(required, condition{author: author, obstacle: o}, !e.has(o)))
		}
	}
	required.objects = append(required.objects, object)
	p.objects[object] = append(p.objects[object], required)
}

func (p *Past) condition(of *pastPost, c condition, holds bool) condition {
	p.holds[c] = holds
	p.of[c] = append(p.of[c], of)
	return c
}

// Replay calls seen, perhaps repeatedly, for each object that the viewer could see at some time since the
// log begins.
func (p *Past) Replay(ctx context.Context, log SightLog, seen func(object int)) error {
	if len(p.objects) == 0 {
		return nil
	}
	rows, err := log.SightChanges(ctx, p.token.Viewer, slices.Sorted(maps.Keys(p.authors)), slices.Sorted(maps.Keys(p.posts)), p.token.Place)
	if err != nil {
		return err
	}
	p.rewind(rows)
	p.look(slices.Collect(maps.Values(p.posts)), seen)
	for _, row := range rows {
		c, _, after := row.turns()
		p.holds[c] = after
		if after {
			p.look(p.of[c], seen)
		}
	}
	return nil
}

// rewind sets holds to the state before the rows. Posts that were deleted with their author's account have
// no rows of their own.
func (p *Past) rewind(rows []Change) {
	for _, row := range slices.Backward(rows) {
		c, before, _ := row.turns()
		p.holds[c] = before
		if row.Kind != ChangeAccount || row.Post <= 0 {
			continue
		}
		for id, post := range p.posts {
			if post.author == row.User && post.deletedAt == int64(row.Post) {
				p.holds[condition{post: id}] = true
			}
		}
	}
}

// look calls seen for the visible objects of posts. Call it after a condition of these posts begins to hold.
func (p *Past) look(posts []*pastPost, seen func(object int)) {
	for _, post := range posts {
		post.seen = post.seen || p.hold(post.there) && p.hold(post.clear)
	}
	hides := func(post *pastPost) bool { return !post.seen || !p.hold(post.clear) }
	for _, post := range posts {
		for _, object := range post.objects {
			if !slices.ContainsFunc(p.objects[object], hides) {
				seen(object)
			}
		}
	}
}

func (p *Past) hold(conditions []condition) bool {
	return !slices.ContainsFunc(conditions, func(c condition) bool { return !p.holds[c] })
}

// turns returns the condition that a row of [SightLog] changes, and whether the condition held before and
// after the row. The condition is zero if the row changes none.
func (c Change) turns() (of condition, before, after bool) {
	switch c.Kind {
	case ChangePublished, ChangeScheduled:
		return condition{post: c.Post}, false, c.Other == 0
	case ChangeDeleted:
		if c.Hides() {
			return condition{post: c.Post}, true, false
		}
	case ChangeSession:
		return condition{post: c.Post}, true, !c.Hides()
	case ChangeAccount:
		return condition{author: c.User}, c.Hides() && c.Other == 0, !c.Hides()
	case ChangeRelation:
		return condition{author: c.Other, obstacle: Obstacle(max(c.Post, -c.Post))}, c.Hides(), !c.Hides()
	case ChangeArrived, ChangeEdited, ChangeProfile, ChangeReset, ChangeRevoked, ChangePushed:
	}
	return condition{}, false, false
}
