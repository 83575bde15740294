package loaders

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/slots"
)

// Relations reads the relations of a viewer; [feed.Relations] does.
type Relations interface {
	// Edges returns one edge per other user, in order.
	Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error)
}

// VisiblePosts reads posts as a viewer may see them; lists.Feeds does. Viewer 0 is anonymous.
type VisiblePosts interface {
	// Posts returns one post per id, in order; nil if none is stored or the viewer may not see it.
	Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error)
	// Pages returns one page for each request for an outbox or for comments, in order. Refused
	// requests do not affect the others.
	Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error)
}

// Profiles reads users as a viewer may see them; [people.Directory] does.
type Profiles interface {
	// Users returns one user per id, in order; nil if none is stored or the viewer may not see
	// them.
	Users(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error)
}

// Sessions reads live sessions as a viewer may see them; [live.Feed] does.
type Sessions interface {
	// Visible returns one session per id, in order; nil if none is stored or the viewer may not see
	// it.
	Visible(ctx context.Context, viewer feed.UserID, ids []live.ID) ([]*live.Session, error)
}

// Requests reads requests to follow; [people.Directory] does.
type Requests interface {
	// FollowRequested reports for each user, in order, whether viewer has asked to follow their private
	// account.
	FollowRequested(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]bool, error)
}

// Sanctions reads why posts are taken down; [feed.Moderation] does.
type Sanctions interface {
	// InForce returns the sanctions in force on subjects, in no order.
	InForce(ctx context.Context, of []feed.Subject) ([]feed.Sanction, error)
}

// Authors reads users regardless of the viewer; [people.Directory] does.
type Authors interface {
	// Authors returns one user per id, in order; nil if none is stored. The viewer's own profile is
	// always current.
	Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error)
}

// Deps are what the loaders read from. All are required except those that may be nil, and Upstreams.
type Deps struct {
	Posts     VisiblePosts
	Profiles  Profiles
	Sessions  Sessions
	Users     Authors
	Counters  feed.Counters
	Relations Relations
	Requests  Requests
	Sanctions Sanctions
	// Upstreams have what the others do not have.
	Upstreams Upstreams
	// IDs finds the ids of users for upstreams; nil where ids are numbers.
	IDs feed.IDFinder
	// Log gets failures that cost no field.
	Log *slog.Logger
	// Loaded, unless nil, is called for each bulk read with the loader's name and number of keys.
	Loaded func(loader string, keys int)
}

// Loaders are the loaders of one operation of one viewer. They are safe for concurrent use. They do
// not notice changes: create new ones for each operation, and for each mutation in it.
type Loaders struct {
	ctx    context.Context
	deps   *Deps
	viewer feed.UserID

	posts        loader[feed.PostID, *feed.Post]
	pages        loader[pageKey, placedPage]
	profiles     loader[feed.UserID, *feed.User]
	sessions     loader[live.ID, *live.Session]
	users        loader[feed.UserID, *feed.User]
	postCounters loader[feed.PostID, feed.PostCounters]
	userCounters loader[feed.UserID, feed.UserCounters]
	reactions    loader[feed.PostID, feed.ViewerReactions]
	edges        loader[feed.UserID, feed.Edge]
	requests     loader[feed.UserID, bool]
	sanctions    loader[feed.PostID, feed.Sanction]

	contents         loader[feed.UpstreamRef, feed.Fetched[feed.PostContent]]
	upstreamProfiles loader[feed.UpstreamRef, feed.Fetched[feed.Profile]]
	upstreamCounters loader[feed.UpstreamRef, feed.Fetched[feed.UpstreamCounters]]
	slots            loader[*Placing, feed.Fetched[[]slots.Slot]]
	budget           budget
	// gone is the number of objects that services say are gone.
	gone atomic.Int64
}

// New returns the loaders of an operation, whose batches run under ctx. Viewer 0 is anonymous. d
// must not be changed.
func New(ctx context.Context, d *Deps, viewer feed.UserID) *Loaders {
	l := &Loaders{ctx: ctx, deps: d, viewer: viewer}
	initLoader(l, &l.posts, "posts", func(ctx context.Context, of *Loaders, ids []feed.PostID) ([]*feed.Post, error) {
		return of.deps.Posts.Posts(ctx, of.viewer, ids)
	})
	initLoader(l, &l.pages, "pages", readPages)
	l.pages.capacity = pagesMax
	initLoader(l, &l.profiles, "profiles", func(ctx context.Context, of *Loaders, ids []feed.UserID) ([]*feed.User, error) {
		return of.deps.Profiles.Users(ctx, of.viewer, ids)
	})
	initLoader(l, &l.sessions, "sessions", func(ctx context.Context, of *Loaders, ids []live.ID) ([]*live.Session, error) {
		return of.deps.Sessions.Visible(ctx, of.viewer, ids)
	})
	initLoader(l, &l.users, "users", func(ctx context.Context, of *Loaders, ids []feed.UserID) ([]*feed.User, error) {
		return of.deps.Users.Authors(ctx, of.viewer, ids)
	})
	initLoader(l, &l.postCounters, "post_counters", func(ctx context.Context, of *Loaders, ids []feed.PostID) ([]feed.PostCounters, error) {
		return of.deps.Counters.PostCounters(ctx, ids)
	})
	initLoader(l, &l.userCounters, "user_counters", func(ctx context.Context, of *Loaders, ids []feed.UserID) ([]feed.UserCounters, error) {
		return of.deps.Counters.UserCounters(ctx, ids)
	})
	initLoader(l, &l.reactions, "reactions", func(ctx context.Context, of *Loaders, ids []feed.PostID) ([]feed.ViewerReactions, error) {
		return of.deps.Counters.Reactions(ctx, of.viewer, ids)
	})
	initLoader(l, &l.edges, "edges", func(ctx context.Context, of *Loaders, others []feed.UserID) ([]feed.Edge, error) {
		return of.deps.Relations.Edges(ctx, of.viewer, others)
	})
	initLoader(l, &l.requests, "requests", func(ctx context.Context, of *Loaders, others []feed.UserID) ([]bool, error) {
		return of.deps.Requests.FollowRequested(ctx, of.viewer, others)
	})
	initLoader(l, &l.sanctions, "sanctions", readSanctions)
	initUpstream(l, &l.contents, "upstream_posts", d.Upstreams.Posts)
	initUpstream(l, &l.upstreamProfiles, "upstream_users", d.Upstreams.Users)
	initUpstream(l, &l.upstreamCounters, "upstream_counters", d.Upstreams.Counters)
	initLoader(l, &l.slots, "upstream_slots", readSlots)
	return l
}

