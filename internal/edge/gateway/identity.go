package gateway

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// MinSecret is the minimum length of the token secret in bytes, as RFC 7518 requires for HS256.
	MinSecret = 32

	// maxToken is the maximum length of a token in bytes. Browsers allow 4096 for a whole cookie.
	maxToken = 3800

	roleAdmin     = "admin"
	roleModerator = "moderator"
	roleService   = "service"
)

// Claims are the claims of a token that Tideline uses.
type Claims struct {
	// User is the subject of a user's token, or the user that a service acts for; zero for a service
	// that acts for no user.
	User feed.UserID
	// Subject is the id of User as clients know it; empty if that is User in decimal.
	Subject feed.ExternalID
	// Service is the subject of a service's token; empty for users.
	Service string
	// Admin gives access to what is for administrators only, such as the task queues.
	Admin bool
	// Moderator lets the holder take down posts and suspend users, as Admin does.
	Moderator bool
	// Handle, Name and Picture are for a new user. Each can be empty; the domain validates them.
	Handle, Name, Picture string
}

// Subjects returns the user with an id from a token or from [ActForHeader]. The error is
// [feed.CodeInvalid] if the text is no id, and [feed.CodeUnavailable] if that is unknown now. A nil
// Subjects reads decimal ids.
type Subjects func(ctx context.Context, id feed.ExternalID) (feed.UserID, error)

// user returns the user with an id, and the [Claims.Subject].
func (s Subjects) user(ctx context.Context, id string) (feed.UserID, feed.ExternalID, error) {
	if s == nil {
		user, err := feed.ParseUserID(id)
		return user, "", err
	}
	user, err := s(ctx, feed.ExternalID(id))
	return user, feed.ExternalID(id), err
}

// Verifier verifies tokens: [Tokens] by a shared secret, [KeySet] by public keys, [Verifiers] by
// either.
type Verifier interface {
	// Verify returns the identity of a token. Every error is a [*feed.Error] whose message the
	// client may see: [feed.CodeUnauthenticated] for an invalid token, with details only if the
	// signature is valid; [feed.CodeUnavailable] if the token cannot be verified now.
	Verify(ctx context.Context, token string) (Identity, error)
}

// Identity is the verified identity in a token.
type Identity struct {
	Claims
	// Expires is when the token expires, leeway included. Sockets must end by then. It is zero for
	// an [OpaqueToken].
	Expires time.Time
	// Damaged names the claims that claimText dropped. It is empty for an identity from the cache,
	// so that the warning is logged once per token.
	Damaged string
	// TokenHash identifies the token to [Revocations]; empty if it cannot be revoked.
	TokenHash string
}

func (id Identity) publicID() feed.PublicID {
	return feed.PublicID{Number: int64(id.User), External: id.Subject}
}

// publicUser returns the id of the user as clients know it.
func (id Identity) publicUser() string { return string(id.publicID().Text()) }

// Tokens signs and verifies JSON Web Tokens with a shared secret, by HS256 only.
type Tokens struct {
	secret []byte
	leeway time.Duration
	now    func() time.Time
	parser *jwt.Parser
	// subjects can be nil.
	subjects Subjects
	// cache needs no invalidation, because the secret never changes.
	cache tokenCache
}

// NewTokens is [NewTokensWithLeeway] without leeway, for signing.
func NewTokens(secret []byte, now func() time.Time) *Tokens {
	return NewTokensWithLeeway(secret, 0, now)
}

// NewTokensWithLeeway returns tokens for a secret of at least [MinSecret] bytes; with a shorter
// one, Sign and Verify always fail. Tokens are valid from leeway before nbf until leeway after exp.
// now is the clock; [time.Now] when nil.
func NewTokensWithLeeway(secret []byte, leeway time.Duration, now func() time.Time) *Tokens {
	if now == nil {
		now = time.Now
	}
	return &Tokens{
		secret: secret,
		leeway: leeway,
		now:    now,
		parser: jwt.NewParser(parserOptions(now, leeway, jwt.SigningMethodHS256.Alg())...),
		cache:  newTokenCache(),
	}
}

// WithSubjects sets how subjects are read, and returns t.
func (t *Tokens) WithSubjects(s Subjects) *Tokens {
	t.subjects = s
	return t
}

func parserOptions(now func() time.Time, leeway time.Duration, algorithms ...string) []jwt.ParserOption {
	return []jwt.ParserOption{
		jwt.WithValidMethods(algorithms),
		jwt.WithExpirationRequired(),
		jwt.WithStrictDecoding(),
		jwt.WithTimeFunc(now),
		jwt.WithLeeway(leeway),
	}
}

func (t *Tokens) hasSecret() bool { return len(t.secret) >= MinSecret }

