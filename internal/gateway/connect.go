package gateway

import (
	"context"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// Connect decides who asks over a socket, from the payload of its connection_init. A
// payload with {"Authorization": "Bearer TOKEN"}, in any case of its name, is judged as
// the header of a request would be, and wins over who opened the socket. Without one
// the socket is whoever [Identify] found its first request to be: a browser's page has
// no other way to say so than the cookie.
//
// It returns the context that operations run in and when the identity ends, by which
// the socket must; the zero time for nobody's. Errors are a [*feed.Error] fit for the
// client: UNAUTHENTICATED for a token that does not hold, FORBIDDEN, UNAVAILABLE or
// INTERNAL for a user who cannot be had.
func (a Authenticator) Connect(ctx context.Context, payload map[string]any) (context.Context, time.Time, error) {
	token, given, err := payloadToken(payload)
	if err != nil {
		a.logRefused(ctx, err)
		return nil, time.Time{}, err
	}
	if !given {
		id, _ := IdentityFrom(ctx)
		return ctx, id.Expires, nil
	}
	signedIn, id, err := a.authenticate(ctx, token)
	switch {
	case err == nil:
		return signedIn, id.Expires, nil
	case feed.CodeOf(err) == feed.CodeUnauthenticated:
		a.logRefused(ctx, err)
		return nil, time.Time{}, feed.Errorf(feed.CodeUnauthenticated, "%s", clientMessage(err))
	}
	a.logFault(ctx, err)
	return nil, time.Time{}, faultShown(err)
}

// payloadToken returns the token of a payload, and whether there is one. Anything but
// one bearer token under the name is a token that does not hold: whoever sends it means
// to be somebody.
func payloadToken(payload map[string]any) (token string, given bool, err error) {
	for name, value := range payload {
		if !strings.EqualFold(name, "Authorization") {
			continue
		}
		text, _ := value.(string)
		bearer, ok := bearerOf(text)
		if !ok || given {
			return "", true, feed.Errorf(feed.CodeUnauthenticated, "the payload's authorization is not one bearer token")
		}
		token, given = bearer, true
	}
	return token, given, nil
}
