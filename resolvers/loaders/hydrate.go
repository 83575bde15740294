package loaders

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/tideline-feeds/tideline/feed"
)

// PostWant says which fields of a post are selected that need a read. Content is only read where an
// upstream has it. A nil Author, ReplyTo or RepostOf is not selected.
type PostWant struct {
	Content, Counters, Reactions, Moderation bool
	Author                                   *UserWant
	ReplyTo, RepostOf                        *PostWant
}

// Size returns the number of nested wants; 0 for nil.
func (w *PostWant) Size() int {
	if w == nil {
		return 0
	}
	return 1 + w.ReplyTo.Size() + w.RepostOf.Size()
}

// UserWant says the same of a user.
type UserWant struct {
	Profile, Counters, Edge, Request bool
}

// HydratePosts reads what want asks for of posts that the viewer may see, into the loaders. It
// takes one read for each level of replies and reposts, and then concurrently one for each kind of
// object. A nil want reads nothing.
func (l *Loaders) HydratePosts(ctx context.Context, posts []*feed.Post, want *PostWant) error {
	if want == nil {
		return nil
	}
	return l.hydrate(ctx, []wanted{{posts, want}})
}

func (l *Loaders) hydrate(ctx context.Context, level []wanted) error {
	for _, w := range level {
		putAll(&l.posts, w.posts, func(p *feed.Post) feed.PostID { return p.ID })
	}
	var n needs
	for len(level) > 0 {
		var err error
		if level, err = l.nextLevel(ctx, level, &n); err != nil {
			return err
		}
	}
	return l.fetch(ctx, &n)
}

func putAll[K comparable, V any](l *loader[K, V], values []V, key func(V) K) {
	keys := make([]K, len(values))
	for i, v := range values {
		keys[i] = key(v)
	}
	l.put(keys, values)
}

// HydrateUsers does the same for users.
func (l *Loaders) HydrateUsers(ctx context.Context, users []*feed.User, want *UserWant) error {
	if want == nil {
		return nil
	}
	var n needs
	putAll(&l.users, users, func(u *feed.User) feed.UserID { return u.ID })
	for _, u := range users {
		n.user(u.ID, *want, &l.deps.Upstreams)
	}
	return l.fetch(ctx, &n)
}

// HydrateAuthors reads users by id, regardless of the viewer, and hydrates them.
func (l *Loaders) HydrateAuthors(ctx context.Context, ids []feed.UserID, want *UserWant) error {
	if want == nil {
		return nil
	}
	n := needs{users: ids}
	for _, id := range ids {
		n.user(id, *want, &l.deps.Upstreams)
	}
	return l.fetch(ctx, &n)
}

type wanted struct {
	posts []*feed.Post
	want  *PostWant
}

// nextLevel collects the needs of one level and reads the posts of the next.
func (l *Loaders) nextLevel(ctx context.Context, level []wanted, n *needs) ([]wanted, error) {
	var ids []feed.PostID
	for _, w := range level {
		n.grow(len(w.posts), w.want)
		for _, p := range w.posts {
			n.post(p, w.want, &l.deps.Upstreams)
			if w.want.Moderation && l.explains(p) {
				n.sanctions = append(n.sanctions, p.ID)
			}
		}
		ids = append(ids, idsWithin(w.posts, w.want.ReplyTo, replyTo)...)
		ids = append(ids, idsWithin(w.posts, w.want.RepostOf, repostOf)...)
	}
	if err := l.posts.prime(ctx, ids); err != nil {
		return nil, err
	}
	var next []wanted
	for _, w := range level {
		for _, inner := range []struct {
			want *PostWant
			of   func(*feed.Post) feed.PostID
		}{{w.want.ReplyTo, replyTo}, {w.want.RepostOf, repostOf}} {
			posts, err := l.loaded(ctx, idsWithin(w.posts, inner.want, inner.of))
			if err != nil {
				return nil, err
			}
			if len(posts) > 0 {
				next = append(next, wanted{posts, inner.want})
			}
		}
	}
	return next, nil
}

func replyTo(p *feed.Post) feed.PostID  { return p.ReplyTo }
func repostOf(p *feed.Post) feed.PostID { return p.RepostOf }

