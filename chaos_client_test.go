package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/gateway"
)

// caller speaks to a server that may be dead or half dead: unlike the methods of server,
// its own return what goes wrong, and may be called from any goroutine.
type caller struct {
	base string
	http *http.Client
}

// newCaller returns a caller that gives up on a request after patience.
func newCaller(base string, patience time.Duration) *caller {
	return &caller{base: base, http: &http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
}

// fault is an error that the server itself answered with.
type fault struct{ code, message string }

func (f *fault) Error() string { return f.code + ": " + f.message }

// codeOf returns the code of a fault, "no answer" for a request that got none, and "ok"
// for a success.
func codeOf(err error) string {
	var f *fault
	switch {
	case err == nil:
		return "ok"
	case errors.As(err, &f):
		return f.code
	}
	return "no answer"
}

// ask runs a GraphQL document as a user and decodes its data.
func (c *caller) ask(ctx context.Context, as feed.UserID, document string, variables map[string]any, into any) error {
	in, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/graphql", bytes.NewReader(in))
	if err != nil {
		return err
	}
	token, err := gateway.NewTokens([]byte(testSecret), time.Now).Sign(gateway.Claims{User: as}, time.Hour)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	return decodeAnswer(res, into)
}

func decodeAnswer(res *http.Response, into any) error {
	var out struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		return fmt.Errorf("the answer, with status %d, cannot be read: %w", res.StatusCode, err)
	}
	if len(out.Errors) > 0 {
		return &fault{out.Errors[0].Extensions.Code, out.Errors[0].Message}
	}
	return json.Unmarshal(out.Data, into)
}

// refusal is the part of a mutation's payload that says why it was refused.
type refusal struct {
	UserErrors []struct{ Code, Message string }
}

func (r refusal) err() error {
	if len(r.UserErrors) == 0 {
		return nil
	}
	return &fault{r.UserErrors[0].Code, r.UserErrors[0].Message}
}

// publish publishes a text, which also is the idempotency key, and returns the post's
// decimal id.
func (c *caller) publish(ctx context.Context, as feed.UserID, text string) (string, error) {
	var got struct {
		PublishPost struct {
			refusal
			Post struct{ DatabaseID string }
		}
	}
	err := c.ask(ctx, as, `mutation($text: String!) {
		publishPost(input: {text: $text, idempotencyKey: $text}) { post { databaseId } userErrors { code message } }
	}`, map[string]any{"text": text}, &got)
	return got.PublishPost.Post.DatabaseID, errors.Join(err, got.PublishPost.err())
}

// remove deletes a post.
func (c *caller) remove(ctx context.Context, as feed.UserID, post string) error {
	var got struct{ DeletePost refusal }
	err := c.ask(ctx, as, `mutation($id: ID!) { deletePost(input: {postId: $id}) { userErrors { code message } } }`,
		map[string]any{"id": nodeID("Post", post)}, &got)
	return errors.Join(err, got.DeletePost.err())
}

// relate runs one of the mutations that change how a user stands to another one, such
// as followUser.
func (c *caller) relate(ctx context.Context, mutation string, as, to feed.UserID) error {
	var got struct{ Done refusal }
	err := c.ask(ctx, as, `mutation($id: ID!) { done: `+mutation+`(input: {userId: $id}) { userErrors { code message } } }`,
		map[string]any{"id": nodeID("User", to.String())}, &got)
	return errors.Join(err, got.Done.err())
}

// page returns the ids on one page of a home feed, and the cursor of the next one, nil
// at the end.
func (c *caller) page(ctx context.Context, as feed.UserID, size int, after *string) ([]string, *string, error) {
	var got struct{ Viewer struct{ HomeFeed feedPage } }
	err := c.ask(ctx, as, `query($n: Int, $after: String) { viewer { homeFeed(first: $n, after: $after) { `+pageFields+` } } }`,
		map[string]any{"n": size, "after": after}, &got)
	page := got.Viewer.HomeFeed
	var ids []string
	for _, e := range page.Edges {
		ids = append(ids, e.Node.DatabaseID)
	}
	if !page.PageInfo.HasNextPage {
		return ids, nil, err
	}
	return ids, page.PageInfo.EndCursor, err
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
