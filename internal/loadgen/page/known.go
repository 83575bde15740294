package page

import (
	"hash/maphash"
	"sync/atomic"
)

// known judges answers to one request. Bodies are told apart by hashes of 64 bits, with a
// seed that nobody can guess: that another body has the hash of a good one does not happen.
type known struct {
	seed   maphash.Seed
	verify func(body []byte) error
	// last is the hash of the body that was found good last, which is the next one's too
	// unless something has changed.
	last atomic.Uint64
}

func newKnown(verify func(body []byte) error) *known {
	return &known{seed: maphash.MakeSeed(), verify: verify}
}

// check says what is wrong with a body.
func (k *known) check(body []byte) error {
	sum := maphash.Bytes(k.seed, body)
	if sum == k.last.Load() {
		return nil
	}
	if err := k.verify(body); err != nil {
		return err
	}
	k.last.Store(sum)
	return nil
}
