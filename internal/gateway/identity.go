package gateway

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/tideline-feeds/tideline/feed"
)

const (
	// MinSecret is the shortest secret tokens are signed or verified with, in
	// bytes: RFC 7518 asks HS256 for a key at least as long as its hash.
	MinSecret = 32

	// maxToken is the longest token that is looked at, in bytes: what fits into the
	// 4096 bytes that browsers grant a cookie with its name and attributes.
	maxToken = 3800

	// roleAdmin is the value of the claim "role" that makes an administrator.
	roleAdmin = "admin"
)

// Claims is what a token says of its holder.
type Claims struct {
	// User is the subject: never the zero id in a token that was verified.
	User feed.UserID
	// Admin opens what is for administrators only, such as the tasks page.
	Admin bool
	// Handle, Name and Picture are what the user is made from at his first request.
	// Each may be empty; none is checked here, because the domain does.
	Handle, Name, Picture string
}

// Verifier finds out who holds a token. [Tokens] does by a shared secret, [KeySet]
// by public keys, and [Verifiers] by whichever fits.
type Verifier interface {
	// Verify returns who holds the token. Every error is a [*feed.Error] whose message
	// may be shown to the client. Its code is [feed.CodeUnauthenticated] when the token
	// does not hold: the message says what is wrong with a token whose signature is
	// right, and of any other only that it does not hold. It is [feed.CodeUnavailable]
	// when nobody can tell now.
	Verify(ctx context.Context, token string) (Identity, error)
}

// Identity is a verified holder of a token.
type Identity struct {
	Claims
	// Expires is when the token stops holding, the leeway included. What outlives a request, such as a
	// socket, must end by then.
	Expires time.Time
	// Damaged lists the claims about the user that were left out, because their text
	// cannot be decoded without changing it; empty for none. It is set only when the
	// token is verified, not when it is recognized, so that a log line about it is
	// written once and not with every request.
	Damaged string
	// TokenHash is by what [Revocations] know the token; empty if it cannot be revoked.
	TokenHash string
}

// Tokens signs and verifies JSON Web Tokens with one shared secret. The algorithm
// is HS256 and nothing else: what a token's header asks for is never followed.
type Tokens struct {
	secret []byte
	leeway time.Duration
	now    func() time.Time
	parser *jwt.Parser
	// held are tokens that hold; the secret never changes.
	held remembered
}

// NewTokens returns the tokens of a secret, verified without leeway, as
// [NewTokensWithLeeway] does: for who signs only.
func NewTokens(secret []byte, now func() time.Time) *Tokens {
	return NewTokensWithLeeway(secret, 0, now)
}

// NewTokensWithLeeway returns the tokens of a secret of at least [MinSecret] bytes. With a
// shorter one every Sign and Verify fails, so that a forgotten secret signs no user
// in. leeway is by how much the clock of the signer may differ from this server's: a token
// is accepted that much before its nbf and after its exp. now is the clock; [time.Now] when
// nil.
func NewTokensWithLeeway(secret []byte, leeway time.Duration, now func() time.Time) *Tokens {
	if now == nil {
		now = time.Now
	}
	return &Tokens{
		secret: secret,
		leeway: leeway,
		now:    now,
		parser: jwt.NewParser(parserOptions(now, leeway, jwt.SigningMethodHS256.Alg())...),
		held:   newRemembered(),
	}
}

// parserOptions are what every verifier parses tokens with: exp is required, the algorithms
// are those given and no others, and times are judged with the leeway.
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

