package feedtest

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/lists"
	"github.com/tideline-feeds/tideline/feed/publish"
)

// Client is a way to use a service. Scripts make the changes of users and moderators, and read what
// viewers see, through it. They do all else on the service.
type Client struct {
	Service *Service
	Actions Actions
	Views   Views
	// Name is what the prefix "in" calls the client.
	Name string
}

// The names of clients.
const (
	ClientCores   = "cores"
	ClientGraphQL = "graphql"
)

// Actions makes changes of users and moderators. The errors of refusals have a [feed.Code].
type Actions interface {
	// Publish publishes a post of author, and returns its id.
	Publish(ctx context.Context, author feed.UserID, d publish.Draft) (feed.PostID, error)
	// Edit changes the text or audience of a post.
	Edit(ctx context.Context, user feed.UserID, id feed.PostID, e feed.PostEdit) error
	// ToUser makes a change by user that names target. The verb is one of [userVerbs].
	ToUser(ctx context.Context, verb string, user, target feed.UserID) error
	// ToPost makes a change by user that names a post. The verb is one of [postVerbs].
	ToPost(ctx context.Context, verb string, user feed.UserID, id feed.PostID) error
	// SetPrivate makes the account of user private or public.
	SetPrivate(ctx context.Context, user feed.UserID, private bool) error
	// Moderate takes down or suspends a subject because of [ModeratorsReason], or restores it.
	Moderate(ctx context.Context, of feed.Subject, hidden bool) error
}

// userVerbs are the commands that name two users.
func userVerbs() []string {
	return []string{"follow", "unfollow", "accept", "reject", "remove", "mute", "unmute", "hide", "unhide", "block", "unblock"}
}

// postVerbs are the commands that name a user and a post, and nothing else.
func postVerbs() []string { return []string{"delete", "like", "unlike", "favorite", "unfavorite"} }

