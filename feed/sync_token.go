package feed

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
)

// SyncToken names a place in the order of arrival for the home feed of one viewer, of some authors and with
// a filter, or for the viewer's live feed. Clients get it as opaque text ([SyncToken.String]) and
// continue there.
type SyncToken struct {
	Viewer UserID
	// Live says that the token is of the live feed, which has no filter.
	Live   bool
	Of     Authors
	Filter Filter
	Place  ChangePlace
	// Below, if not zero, says that the change after Place was reported in part: of the posts that
	// it names, those below this key remain. Live sessions have no time in it.
	Below Key
}

// Tokens share the beginning of cursors: a byte each of version and kind. Then come a byte of the filter
// and flags; viewer, epoch and number; after flagPartial time and id of Below; and after flagDigest the
// digest of the filter. Numbers have eight bytes, big-endian. Clients keep tokens, so the format changes
// only with the version.
const (
	syncVersion = 1
	syncSize    = 3 + 3*8
	partialSize = syncSize + 2*8

	flagPartial = 1 << 7
	flagDigest  = 1 << 6
	flagSpecial = 1 << 5
)

func (t SyncToken) String() string {
	b := append(make([]byte, 0, partialSize+digestSize), syncVersion, byte(t.kind()), t.bits())
	numbers := []int64{int64(t.Viewer), t.Place.Epoch, t.Place.Number}
	if t.Below != (Key{}) {
		b[2] |= flagPartial
		numbers = append(numbers, t.Below.TS, t.Below.ID)
	}
	for _, n := range numbers {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	if digest := t.Filter.digest(); digest != nil {
		b[2] |= flagDigest
		b = append(b, digest...)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

// bits returns the byte that says which feed the token is of.
func (t SyncToken) bits() byte {
	b := t.Filter.bits()
	if t.Of == SpecialAuthors {
		b |= flagSpecial
	}
	return b
}

func (t SyncToken) kind() FeedKind {
	if t.Live {
		return FeedLiveSync
	}
	return FeedSync
}

// IsSyncToken reports whether a text is a sync token of a home feed rather than a cursor. It may
// still be invalid.
func IsSyncToken(s string) bool {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return err == nil && len(b) > 1 && FeedKind(b[1]) == FeedSync
}

// ParseSyncToken returns [CodeBadCursor] for a text that is not a sync token of the viewer's home
// feed of the authors with the filter.
func ParseSyncToken(s string, viewer UserID, of Authors, filter Filter) (SyncToken, error) {
	return parseSyncToken(s, SyncToken{Viewer: viewer, Of: of, Filter: filter})
}

// ParseLiveSyncToken returns [CodeBadCursor] for a text that is not a sync token of the viewer's live
// feed.
func ParseLiveSyncToken(s string, viewer UserID) (SyncToken, error) {
	return parseSyncToken(s, SyncToken{Viewer: viewer, Live: true})
}

// parseSyncToken reads a token of the feed of another token.
func parseSyncToken(s string, of SyncToken) (SyncToken, error) {
	// Decoding ignores line breaks and stray bits; encoding again detects them.
	b, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil || len(b) < syncSize || FeedKind(b[1]) != of.kind() || base64.RawURLEncoding.EncodeToString(b) != s {
		list := "home"
		if of.Live {
			list = "live"
		}
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token cannot be read; use one that a %s feed has returned", list)
	}
	if b[0] != syncVersion {
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token has version %d; this server does not support it", b[0])
	}
	var digest []byte
	if end := len(b) - digestSize; b[2]&flagDigest != 0 && end >= syncSize {
		b, digest = b[:end], b[end:]
	}
	number := func(i int) int64 { return int64(binary.BigEndian.Uint64(b[3+8*i:])) }
	t := of
	t.Viewer, t.Place = UserID(number(0)), ChangePlace{Epoch: number(1), Number: number(2)}
	if b[2]&flagPartial != 0 && len(b) == partialSize {
		t.Below = Key{TS: number(3), ID: number(4)}
	}
	switch {
	case t.Viewer != of.Viewer:
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token belongs to another viewer")
	case b[2]&^(flagPartial|flagDigest) != of.bits() || !bytes.Equal(digest, of.Filter.digest()):
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token belongs to a feed of other authors or with another filter")
	case t.String() != s || t.Place.Number < 0 || t.Below.TS < 0 || t.Below.TS > MaxTime || t.Below.ID < 0:
		return SyncToken{}, Errorf(CodeBadCursor, "the sync token is out of range")
	}
	return t, nil
}

// HomeChangeKind says what has happened to a post of a home feed.
type HomeChangeKind string

const (
	// HomeAdded means that the post is in the feed: it has arrived, or a relation or a deletion has
	// changed. It may have been there before.
	HomeAdded HomeChangeKind = "ADDED"
	// HomeRemoved means that the post is not in the feed.
	HomeRemoved HomeChangeKind = "REMOVED"
	// HomeChanged means that the post is in the feed and was edited.
	HomeChanged HomeChangeKind = "CHANGED"
	// HomeReset means that anything may have changed.
	HomeReset HomeChangeKind = "RESET"
)

// HomeChange is a post of a home feed as it is now.
type HomeChange struct {
	Kind HomeChangeKind
	// ID is the post, 0 for a reset. PublicID is its id for clients.
	ID       PostID
	PublicID PublicPostID
	// Entry is the post with its cursor, if it is in the feed.
	Entry Entry
	// Token is where a reader continues who has read no later change of the page.
	Token SyncToken
}

// IsReset reports whether anything may have changed.
func (c HomeChange) IsReset() bool { return c.Kind == HomeReset }

// HomeChangePage is a page of changes of a home feed.
type HomeChangePage = ChangePage[HomeChange]

// ChangePage is a page of changes, in their order of arrival.
type ChangePage[C interface{ IsReset() bool }] struct {
	Changes []C
	// Token is where the next page continues.
	Token SyncToken
	// HasMore says that there are more changes by now. A page may have less than it could.
	HasMore bool
}

// Resets reports whether the page is a reset.
func (p *ChangePage[C]) Resets() bool { return slices.ContainsFunc(p.Changes, C.IsReset) }

// HomeChangeQuery asks for the changes of a home feed.
type HomeChangeQuery struct {
	// Since is a sync token. First is the most changes; nil for Policy.PageDefault.
	Since string
	First *int
	// DownTo is the cursor of the oldest entry that matters; empty for all.
	DownTo string
	Of     Authors
	Filter Filter
}

// Places knows up to which place the caches of this process are current.
type Places interface {
	// Place returns a place in the change log. What is read after the call has all changes up to
	// it, also through caches. An error means that the log cannot be read.
	Place(ctx context.Context) (ChangePlace, error)
}

// Obstacle is a reason why a user cannot see an author's posts. The change log stores the numbers.
type Obstacle PostID

// The obstacles: the author hides from the user, the author blocks the user, the user blocks the author, the
// user does not follow the author. The last is one for what is for followers only.
const (
	ObstacleHidden Obstacle = 1 + iota
	ObstacleBlocked
	ObstacleBlocks
	ObstacleNotFollowing
)

func (e Edge) has(o Obstacle) bool {
	switch o {
	case ObstacleHidden:
		return e.HiddenBy
	case ObstacleBlocked:
		return e.BlockedBy
	case ObstacleBlocks:
		return e.Blocks
	case ObstacleNotFollowing:
		return !e.Follows
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
			past.Require(i, v.sighted(post))
		}
	}
	return seen, past.Replay(ctx, log, func(i int) { seen[i] = true })
}

// sighted returns what the viewer needs to see a post without its originals.
func (v *verdict) sighted(p *Post) Sighted {
	return Sighted{
		Post: p.ID, DeletedAt: p.DeletedAt, Author: p.Author, Edge: v.edges[p.Author], Private: p.Accounts.Has(AuthorPrivate),
		TakenDown: p.TakenDown != 0, Suspended: p.Accounts.Has(AuthorSuspended),
		Audience: SightedAudience{
			Of: p.AudienceAuthor, Edge: v.edges[p.AudienceAuthor], Followers: p.Audience != AudiencePublic,
			Private: p.Accounts.Has(AudienceAuthorPrivate), Gone: p.Accounts.Has(AudienceAuthorGone),
		},
	}
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
	token SyncToken
	users map[UserID]bool
	posts map[PostID]*pastPost
	// holds says which conditions hold at the current row of the replay.
	holds map[condition]bool
	// of are the posts with a condition, objects the posts of each object.
	of      map[condition][]*pastPost
	objects map[int][]*pastPost
}

// Sighted is a post, or the replay of a session, as it is now.
type Sighted struct {
	Post      PostID
	DeletedAt int64
	Author    UserID
	// Edge is the viewer's to the author. Private and Suspended say that the author's account is.
	Edge                          Edge
	Private, Suspended, TakenDown bool
	Audience                      SightedAudience
}

// SightedAudience is the audience author of a post, and the viewer's edge to them. Followers says that the
// post is for their followers, Private that their account is, and Gone that they are absent or deleted. That
// of a session, or of a user's own post, may be its author.
type SightedAudience struct {
	Of                       UserID
	Edge                     Edge
	Followers, Private, Gone bool
}

// pastPost is a post with its conditions, of which one of each list must hold.
type pastPost struct {
	author    UserID
	deletedAt int64
	// there are the conditions that the post and its accounts exist. clear are the conditions that the
	// post has no obstacle. seen says that all of them have held at the same time.
	there, clear [][]condition
	seen         bool
	objects      []int
}

// condition says that a post is not deleted, that a user's account exists, that one of these is open to all or
// has no sanction, or that a user's posts do not have an obstacle. Fields that it does not concern are zero.
type condition struct {
	post               PostID
	user               UserID
	open, unsanctioned bool
	obstacle           Obstacle
}

// NewPast returns a Past without objects.
func NewPast(token SyncToken) *Past {
	return &Past{
		token: token, users: map[UserID]bool{}, posts: map[PostID]*pastPost{}, holds: map[condition]bool{},
		of: map[condition][]*pastPost{}, objects: map[int][]*pastPost{},
	}
}

// Require adds a post, or the replay of a session, to an object.
func (p *Past) Require(object int, s Sighted) {
	required := p.posts[s.Post]
	if required == nil {
		required = &pastPost{author: s.Author, deletedAt: s.DeletedAt}
		p.posts[s.Post] = required
		p.requireAuthor(required, s)
		if s.Audience.Of != p.token.Viewer {
			p.requireAudience(required, s)
		}
	}
	required.objects = append(required.objects, object)
	p.objects[object] = append(p.objects[object], required)
}

func (p *Past) requireAuthor(required *pastPost, s Sighted) {
	p.users[s.Author] = true
	required.there = [][]condition{
		{p.condition(required, condition{post: s.Post}, s.DeletedAt <= 0)},
		{p.condition(required, condition{user: s.Author}, s.DeletedAt != AuthorAbsent)},
	}
	if s.Author == p.token.Viewer {
		return
	}
	required.there = append(required.there,
		[]condition{p.condition(required, condition{post: s.Post, unsanctioned: true}, !s.TakenDown)},
		[]condition{p.condition(required, condition{user: s.Author, unsanctioned: true}, !s.Suspended)})
	p.requireClear(required, s.Author, s.Edge)
	p.requireFollow(required, s.Author, s.Edge, p.condition(required, condition{user: s.Author, open: true}, !s.Private))
}

// requireAudience requires that the viewer is in the audience, unless account and post are open to all. Authors
// see what they have published for the followers of others.
func (p *Past) requireAudience(required *pastPost, s Sighted) {
	a := s.Audience
	p.users[a.Of] = true
	p.requireMember(required, a, p.condition(required, condition{user: a.Of, open: true}, !a.Private))
	if s.Author != p.token.Viewer {
		open := p.condition(required, condition{post: s.Post, open: true}, !a.Followers)
		p.requireMember(required, a, open)
		p.requireClear(required, a.Of, a.Edge, open)
	}
}

// requireMember requires that the viewer follows an audience author who exists, unless another condition holds.
func (p *Past) requireMember(required *pastPost, a SightedAudience, unless condition) {
	required.there = append(required.there, []condition{unless, p.condition(required, condition{user: a.Of}, !a.Gone)})
	p.requireFollow(required, a.Of, a.Edge, unless)
}

// requireClear requires that neither blocks the other, and that the user does not hide from the viewer, unless
// another condition holds.
func (p *Past) requireClear(required *pastPost, user UserID, e Edge, unless ...condition) {
	for o := ObstacleHidden; o <= ObstacleBlocks; o++ {
		required.clear = append(required.clear, append([]condition{p.condition(required, condition{user: user, obstacle: o}, !e.has(o))}, unless...))
	}
}

// requireFollow requires that the viewer follows the user, unless another condition holds.
func (p *Past) requireFollow(required *pastPost, user UserID, e Edge, unless condition) {
	required.clear = append(required.clear, []condition{
		unless,
		p.condition(required, condition{user: user, obstacle: ObstacleNotFollowing}, e.Follows),
	})
}

// condition adds a post to those with a condition. That it does not hold is true if one of them says so: an
// account is named as gone, or private, by what has it as audience author, not by its own posts.
func (p *Past) condition(of *pastPost, c condition, holds bool) condition {
	was, known := p.holds[c]
	p.holds[c] = holds && (was || !known)
	p.of[c] = append(p.of[c], of)
	return c
}

// Replay calls seen, perhaps repeatedly, for each object that the viewer could see at some time since the
// log begins.
func (p *Past) Replay(ctx context.Context, log SightLog, seen func(object int)) error {
	if len(p.objects) == 0 {
		return nil
	}
	rows, err := log.SightChanges(ctx, p.token.Viewer, slices.Sorted(maps.Keys(p.users)), slices.Sorted(maps.Keys(p.posts)), p.token.Place)
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

func (p *Past) hold(conditions [][]condition) bool {
	none := func(of []condition) bool {
		return !slices.ContainsFunc(of, func(c condition) bool { return p.holds[c] })
	}
	return !slices.ContainsFunc(conditions, none)
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
		return condition{user: c.User}, c.Hides() && c.Other == 0, !c.Hides()
	case ChangeRelation:
		return condition{user: c.Other, obstacle: Obstacle(max(c.Post, -c.Post))}, c.Hides(), !c.Hides()
	case ChangeProfile, ChangeEdited:
		if c.Other != 0 {
			of := condition{post: c.Post, open: true}
			if c.Kind == ChangeProfile {
				of.user = c.User
			}
			return of, c.Hides(), !c.Hides()
		}
	case ChangeTakenDown:
		return condition{post: c.Post, unsanctioned: true}, c.Hides(), !c.Hides()
	case ChangeSuspended:
		return condition{user: c.User, unsanctioned: true}, c.Hides(), !c.Hides()
	case ChangeArrived, ChangeReset, ChangeRevoked, ChangePushed, ChangeNarrowed, ChangeWidened, ChangeOptions,
		ChangeListed:
	}
	return condition{}, false, false
}
