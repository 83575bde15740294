package gateway

import (
	"crypto/sha256"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// tokenCacheMax bounds the cache to about 2 MB.
const tokenCacheMax = 8192

// tokenCache caches verified tokens by hash, for concurrent use. It does not cache refused tokens.
type tokenCache struct {
	tokens *lru.Cache[[sha256.Size]byte, cachedToken]
}

type cachedToken struct {
	identity Identity
	fetched  time.Time
}

func newTokenCache() tokenCache {
	tokens, err := lru.New[[sha256.Size]byte, cachedToken](tokenCacheMax)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return tokenCache{tokens}
}

// get returns the identity of a token, if the keys of that fetch verified it and it has not
// expired. It removes expired tokens, so that a clock that is set back does not revive them.
func (c tokenCache) get(token string, fetched, now time.Time) (Identity, bool) {
	if len(token) > maxToken {
		return Identity{}, false
	}
	hash := sha256.Sum256([]byte(token))
	known, ok := c.tokens.Get(hash)
	if !ok {
		return Identity{}, false
	}
	if !known.fetched.Equal(fetched) || !now.Before(known.identity.Expires) {
		c.tokens.Remove(hash)
		return Identity{}, false
	}
	return known.identity, true
}

func (c tokenCache) put(token string, identity Identity, fetched time.Time) {
	identity.Damaged = ""
	c.tokens.Add(sha256.Sum256([]byte(token)), cachedToken{identity, fetched})
}
