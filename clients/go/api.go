package tideline

import (
	"context"
	"iter"
	"time"

	"github.com/Khan/genqlient/graphql"
)

// ID is the global id of a post, a user or a live session. It is opaque.
type ID = string

// Client reads and changes what the API has, as one viewer. Create one with [NewClient]. It is safe
// for concurrent use.
//
// Methods return the errors of requests ([CodeOf]), and those of [Refused] if the server refuses a
// change. Reads of the viewer fail with UNAUTHENTICATED for the anonymous one, and reads of a user
// or a post that the viewer cannot see return nil.
//
// A Client is also a client for the generated functions of this package, and for those that
// genqlient generates from other operations.
type Client struct {
	graphql.Client
	base    string
	options []Option
}

// NewClient returns a client of the server at a base URL, such as https://feeds.example.org.
func NewClient(base string, options ...Option) *Client {
	return &Client{New(base, options...), base, options}
}

// Home returns the home feed of the viewer, whose pages and changes are iterators.
func (c *Client) Home(options ...FeedOption) *Home { return &Home{c.feed(options)} }

// Live returns the live feed of the viewer, whose pages and changes are iterators.
func (c *Client) Live(options ...FeedOption) *Live { return &Live{c.feed(options)} }

func (c *Client) feed(options []FeedOption) feedReader {
	return newFeedReader(c.base, append([]FeedOption{Connection(c.options...)}, options...))
}

// PageOption chooses a page of a list.
type PageOption func(*pageChoice)

type pageChoice struct {
	first int
	after *string
	kinds []PostKind
	// special is nil, or true for the feed of special follows.
	special *bool
}

// First is the number of entries: 0 to 100, 20 by default.
func First(n int) PageOption { return func(p *pageChoice) { p.first = n } }

// After begins a page after the entry with a cursor: EndCursor of the page before. Nil is the
// beginning of the list, which is the default.
func After(cursor *string) PageOption { return func(p *pageChoice) { p.after = cursor } }

// OfKinds limits a list of posts to kinds; other lists ignore it.
func OfKinds(kinds ...PostKind) PageOption { return func(p *pageChoice) { p.kinds = kinds } }

// OfSpecialFollows limits the home feed to posts of special follows; other lists ignore it.
func OfSpecialFollows() PageOption { return func(p *pageChoice) { p.special = new(true) } }

func choose(options []PageOption) pageChoice {
	p := pageChoice{first: 20}
	for _, option := range options {
		option(&p)
	}
	return p
}

// HomeFeed returns a page of the viewer's home feed, newest first.
func (c *Client) HomeFeed(ctx context.Context, options ...PageOption) (*ContentPage, error) {
	p := choose(options)
	got, err := HomeFeed(ctx, c, p.first, p.after, p.kinds, p.special)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return &got.Viewer.HomeFeed, nil
}

// HomeFeedWithSlots returns a page of the viewer's home feed and its slots. Show each slot after the edge
// whose cursor its After names, with its Source as label. Its Content is that of another service.
func (c *Client) HomeFeedWithSlots(ctx context.Context, options ...PageOption) (*SlottedPage, error) {
	p := choose(options)
	got, err := HomeFeedWithSlots(ctx, c, p.first, p.after, p.kinds)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return &got.Viewer.HomeFeed, nil
}

// LiveFeed returns a page of the live sessions of the viewer's followees.
func (c *Client) LiveFeed(ctx context.Context, options ...PageOption) (*SessionPage, error) {
	p := choose(options)
	got, err := LiveFeed(ctx, c, p.first, p.after)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return &got.Viewer.LiveFeed, nil
}

// Posts returns a page of the posts of a user, newest first.
func (c *Client) Posts(ctx context.Context, handle string, options ...PageOption) (*ContentPage, error) {
	p := choose(options)
	got, err := Outbox(ctx, c, handle, p.first, p.after, p.kinds)
	if err != nil || got.User == nil {
		return nil, err
	}
	return &got.User.Posts, nil
}

// PostsWithSlots returns a page of the posts of a user and its slots, like [Client.HomeFeedWithSlots].
func (c *Client) PostsWithSlots(ctx context.Context, handle string, options ...PageOption) (*SlottedPage, error) {
	p := choose(options)
	got, err := OutboxWithSlots(ctx, c, handle, p.first, p.after, p.kinds)
	if err != nil || got.User == nil {
		return nil, err
	}
	return &got.User.Posts, nil
}

// Comments returns a page of the direct comments of a post, newest first.
func (c *Client) Comments(ctx context.Context, post ID, options ...PageOption) (*ContentPage, error) {
	p := choose(options)
	got, err := Comments(ctx, c, post, p.first, p.after)
	if err != nil || got.Node == nil {
		return nil, err
	}
	found, isPost := (*got.Node).(*CommentsNodePost)
	if !isPost {
		return nil, nil
	}
	return &found.Comments, nil
}

// Followers returns a page of the followers of a user, latest follow first.
func (c *Client) Followers(ctx context.Context, handle string, options ...PageOption) (*UserPage, error) {
	p := choose(options)
	got, err := Followers(ctx, c, handle, p.first, p.after)
	if err != nil || got.User == nil {
		return nil, err
	}
	return &got.User.Followers, nil
}

