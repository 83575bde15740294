package gateway

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Connect authenticates a socket by the token in the payload of connection_init ([payloadToken]),
// or else by the request that opened it, as browsers with a cookie need.
//
// It returns the context for operations, and when the socket must be closed because the identity
// ends; the zero time for an anonymous viewer. Errors are a [*feed.Error] for the client:
// UNAUTHENTICATED for an invalid token or an unknown credential; FORBIDDEN, UNAVAILABLE or INTERNAL
// if the user cannot be loaded.
func (a Authenticator) Connect(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
	token, given, err := payloadToken(payload)
	if err != nil {
		a.logRefused(ctx, err)
		return nil, time.Time{}, err
	}
	if !given {
		id, _ := IdentityFrom(ctx)
		return a.watched(ctx, id), id.Expires, nil
	}
	signedIn, id, err := a.authenticate(ctx, token)
	switch {
	case err == nil:
		return a.watched(signedIn, id), id.Expires, nil
	case feed.CodeOf(err) == feed.CodeUnauthenticated:
		a.logRefused(ctx, err)
		return nil, time.Time{}, feed.Errorf(feed.CodeUnauthenticated, "%s", clientMessage(err))
	}
	a.logFailure(ctx, err)
	return nil, time.Time{}, clientError(err)
}

// watched returns a context that ends when the verifier learns that the token is revoked.
func (a Authenticator) watched(ctx context.Context, id Identity) context.Context {
	if r, ok := a.Verifier.(Revocable); ok {
		return r.watch(ctx, id)
	}
	return ctx
}
