package feed

import (
	"context"
	"time"
)

// Revocation ends tokens of a user before their time.
type Revocation struct {
	User UserID
	// Token is what the caller of [Revocations] knows a token by, such as its hash. The empty
	// text stands for every token of the user, whose account is deleted.
	Token string
}

// Revocations remember which tokens were revoked. Times are on the clock of the store.
type Revocations interface {
	// Revoke revokes a token that would end in ttl by itself. Revoking it again changes
	// nothing.
	Revoke(ctx context.Context, r Revocation, ttl time.Duration) error
	// IsRevoked reports whether the token was revoked. It does not look
	// for a revocation of all tokens of a user: the sign-in finds that the account is gone.
	IsRevoked(ctx context.Context, r Revocation) (bool, error)
	// RevokedWithin returns what was revoked lately, deleted accounts included, in no order.
	// What is being committed while it is called may be missing, until ten seconds later at
	// most.
	RevokedWithin(ctx context.Context, window time.Duration) ([]Revocation, error)
}

// RevocationKeptFor is how long the deletion of an account stays among what
// [Revocations.RevokedWithin] returns: longer than any process goes without asking.
const RevocationKeptFor = time.Hour
