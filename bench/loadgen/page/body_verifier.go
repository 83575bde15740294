package page

import (
	"bytes"
	"hash/maphash"
	"math/bits"
	"sync/atomic"
)

// bodyVerifier verifies responses to one request. It distinguishes bodies by 64-bit hashes with an
// unpredictable seed, so another body practically never has the hash of a good one.
type bodyVerifier struct {
	seed   maphash.Seed
	verify func(body []byte) error
	// last is the hash of the last verified body. The next body usually has the same hash.
	last atomic.Uint64
}

func newBodyVerifier(verify func(body []byte) error) *bodyVerifier {
	return &bodyVerifier{seed: maphash.MakeSeed(), verify: verify}
}

// check verifies a body.
func (k *bodyVerifier) check(body []byte) error {
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

// sum hashes a body without its remaining budget, which differs in every response. With the budget
// included no hash would repeat, and full verification costs several times as much as making the
// page.
func (k *bodyVerifier) sum(body []byte) uint64 {
	before, after := aroundBudget(body)
	return bits.RotateLeft64(maphash.Bytes(k.seed, before), 1) ^ maphash.Bytes(k.seed, after)
}

// budgetMark precedes the remaining budget at the end of a response. Texts cannot contain it,
// because JSON escapes its quotes.
const (
	budgetMark = `"remaining":`
	budgetTail = 100
)

// aroundBudget returns the parts of a body before and after the remaining budget. Without a budget
// it returns the whole body and nil.
func aroundBudget(body []byte) (before, after []byte) {
	from := max(0, len(body)-budgetTail)
	at := bytes.LastIndex(body[from:], []byte(budgetMark))
	if at < 0 {
		return body, nil
	}
	before = body[:from+at+len(budgetMark)]
	return before, bytes.TrimLeft(body[len(before):], "0123456789")
}
