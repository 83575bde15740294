package gateway

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tideline-feeds/tideline/feed"
)

// ActForHeader has the id of the user that a service acts for. In connection_init it is a
// field with this name.
const ActForHeader = "Tideline-Act-For"

// ActForEncodedHeader has that id percent-encoded. HTTP removes spaces around the value of a header,
// and many clients refuse characters other than ASCII in it.
const ActForEncodedHeader = "Tideline-Act-For-Encoded"

// OpaqueService is the service of the opaque token. No JWT can name it.
const OpaqueService = "TIDELINE_SERVICE_TOKEN"

const serviceMax = 128

// CheckService returns an error unless name can be the subject of a service's token: 1 to 128
// visible ASCII characters, and not [OpaqueService].
func CheckService(name string) error {
	switch {
	case name == "" || len(name) > serviceMax || strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }):
		return fmt.Errorf("the name of a service must have 1 to %d visible ASCII characters", serviceMax)
	case name == OpaqueService:
		return errors.New("this name belongs to the opaque service token")
	}
	return nil
}

func serviceIdentity(name string, expires time.Time) (Identity, error) {
	if err := CheckService(name); err != nil {
		return Identity{}, refused("the token's subject cannot be the name of a service", err)
	}
	return Identity{Claims: Claims{Service: name}, Expires: expires}, nil
}

// OpaqueToken compares tokens with one from the settings. The zero value matches no token.
type OpaqueToken struct {
	// Digests have the same length, so the comparison does not reveal the token's.
	digest [sha256.Size]byte
	set    bool
}

// NewOpaqueToken returns the token with a text; the zero value if the text is empty.
func NewOpaqueToken(text string) OpaqueToken {
	if text == "" {
		return OpaqueToken{}
	}
	return OpaqueToken{digest: sha256.Sum256([]byte(text)), set: true}
}

func (o OpaqueToken) matches(text string) bool {
	if !o.set {
		return false
	}
	digest := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(digest[:], o.digest[:]) == 1
}

// isActing reports whether a service acts for a user.
func (id Identity) isActing() bool { return id.Service != "" && id.User != 0 }

// actForOf returns the users in the headers of a request; nil without such a header. What cannot be
// decoded is an empty text, which is no id.
func actForOf(r *http.Request) []string {
	users := slices.Clone(r.Header.Values(ActForHeader))
	for _, text := range r.Header.Values(ActForEncodedHeader) {
		user, err := url.PathUnescape(text)
		if err != nil {
			user = ""
		}
		users = append(users, user)
	}
	return users
}

// act returns the identity of a service that acts for the user with the only id in users; id itself
// if users is empty. Its errors have code FORBIDDEN or BAD_USER_INPUT and are for the client.
func (a Authenticator) act(ctx context.Context, id Identity, users []string) (Identity, error) {
	switch {
	case len(users) == 0:
		return id, nil
	case id.Service == "":
		return id, feed.Errorf(feed.CodeForbidden, "%s needs the bearer token of a service", ActForHeader)
	case len(users) > 1 || id.User != 0:
		return id, feed.Errorf(feed.CodeBadInput, "%s must be given once", ActForHeader)
	}
	user, subject, err := a.Subjects.user(ctx, users[0])
	switch {
	case feed.CodeOf(err) == feed.CodeUnavailable:
		return id, err
	case err != nil:
		return id, feed.Errorf(feed.CodeBadInput, "%s must be the id of a user", ActForHeader)
	}
	id.User, id.Subject = user, subject
	if r, ok := a.Verifier.(Revocable); ok && r.isDeleted(user) {
		return id, errActForDeleted()
	}
	return id, nil
}

func errActForDeleted() error {
	return feed.Errorf(feed.CodeForbidden, "the account that %s names has been deleted", ActForHeader)
}

// attach calls [Attach] for an identity.
func (a Authenticator) attach(ctx context.Context, id Identity) (context.Context, error) {
	ctx, err := a.Attach(withIdentity(ctx, id), id)
	if id.isActing() && errors.Is(err, feed.ErrAccountDeleted) {
		err = errActForDeleted()
	}
	return ctx, err
}

// RequireService passes on requests with the token of a service. Users get 403, and requests without
// a token 401. It belongs inside [Identify].
func RequireService(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch id, ok := IdentityFrom(r.Context()); {
		case ok && id.Service != "":
			next.ServeHTTP(w, r)
		case ok:
			refuse(w, r, http.StatusForbidden, feed.CodeForbidden, "services only; send the bearer token of a service")
		default:
			demandToken(w, r, "send the bearer token of a service")
		}
	})
}

// Refuse responds with an error and the request id, for handlers outside of this package.
func Refuse(w http.ResponseWriter, r *http.Request, status int, code feed.Code, message string) {
	refuse(w, r, status, code, message)
}
