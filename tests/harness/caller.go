package harness

import (
	"context"
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

// Caller sends requests to a server that may be dead. Its methods return errors and may be called
// from any goroutine, unlike those of [Server].
type Caller struct {
	base string
	HTTP *http.Client
}

// NewCaller returns a caller. The server ends operations after app.OperationTimeout. A request
// without a response after [eventually.Limit] therefore hangs.
func NewCaller(base string) *Caller {
	return &Caller{base: base, HTTP: &http.Client{Timeout: eventually.Limit, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
}

// As returns a client that is signed in as a user.
func (c *Caller) As(user feed.UserID) graphql.Client {
	return tideline.New(c.base, tideline.WithHTTPClient(c.HTTP), tideline.WithTokenSource(func(context.Context) (string, error) {
		return gateway.NewTokens([]byte(Secret), time.Now).Sign(gateway.Claims{User: user}, time.Hour)
	}))
}

// CodeOf returns the code of an error in a response. It returns "no response" without a response, and
// "ok" for nil.
func CodeOf(err error) string {
	var failed gqlerror.List
	var refused *graphql.HTTPError
	var refusal *tideline.Refusal
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &failed), errors.As(err, &refused), errors.As(err, &refusal):
		return tideline.CodeOf(err)
	}
	return "no response"
}

// Ask runs a GraphQL document as a user and decodes its data.
func (c *Caller) Ask(ctx context.Context, as feed.UserID, document string, variables map[string]any, into any) error {
	return c.As(as).MakeRequest(ctx, &graphql.Request{Query: document, Variables: variables}, &graphql.Response{Data: into})
}

// Publish publishes a post and returns its decimal id. The text is also the idempotency key.
func (c *Caller) Publish(ctx context.Context, as feed.UserID, text string) (string, error) {
	got, err := tideline.PublishPost(ctx, c.As(as), tideline.PublishPostInput{Text: text, IdempotencyKey: &text})
	if err != nil {
		return "", err
	}
	if err := tideline.Refused(got.PublishPost.UserErrors); err != nil {
		return "", err
	}
	return got.PublishPost.FeedEdge.Node.DatabaseId, nil
}

// remove deletes a post.
func (c *Caller) remove(ctx context.Context, as feed.UserID, post string) error {
	got, err := tideline.DeletePost(ctx, c.As(as), tideline.PostIdInput{PostId: NodeID("Post", post)})
	if err != nil {
		return err
	}
	return tideline.Refused(got.DeletePost.UserErrors)
}

// Relate runs a mutation that changes a relation between two users, such as followUser.
func (c *Caller) Relate(ctx context.Context, mutation string, as, to feed.UserID) error {
	var got struct{ Done tideline.UserChange }
	err := c.Ask(ctx, as, `mutation($id: ID!) { done: `+mutation+`(input: {userId: $id}) { userErrors { code message } } }`,
		map[string]any{"id": NodeID("User", to.String())}, &got)
	return errors.Join(err, tideline.Refused(got.Done.UserErrors))
}

// Page returns the ids on one page of a home feed and the cursor of the next page, nil at the end.
func (c *Caller) Page(ctx context.Context, as feed.UserID, size int, after *string) ([]string, *string, error) {
	got, err := tideline.HomeFeedIDs(ctx, c.As(as), size, after, nil)
	switch {
	case err != nil:
		return nil, nil, err
	case got.Viewer == nil:
		return nil, nil, fmt.Errorf("the viewer of user %d's token is null", as)
	}
	ids, next := idsOf(got.Viewer.HomeFeed)
	return ids, next, nil
}

// scroll returns the ids of a whole home feed.
func (c *Caller) scroll(ctx context.Context, as feed.UserID) ([]string, error) {
	var ids []string
	var after *string
	for {
		page, next, err := c.Page(ctx, as, 100, after)
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
