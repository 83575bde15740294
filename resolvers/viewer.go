package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

type viewerKey struct{}

// WithViewer returns a context in which viewer asks; 0 is nobody. Whoever checked the
// request's identity calls it: no argument of a query ever says who asks.
func WithViewer(ctx context.Context, viewer feed.UserID) context.Context {
	return context.WithValue(ctx, viewerKey{}, viewer)
}

// ViewerFrom returns who asks; 0 when nobody is signed in.
func ViewerFrom(ctx context.Context) feed.UserID {
	viewer, _ := ctx.Value(viewerKey{}).(feed.UserID)
	return viewer
}

type addressKey struct{}

// WithAddress returns a context that carries the text by which requests from one client
// are counted together.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// AddressFrom returns that text; empty when the request is not to be counted so.
func AddressFrom(ctx context.Context) string {
	address, _ := ctx.Value(addressKey{}).(string)
	return address
}

type requestIDKey struct{}

// WithRequestID returns a context that carries the request's id, which ties what a
// client sees of a failure to what the log says of it.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestIDFrom returns the request's id; empty when it has none.
func RequestIDFrom(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