func idsWithin(posts []*feed.Post, want *PostWant, of func(*feed.Post) feed.PostID) []feed.PostID {
	if want == nil {
		return nil
	}
	var ids []feed.PostID
	for _, p := range posts {
		if id := of(p); id != 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// loaded returns the visible ones of posts that have been read.
func (l *Loaders) loaded(ctx context.Context, ids []feed.PostID) ([]*feed.Post, error) {
	var posts []*feed.Post
	for _, id := range ids {
		p, err := l.posts.load(ctx, id)
		if err != nil {
			return nil, err
		}
		if p != nil {
			posts = append(posts, p)
		}
	}
	return posts, nil
}

// needs has the ids for each kind of read, possibly more than once.
type needs struct {
	users, profiles, userCounters, edges, requests []feed.UserID
	postCounters, reactions, sanctions             []feed.PostID
	// contents, countersOf and profiles are for upstreams.
	contents, countersOf []feed.UpstreamRef
}

func (n *needs) grow(posts int, want *PostWant) {
	if want.Counters {
		n.postCounters = slices.Grow(n.postCounters, posts)
	}
	if want.Reactions {
		n.reactions = slices.Grow(n.reactions, posts)
	}
	if want.Author != nil {
		n.users = slices.Grow(n.users, posts)
	}
}

func (n *needs) post(p *feed.Post, want *PostWant, up *Upstreams) {
	if want.Content && up.Posts != nil {
		n.contents = append(n.contents, p.UpstreamRef())
	}
	switch {
	case !want.Counters:
	case up.Counters != nil:
		n.countersOf = append(n.countersOf, p.CountersRef())
	default:
		n.postCounters = append(n.postCounters, p.ID)
	}
	if want.Reactions {
		n.reactions = append(n.reactions, p.ID)
	}
	if want.Author != nil {
		n.users = append(n.users, p.Author)
		n.user(p.Author, *want.Author, up)
	}
}

func (n *needs) user(id feed.UserID, want UserWant, up *Upstreams) {
	if want.Profile && up.Users != nil {
		n.profiles = append(n.profiles, id)
	}
	if want.Counters {
		n.userCounters = append(n.userCounters, id)
	}
	if want.Edge {
		n.edges = append(n.edges, id)
	}
	if want.Request {
		n.requests = append(n.requests, id)
	}
}

// fetch reads what is needed. Upstreams of users wait for the users, whose ids they need, and requests to
// follow for what is private.
func (l *Loaders) fetch(ctx context.Context, n *needs) error {
	if l.viewer == 0 {
		n.reactions, n.edges, n.requests = nil, nil, nil
	}
	up := &l.deps.Upstreams
	var first, second reads
	plan(&first, &l.users, n.users)
	if up.Counters == nil {
		plan(&first, &l.userCounters, n.userCounters)
	}
	plan(&first, &l.edges, n.edges)
	plan(&first, &l.postCounters, n.postCounters)
	plan(&first, &l.reactions, n.reactions)
	plan(&first, &l.sanctions, n.sanctions)
	plan(&first, &l.contents, n.contents)
	if err := first.run(ctx); err != nil {
		return err
	}
	plan(&second, &l.requests, valuesOf(l, n.requests, func(u *feed.User) (feed.UserID, bool) { return u.ID, u.Private }))
	if up.Users != nil {
		plan(&second, &l.upstreamProfiles, refsOf(l, n.profiles, (*feed.User).UpstreamRef))
	}
	if up.Counters != nil {
		plan(&second, &l.upstreamCounters, append(n.countersOf, refsOf(l, n.userCounters, (*feed.User).CountersRef)...))
	}
	return second.run(ctx)
}

// refsOf returns references of users who have been read, without those whose profile is withheld.
func refsOf(l *Loaders, ids []feed.UserID, ref func(*feed.User) feed.UpstreamRef) []feed.UpstreamRef {
	return valuesOf(l, ids, func(u *feed.User) (feed.UpstreamRef, bool) { return ref(u), !u.ProfileWithheld })
}

// valuesOf returns a value of each user who has been read, except where of returns false.
func valuesOf[V any](l *Loaders, ids []feed.UserID, of func(*feed.User) (V, bool)) []V {
	if len(ids) == 0 {
		return nil
	}
	l.users.mu.Lock()
	defer l.users.mu.Unlock()
	values := make([]V, 0, len(ids))
	for _, id := range ids {
		if u := l.users.values.find(id); u != nil && *u != nil {
			if v, ok := of(*u); ok {
				values = append(values, v)
			}
		}
	}
	return values
}

type reads []func(context.Context) error

// plan adds the read of the keys without values.
func plan[K comparable, V any](all *reads, l *loader[K, V], keys []K) {
	if len(keys) > 0 {
		*all = append(*all, func(ctx context.Context) error { return l.prime(ctx, keys) })
	}
}

// run runs the reads; the last one needs no goroutine.
func (all reads) run(ctx context.Context) error {
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0](ctx)
	}
	g, ctx := errgroup.WithContext(ctx)
	last := len(all) - 1
	for _, read := range all[:last] {
		g.Go(func() error { return read(ctx) })
	}
	if err := all[last](ctx); err != nil {
		// The group returns the first error, and cancels the others.
		g.Go(func() error { return err })
	}
	return g.Wait()
}
