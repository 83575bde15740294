package gateway

import (
	"crypto/sha256"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// rememberedMax is how many verified tokens are remembered: some 2 MB.
const rememberedMax = 8192

// remembered caches verified tokens by their hash, so that a signature is checked once and
// not with every request. Refused tokens are not cached. Safe for concurrent use.
type remembered struct {
	tokens *lru.Cache[[sha256.Size]byte, holder]
}

// holder is the identity of a token and when the keys were fetched that verified it.
type holder struct {
	identity Identity
	keysOf   time.Time
}

func newRemembered() remembered {
	tokens, err := lru.New[[sha256.Size]byte, holder](rememberedMax)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return remembered{tokens}
}

// recall returns the identity of a token, if the keys of keysOf verified it and it has not
// expired since. A token that has ended is forgotten, so that a clock set back does not
// revive it.
func (r remembered) recall(token string, keysOf, now time.Time) (Identity, bool) {
	if len(token) > maxToken {
		return Identity{}, false
	}
	hash := sha256.Sum256([]byte(token))
	known, ok := r.tokens.Get(hash)
	if !ok {
		return Identity{}, false
	}
	if !known.keysOf.Equal(keysOf) || !now.Before(known.identity.Expires) {
		r.tokens.Remove(hash)
		return Identity{}, false
	}
	return known.identity, true
}

// remember caches a verified token.
func (r remembered) remember(token string, identity Identity, keysOf time.Time) {
	identity.Damaged = ""
	r.tokens.Add(sha256.Sum256([]byte(token)), holder{identity, keysOf})
}
