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

// Origin is what is known of a request besides who asks.
type Origin struct {
	// Address is the text by which requests from one client are counted together; empty when
	// the request is not to be counted so.
	Address string
	// Shared says that many clients may have the address, who cannot be told apart.
	Shared bool
	// RequestID ties what a client sees of a failure to what the log says of it; empty when
	// the request has none.
	RequestID string
}

type originKey struct{}

// WithOrigin returns a context that carries where a request comes from.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

func originFrom(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}

// AddressFrom returns the address of [Origin].
func AddressFrom(ctx context.Context) string { return originFrom(ctx).Address }

// SharedFrom returns whether many clients may have the address of [Origin].
func SharedFrom(ctx context.Context) bool { return originFrom(ctx).Shared }

// RequestIDFrom returns the request's id of [Origin].
func RequestIDFrom(ctx context.Context) string { return originFrom(ctx).RequestID }
