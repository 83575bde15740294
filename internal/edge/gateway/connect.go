package gateway

import (
	"context"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Connect authenticates a socket by the token in the payload of connection_init ([payloadToken]),
// or else by the request that opened it, as browsers with a cookie need. The payload may also have
// [ActForHeader].
//
// It returns the context for operations, and when the socket must be closed because the identity
// ends; the zero time if it does not end. Errors are a [*feed.Error] for the client:
// UNAUTHENTICATED for an invalid token or an unknown credential; FORBIDDEN or BAD_USER_INPUT if the
// client may not act for the user; FORBIDDEN, UNAVAILABLE or INTERNAL if the user cannot be loaded.
func (a Authenticator) Connect(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
	token, given, err := payloadToken(payload)
	if err != nil {
		a.logRefused(ctx, err)
		return nil, time.Time{}, err
	}
	actFor, err := payloadActFor(payload)
	if err != nil {
		return nil, time.Time{}, err
	}
	if !given && len(actFor) == 0 {
		id, _ := IdentityFrom(ctx)
		return a.watched(ctx, id), id.Expires, nil
	}
	signedIn, id, err := a.connect(ctx, token, given, actFor)
	switch {
	case err == nil:
		a.logAct(ctx, id)
		return a.watched(signedIn, id), id.Expires, nil
	case feed.CodeOf(err) == feed.CodeUnauthenticated:
		a.logRefused(ctx, err)
		return nil, time.Time{}, feed.Errorf(feed.CodeUnauthenticated, "%s", clientMessage(err))
	}
	a.logFailure(ctx, err)
	return nil, time.Time{}, clientError(err)
}

// connect authenticates the token, or lets the identity of the request act for a user.
func (a Authenticator) connect(ctx context.Context, token string, given bool, actFor []string) (context.Context, Identity, error) {
	if given {
		return a.authenticate(ctx, token, actFor)
	}
	id, _ := IdentityFrom(ctx)
	id, err := a.act(ctx, id, actFor)
	if err != nil {
		return nil, id, err
	}
	ctx, err = a.attach(ctx, id)
	return ctx, id, err
}

// logAct logs both identities of a socket, because its request does not have them.
func (a Authenticator) logAct(ctx context.Context, id Identity) {
	if id.isActing() {
		a.Log.InfoContext(ctx, "socket acts for a user", "service", id.Service, "viewer", id.publicUser(), "requestId", RequestIDFrom(ctx))
	}
}

// watched returns a context that ends when the verifier learns that the token is revoked, or that
// the account is deleted.
func (a Authenticator) watched(ctx context.Context, id Identity) context.Context {
	if r, ok := a.Verifier.(Revocable); ok {
		return r.watch(ctx, id)
	}
	return ctx
}