// Views reads what viewers see.
type Views interface {
	// Feed returns a page of a feed, by the ids of posts.
	Feed(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (Listed, error)
	// People returns a page of a list of owner, by the ids of users: "followers" or "following", or the
	// viewer's own "requests" to follow them or "sent" ones.
	People(ctx context.Context, viewer feed.UserID, list string, owner feed.UserID, q feed.PageQuery) (Listed, error)
	// NewCount counts the entries of the home feed above a cursor.
	NewCount(ctx context.Context, viewer feed.UserID, since string, filter feed.Filter) (int, error)
	// Text returns the text of a post; nil if the viewer cannot see it.
	Text(ctx context.Context, viewer feed.UserID, id feed.PostID) (*string, error)
	// PostCounters and UserCounters return counters regardless of the viewer.
	PostCounters(ctx context.Context, id feed.PostID) (feed.PostCounters, error)
	UserCounters(ctx context.Context, id feed.UserID) (feed.UserCounters, error)
}

// Listed is a page of a list.
type Listed struct {
	// IDs and Cursors are those of the entries, in order.
	IDs                  []int64
	Cursors              []string
	HasNext, HasPrevious bool
}

// ListedFeed returns a page of a feed as [Listed].
func ListedFeed(page *feed.Page, err error) (Listed, error) {
	if err != nil {
		return Listed{}, err
	}
	l := Listed{HasNext: page.HasNext, HasPrevious: page.HasPrevious}
	for _, e := range page.Entries {
		l.IDs, l.Cursors = append(l.IDs, int64(e.Post.ID)), append(l.Cursors, e.Cursor)
	}
	return l, nil
}

// Cores returns the client that calls the service's parts directly.
func (s *Service) Cores() Client {
	c := cores{s, s.Compared()}
	return Client{Service: s, Actions: c, Views: c, Name: ClientCores}
}

// cores implements [Actions] and [Views].
type cores struct {
	s     *Service
	feeds *ComparedFeeds
}

// Publish implements [Actions].
func (c cores) Publish(ctx context.Context, author feed.UserID, d publish.Draft) (feed.PostID, error) {
	post, err := c.s.Publisher.Publish(ctx, author, d)
	if err != nil {
		return 0, err
	}
	return post.ID, nil
}

// Edit implements [Actions].
func (c cores) Edit(ctx context.Context, user feed.UserID, id feed.PostID, e feed.PostEdit) error {
	return errorOf(c.s.Publisher.Edit(ctx, user, id, e))
}

// ToUser implements [Actions]. It stores mutes, hides and blocks as records do, so that scripts cover them too.
func (c cores) ToUser(ctx context.Context, verb string, user, target feed.UserID) error {
	f := c.s.Follower
	follows := map[string]func(ctx context.Context, user, target feed.UserID) (*feed.User, error){
		"follow": func(ctx context.Context, user, target feed.UserID) (*feed.User, error) {
			return f.Follow(ctx, user, target, feed.FollowChoice{})
		},
		"unfollow": f.Unfollow, "accept": f.Accept, "reject": f.Reject, "remove": f.Remove,
	}
	if do, ok := follows[verb]; ok {
		return errorOf(do(ctx, user, target))
	}
	kind, ends := strings.CutPrefix(verb, "un")
	r := feed.RelationRecord{Kind: feed.RelationKind(kind), User: user, Target: target, CreatedAt: c.s.Clock.Millis()}
	return c.s.SetRelation(ctx, r, !ends)
}

// ToPost implements [Actions].
func (c cores) ToPost(ctx context.Context, verb string, user feed.UserID, id feed.PostID) error {
	if verb == "delete" {
		return c.s.Publisher.Delete(ctx, user, id)
	}
	reaction, ends := strings.CutPrefix(verb, "un")
	return errorOf(c.s.Publisher.React(ctx, user, feed.Reaction(reaction), id, !ends))
}

// SetPrivate implements [Actions].
func (c cores) SetPrivate(ctx context.Context, user feed.UserID, private bool) error {
	return errorOf(c.s.Profiles.UpdateProfile(ctx, user, feed.ProfileChange{Private: &private}))
}

// Moderate implements [Actions].
func (c cores) Moderate(ctx context.Context, of feed.Subject, hidden bool) error {
	now := c.s.Clock.Millis()
	if hidden {
		return c.s.Moderation.Impose(ctx, feed.Sanction{Subject: of, Reason: ModeratorsReason, By: "mod", At: now})
	}
	return c.s.Moderation.Lift(ctx, of, now, "mod")
}

// Feed implements [Views].
func (c cores) Feed(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (Listed, error) {
	return ListedFeed(c.feeds.Page(ctx, viewer, ref, q))
}

// People implements [Views].
func (c cores) People(ctx context.Context, viewer feed.UserID, list string, owner feed.UserID, q feed.PageQuery) (Listed, error) {
	d := c.s.Directory
	read := map[string]func() (*feed.UserPage, error){
		"followers": func() (*feed.UserPage, error) { return d.Followers(ctx, viewer, owner, q) },
		"following": func() (*feed.UserPage, error) { return d.Following(ctx, viewer, owner, q) },
		"requests":  func() (*feed.UserPage, error) { return d.FollowRequests(ctx, viewer, q) },
		"sent":      func() (*feed.UserPage, error) { return d.SentFollowRequests(ctx, viewer, q) },
	}
	page, err := read[list]()
	if err != nil {
		return Listed{}, err
	}
	l := Listed{HasNext: page.HasNext, HasPrevious: page.HasPrevious}
	for _, e := range page.Entries {
		l.IDs, l.Cursors = append(l.IDs, int64(e.User.ID)), append(l.Cursors, e.Cursor)
	}
	return l, nil
}

// NewCount implements [Views].
func (c cores) NewCount(ctx context.Context, viewer feed.UserID, since string, filter feed.Filter) (int, error) {
	return c.feeds.NewCount(ctx, viewer, feed.HomeRef(), since, filter)
}

// Text implements [Views].
func (c cores) Text(ctx context.Context, viewer feed.UserID, id feed.PostID) (*string, error) {
	posts, err := c.feeds.Posts(ctx, viewer, []feed.PostID{id})
	if err != nil || posts[0] == nil {
		return nil, err
	}
	return &posts[0].Text, nil
}

// PostCounters implements [Views].
func (c cores) PostCounters(ctx context.Context, id feed.PostID) (feed.PostCounters, error) {
	n, err := c.s.Counters.PostCounters(ctx, []feed.PostID{id})
	if err != nil {
		return feed.PostCounters{}, err
	}
	return n[0], nil
}

// UserCounters implements [Views].
func (c cores) UserCounters(ctx context.Context, id feed.UserID) (feed.UserCounters, error) {
	n, err := c.s.Counters.UserCounters(ctx, []feed.UserID{id})
	if err != nil {
		return feed.UserCounters{}, err
	}
	return n[0], nil
}

// ComparedFeeds compares each page with one that is read without a viewer cache.
type ComparedFeeds struct {
	*lists.Feeds
	// Uncached reads without a viewer cache, and changes nothing.
	Uncached *lists.Feeds
	cached   *lists.Feeds
}

// Compared returns a reader of all feeds.
func (s *Service) Compared() *ComparedFeeds {
	uncached := *s.Uncached
	uncached.Queue, uncached.Trace = feed.NoUpkeep{}, feed.Trace{}
	return &ComparedFeeds{Feeds: s.Feeds(s.Timeline), Uncached: s.Feeds(&uncached), cached: s.Feeds(s.Cached)}
}

// Page returns a page of a feed as viewer may see it.
func (r *ComparedFeeds) Page(ctx context.Context, viewer feed.UserID, ref feed.FeedRef, q feed.PageQuery) (*feed.Page, error) {
	uncached, err := r.Uncached.Page(ctx, viewer, ref, q)
	if err != nil {
		return nil, err
	}
	cached, err := r.cached.Page(ctx, viewer, ref, q)
	return compared(uncached, cached, err)
}

// Pages returns a page for each request.
func (r *ComparedFeeds) Pages(ctx context.Context, viewer feed.UserID, requests []feed.PageRequest) ([]feed.PageResult, error) {
	uncached, err := r.Uncached.Pages(ctx, viewer, requests)
	if err != nil {
		return nil, err
	}
	cached, err := r.cached.Pages(ctx, viewer, requests)
	for i := range cached {
		if err == nil && cached[i].Err == nil {
			_, err = compared(uncached[i].Page, cached[i].Page, uncached[i].Err)
		}
	}
	return cached, err
}

// compared returns the cached page, and an error if it differs from the other.
func compared(uncached, cached *feed.Page, err error) (*feed.Page, error) {
	if diff := cmp.Diff(uncached, cached); err == nil && diff != "" {
		err = fmt.Errorf("the pages without and with a viewer cache differ (-without +with):\n%s", diff)
	}
	return cached, err
}
