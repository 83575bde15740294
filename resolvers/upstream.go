package resolvers

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/slots"
	"github.com/tideline-feeds/tideline/graph/model"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// upstreamNotesMax is the maximum number of paths in a response.
const upstreamNotesMax = 400

// upstreamExtension says what services could not answer, or not with certainty.
type upstreamExtension struct {
	// Missing are objects whose fields are empty, Stale those whose fields may be outdated.
	Missing []upstreamNote `json:"missing,omitempty"`
	Stale   []upstreamNote `json:"stale,omitempty"`
	// More is the number of further objects.
	More int `json:"more,omitempty"`
}

type upstreamNote struct {
	Path   ast.Path             `json:"path"`
	Reason feed.UpstreamProblem `json:"reason"`
}

// upstreamNotes collects the problems of one response. It is safe for concurrent use.
type upstreamNotes struct {
	mu   sync.Mutex
	seen map[string]bool
	list upstreamExtension
}

type upstreamNotesKey struct{}

// withUpstreamNotes returns a context that collects problems, if there are services.
func (r *Resolver) withUpstreamNotes(ctx context.Context) context.Context {
	if !r.loads.Upstreams.Any() {
		return ctx
	}
	return context.WithValue(ctx, upstreamNotesKey{}, &upstreamNotes{seen: map[string]bool{}})
}

func upstreamNotesFrom(ctx context.Context) *upstreamNotes {
	n, _ := ctx.Value(upstreamNotesKey{}).(*upstreamNotes)
	return n
}

// showUpstream adds the problems to the response.
func (r *Resolver) showUpstream(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	response := next(ctx)
	notes := upstreamNotesFrom(ctx)
	if response == nil || notes == nil {
		return response
	}
	notes.mu.Lock()
	defer notes.mu.Unlock()
	if l := &notes.list; len(l.Missing)+len(l.Stale)+l.More > 0 {
		notes.list.sort()
		extend(response, "upstream", notes.list)
		notes.list = upstreamExtension{} // the next part of a deferred response has its own
	}
	return response
}

// sort orders the notes, because the executor runs fields in any order.
func (e *upstreamExtension) sort() {
	for _, list := range [][]upstreamNote{e.Missing, e.Stale} {
		slices.SortFunc(list, func(a, b upstreamNote) int { return strings.Compare(a.Path.String(), b.Path.String()) })
	}
}

// add adds a problem of the object at a path once, whatever fields of it are selected.
func (n *upstreamNotes) add(path ast.Path, problem feed.UpstreamProblem, stale bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := path.String()
	if n.seen[key] {
		return
	}
	n.seen[key] = true
	to := &n.list.Missing
	if stale {
		to = &n.list.Stale
	}
	if len(n.list.Missing)+len(n.list.Stale) == upstreamNotesMax {
		n.list.More++
		return
	}
	*to = append(*to, upstreamNote{path, problem})
}

type encodingKey struct{}

// whileEncoding returns a context of the encoder, which knows no paths of fields.
func whileEncoding(ctx context.Context) context.Context {
	return context.WithValue(ctx, encodingKey{}, true)
}

// errNoted makes the encoder leave the page to the executor.
var errNoted = errors.New("an answer of a service needs a note")

// note reports a problem, if there is one. The object is above the current field by levels.
func note[V any](ctx context.Context, f *feed.Fetched[V], levels int) error {
	if f.Problem == "" {
		return nil
	}
	if ctx.Value(encodingKey{}) != nil {
		return errNoted
	}
	if notes := upstreamNotesFrom(ctx); notes != nil {
		path := graphql.GetPath(ctx)
		notes.add(path[:max(0, len(path)-levels)], f.Problem, f.Stale)
	}
	return nil
}

// noted returns an answer and reports its problem.
func noted[V any](ctx context.Context, f *feed.Fetched[V], err error) (feed.Fetched[V], error) {
	if err == nil {
		err = note(ctx, f, 1)
	}
	if err != nil {
		return feed.Fetched[V]{}, err
	}
	return *f, nil
}

// Stored implements [graph.StoredFields].
func (r *Resolver) Stored(object string) bool {
	switch object {
	case "Post":
		return r.loads.Upstreams.Posts == nil
	case "User":
		return r.loads.Upstreams.Users == nil
	}
	return true
}

// content returns the content of a post for one of its fields.
func (r *Resolver) content(ctx context.Context, p *feed.Post) (feed.Fetched[feed.PostContent], error) {
	if r.loads.Upstreams.Posts == nil {
		return feed.Fetched[feed.PostContent]{Value: p.Content()}, nil
	}
	f, err := loaders.From(ctx).Content(ctx, p)
	content, err := noted(ctx, f, err)
	content.Value.Custom = cmp.Or(content.Value.Custom, p.Custom)
	return content, err
}

// profile returns the profile of a user for one of its fields; empty if it is withheld.
func (r *Resolver) profile(ctx context.Context, u *feed.User) (feed.Fetched[feed.Profile], error) {
	if r.loads.Upstreams.Users == nil || u.ProfileWithheld {
		return feed.Fetched[feed.Profile]{Value: u.Profile()}, nil
	}
	f, err := loaders.From(ctx).UpstreamProfile(ctx, u)
	profile, err := noted(ctx, f, err)
	profile.Value.Custom = cmp.Or(profile.Value.Custom, u.Custom)
	return profile, err
}

// counters returns the counters of a post or a user from their service.
func (r *Resolver) counters(ctx context.Context, of feed.UpstreamRef) (*feed.UpstreamCounters, error) {
	f, err := loaders.From(ctx).UpstreamCounters(ctx, of)
	if err == nil {
		err = note(ctx, f, 0)
	}
	if err != nil {
		return nil, err
	}
	return &f.Value, nil
}

func (r *Resolver) postCounters(ctx context.Context, p *feed.Post) (*feed.PostCounters, error) {
	if r.loads.Upstreams.Counters == nil {
		return loaders.From(ctx).PostCounters(ctx, p.ID)
	}
	counters, err := r.counters(ctx, p.CountersRef())
	if err != nil {
		return nil, err
	}
	return &counters.Post, nil
}

// userCounters returns zeros for a user whose profile is withheld.
func (r *Resolver) userCounters(ctx context.Context, u *feed.User) (*feed.UserCounters, error) {
	switch {
	case u.ProfileWithheld:
		return new(feed.UserCounters), nil
	case r.loads.Upstreams.Counters == nil:
		return loaders.From(ctx).UserCounters(ctx, u.ID)
	}
	counters, err := r.counters(ctx, u.CountersRef())
	if err != nil {
		return nil, err
	}
	return &counters.User, nil
}

// slots returns the slots of a page, and asks for them if they are deferred. No shared cache may store a
// response with what a service says to one viewer.
func (r *Resolver) slots(ctx context.Context, page *model.FeedConnection) ([]model.Slot, error) {
	transport.NoStore(ctx)
	placed := page.Place(func(posts []*feed.Post) feed.Fetched[[]slots.Slot] {
		return loaders.From(ctx).Place(ctx, page.Feed, posts).On(posts)
	})
	return placed.Value, note(ctx, placed, 0)
}
