package gateway

import (
	"context"

	"github.com/golang-jwt/jwt/v5"
)

// Verifiers verifies tokens by a shared secret, by public keys, or by both, as when
// one takes over from the other. Which of the two looks at a token is decided by its
// algorithm; each then accepts its own algorithms only, so that a public key is never
// used as a secret.
type Verifiers struct {
	// Secret verifies HS256. Never nil; one without a secret accepts nothing.
	Secret *Tokens
	// Keys verifies everything else; nothing else is accepted when nil.
	Keys *KeySet
}

// Verify is that of [Verifier].
func (v Verifiers) Verify(ctx context.Context, token string) (Identity, error) {
	if id, ok := v.recall(token); ok {
		return id, nil
	}
	bySecret := v.Secret.hasSecret() && len(token) <= maxToken && algorithm(token) == jwt.SigningMethodHS256.Alg()
	if bySecret || v.Keys == nil {
		return v.Secret.Verify(ctx, token)
	}
	return v.Keys.Verify(ctx, token)
}

// recall returns whose a token is that either of the two has verified before.
func (v Verifiers) recall(token string) (Identity, bool) {
	if id, ok := v.Secret.recall(token); ok || v.Keys == nil {
		return id, ok
	}
	return v.Keys.recall(token)
}

// algorithm returns what the token's header says it is signed with; empty when that
// cannot be read. It proves nothing.
func algorithm(token string) string {
	parsed, _, err := jwt.NewParser().ParseUnverified(token, &jwt.RegisteredClaims{})
	if err != nil || parsed.Method == nil {
		return ""
	}
	return parsed.Method.Alg()
}