// Sign returns a token that says c and holds for ttl from now, rounded down to
// whole seconds. No two tokens are equal, so that the end of one session leaves others of
// the same user alone. It fails without a user, with a ttl below a second, and when the
// token would be longer than a cookie may be.
func (t *Tokens) Sign(c Claims, ttl time.Duration) (string, error) {
	switch {
	case !t.hasSecret():
		return "", errWeakSecret()
	case c.User < 1:
		return "", errors.New("sign a token: it has no user")
	case ttl < time.Second:
		return "", fmt.Errorf("sign a token: it would hold for %v, less than a second", ttl)
	}
	now := t.now()
	claims := wireClaims{
		RegisteredClaims: jwt.RegisteredClaims{
			ID:        rand.Text(),
			Subject:   c.User.String(),
			IssuedAt:  jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(ttl)),
		},
		Handle: claimText{text: c.Handle}, Name: claimText{text: c.Name}, Picture: claimText{text: c.Picture},
	}
	if c.Admin {
		claims.Role = roleAdmin
	}
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, claims).SignedString(t.secret)
	if err != nil {
		return "", fmt.Errorf("sign a token: %w", err)
	}
	if len(token) > maxToken {
		return "", fmt.Errorf("sign a token: it has %d bytes, more than the %d that are accepted", len(token), maxToken)
	}
	return token, nil
}

// Verify is that of [Verifier]. It needs no context: the secret is at hand.
func (t *Tokens) Verify(_ context.Context, token string) (Identity, error) {
	if !t.hasSecret() {
		return Identity{}, refused("this server verifies no tokens", errWeakSecret())
	}
	if id, ok := t.recall(token); ok {
		return id, nil
	}
	id, err := parse(t.parser, t.leeway, token, t.key)
	if err == nil {
		t.held.remember(token, id, time.Time{})
	}
	return id, err
}

// recall returns whose a token is that was verified before and still holds.
func (t *Tokens) recall(token string) (Identity, bool) {
	return t.held.recall(token, time.Time{}, t.now())
}

// parse returns who holds the token, by a parser and the keys it may try. The identity ends
// when the token would be refused: leeway, the parser's, after its exp. The errors are those
// of [Verifier].
func parse(parser *jwt.Parser, leeway time.Duration, token string, key jwt.Keyfunc) (Identity, error) {
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
	user, err := feed.ParseUserID(claims.Subject)
	if err != nil {
		return Identity{}, refused("the token's subject is not a user id", err)
	}
	return Identity{
		Claims: Claims{
			User: user, Admin: claims.Role == roleAdmin,
			Handle: claims.Handle.text, Name: claims.Name.text, Picture: claims.Picture.text,
		},
		Expires: claims.ExpiresAt.Add(leeway),
		Damaged: claims.damaged(),
	}, nil
}

// key gives the parser the one secret there is, whatever key the token's header
// names or links to. A header with critical extensions is refused, as RFC 7515
// asks of who understands none.
func (t *Tokens) key(token *jwt.Token) (any, error) {
	return t.secret, checkHeader(token)
}

func checkHeader(token *jwt.Token) error {
	if _, ok := token.Header["crit"]; ok {
		return errors.New("the token's header has critical extensions")
	}
	return nil
}

// explain turns a parser's error into words for the client. Claims are judged only
// once the signature holds, so these words tell a stranger nothing.
func explain(err error, claims *wireClaims) string {
	switch {
	case errors.Is(err, jwt.ErrTokenExpired):
		return "the token has expired"
	case errors.Is(err, jwt.ErrTokenNotValidYet):
		return "the token does not hold yet"
	case errors.Is(err, jwt.ErrTokenInvalidIssuer):
		return "the token is of another issuer"
	case errors.Is(err, jwt.ErrTokenInvalidAudience):
		return "the token is for another audience"
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing) && claims.ExpiresAt == nil:
		return "the token has no time of expiry"
	case errors.Is(err, jwt.ErrTokenRequiredClaimMissing):
		return "the token does not say its issuer and audience"
	}
	return "the token does not hold"
}

func refused(message string, cause error) error {
	return &feed.Error{Code: feed.CodeUnauthenticated, Message: message, Err: cause}
}

func errWeakSecret() error {
	return fmt.Errorf("the token secret has less than %d bytes", MinSecret)
}

type identityKey struct{}

// withIdentity returns a context that carries who asks.
func withIdentity(ctx context.Context, id Identity) context.Context {
	return context.WithValue(ctx, identityKey{}, id)
}

// IdentityFrom returns who asks, as [Identify] found out; false when nobody is
// signed in.
func IdentityFrom(ctx context.Context) (Identity, bool) {
	id, ok := ctx.Value(identityKey{}).(Identity)
	return id, ok
}
