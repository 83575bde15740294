package harness

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	tideline "github.com/tideline-feeds/tideline/clients/go"
	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/internal/app"
	"github.com/tideline-feeds/tideline/internal/edge/gateway"
	"github.com/tideline-feeds/tideline/internal/kit/eventually"
	"github.com/tideline-feeds/tideline/internal/testenv"
)

// Secret signs the tokens of tests.
const Secret = "a secret that only tests are signed with"

// Server is a process of the real program. Tests use it only over HTTP.
type Server struct {
	Process *testenv.Process
	// Base is the server's URL, without a slash at the end.
	Base string
	// demoLinks counts the demo links that the test has used.
	demoLinks int
}

// StartServer starts the program with settings from the environment. It waits until the program
// prints that it is ready.
func StartServer(t *testing.T, env ...string) *Server {
	t.Helper()
	env = append([]string{"TIDELINE_ADDR=127.0.0.1:0"}, env...)
	p := testenv.Program(t, []string{testenv.Binary(t), "serve"}, env)
	return &Server{Process: p, Base: p.WaitReady()}
}

// StartWorker starts a worker with settings from the environment and waits until it is ready.
func StartWorker(t *testing.T, env []string) *testenv.Process {
	t.Helper()
	p := testenv.Program(t, []string{testenv.Binary(t), "worker"}, env)
	p.WaitReady()
	return p
}

// DemoLink returns the path and fragment of an unused demo link.
func (s *Server) DemoLink(t *testing.T) string {
	t.Helper()
	s.demoLinks++
	var links []string
	eventually.True(t, "another demo link is printed", func() bool {
		links = regexp.MustCompile(`/#demo=\w+`).FindAllString(s.Process.Output(), -1)
		return len(links) >= s.demoLinks
	})
	return links[s.demoLinks-1]
}

// TokenFor returns a token for a user, signed with [Secret].
func TokenFor(t *testing.T, user feed.UserID) string {
	t.Helper()
	return sign(t, gateway.Claims{User: user})
}

// ModeratorToken is [TokenFor] for a moderator.
func ModeratorToken(t *testing.T, user feed.UserID) string {
	t.Helper()
	return sign(t, gateway.Claims{User: user, Moderator: true})
}

// TextToken is [TokenFor] where ids are text.
func TextToken(t *testing.T, user feed.ExternalID) string {
	t.Helper()
	return sign(t, gateway.Claims{Subject: user})
}

func sign(t *testing.T, claims gateway.Claims) string {
	t.Helper()
	token, err := gateway.NewTokens([]byte(Secret), time.Now).Sign(claims, time.Hour)
	Check(t, err)
	return token
}

// Get fetches a page. An empty token means an anonymous request.
func (s *Server) Get(t *testing.T, path, token string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+path, nil)
	Check(t, err)
	return s.Do(t, req, token)
}

// Do sends a request, with the token if any, and returns the status and the body.
func (s *Server) Do(t *testing.T, req *http.Request, token string) (int, string) {
	t.Helper()
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := http.DefaultClient.Do(req)
	Check(t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	Check(t, err)
	return res.StatusCode, string(body)
}

// Query runs a GraphQL document and fails the test on any error in the response.
func (s *Server) Query(t *testing.T, token, document string, variables map[string]any, into any) {
	t.Helper()
	in, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	Check(t, err)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/graphql", bytes.NewReader(in))
	Check(t, err)
	req.Header.Set("Content-Type", "application/json")
	_, body := s.Do(t, req, token)
	var out struct {
		Data   json.RawMessage
		Errors []any
	}
	if err := json.Unmarshal([]byte(body), &out); err != nil || len(out.Errors) > 0 {
		t.Fatalf("%s\nwith variables %v returns\n%s", document, variables, body)
	}
	Check(t, json.Unmarshal(out.Data, into))
}

// client returns a client of the server that uses a token.
func (s *Server) client(token string) graphql.Client {
	return tideline.New(s.Base, tideline.WithToken(token))
}

// Home scrolls through a viewer's home feed in pages of size. It stops after limit ids or at the
// end of the feed.
func (s *Server) Home(t *testing.T, token string, size, limit int) []string {
	t.Helper()
	return scroll(t, s.client(token), size, limit)
}

// HomeAtLeast is [Server.Home] for a service that acts for a viewer, with pages that reflect a position
// of a source, such as source/0:0/16B3748.
func (s *Server) HomeAtLeast(t *testing.T, token, viewer, position string, size, limit int) []string {
	t.Helper()
	client := &http.Client{Transport: atLeast{viewer, position}}
	return scroll(t, tideline.New(s.Base, tideline.WithToken(token), tideline.WithHTTPClient(client)), size, limit)
}

// atLeast sends requests with the headers Tideline-Act-For and Tideline-At-Least.
type atLeast struct{ viewer, position string }

func (a atLeast) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Tideline-Act-For", a.viewer)
	r.Header.Set("Tideline-At-Least", a.position)
	return http.DefaultTransport.RoundTrip(r)
}

