package loaders

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
)

// Relations tells how a viewer and others stand to each other; [feed.Relations]
// does.
type Relations interface {
	// Edges returns one edge per other user, in their order.
	Edges(ctx context.Context, viewer feed.UserID, others []feed.UserID) ([]feed.Edge, error)
}

// VisiblePosts reads posts as a viewer may see them; lists.Feeds does.
type VisiblePosts interface {
	// Posts returns one post per id, in their order, nil where none is stored or
	// viewer may not see it.
	Posts(ctx context.Context, viewer feed.UserID, ids []feed.PostID) ([]*feed.Post, error)
	// Pages returns one page for each request for an outbox or for comments, in their order. A
	// request that is refused does not affect the others.
	Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error)
}

// Profiles reads users as a viewer may see them; [people.Directory] does.
type Profiles interface {
	// Users returns one user per id, in their order, nil where none is stored or viewer may not
	// see them.
	Users(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error)
}

// Sessions reads live sessions as a viewer may see them; [live.Feed] does.
type Sessions interface {
	// Visible returns one session per id, in their order, nil where none is stored or viewer may
	// not see it.
	Visible(ctx context.Context, viewer feed.UserID, ids []live.ID) ([]*live.Session, error)
}

// Authors reads users whoever looks; [people.Directory] does.
type Authors interface {
	// Authors returns one user per id, in their order, nil where none is stored.
	// viewer's own profile is never an old one.
	Authors(ctx context.Context, viewer feed.UserID, ids []feed.UserID) ([]*feed.User, error)
}

// Deps are where the loaders read from. All of them but Loaded are needed.
type Deps struct {
	Posts     VisiblePosts
	Profiles  Profiles
	Sessions  Sessions
	Users     Authors
	Counters  feed.Counters
	Relations Relations
	// Loaded is told of every read in bulk: by which loader, and of how many keys. Nobody
	// is told when it is nil.
	Loaded func(loader string, keys int)
}

// Loaders are the loaders of one operation by one viewer. They may be used by many
// goroutines at once. Make them anew for every operation, and for every mutation in
// it: they do not notice changes.
type Loaders struct {
	ctx    context.Context
	deps   *Deps
	viewer feed.UserID

	posts        loader[feed.PostID, *feed.Post]
	pages        loader[pageKey, feed.PageResult]
	profiles     loader[feed.UserID, *feed.User]
	sessions     loader[live.ID, *live.Session]
	users        loader[feed.UserID, *feed.User]
	postCounters loader[feed.PostID, feed.PostCounters]
	userCounters loader[feed.UserID, feed.UserCounters]
	reactions    loader[feed.PostID, feed.ViewerReactions]
	edges        loader[feed.UserID, feed.Edge]
}

// New makes the loaders of one operation. Its batches run under ctx; viewer is 0
// for nobody. d must not be changed any more.
func New(ctx context.Context, d *Deps, viewer feed.UserID) *Loaders {
	l := &Loaders{ctx: ctx, deps: d, viewer: viewer}
	begin(l, &l.posts, "posts", func(ctx context.Context, of *Loaders, ids []feed.PostID) ([]*feed.Post, error) {
		return of.deps.Posts.Posts(ctx, of.viewer, ids)
	})
	begin(l, &l.pages, "pages", readPages)
	l.pages.capacity = pagesMax
	begin(l, &l.profiles, "profiles", func(ctx context.Context, of *Loaders, ids []feed.UserID) ([]*feed.User, error) {
		return of.deps.Profiles.Users(ctx, of.viewer, ids)
	})
	begin(l, &l.sessions, "sessions", func(ctx context.Context, of *Loaders, ids []live.ID) ([]*live.Session, error) {
		return of.deps.Sessions.Visible(ctx, of.viewer, ids)
	})
	begin(l, &l.users, "users", func(ctx context.Context, of *Loaders, ids []feed.UserID) ([]*feed.User, error) {
		return of.deps.Users.Authors(ctx, of.viewer, ids)
	})
	begin(l, &l.postCounters, "post_counters", func(ctx context.Context, of *Loaders, ids []feed.PostID) ([]feed.PostCounters, error) {
		return of.deps.Counters.PostCounters(ctx, ids)
	})
	begin(l, &l.userCounters, "user_counters", func(ctx context.Context, of *Loaders, ids []feed.UserID) ([]feed.UserCounters, error) {
		return of.deps.Counters.UserCounters(ctx, ids)
	})
	begin(l, &l.reactions, "reactions", func(ctx context.Context, of *Loaders, ids []feed.PostID) ([]feed.ViewerReactions, error) {
		return of.deps.Counters.Reactions(ctx, of.viewer, ids)
	})
	begin(l, &l.edges, "edges", func(ctx context.Context, of *Loaders, others []feed.UserID) ([]feed.Edge, error) {
		return of.deps.Relations.Edges(ctx, of.viewer, others)
	})
	return l
}

// begin makes a loader ready to answer from a bulk read.
func begin[K comparable, V any](of *Loaders, l *loader[K, V], name string, from bulk[K, V]) {
	l.of, l.name, l.from, l.capacity = of, name, from, capacity
}

// Post returns a content as the viewer may see it: nil when there is none, when he
// may not, and for the id 0.
func (l *Loaders) Post(ctx context.Context, id feed.PostID) (*feed.Post, error) {
	if id == 0 {
		return nil, nil
	}
	return l.posts.load(ctx, id)
}

// Profile returns a user as the viewer may see them; nil if they may not, or none is stored.
func (l *Loaders) Profile(ctx context.Context, id feed.UserID) (*feed.User, error) {
	return l.profiles.load(ctx, id)
}

// Session returns a live session as the viewer may see it; nil if they may not, or none is stored.
func (l *Loaders) Session(ctx context.Context, id live.ID) (*live.Session, error) {
	return l.sessions.load(ctx, id)
}

// User returns a user whoever looks; nil when none is stored.
func (l *Loaders) User(ctx context.Context, id feed.UserID) (*feed.User, error) {
	return l.users.load(ctx, id)
}

// PostCounters returns the counters of a content, which must not be changed.
func (l *Loaders) PostCounters(ctx context.Context, id feed.PostID) (*feed.PostCounters, error) {
	return l.postCounters.shared(ctx, id)
}

// UserCounters returns the counters of a user, which must not be changed.
func (l *Loaders) UserCounters(ctx context.Context, id feed.UserID) (*feed.UserCounters, error) {
	return l.userCounters.shared(ctx, id)
}

// Reactions returns what the viewer did with a content. Nobody did nothing.
func (l *Loaders) Reactions(ctx context.Context, id feed.PostID) (feed.ViewerReactions, error) {
	if l.viewer == 0 {
		return feed.ViewerReactions{}, nil
	}
	return l.reactions.load(ctx, id)
}

// Edge returns how the viewer stands to a user. Nobody stands to no one.
func (l *Loaders) Edge(ctx context.Context, other feed.UserID) (feed.Edge, error) {
	if l.viewer == 0 {
		return feed.Edge{}, nil
	}
	return l.edges.load(ctx, other)
}

type contextKey struct{}

// With returns a context that carries the loaders.
func With(ctx context.Context, l *Loaders) context.Context {
	return context.WithValue(ctx, contextKey{}, l)
}

// From returns the loaders that ctx carries. A context without them is a mistake in
// how the server is put together, and a panic.
func From(ctx context.Context) *Loaders {
	if l, ok := ctx.Value(contextKey{}).(*Loaders); ok {
		return l
	}
	panic("loaders: the context carries none")
}
