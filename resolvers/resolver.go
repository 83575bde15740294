package resolvers

import (
	"context"
	"log/slog"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/resolvers/guard"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
	"github.com/tideline-feeds/tideline/resolvers/transport"
)

// Timeline reads feeds and posts; lists.Feeds does. Methods judge what viewer
// may see, and viewer 0 is the anonymous viewer.
type Timeline interface {
	loaders.VisiblePosts
	// Page returns one page of a feed, newest first.
	Page(ctx context.Context, viewer feed.UserID, f feed.FeedRef, q feed.PageQuery) (*feed.Page, error)
	// NewCount returns how many entries of the feed stand above the cursor since.
	NewCount(ctx context.Context, viewer feed.UserID, f feed.FeedRef, since string, kinds feed.Kinds) (int, error)
}

// Directory reads users; [people.Directory] does.
type Directory interface {
	loaders.Profiles
	// UserByHandle returns the user with the handle, nil where viewer sees none.
	UserByHandle(ctx context.Context, viewer feed.UserID, handle string) (*feed.User, error)
	// Followers and Following return one page of a user's followers and followees,
	// latest follow first.
	Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
	Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
	// Related returns one page of those whom viewer mutes, hides from or blocks,
	// latest first.
	Related(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, q feed.PageQuery) (*feed.UserPage, error)
	// Search returns one page of the users whose handle or name matches query.
	Search(ctx context.Context, viewer feed.UserID, query string, q feed.PageQuery) (*feed.UserPage, error)
}

// Publisher changes contents; [publish.Publisher] does. What it declines is a
// [feed.Error] with a refusal's code that names the input field at fault.
type Publisher interface {
	// Publish stores a content by author and starts its fan-out.
	Publish(ctx context.Context, author feed.UserID, d publish.Draft) (*feed.Post, error)
	// Edit sets the text of a content of author's.
	Edit(ctx context.Context, author feed.UserID, id feed.PostID, text string) (*feed.Post, error)
	// Delete deletes a content of author's.
	Delete(ctx context.Context, author feed.UserID, id feed.PostID) error
	// React sets a reaction of viewer's, or takes it back when on is false.
	React(ctx context.Context, viewer feed.UserID, r feed.Reaction, id feed.PostID, on bool) (*feed.Post, error)
}

// Follower changes whom a viewer follows; [people.Follower] does. Refusals are as those
// of [Publisher].
type Follower interface {
	// Follow makes viewer follow target, and returns target.
	Follow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error)
	// Unfollow ends it, and returns target.
	Unfollow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error)
}

// Moderator changes whom a viewer mutes, hides from and blocks; [people.Moderator] does.
// Refusals are as those of [Publisher].
type Moderator interface {
	// Relate sets viewer's relation to target, or ends it when on is false, and
	// returns target.
	Relate(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, target feed.UserID, on bool) (*feed.User, error)
}

// Accounts changes the account of whoever asks; [people.Accounts] does. Refusals are as
// those of [Publisher].
type Accounts interface {
	// UpdateProfile changes what c names of viewer's profile, and returns viewer.
	UpdateProfile(ctx context.Context, viewer feed.UserID, c feed.ProfileChange) (*feed.User, error)
	// Delete deletes viewer, whose handle confirmHandle must be.
	Delete(ctx context.Context, viewer feed.UserID, confirmHandle string) error
}

// Live reads live sessions; [live.Feed] does. Methods judge what viewer may see, and
// viewer 0 is nobody.
type Live interface {
	loaders.Sessions
	// Page returns one page of viewer's live feed.
	Page(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error)
	// OfHost returns one page of the sessions of one host.
	OfHost(ctx context.Context, viewer, host feed.UserID, q live.Query) (*live.Page, error)
}

// Hosting changes live sessions; [live.Hosting] does. Refusals are as those of
// [Publisher].
type Hosting interface {
	// Schedule announces a session of host's that is to begin at at.
	Schedule(ctx context.Context, host feed.UserID, title string, at int64) (*live.Session, error)
	// Reschedule moves a session of viewer's to another time.
	Reschedule(ctx context.Context, viewer feed.UserID, id live.ID, at int64) (*live.Session, error)
	// Start makes it live.
	Start(ctx context.Context, viewer feed.UserID, id live.ID) (*live.Session, error)
	// End makes it a replay that can be watched at replayURL; empty for nowhere.
	End(ctx context.Context, viewer feed.UserID, id live.ID, replayURL string) (*live.Session, error)
	// Cancel calls it off.
	Cancel(ctx context.Context, viewer feed.UserID, id live.ID) (*live.Session, error)
}

// Deps is what the API is made of. All services and ports are needed.
type Deps struct {
	Timeline  Timeline
	Directory Directory
	Publisher Publisher
	Follower  Follower
	Moderator Moderator
	Accounts  Accounts
	Live      Live
	Hosting   Hosting
	// Subscriptions is needed as well.
	Subscriptions Subscriptions

	// Users, Counters and Relations are read in bulk for the fields of contents and
	// users that the viewer has been found to see.
	Users     loaders.Authors
	Counters  feed.Counters
	Relations loaders.Relations

	// Log is told of what clients must not see: failures nobody foresaw, panics, and
	// the causes of stores that cannot be reached. Nothing is logged when nil.
	Log *slog.Logger
	// Trace is told what the API does. Nobody is by default.
	Trace Trace
	// Transport is what requests come in through; one with all its defaults when nil.
	Transport *transport.Transport
	// Introspection lets clients ask for the schema. The schema is no secret; it is
	// off by default because such queries are large.
	Introspection bool
	// Plain leaves pages to the executor, field by field. The answers are the same, and take
	// many times as long: it is what tests compare with.
	Plain bool
	// Guard says what operations may ask for, and what is theirs to spend. Its fields
	// Introspection, Header, Hit, Log and AfterWrite are filled in.
	Guard guard.Options
}

// guard returns the options of the guard with all that is said elsewhere.
func (d Deps) guard() guard.Options {
	o := d.Guard
	o.Introspection, o.Header, o.Hit, o.Log = d.Introspection, transport.Header, d.Trace.LimitHit, d.Log
	o.AfterWrite = transport.AfterWrite
	o.Scalars, o.Bounds = scalars(), Bounds()
	if !d.Introspection {
		o.Rules = terseRules()
	}
	return o
}

// Resolver is the root the generated code calls. Its methods are in the
// *.resolvers.go files. Make one with newResolver.
type Resolver struct {
	deps Deps
	// loads is where loaders read from.
	loads loaders.Deps
}

func newResolver(d Deps) *Resolver {
	return &Resolver{deps: d, loads: loaders.Deps{
		Posts: d.Timeline, Profiles: d.Directory, Sessions: d.Live, Users: d.Users, Counters: d.Counters, Relations: d.Relations, Loaded: d.Trace.Loaded,
	}}
}

// loaders makes the loaders of one operation, or of one mutation in it, by whoever
// asks.
func (r *Resolver) loaders(ctx context.Context) *loaders.Loaders {
	return loaders.New(ctx, &r.loads, ViewerFrom(ctx))
}
