package gateway

import (
	"crypto/sha256"
	"sync"
	"time"
)

// rememberedMax is how many tokens that were found to hold are remembered at least, and
// twice as many at most: some 2 MB.
const rememberedMax = 4096

// remembered are tokens that were found to hold, by their hash, so that a signature is
// checked once and not with every request. A token that did not hold is not remembered.
// It keeps two generations: when the young one is full it becomes the old one, and what
// nobody has asked for since is gone. The zero value is ready.
type remembered struct {
	mu         sync.Mutex
	young, old map[[sha256.Size]byte]holder
}

// holder is whose a token is, by keys that were had at some time.
type holder struct {
	identity Identity
	keysOf   time.Time
}

// recall returns whose a token is, if it was found to hold by the keys of keysOf and has not
// expired since.
func (r *remembered) recall(token string, keysOf, now time.Time) (Identity, bool) {
	if len(token) > maxToken {
		return Identity{}, false
	}
	hash := sha256.Sum256([]byte(token))
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.young[hash]
	if !ok {
		if known, ok = r.old[hash]; !ok {
			return Identity{}, false
		}
		r.put(hash, known)
	}
	if !known.keysOf.Equal(keysOf) || !now.Before(known.identity.Expires) {
		delete(r.young, hash)
		delete(r.old, hash)
		return Identity{}, false
	}
	return known.identity, true
}

// remember notes that a token holds.
func (r *remembered) remember(token string, identity Identity, keysOf time.Time) {
	identity.Damaged = ""
	hash := sha256.Sum256([]byte(token))
	r.mu.Lock()
	defer r.mu.Unlock()
	r.put(hash, holder{identity, keysOf})
}

func (r *remembered) put(hash [sha256.Size]byte, h holder) {
	if len(r.young) >= rememberedMax {
		r.old, r.young = r.young, nil
	}
	if r.young == nil {
		r.young = make(map[[sha256.Size]byte]holder)
	}
	r.young[hash] = h
}
