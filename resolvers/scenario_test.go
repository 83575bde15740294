package resolvers_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/feed/feedtest"
	"github.com/tideline-feeds/tideline/feed/feedtest/fixture"
	"github.com/tideline-feeds/tideline/feed/people"
	"github.com/tideline-feeds/tideline/feed/publish"
	"github.com/tideline-feeds/tideline/graph"
	"github.com/tideline-feeds/tideline/internal/testenv/sqlitetest"
	"github.com/tideline-feeds/tideline/resolvers"
)

// Users and moderators act by mutations, and see what queries return. Package fixture plays the same
// scripts without the API, and those of live sessions.
func TestScenarios_GraphQL(t *testing.T) {
	modes := []feed.FanoutMode{feed.FanoutHybrid}
	if feedtest.Nightly {
		modes = nil // all
	}
	d, schema := sqlitetest.Open(t), graph.LoadSchema()
	feedtest.ScenariosOf(t, os.DirFS("../feed/testdata"), func(t *testing.T, p feed.Policy) feedtest.Client {
		s := feedtest.NewService(fixture.LiveBackend(d, p), p)
		c := apiClient{world: &world{t: t}, s: s, schema: schema, cores: s.Cores().Views, feeds: s.Compared()}
		c.handler = signedIn(resolvers.NewHandler(c.deps(s)))
		return feedtest.Client{Service: s, Actions: apiActions{c}, Views: apiViews{c}, Name: feedtest.ClientGraphQL}
	}, modes...)
}

// apiClient sends requests to the API of a service, and compares responses with what the cores show.
type apiClient struct {
	*world
	s      *feedtest.Service
	schema *ast.Schema
	cores  feedtest.Views
	feeds  *feedtest.ComparedFeeds
}

// deps has all but changes of feeds, which scripts do not read.
func (c apiClient) deps(s *feedtest.Service) resolvers.Deps {
	clock := s.Clock.Now
	return resolvers.Deps{
		Timeline: c.feeds, Directory: s.Directory, Requests: s.Directory, Publisher: s.Publisher, Follower: s.Follower,
		Relater:   &people.Relations{Relater: s.Relater, Directory: s.Directory, Clock: clock},
		Moderator: &people.Moderator{Moderation: s.Moderation, Posts: s.Backend.Posts, Evictor: noEvictor{}, Clock: clock, Policy: s.Policy},
		Accounts: &people.Accounts{
			Users: s.Users, Profiles: s.Profiles, Inboxes: s.Backend.Inboxes, Evictor: noEvictor{}, Clock: clock, Policy: s.Policy,
		},
		Live: s.Live.Feed, Hosting: s.Live.Hosting,
		Users: s.Directory, Counters: s.Counters, Relations: s.Relations, Sanctions: s.Moderation,
	}
}

// variables are the variables of a document.
type variables = map[string]any

// moderator returns the viewer and the headers of a moderator's requests. No script has this user.
func moderator() (viewer feed.UserID, headers []string) { return 900, []string{"X-Moderator", "1"} }

// askAs decodes what a document returns. The error is the first of the response.
func askAs[T any](ctx context.Context, c apiClient, viewer feed.UserID, document string, v variables, headers ...string) (data T, err error) {
	got := decoded(c.t, c.send(bodyRequest(ctx, viewer, request(document, v), headers...)))
	for _, e := range got.Errors {
		return data, feed.Errorf(feed.Code(e.Extensions.Code), "%s at %v", e.Message, e.Path)
	}
	return data, json.Unmarshal([]byte(must(json.Marshal(got.Data))), &data)
}

// apiActions makes changes by mutations.
type apiActions struct{ apiClient }

// payload is what a mutation returns.
type payload struct {
	Post       *apiPost
	UserErrors []struct {
		Code    feed.Code
		Message string
	}
}

