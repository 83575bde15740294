package upstream

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"strings"
	"time"

	"connectrpc.com/connect"

	"github.com/tideline-feeds/tideline/api/tideline/v1/tidelinev1connect"
	"github.com/tideline-feeds/tideline/feed"
)

// Protocol is how calls are made.
type Protocol string

// The protocols. JSON is Connect with JSON, which any HTTP server can answer without a library.
const (
	Connect Protocol = "connect"
	JSON    Protocol = "json"
	GRPC    Protocol = "grpc"
	GRPCWeb Protocol = "grpc-web"
)

// responseMax limits a response, uncompressed: a hundred posts of 5,000 characters take 2 MB at most.
const responseMax = 8 << 20

const (
	dialTimeout = 2 * time.Second
	idleTimeout = 90 * time.Second
	// idleMax keeps connections between bursts of pages.
	idleMax = 64
)

// Client calls services over HTTP.
type Client struct {
	http    *http.Client
	options []connect.ClientOption
}

// NewClient returns a client. authorization is the header of that name; empty for none.
func NewClient(protocol Protocol, authorization string) *Client {
	options := []connect.ClientOption{
		connect.WithReadMaxBytes(responseMax), connect.WithInterceptors(authorize(authorization)), connect.WithCodec(codec{protoCodec}),
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout: dialTimeout, IdleConnTimeout: idleTimeout, MaxIdleConns: idleMax, MaxIdleConnsPerHost: idleMax,
		Protocols: new(http.Protocols),
	}
	transport.Protocols.SetHTTP1(protocol != GRPC)
	transport.Protocols.SetHTTP2(true)
	transport.Protocols.SetUnencryptedHTTP2(protocol == GRPC)
	switch protocol {
	case GRPC:
		options = append(options, connect.WithGRPC())
	case GRPCWeb:
		options = append(options, connect.WithGRPCWeb())
	case JSON:
		options = append(options, connect.WithCodec(codec{jsonCodec}))
	case Connect:
	}
	return &Client{
		// A redirect could send the header to another host.
		http:    &http.Client{Transport: lowerCase{transport}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		options: options,
	}
}

// lowerCase makes the types of responses as Connect expects them: in lower case, without parameters.
type lowerCase struct{ http.RoundTripper }

// RoundTrip implements [http.RoundTripper].
func (t lowerCase) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.RoundTripper.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if media, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); media != "" {
		response.Header.Set("Content-Type", media)
	}
	if encoding := response.Header.Get("Content-Encoding"); encoding != "" {
		response.Header.Set("Content-Encoding", strings.ToLower(encoding))
	}
	return response, nil
}

// authorize sets the header of each call.
func authorize(authorization string) connect.Interceptor {
	return connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, request connect.AnyRequest) (connect.AnyResponse, error) {
			if authorization != "" {
				request.Header().Set("Authorization", authorization)
			}
			return next(ctx, request)
		}
	})
}

func (c *Client) posts(url string) tidelinev1connect.PostServiceClient {
	return tidelinev1connect.NewPostServiceClient(c.http, url, c.options...)
}

func (c *Client) users(url string) tidelinev1connect.UserServiceClient {
	return tidelinev1connect.NewUserServiceClient(c.http, url, c.options...)
}

func (c *Client) counters(url string) tidelinev1connect.CounterServiceClient {
	return tidelinev1connect.NewCounterServiceClient(c.http, url, c.options...)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return connect.CodeOf(err) == connect.CodeDeadlineExceeded || errors.As(err, &timeout) && timeout.Timeout()
}

// alone asks for fewer references while the response is too large for all of them. One whose response is
// too large is [Invalid].
func alone[V any](ask Asker[V]) Asker[V] {
	return func(ctx context.Context, refs []feed.UpstreamRef) ([]Answer[V], error) {
		answers, err := ask(ctx, refs)
		if connect.CodeOf(err) != connect.CodeResourceExhausted || connect.IsWireError(err) {
			return answers, err
		}
		if len(refs) == 1 {
			return []Answer[V]{{Status: Invalid}}, nil
		}
		half := len(refs) / 2
		first, err := alone(ask)(ctx, refs[:half])
		if err != nil {
			return nil, err
		}
		second, err := alone(ask)(ctx, refs[half:])
		return append(first, second...), err
	}
}

// unary makes a call and returns its message.
func unary[Q, A any](
	ctx context.Context, call func(context.Context, *connect.Request[Q]) (*connect.Response[A], error), request *Q,
) (*A, error) {
	response, err := call(ctx, connect.NewRequest(request))
	if err != nil {
		return nil, fmt.Errorf("call a service: %w", err)
	}
	return response.Msg, nil
}