func initLoader[K comparable, V any](of *Loaders, l *loader[K, V], name string, from bulk[K, V]) {
	l.of, l.name, l.from, l.capacity = of, name, from, capacity
}

// Post returns a post as the viewer may see it; nil if there is none or they may not, and for id 0.
func (l *Loaders) Post(ctx context.Context, id feed.PostID) (*feed.Post, error) {
	if id == 0 {
		return nil, nil
	}
	return l.posts.load(ctx, id)
}

// Profile returns a user as the viewer may see them; nil if there is none or they may not.
func (l *Loaders) Profile(ctx context.Context, id feed.UserID) (*feed.User, error) {
	return l.profiles.load(ctx, id)
}

// Session returns a live session as the viewer may see it; nil if there is none or they may not.
func (l *Loaders) Session(ctx context.Context, id live.ID) (*live.Session, error) {
	return l.sessions.load(ctx, id)
}

// User returns a user regardless of the viewer; nil if there is none.
func (l *Loaders) User(ctx context.Context, id feed.UserID) (*feed.User, error) {
	return l.users.load(ctx, id)
}

// PostCounters returns the counters of a post, which must not be changed.
func (l *Loaders) PostCounters(ctx context.Context, id feed.PostID) (*feed.PostCounters, error) {
	return l.postCounters.shared(ctx, id)
}

// UserCounters returns the counters of a user, which must not be changed.
func (l *Loaders) UserCounters(ctx context.Context, id feed.UserID) (*feed.UserCounters, error) {
	return l.userCounters.shared(ctx, id)
}

// Reactions returns the viewer's reactions to a post; none for the anonymous viewer.
func (l *Loaders) Reactions(ctx context.Context, id feed.PostID) (feed.ViewerReactions, error) {
	if l.viewer == 0 {
		return feed.ViewerReactions{}, nil
	}
	return l.reactions.load(ctx, id)
}

// Edge returns the viewer's relations to a user; none for the anonymous viewer.
func (l *Loaders) Edge(ctx context.Context, other feed.UserID) (feed.Edge, error) {
	if l.viewer == 0 {
		return feed.Edge{}, nil
	}
	return l.edges.load(ctx, other)
}

// FollowRequested reports whether the viewer has asked to follow a user whose account is private. For public
// accounts and the anonymous viewer it reads nothing.
func (l *Loaders) FollowRequested(ctx context.Context, u *feed.User) (bool, error) {
	if l.viewer == 0 || !u.Private {
		return false, nil
	}
	return l.requests.load(ctx, u.ID)
}

// Sanction returns why a post is taken down; nil unless it is and the viewer is its author. The sanction is zero
// if only a record took the post down.
func (l *Loaders) Sanction(ctx context.Context, p *feed.Post) (*feed.Sanction, error) {
	if !l.explains(p) {
		return nil, nil
	}
	return l.sanctions.shared(ctx, p.ID)
}

// explains reports whether the viewer may know why a post is taken down.
func (l *Loaders) explains(p *feed.Post) bool { return p.TakenDown != 0 && p.Author == l.viewer }

func readSanctions(ctx context.Context, of *Loaders, ids []feed.PostID) ([]feed.Sanction, error) {
	subjects := make([]feed.Subject, len(ids))
	for i, id := range ids {
		subjects[i].Post = id
	}
	found, err := of.deps.Sanctions.InForce(ctx, subjects)
	out := make([]feed.Sanction, len(ids))
	for _, s := range found {
		out[slices.Index(ids, s.Post)] = s
	}
	return out, err
}

// PutUser makes [Loaders.User] return u, unless the user has been read.
func (l *Loaders) PutUser(u *feed.User) { l.users.put([]feed.UserID{u.ID}, []*feed.User{u}) }

type contextKey struct{}

// With returns a context with the loaders.
func With(ctx context.Context, l *Loaders) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// From returns the loaders of a context. It panics if there are none.
func From(ctx context.Context) *Loaders {
	if l, ok := ctx.Value(contextKey{}).(*Loaders); ok {
		return l
	}
	panic("loaders: the context carries none")
}
