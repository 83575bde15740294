package gateway

import (
	"context"

	"github.com/golang-jwt/jwt/v5"
)

// Verifiers verifies tokens by a shared secret, by public keys, or by both, as during a migration.
// Each accepts only its own algorithms, so that a public key is never used as a secret. It also
// accepts the opaque token of services.
type Verifiers struct {
	// Secret verifies HS256. Never nil; without a secret it accepts nothing.
	Secret *Tokens
	// Keys verifies all other algorithms, unless nil.
	Keys *KeySet
	// Service is the token of [OpaqueService].
	Service OpaqueToken
}

// Verify implements [Verifier].
func (v Verifiers) Verify(ctx context.Context, token string) (Identity, error) {
	if id, ok := v.cached(token); ok {
		return id, nil
	}
	if v.Service.matches(token) {
		return Identity{Claims: Claims{Service: OpaqueService}}, nil
	}
	bySecret := v.Secret.hasSecret() && len(token) <= maxToken && algorithm(token) == jwt.SigningMethodHS256.Alg()
	if bySecret || v.Keys == nil {
		return v.Secret.Verify(ctx, token)
	}
	return v.Keys.Verify(ctx, token)
}

func (v Verifiers) cached(token string) (Identity, bool) {
	if id, ok := v.Secret.cached(token); ok || v.Keys == nil {
		return id, ok
	}
	return v.Keys.cached(token)
}

// algorithm returns the unverified algorithm in a token's header; empty if that cannot be read.
func algorithm(token string) string {
	parsed, _, err := jwt.NewParser().ParseUnverified(token, &wireClaims{})
	if err != nil || parsed.Method == nil {
		return ""
	}
	return parsed.Method.Alg()
}