// Following returns a page of the followees of a user, latest follow first.
func (c *Client) Following(ctx context.Context, handle string, options ...PageOption) (*UserPage, error) {
	p := choose(options)
	got, err := Following(ctx, c, handle, p.first, p.after)
	if err != nil || got.User == nil {
		return nil, err
	}
	return &got.User.Following, nil
}

// Search returns a page of the users who have, in handle or name, a word that begins with each word
// of the query.
func (c *Client) Search(ctx context.Context, query string, options ...PageOption) (*UserPage, error) {
	p := choose(options)
	got, err := SearchUsers(ctx, c, query, p.first, p.after)
	if err != nil {
		return nil, err
	}
	return &got.Users, nil
}

// FollowRequests returns a page of the users who have asked to follow the viewer, latest first.
func (c *Client) FollowRequests(ctx context.Context, options ...PageOption) (*UserPage, error) {
	p := choose(options)
	got, err := FollowRequests(ctx, c, p.first, p.after)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return &got.Viewer.FollowRequests, nil
}

// Me returns the profile of the viewer.
func (c *Client) Me(ctx context.Context) (*Profile, error) {
	got, err := Me(ctx, c)
	if err != nil {
		return nil, err
	}
	if got.Viewer == nil {
		return nil, errAnonymous
	}
	return &got.Viewer.User, nil
}

// User returns the profile of a user.
func (c *Client) User(ctx context.Context, handle string) (*Profile, error) {
	got, err := User(ctx, c, handle)
	if err != nil {
		return nil, err
	}
	return got.User, nil
}

// PostOption adds to a post that is published.
type PostOption func(*PublishPostInput)

// Media adds pictures and videos, by https URLs.
func Media(urls ...string) PostOption { return func(in *PublishPostInput) { in.Media = urls } }

// For names who the post is for, which is PUBLIC by default.
func For(audience PostAudience) PostOption {
	return func(in *PublishPostInput) { in.Audience = &audience }
}

// Language names the language of the post by a BCP 47 tag.
func Language(tag string) PostOption { return func(in *PublishPostInput) { in.Language = &tag } }

// ReplyTo makes the post a comment of another.
func ReplyTo(post ID) PostOption { return func(in *PublishPostInput) { in.ReplyTo = &post } }

// RepostOf makes the post share another.
func RepostOf(post ID) PostOption { return func(in *PublishPostInput) { in.RepostOf = &post } }

// PublishedAt sets an earlier time of publication.
func PublishedAt(t time.Time) PostOption { return func(in *PublishPostInput) { in.PublishedAt = &t } }

// IdempotencyKey makes retries safe for a day: with a known key, the same post is published once.
func IdempotencyKey(key string) PostOption {
	return func(in *PublishPostInput) { in.IdempotencyKey = &key }
}

// Publish publishes a post, and returns it with its cursor in the viewer's home feed.
func (c *Client) Publish(ctx context.Context, text string, options ...PostOption) (*ContentEdge, error) {
	in := PublishPostInput{Text: text}
	for _, option := range options {
		option(&in)
	}
	got, err := PublishPost(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return got.PublishPost.FeedEdge, Refused(got.PublishPost.UserErrors)
}

// Edit changes the text of a post of the viewer.
func (c *Client) Edit(ctx context.Context, post ID, text string) (*Content, error) {
	got, err := EditPost(ctx, c, EditPostInput{PostId: post, Text: &text})
	if err != nil {
		return nil, err
	}
	return got.EditPost.Post, Refused(got.EditPost.UserErrors)
}

// Readdress changes who a post of the viewer is for.
func (c *Client) Readdress(ctx context.Context, post ID, audience PostAudience) (*Content, error) {
	got, err := EditPost(ctx, c, EditPostInput{PostId: post, Audience: &audience})
	if err != nil {
		return nil, err
	}
	return got.EditPost.Post, Refused(got.EditPost.UserErrors)
}

// Delete deletes a post of the viewer. Deleting twice is no error.
func (c *Client) Delete(ctx context.Context, post ID) error {
	got, err := DeletePost(ctx, c, PostIdInput{PostId: post})
	if err != nil {
		return err
	}
	return Refused(got.DeletePost.UserErrors)
}

// All yields the entries of all pages of a list, in order. An error ends them.
//
//	posts := tideline.All(func(page tideline.PageOption) (*tideline.ContentPage, error) {
//		return client.Posts(ctx, "ann", tideline.First(100), page)
//	})
func All[P Page[E], E any](read func(PageOption) (P, error)) iter.Seq2[E, error] {
	return func(yield func(E, error) bool) {
		for page, err := range pages(read) {
			if err != nil {
				var none E
				yield(none, err)
				return
			}
			entries, _ := page.list()
			for _, entry := range entries {
				if !yield(entry, nil) {
					return
				}
			}
		}
	}
}

// Page is a page of a list with entries E. A nil page is empty.
type Page[E any] interface{ list() ([]E, Paging) }

func (v *ContentPage) list() ([]ContentEdge, Paging) {
	if v == nil {
		return nil, Paging{}
	}
	return v.Edges, v.PageInfo
}

func (v *UserPage) list() ([]UserEdge, Paging) {
	if v == nil {
		return nil, Paging{}
	}
	return v.Edges, v.PageInfo
}

func (v *SessionPage) list() ([]SessionEdge, Paging) {
	if v == nil {
		return nil, Paging{}
	}
	return v.Edges, v.PageInfo
}