// mutate makes a change, and returns userErrors as an error. selection has the other fields of the payload.
func (c apiActions) mutate(ctx context.Context, viewer feed.UserID, mutation string, input variables, selection string, headers ...string) (payload, error) {
	typ := c.schema.Mutation.Fields.ForName(mutation).Arguments[0].Type
	document := fmt.Sprintf(`mutation($input: %s) { done: %s(input: $input) { userErrors { code message } %s } }`, typ, mutation, selection)
	got, err := askAs[struct{ Done payload }](ctx, c.apiClient, viewer, document, variables{"input": input}, headers...)
	for _, e := range got.Done.UserErrors {
		return payload{}, feed.Errorf(e.Code, "%s", e.Message)
	}
	return got.Done, err
}

// changedPost makes a change to a post. The post in the payload must be as the cores show it.
func (c apiActions) changedPost(ctx context.Context, viewer feed.UserID, mutation string, input variables) (feed.PostID, error) {
	got, err := c.mutate(ctx, viewer, mutation, input, `post { `+postFields+` }`)
	if err == nil && got.Post == nil {
		err = errors.New(mutation + " returns no post")
	}
	if err != nil {
		return 0, err
	}
	return feed.PostID(got.Post.id()), c.agrees(ctx, viewer, *got.Post)
}

// Publish implements [feedtest.Actions].
func (c apiActions) Publish(ctx context.Context, author feed.UserID, d publish.Draft) (feed.PostID, error) {
	input := variables{"text": d.Text}
	if d.ReplyTo != 0 {
		input["replyTo"] = postID(d.ReplyTo)
	}
	if d.RepostOf != 0 {
		input["repostOf"] = postID(d.RepostOf)
	}
	if d.Audience != nil {
		input["audience"] = d.Audience.String()
	}
	if d.PublishedAt != nil {
		input["publishedAt"] = time.UnixMilli(*d.PublishedAt).UTC().Format(time.RFC3339Nano)
	}
	return c.changedPost(ctx, author, "publishPost", input)
}

// Edit implements [feedtest.Actions].
func (c apiActions) Edit(ctx context.Context, user feed.UserID, id feed.PostID, e feed.PostEdit) error {
	input := variables{"postId": postID(id)}
	if e.Text != nil {
		input["text"] = *e.Text
	}
	if e.Audience != nil {
		input["audience"] = e.Audience.String()
	}
	_, err := c.changedPost(ctx, user, "editPost", input)
	return err
}

// ToUser implements [feedtest.Actions].
func (c apiActions) ToUser(ctx context.Context, verb string, user, target feed.UserID) error {
	suffixes := map[string]string{"accept": "Follow", "reject": "Follow", "remove": "Follower", "hide": "FromUser", "unhide": "FromUser"}
	suffix, ok := suffixes[verb]
	if !ok {
		suffix = "User"
	}
	_, err := c.mutate(ctx, user, verb+suffix, variables{"userId": userID(target)}, `user { id }`)
	return err
}

// ToPost implements [feedtest.Actions].
func (c apiActions) ToPost(ctx context.Context, verb string, user feed.UserID, id feed.PostID) error {
	_, err := c.mutate(ctx, user, verb+"Post", variables{"postId": postID(id)}, ``)
	return err
}

// SetPrivate implements [feedtest.Actions].
func (c apiActions) SetPrivate(ctx context.Context, user feed.UserID, private bool) error {
	_, err := c.mutate(ctx, user, "updateProfile", variables{"isPrivate": private}, `user { isPrivate }`)
	return err
}

// Moderate implements [feedtest.Actions].
func (c apiActions) Moderate(ctx context.Context, of feed.Subject, hidden bool) error {
	mutation, input := "restoreUser", variables{"userId": userID(of.User)}
	if hidden {
		mutation = "suspendUser"
	}
	if of.Post != 0 {
		mutation, input = "restorePost", variables{"postId": postID(of.Post)}
		if hidden {
			mutation = "takeDownPost"
		}
	}
	if hidden {
		input["reason"] = feedtest.ModeratorsReason
	}
	by, headers := moderator()
	_, err := c.mutate(ctx, by, mutation, input, ``, headers...)
	return err
}
