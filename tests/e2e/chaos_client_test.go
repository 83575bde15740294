package e2e

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/eventually"
	"github.com/tideline-feeds/tideline/internal/gateway"
)

// caller speaks to a server that may be dead or half dead: unlike the methods of server,
// its own return what goes wrong, and may be called from any goroutine.
type caller struct {
	base string
	http *http.Client
}

// newCaller returns a caller. The server ends operations after [OperationWithin], so one that
// has no answer for as long as a test waits for anything hangs.
func newCaller(base string) *caller {
	return &caller{base: base, http: &http.Client{Timeout: eventually.Limit, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
}

// as returns a client that asks as a user.
func (c *caller) as(user feed.UserID) graphql.Client {
	return tideline.New(c.base, tideline.WithHTTPClient(c.http), tideline.WithTokenSource(func(context.Context) (string, error) {
		return gateway.NewTokens([]byte(testSecret), time.Now).Sign(gateway.Claims{User: user}, time.Hour)
	}))
}

// codeOf returns the code of an error that the server itself answered with, "no answer"
// for a request that got none, and "ok" for a success.
func codeOf(err error) string {
	var failed gqlerror.List
	var refused *graphql.HTTPError
	var refusal *tideline.Refusal
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &failed), errors.As(err, &refused), errors.As(err, &refusal):
		return tideline.CodeOf(err)
	}
	return "no answer"
}

// ask runs a GraphQL document as a user and decodes its data.
func (c *caller) ask(ctx context.Context, as feed.UserID, document string, variables map[string]any, into any) error {
	return c.as(as).MakeRequest(ctx, &graphql.Request{Query: document, Variables: variables}, &graphql.Response{Data: into})
}

// publish publishes a text, which also is the idempotency key, and returns the post's
// decimal id.
func (c *caller) publish(ctx context.Context, as feed.UserID, text string) (string, error) {
	got, err := tideline.PublishPost(ctx, c.as(as), tideline.PublishPostInput{Text: text, IdempotencyKey: &text})
	if err != nil {
		return "", err
	}
	if err := tideline.Refused(got.PublishPost.UserErrors); err != nil {
		return "", err
	}
	return got.PublishPost.FeedEdge.Node.DatabaseId, nil
}

// remove deletes a post.
func (c *caller) remove(ctx context.Context, as feed.UserID, post string) error {
	got, err := tideline.DeletePost(ctx, c.as(as), tideline.PostIdInput{PostId: nodeID("Post", post)})
	if err != nil {
		return err
	}
	return tideline.Refused(got.DeletePost.UserErrors)
}

// relate runs one of the mutations that change how a user stands to another one, such
// as followUser.
func (c *caller) relate(ctx context.Context, mutation string, as, to feed.UserID) error {
	var got struct{ Done tideline.UserChange }
	err := c.ask(ctx, as, `mutation($id: ID!) { done: `+mutation+`(input: {userId: $id}) { userErrors { code message } } }`,
		map[string]any{"id": nodeID("User", to.String())}, &got)
	return errors.Join(err, tideline.Refused(got.Done.UserErrors))
}

// page returns the ids on one page of a home feed, and the cursor of the next one, nil
// at the end.
func (c *caller) page(ctx context.Context, as feed.UserID, size int, after *string) ([]string, *string, error) {
	got, err := tideline.HomeFeedIDs(ctx, c.as(as), size, after, nil)
	switch {
	case err != nil:
		return nil, nil, err
	case got.Viewer == nil:
		return nil, nil, fmt.Errorf("user %d is nobody", as)
	}
	ids, next := idsOf(got.Viewer.HomeFeed)
	return ids, next, nil
}

// idsOf returns the ids on a page, and the cursor of the next one, nil at the end.
func idsOf(page tideline.IDPage) ([]string, *string) {
	var ids []string
	for _, e := range page.Edges {
		ids = append(ids, e.Node.DatabaseId)
	}
	if !page.PageInfo.HasNextPage {
		return ids, nil
	}
	return ids, page.PageInfo.EndCursor
}

// scroll returns the ids of a whole home feed.
func (c *caller) scroll(ctx context.Context, as feed.UserID) ([]string, error) {
	var ids []string
	var after *string
	for {
		page, next, err := c.page(ctx, as, 100, after)
		if err != nil {
			return nil, err
		}
		ids = append(ids, page...)
		if next == nil {
			return ids, nil
		}
		after = next
	}
}

// nodeID returns the global id of what has a decimal one.
func nodeID(typ, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + id))
}
