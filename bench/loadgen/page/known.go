package page

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"sync/atomic"
)

// known verifies responses to one request. It distinguishes bodies by 64-bit hashes with an
// unpredictable seed, so another body practically never has the hash of a good one.
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
	sum := k.sum(body)
	if sum == k.last.Load() {
		return nil
	}
	if err := k.verify(body); err != nil {
		return err
	}
	k.last.Store(sum)
	return nil
}

// sum hashes a body but for what is left of the budget that it was charged to, which is
// another number in every answer: with it no page would ever be known again, and each would
// be judged at several times the price of making it.
func (k *known) sum(body []byte) uint64 {
	before, after := aroundBudget(body)
	return bits.RotateLeft64(maphash.Bytes(k.seed, before), 1) ^ maphash.Bytes(k.seed, after)
}

// budgetMark precedes the remaining budget at the end of a response. It cannot be in a text, where
// its quotes would be escaped.
const (
	budgetMark = `"remaining":`
	budgetTail = 100
)

// aroundBudget returns what is before and after the number of the remaining budget; all and nothing
// if there is none.
func aroundBudget(body []byte) (before, after []byte) {
	from := max(0, len(body)-budgetTail)
	at := bytes.LastIndex(body[from:], []byte(budgetMark))
	if at < 0 {
		return body, nil
	}
	before = body[:from+at+len(budgetMark)]
	return before, bytes.TrimLeft(body[len(before):], "0123456789")
}
