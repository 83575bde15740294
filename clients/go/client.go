package tideline

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/Khan/genqlient/graphql"
)

// Option configures [New] and [Subscribe].
type Option func(*connection)

// TokenSource returns the token of a request; an empty string sends none. The client calls it
// before every request, from any goroutine, so it can renew a token that is about to expire. Its
// error becomes the error of the operation.
type TokenSource func(ctx context.Context) (string, error)

// WithToken sends a token with every request.
func WithToken(token string) Option {
	return WithTokenSource(func(context.Context) (string, error) { return token, nil })
}

// WithTokenSource sends the token of a source with every request.
func WithTokenSource(source TokenSource) Option {
	return func(c *connection) { c.token = source }
}

// WithActFor lets a service act for a user, by the id that records have. The token must be a
// service's.
func WithActFor(user string) Option {
	return func(c *connection) { c.actFor = user }
}

// WithHTTPClient sets the HTTP client; the default is [http.DefaultClient]. Its timeout does not
// apply to subscriptions.
func WithHTTPClient(client *http.Client) Option {
	return func(c *connection) { c.http = client }
}

// New returns a client of the server at a base URL, such as https://feeds.example.org, for the
// functions of this package. It is safe for concurrent use.
func New(base string, options ...Option) graphql.Client {
	c := connect(base, options)
	return graphql.NewClient(c.endpoint, c)
}

// connection has the endpoint and the identity of requests.
type connection struct {
	endpoint string
	http     *http.Client
	token    TokenSource
	actFor   string
}

func connect(base string, options []Option) *connection {
	c := &connection{endpoint: strings.TrimRight(base, "/") + "/graphql", http: http.DefaultClient}
	for _, choose := range options {
		choose(c)
	}
	return c
}

// Do implements genqlient's Doer: it sends a request with the identity.
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
	switch {
	case c.actFor == "":
	case strings.ContainsFunc(c.actFor, func(r rune) bool { return r <= ' ' || r > '~' }):
		req.Header.Set("Tideline-Act-For-Encoded", url.PathEscape(c.actFor))
	default:
		req.Header.Set("Tideline-Act-For", c.actFor)
	}
	if req.Header.Get("Accept") == "" {
		req.Header.Set("Accept", "application/graphql-response+json, application/json;q=0.9")
	}
	return c.http.Do(req)
}