func scroll(t *testing.T, client graphql.Client, size, limit int) []string {
	t.Helper()
	var ids []string
	var after *string
	for {
		got, err := tideline.HomeFeedIDs(t.Context(), client, size, after, nil)
		Check(t, err)
		page := got.Viewer.HomeFeed
		more, next := idsOf(page)
		ids = append(ids, more...)
		if next != nil && len(page.Edges) != size {
			t.Fatalf("a page has %d entries of %d, but the feed has more", len(page.Edges), size)
		}
		if next == nil || len(ids) >= limit {
			return ids[:min(len(ids), limit)]
		}
		after = next
	}
}

// HomeBackward scrolls through a viewer's home feed from its end to the top. It returns the ids
// newest first.
func (s *Server) HomeBackward(t *testing.T, token string, size int) []string {
	t.Helper()
	var ids []string
	var before *string
	for {
		got, err := tideline.HomeFeedUp(t.Context(), s.client(token), size, before, nil, nil)
		Check(t, err)
		page := got.Viewer.HomeFeed
		var run []string
		for _, e := range page.Edges {
			run = append(run, e.Node.DatabaseId)
		}
		ids = append(run, ids...)
		if !page.PageInfo.HasPreviousPage {
			return ids
		}
		before = page.PageInfo.StartCursor
	}
}

// Publish publishes a post and returns its decimal id.
func (s *Server) Publish(t *testing.T, token, text string) string {
	t.Helper()
	got, err := tideline.PublishPost(t.Context(), s.client(token), tideline.PublishPostInput{Text: text})
	Check(t, err)
	if err := tideline.Refused(got.PublishPost.UserErrors); err != nil {
		t.Fatalf("the publish was refused: %v", err)
	}
	return got.PublishPost.FeedEdge.Node.DatabaseId
}

// Follow makes the token's holder follow a user.
func (s *Server) Follow(t *testing.T, token string, user feed.UserID) {
	t.Helper()
	got, err := tideline.FollowUser(t.Context(), s.client(token), tideline.UserIdInput{UserId: NodeID("User", user.String())}, nil, nil, nil)
	Check(t, err)
	if err := tideline.Refused(got.FollowUser.UserErrors); err != nil {
		t.Fatalf("the follow was refused: %v", err)
	}
}

// Ready returns the status and the body of /readyz.
func (s *Server) Ready(t *testing.T) (int, app.Readiness) {
	t.Helper()
	code, body := s.Get(t, "/readyz", "")
	var got app.Readiness
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return code, got
}

// CountLines counts the lines of the process's output that contain all texts.
func (s *Server) CountLines(texts ...string) int {
	n := 0
	for _, line := range strings.Split(s.Process.Output(), "\n") {
		all := true
		for _, text := range texts {
			all = all && strings.Contains(line, text)
		}
		if all {
			n++
		}
	}
	return n
}

// NodeID returns the global id of an object of a type with a decimal id.
func NodeID(typ, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(typ + ":" + id))
}

// idsOf returns the ids on a page and the cursor of the next page, nil at the end.
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

// DeletePost deletes a post of the token's holder.
func (s *Server) DeletePost(t *testing.T, token, id string) {
	t.Helper()
	var got struct {
		DeletePost struct{ DeletedPostID *string }
	}
	s.Query(t, token, `mutation($id: ID!) { deletePost(input: {postId: $id}) { deletedPostId } }`, map[string]any{"id": NodeID("Post", id)}, &got)
	if got.DeletePost.DeletedPostID == nil {
		t.Fatal("the deletion was refused")
	}
}

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
