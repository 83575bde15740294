package feed

import (
	"context"
	"maps"
	"slices"
)

// Scope is the kind of list that posts are judged for.
type Scope int

const (
	// ScopePublic shows posts by everyone.
	ScopePublic Scope = iota
	// ScopeHome shows only posts by the viewer and by followees who are not muted and in no exclusive list,
	// without those that the options of the follow hide.
	ScopeHome
	// ScopeSpecial is ScopeHome with the posts of special follows alone.
	ScopeSpecial
	// ScopeListed shows posts by users who are not muted, followed or not.
	ScopeListed
)

// has reports whether the scope includes the viewer's own posts, or posts of an author with an edge.
func (s Scope) has(own bool, e Edge) bool {
	switch s {
	case ScopeHome:
		return own || e.Follows
	case ScopeSpecial:
		return e.Follows && e.Options.Has(FollowSpecial)
	case ScopePublic, ScopeListed:
	}
	return true
}

// followed reports whether options of follows count.
func (s Scope) followed() bool { return s == ScopeHome || s == ScopeSpecial }

// Visible reports whether the viewer may see the other user's posts at all.
func (e Edge) Visible() bool { return !e.Blocks && !e.BlockedBy && !e.HiddenBy }

// Judge returns one post for each id: nil if none is stored, or if viewer, 0 for anonymous, may not
// see it. It is the only predicate for visibility. Only reads use it, because mutes, hides, blocks
// and deletions can be undone.
//
// Posts that are taken down, and those of suspended users, only their author may see.
//
// A private account's posts are for its followers alone, and so are comments and reposts whose audience
// author the account is. A post for followers is for those of its audience author. A repost is visible
// only if the whole chain of its originals is, and has at most [Policy.RepostDepth] links. Their
// authors need not be followed, but in the home scope must not be muted.
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
	// HiddenRepost and HiddenReply: the options of the viewer's follow hide the author's reposts or comments.
	HiddenRepost Hidden = "reposts-hidden"
	HiddenReply  Hidden = "replies-hidden"
	// HiddenListed: the author is in an exclusive list of the viewer.
	HiddenListed Hidden = "in-exclusive-list"
	// HiddenAuthorAbsent: the author has not arrived, or was taken back.
	HiddenAuthorAbsent Hidden = "author-absent"
	// HiddenFromViewer: the author hides their posts from the viewer.
	HiddenFromViewer Hidden = "hidden"
	// HiddenBlocked: the viewer blocks the author. HiddenBlockedBy: the author blocks the viewer.
	HiddenBlocked   Hidden = "blocked"
	HiddenBlockedBy Hidden = "blocked-by"
	// HiddenPrivate: the author's account is private, and the viewer does not follow the author.
	// HiddenPrivateThread says the same of the audience author.
	HiddenPrivate       Hidden = "private"
	HiddenPrivateThread Hidden = "private-thread"
	// HiddenForFollowers: the post is for the audience author's followers. The viewer does not follow
	// the audience author, or one of the two blocks the other or hides from them.
	HiddenForFollowers Hidden = "for-followers"
	// HiddenTakenDown: the post is taken down. HiddenSuspended: its author is suspended. Neither hides a
	// post from its author.
	HiddenTakenDown Hidden = "taken-down"
	HiddenSuspended Hidden = "suspended"
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
	list, err := JudgeEach(ctx, viewer, state, []PostID{id}, scope)
	if err != nil {
		return Judgement{}, err
	}
	return list[0], nil
}

