package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
)

type viewerKey struct{}

// WithViewer returns a context of a viewer, for authentication; 0 is the anonymous viewer.
func WithViewer(ctx context.Context, viewer feed.UserID) context.Context {
	return context.WithValue(ctx, viewerKey{}, viewer)
}

// ViewerFrom returns the viewer; 0 for the anonymous viewer.
func ViewerFrom(ctx context.Context) feed.UserID {
	viewer, _ := ctx.Value(viewerKey{}).(feed.UserID)
	return viewer
}

// Origin is where a request comes from.
type Origin struct {
	// Address is the key by which requests of a client are counted; empty to count none.
	Address string
	// Shared reports whether many clients may have the address.
	Shared bool
	// RequestID is in errors and in the log; empty if the request has none.
	RequestID string
}

type originKey struct{}

// WithOrigin returns a context with an origin.
func WithOrigin(ctx context.Context, o Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

func originFrom(ctx context.Context) Origin {
	o, _ := ctx.Value(originKey{}).(Origin)
	return o
}

// AddressFrom returns the address of the [Origin].
func AddressFrom(ctx context.Context) string { return originFrom(ctx).Address }

// SharedFrom reports whether many clients may have the address of the [Origin].
func SharedFrom(ctx context.Context) bool { return originFrom(ctx).Shared }

// RequestIDFrom returns the request id of the [Origin].
func RequestIDFrom(ctx context.Context) string { return originFrom(ctx).RequestID }
