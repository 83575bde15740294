package tideline

import (
	"context"
	"net/http"
	"strings"

	"github.com/Khan/genqlient/graphql"
)

// Option is a choice that [New] and [Subscribe] take.
type Option func(*connection)

// TokenSource returns the token to send with a request, or an empty text to send none. It
// is asked before every request and may be called from any goroutine, so it can sign in
// anew when a token is about to expire. Its error becomes that of the operation.
type TokenSource func(ctx context.Context) (string, error)

// WithToken sends a token with every request, as who holds it.
func WithToken(token string) Option {
	return WithTokenSource(func(context.Context) (string, error) { return token, nil })
}

// WithTokenSource sends the token that a source gives with each request.
func WithTokenSource(source TokenSource) Option {
	return func(c *connection) { c.token = source }
}

// WithHTTPClient sends requests by an HTTP client, [http.DefaultClient] without this
// option. Its timeout does not count for subscriptions, which have no end.
func WithHTTPClient(client *http.Client) Option {
	return func(c *connection) { c.http = client }
}

// New returns a client for the functions of this package, which talks to the server at a
// base URL such as https://feeds.example.org. It may be used from any goroutine.
func New(base string, options ...Option) graphql.Client {
	c := connect(base, options)
	return graphql.NewClient(c.endpoint, c)
}

// connection is where requests go to, and as whom.
type connection struct {
	endpoint string
	http     *http.Client
	token    TokenSource
}

func connect(base string, options []Option) *connection {
	c := &connection{endpoint: strings.TrimRight(base, "/") + "/graphql", http: http.DefaultClient}
	for _, choose := range options {
		choose(c)
	}
	return c
}

// Do sends a request, signed in. It makes a connection what genqlient sends requests by.
func (c *connection) Do(req *http.Request) (*http.Response, error) {
	if c.token != nil {
		token, err := c.token(req.Context())
		if err != nil {
			return nil, err
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/graphql-response+json, application/json;q=0.9")
	}
	return c.http.Do(req)
}