// JudgeEach judges posts as [Judge] does, and says why.
func JudgeEach(ctx context.Context, viewer UserID, state ViewerState, ids []PostID, scope Scope) ([]Judgement, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	v, posts, err := load(ctx, viewer, state, ids, scope)
	if err != nil {
		return nil, err
	}
	list := make([]Judgement, len(posts))
	for i, p := range posts {
		list[i].Post = p
		list[i].Hidden, list[i].Cause = v.hides(p)
	}
	return list, nil
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
	var users []UserID
	need := func(user UserID) {
		if _, listed := v.edges[user]; !listed && user != v.viewer && user != 0 {
			v.edges[user] = Edge{}
			users = append(users, user)
		}
	}
	for _, p := range slices.AppendSeq(slices.Clone(posts), maps.Values(v.chains)) {
		if p == nil {
			continue
		}
		if need(p.Author); p.Audience != AudiencePublic || p.Accounts.Has(AudienceAuthorPrivate) {
			need(p.AudienceAuthor)
		}
	}
	if len(users) == 0 {
		return nil
	}
	edges, err := v.state.Edges(ctx, users)
	if err != nil {
		return err
	}
	for i, user := range users {
		v.edges[user] = edges[i]
	}
	return nil
}

// hides returns why the viewer may not see p, and the post of the chain that decides it.
func (v *verdict) hides(p *Post) (Hidden, PostID) {
	switch {
	case p == nil:
		return HiddenNotStored, 0
	case !v.scope.has(p.Author == v.viewer, v.edges[p.Author]):
		return HiddenNotFollowed, p.ID
	case v.scope.followed() && v.edges[p.Author].Listed && !p.Replay:
		return HiddenListed, p.ID
	case v.scope.followed() && v.edges[p.Author].Options.Hides(p.Kind):
		return hiddenKind(p.Kind), p.ID
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

func hiddenKind(k Kind) Hidden {
	if k == KindRepost {
		return HiddenRepost
	}
	return HiddenReply
}

// hidesAlone judges a post without its originals.
func (v *verdict) hidesAlone(p *Post) Hidden {
	switch {
	case p.DeletedAt == AuthorAbsent:
		return HiddenAuthorAbsent
	case p.DeletedAt != 0:
		return HiddenDeleted
	case p.Author == v.viewer:
		return v.hidesForAudience(p)
	case p.TakenDown != 0:
		return HiddenTakenDown
	case p.Accounts.Has(AuthorSuspended):
		return HiddenSuspended
	}
	switch e := v.edges[p.Author]; {
	case e.Visible():
		if v.scope != ScopePublic && e.Mutes {
			return HiddenMuted
		}
		return v.hidesForAudience(p)
	case e.Blocks:
		return HiddenBlocked
	case e.BlockedBy:
		return HiddenBlockedBy
	}
	return HiddenFromViewer
}

// hidesForAudience judges a post by its audience and by the privacy of its two accounts.
func (v *verdict) hidesForAudience(p *Post) Hidden {
	switch {
	case p.Accounts.Has(AuthorPrivate) && !v.isOrFollows(p.Author):
		return HiddenPrivate
	case p.Accounts.Has(AudienceAuthorPrivate) && !v.isOrFollowsAudienceAuthor(p):
		return HiddenPrivateThread
	case p.Audience == AudiencePublic, v.viewer != 0 && p.Author == v.viewer:
		return Visible
	case !v.isOrFollowsAudienceAuthor(p), !v.edges[p.AudienceAuthor].Visible():
		return HiddenForFollowers
	}
	return Visible
}

func (v *verdict) isOrFollows(user UserID) bool {
	return v.viewer != 0 && (user == v.viewer || v.edges[user].Follows)
}

// isOrFollowsAudienceAuthor reports whether the viewer is or follows the audience author of p. Edges
// to a user who has gone may still be stored, but no longer count.
func (v *verdict) isOrFollowsAudienceAuthor(p *Post) bool {
	return v.isOrFollows(p.AudienceAuthor) && (p.AudienceAuthor == v.viewer || !p.Accounts.Has(AudienceAuthorGone))
}

// WithOwn replaces the viewer's own posts by those that read returns for their ids. What these say of
// accounts is kept from posts, which may be newer: read may cache by changes of the viewer alone.
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
		posts[i] = fresh[n].withAccounts(posts[i].Accounts)
	}
	return posts, nil
}
