package resolvers

import (
	"context"
	"log/slog"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/live"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/internal/edge/guard"
	"github.com/tideline-feeds/tideline/internal/edge/transport"
	"github.com/tideline-feeds/tideline/resolvers/loaders"
)

// Timeline reads feeds and posts as viewer may see them; lists.Feeds does. Viewer 0 is anonymous.
type Timeline interface {
	loaders.VisiblePosts
	// Page returns a page of a feed, newest first.
	Page(ctx context.Context, viewer feed.UserID, f feed.FeedRef, q feed.PageQuery) (*feed.Page, error)
	// NewCount returns the number of entries of the feed above the cursor since, or added since a
	// sync token.
	NewCount(ctx context.Context, viewer feed.UserID, f feed.FeedRef, since string, filter feed.Filter) (int, error)
	// HomeChanges returns what has changed in viewer's home feed since a sync token.
	HomeChanges(ctx context.Context, viewer feed.UserID, q feed.HomeChangeQuery) (*feed.HomeChangePage, error)
}

// Directory reads users as viewer may see them; [people.Directory] does.
type Directory interface {
	loaders.Profiles
	// UserByHandle returns the user with a handle; nil if the viewer sees none.
	UserByHandle(ctx context.Context, viewer feed.UserID, handle string) (*feed.User, error)
	// Followers and Following return a page of a user's followers or followees, latest follow
	// first.
	Followers(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
	Following(ctx context.Context, viewer, user feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
	// Related returns a page of the users that viewer mutes, hides from or blocks, latest first.
	Related(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, q feed.PageQuery) (*feed.UserPage, error)
	// Search returns a page of the users whose handle or name matches query.
	Search(ctx context.Context, viewer feed.UserID, query string, q feed.PageQuery) (*feed.UserPage, error)
}

// Publisher changes posts; [publish.Publisher] does. A refusal is a [feed.Error].
type Publisher interface {
	// Publish stores a post and starts its fan-out.
	Publish(ctx context.Context, author feed.UserID, d publish.Draft) (*feed.Post, error)
	// Edit changes the text or audience of a post of the author.
	Edit(ctx context.Context, author feed.UserID, id feed.PostID, e feed.PostEdit) (*feed.Post, error)
	// Delete deletes a post of the author.
	Delete(ctx context.Context, author feed.UserID, id feed.PostID) error
	// React adds or removes a reaction of viewer.
	React(ctx context.Context, viewer feed.UserID, r feed.Reaction, id feed.PostID, on bool) (*feed.Post, error)
}

// Follower changes a viewer's follows and followers; [people.Follower] does. Each method returns
// target. Refusals are like [Publisher]'s.
type Follower interface {
	// Follow makes viewer follow target, or ask to if target's account is private. Update changes options of
	// either.
	Follow(ctx context.Context, viewer, target feed.UserID, choice feed.FollowChoice) (*feed.User, error)
	Update(ctx context.Context, viewer, target feed.UserID, choice feed.FollowChoice) (*feed.User, error)
	// Unfollow ends either.
	Unfollow(ctx context.Context, viewer, target feed.UserID) (*feed.User, error)
	// Accept and Reject answer target's request to follow viewer.
	Accept(ctx context.Context, viewer, target feed.UserID) (*feed.User, error)
	Reject(ctx context.Context, viewer, target feed.UserID) (*feed.User, error)
	// Remove ends target's follow of viewer.
	Remove(ctx context.Context, viewer, target feed.UserID) (*feed.User, error)
}

// Lists reads lists of authors as viewer may see them; [people.Lists] does.
type Lists interface {
	// AuthorLists returns one list per id, in order; nil if there is none that viewer may see.
	AuthorLists(ctx context.Context, viewer feed.UserID, ids []feed.ListID) ([]*feed.AuthorList, error)
	// AuthorListsOf returns the lists of owner, latest first.
	AuthorListsOf(ctx context.Context, viewer, owner feed.UserID) ([]*feed.AuthorList, error)
	// AuthorListsWith returns the lists of viewer that have a member, latest first.
	AuthorListsWith(ctx context.Context, viewer, member feed.UserID) ([]*feed.AuthorList, error)
	// Members returns a page of the members of a list, latest first.
	Members(ctx context.Context, viewer feed.UserID, list *feed.AuthorList, q feed.PageQuery) (*feed.UserPage, error)
}

// ListKeeper changes lists of authors of viewer; [people.Lists] does. Refusals are like [Publisher]'s.
type ListKeeper interface {
	CreateList(ctx context.Context, viewer feed.UserID, list feed.AuthorList) (*feed.AuthorList, error)
	UpdateList(ctx context.Context, viewer feed.UserID, id feed.ListID, c feed.ListChange) (*feed.AuthorList, error)
	// DeleteList changes nothing if viewer has no such list.
	DeleteList(ctx context.Context, viewer feed.UserID, id feed.ListID) error
	// SetMembers adds users, all or none, or removes them.
	SetMembers(ctx context.Context, viewer feed.UserID, id feed.ListID, users []feed.UserID, on bool) (*feed.AuthorList, error)
}

// Requests reads requests to follow private accounts; [people.Directory] does.
type Requests interface {
	loaders.Requests
	// FollowRequests and SentFollowRequests return a page of the users who have asked to follow
	// viewer, or that viewer has asked to follow, latest first.
	FollowRequests(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
	SentFollowRequests(ctx context.Context, viewer feed.UserID, q feed.PageQuery) (*feed.UserPage, error)
}

// Relater changes mutes, hides and blocks; [people.Relations] does, refusing like [Publisher].
type Relater interface {
	// Relate starts or ends a relation of viewer to target, and returns target.
	Relate(ctx context.Context, viewer feed.UserID, kind feed.RelationKind, target feed.UserID, on bool) (*feed.User, error)
	// Mute makes viewer mute target until a time in milliseconds since the epoch, 0 for ever.
	Mute(ctx context.Context, viewer, target feed.UserID, until int64) (*feed.User, error)
}

// Moderator takes down posts, suspends users and restores both; [people.Moderator] does, refusing like
// [Publisher].
type Moderator interface {
	// Impose takes down or suspends the subject of a sanction, as By.
	Impose(ctx context.Context, s feed.Sanction) error
	// Lift ends that.
	Lift(ctx context.Context, of feed.Subject, by string) error
	// Log returns a page of the sanctions on a subject, or on all if it is zero, newest first.
	Log(ctx context.Context, of feed.Subject, q feed.PageQuery) (feed.Run[feed.Sanction], error)
	// StoredPost and StoredUser return a post or user regardless of the viewer; nil if none is stored.
	StoredPost(ctx context.Context, id feed.PostID) (*feed.Post, error)
	StoredUser(ctx context.Context, id feed.UserID) (*feed.User, error)
	// Suspended reports whether a user is suspended now.
	Suspended(ctx context.Context, id feed.UserID) (bool, error)
}

// Accounts changes the viewer's account; [people.Accounts] does, refusing like [Publisher].
type Accounts interface {
	// UpdateProfile changes the profile, and returns viewer.
	UpdateProfile(ctx context.Context, viewer feed.UserID, c feed.ProfileChange) (*feed.User, error)
	// Absent returns what an absent viewer sees of themselves; nil if they have no account.
	Absent(ctx context.Context, viewer feed.UserID) (*feed.User, error)
	// Delete deletes the account if confirmHandle is its handle.
	Delete(ctx context.Context, viewer feed.UserID, confirmHandle string) error
}

// ReadPositions keeps where viewers have stopped reading their home feeds, by device, which is empty
// for all without a name; delta.Positions does, refusing like [Publisher].
type ReadPositions interface {
	// Mark stores a position, and returns it with its time.
	Mark(ctx context.Context, viewer feed.UserID, device string, read feed.ReadPosition) (*feed.ReadPosition, error)
	// Of returns the position of a device; nil if there is none.
	Of(ctx context.Context, viewer feed.UserID, device string) (*feed.ReadPosition, error)
	// Unread returns how many posts by others were added since; known is false if the changes since
	// are a reset.
	Unread(ctx context.Context, viewer feed.UserID, read *feed.ReadPosition) (n int, known bool, err error)
}

// Live reads live sessions as viewer may see them; [live.Feed] does. Viewer 0 is anonymous.
type Live interface {
	loaders.Sessions
	// Page returns a page of viewer's live feed.
	Page(ctx context.Context, viewer feed.UserID, q live.Query) (*live.Page, error)
	// OfHost returns a page of the sessions of one host.
	OfHost(ctx context.Context, viewer, host feed.UserID, q live.Query) (*live.Page, error)
}

// LiveChanges reads changes of live feeds; delta.LiveReader does.
type LiveChanges interface {
	// Changes returns what has changed in viewer's live feed since a sync token.
	Changes(ctx context.Context, viewer feed.UserID, q live.ChangeQuery) (*live.ChangePage, error)
}

// Hosting changes live sessions; [live.Hosting] does. Refusals are like those of [Publisher].
type Hosting interface {
	// Schedule announces a session that begins at a time in milliseconds.
	Schedule(ctx context.Context, host feed.UserID, title string, at int64) (*live.Session, error)
	// Reschedule moves an upcoming session.
	Reschedule(ctx context.Context, viewer feed.UserID, id live.ID, at int64) (*live.Session, error)
	// Start begins a session.
	Start(ctx context.Context, viewer feed.UserID, id live.ID) (*live.Session, error)
	// End ends a session. replayURL is empty if there is no replay.
	End(ctx context.Context, viewer feed.UserID, id live.ID, replayURL string) (*live.Session, error)
	// Cancel cancels an upcoming session.
	Cancel(ctx context.Context, viewer feed.UserID, id live.ID) (*live.Session, error)
}

// Deps are the dependencies of the API. All services and ports are required.
type Deps struct {
	Timeline      Timeline
	Directory     Directory
	Requests      Requests
	Lists         Lists
	ListKeeper    ListKeeper
	Publisher     Publisher
	Follower      Follower
	Relater       Relater
	Moderator     Moderator
	Accounts      Accounts
	ReadPositions ReadPositions
	Live          Live
	LiveChanges   LiveChanges
	Hosting       Hosting
	Subscriptions Subscriptions

	// Users, Counters and Relations are read in bulk for posts and users that the viewer may see.
	Users     loaders.Authors
	Counters  feed.Counters
	Relations loaders.Relations
	Sanctions loaders.Sanctions
	// Upstreams have contents, profiles and counters that Tideline does not have, and slots.
	Upstreams loaders.Upstreams

	// Positions knows how far the data is.
	Positions Positions
	// Fanouts is for administrators.
	Fanouts Fanouts

	// IDs finds the objects of ids in requests; nil where ids are numbers.
	IDs feed.IDFinder

	// Owned are the types of records that a source owns. Their mutations are refused.
	Owned feed.RecordTypes

	// Log gets what clients must not see: unexpected failures, panics and their causes; nil for
	// none.
	Log *slog.Logger
	// Trace observes operations.
	Trace Trace
	// Transport receives requests; nil for one with the defaults.
	Transport *transport.Transport
	// Introspection enables introspection. It is off by default because such queries are large.
	Introspection bool
	// Subgraph is the schema of the subgraph ([sdl.Subgraph]); empty without a federation.
	Subgraph string
	// Plain lets the executor write pages, field by field, so that tests can compare.
	Plain bool
	// Guard limits operations. NewHandler sets Introspection, Header, Hit, Log, AfterWrite and InParts.
	Guard guard.Options
}

// guard returns the complete options of the guard of a schema.
func (d Deps) guard(schema *ast.Schema) guard.Options {
	o := d.Guard
	o.Introspection, o.Header, o.Hit, o.Log = d.Introspection, transport.Header, d.Trace.LimitHit, d.Log
	o.AfterWrite, o.Evict, o.InParts = transport.AfterWrite, transport.Evict, transport.InParts
	o.Scalars, o.Bounds = scalars(), Bounds(schema)
	if !d.Introspection {
		o.Rules = terseRules()
	}
	return o
}

// Resolver is the root of the resolvers that the generated code calls.
type Resolver struct {
	deps  Deps
	loads loaders.Deps
	// mutations are all mutations, by name.
	mutations map[string]mutation
}

func newResolver(d Deps) *Resolver {
	return &Resolver{deps: d, mutations: mutations(), loads: loaders.Deps{
		Posts: d.Timeline, Profiles: d.Directory, Sessions: d.Live, Users: d.Users, Counters: d.Counters, Relations: d.Relations, Requests: d.Requests, Sanctions: d.Sanctions, Upstreams: d.Upstreams, IDs: d.IDs, Log: d.Log, Loaded: d.Trace.Loaded,
	}}
}

func (r *Resolver) loaders(ctx context.Context) *loaders.Loaders {
	return loaders.New(ctx, &r.loads, ViewerFrom(ctx))
}