// Sign returns a token with claims c, of Subject or else of User, that expires ttl from now, rounded down to whole seconds. No
// two are equal, so that revoking one leaves other sessions of the user alone. It fails without
// either a user or a valid service, with a ttl below a second, and if the token would not fit into a
// cookie.
func (t *Tokens) Sign(c Claims, ttl time.Duration) (string, error) {
	switch {
	case !t.hasSecret():
		return "", errWeakSecret()
	case c.Service != "" && (c != Claims{Service: c.Service} || CheckService(c.Service) != nil):
		return "", errors.New("sign token: a service needs a valid name and no other claims")
	case c.Service == "" && c.User < 1 && c.Subject == "":
		return "", errors.New("sign token: no user")
	case ttl < time.Second:
		return "", fmt.Errorf("sign token: valid for %v, less than a second", ttl)
	}
	now := t.now()
	claims := wireClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			ID:        rand.Text(),
			Subject:   string(cmp.Or(c.Subject, feed.ExternalID(c.User.String()))),
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(ttl)),
		},
		Handle: claimText{text: c.Handle}, Name: claimText{text: c.Name}, Picture: claimText{text: c.Picture},
	}
	switch {
	case c.Service != "":
		claims.Role, claims.Subject = roleService, c.Service
	case c.Admin:
		claims.Role = roleAdmin
	case c.Moderator:
		claims.Role = roleModerator
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(t.secret)
	if err != nil {
		return "", fmt.Errorf("sign token: %w", err)
	}
	if len(token) > maxToken {
		return "", fmt.Errorf("sign token: %d bytes exceed the maximum of %d", len(token), maxToken)
	}
	return token, nil
}

// Verify implements [Verifier].
func (t *Tokens) Verify(ctx context.Context, token string) (Identity, error) {
	if !t.hasSecret() {
		return Identity{}, refused("this server accepts no tokens", errWeakSecret())
	}
	if id, ok := t.cached(token); ok {
		return id, nil
	}
	id, err := parse(ctx, t.parser, t.leeway, t.subjects, token, t.key)
	if err == nil {
		t.cache.put(token, id, time.Time{})
	}
	return id, err
}

func (t *Tokens) cached(token string) (Identity, bool) {
	return t.cache.get(token, time.Time{}, t.now())
}

// parse verifies a token. leeway is that of the parser. Errors are those of [Verifier].
func parse(
	ctx context.Context, parser *jwt.Parser, leeway time.Duration, subjects Subjects, token string, key jwt.Keyfunc,
) (Identity, error) {
	if len(token) > maxToken {
		return Identity{}, refused(fmt.Sprintf("the token is longer than %d bytes", maxToken), nil)
	}
	var claims wireClaims
	if _, err := parser.ParseWithClaims(token, &claims, key); err != nil {
		if feed.CodeOf(err) == feed.CodeUnavailable {
			return Identity{}, err
		}
		return Identity{}, refused(explain(err, &claims), err)
	}
	if claims.Role == roleService {
		return serviceIdentity(claims.Subject, claims.ExpiresAt.Add(leeway))
	}
	user, subject, err := subjects.user(ctx, claims.Subject)
	switch {
	case feed.CodeOf(err) == feed.CodeUnavailable:
		return Identity{}, err
	case err != nil:
		return Identity{}, refused("the token's subject is not a user id", err)
	}
	return Identity{
		Claims: Claims{
			User: user, Subject: subject, Admin: claims.Role == roleAdmin, Moderator: claims.Role == roleModerator,
			Handle: claims.Handle.text, Name: claims.Name.text, Picture: claims.Picture.text,
		},
		Expires: claims.ExpiresAt.Add(leeway),
		Damaged: claims.damaged(),
	}, nil
}

// key ignores the key in the header. It refuses critical extensions, as RFC 7515 requires.
func (t *Tokens) key(token *jwt.Token) (any, error) {
	return t.secret, checkHeader(token)
}

func checkHeader(token *jwt.Token) error {
	if _, ok := token.Header["crit"]; ok {
		return errors.New("the token's header has critical extensions")
	}
	return nil
}

// The parser checks claims only after the signature, so the message reveals nothing to strangers.
func explain(err error, claims *wireClaims) string {
	switch {
	case claims.wrongTime != "" && errors.Is(err, jwt.ErrTokenInvalidClaims):
		return fmt.Sprintf("the token's %s must be a number of seconds up to 2^53", claims.wrongTime)
	case errors.Is(err, jwt.ErrTokenExpired):
		return "the token has expired"
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return "the token is not valid yet"
	case errors.Is(err, jwt.ErrTokenInvalidIssuer):
		return "the token has another issuer"
	case errors.Is(err, jwt.ErrTokenInvalidAudience):
		return "the token has another audience"
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing) && claims.ExpiresAt == nil:
		return "the token has no expiry"
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing):
		return "the token lacks an issuer or audience"
	}
	return "the token is not valid"
}

func refused(message string, cause error) error {
	return &feed.Error{Code: feed.CodeUnauthenticated, Message: message, Err: cause}
}

func errWeakSecret() error {
	return fmt.Errorf("the token secret has fewer than %d bytes", MinSecret)
}

type identityKey struct{}

func withIdentity(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// IdentityFrom returns the identity that [Identify] found; false for an anonymous request.
func IdentityFrom(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}
