package feed

import (
	"context"
	"time"
)

// Revocation revokes tokens of a user before they expire.
type Revocation struct {
	User UserID
	// Token may be a hash. Empty stands for all tokens of the user, whose account is deleted.
	Token string
}

// Revocations stores revoked tokens. Times are on the clock of the store.
type Revocations interface {
	// Revoke revokes a token that would expire in ttl. Doing it again changes nothing.
	Revoke(ctx context.Context, r Revocation, ttl time.Duration) error
	// IsRevoked reports whether the token was revoked. It ignores revocations of all tokens of a
	// user: the sign-in finds that the account is deleted.
	IsRevoked(ctx context.Context, r Revocation) (bool, error)
	// RevokedWithin returns what was revoked within the window, deleted accounts included, in no
	// order. Revocations that commit during the call may be missing for up to ten seconds.
	RevokedWithin(ctx context.Context, window time.Duration) ([]Revocation, error)
}

// RevocationKeptFor is for deleted accounts: longer than any process goes without polling.
const RevocationKeptFor = time.Hour
