package resolvers

import (
	"context"

	"github.com/tideline-feeds/tideline/feed"
	"github.com/tideline-feeds/tideline/graph/model"
)

type viewerKey struct{}

type viewerValue struct {
	user    feed.UserID
	service string
	role    model.Role
}

// moderates reports whether the request is of a moderator. A service that acts for a user is none, because it
// has that user's rights alone.
func (v viewerValue) moderates() bool {
	return v.role >= model.RoleModerator || v.service != "" && v.user == 0
}

// WithViewer returns a context of a viewer, for authentication; 0 is the anonymous viewer.
func WithViewer(ctx context.Context, viewer feed.UserID) context.Context {
	return WithService(ctx, "", viewer)
}

// WithService returns a context of a service that acts for a viewer, or for no user if that is 0.
func WithService(ctx context.Context, service string, viewer feed.UserID) context.Context {
	return context.WithValue(ctx, viewerKey{}, viewerValue{user: viewer, service: service})
}

// WithRole returns a context of a viewer whose token has a role.
func WithRole(ctx context.Context, viewer feed.UserID, role model.Role) context.Context {
	return context.WithValue(ctx, viewerKey{}, viewerValue{user: viewer, role: role})
}

func viewerFrom(ctx context.Context) viewerValue {
	v, _ := ctx.Value(viewerKey{}).(viewerValue)
	return v
}

// ViewerFrom returns the viewer; 0 for the anonymous viewer.
func ViewerFrom(ctx context.Context) feed.UserID { return viewerFrom(ctx).user }

// ServiceFrom returns the service that made the request; empty if a user did.
func ServiceFrom(ctx context.Context) string { return viewerFrom(ctx).service }

// signInMessage returns what an anonymous viewer must do first: message, unless it is a service.
func signInMessage(ctx context.Context, message string) string {
	if ServiceFrom(ctx) != "" {
		return "name the user that the service acts for, in Tideline-Act-For"
	}
	return message
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
