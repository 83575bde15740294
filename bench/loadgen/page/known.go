package page

import (
	"bytes"
	"hash/maphash"
	"math/bits"
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

// budgetMark stands before what is left of the budget, which is at the end of an answer. It
// cannot stand in a text, where its quotes would be escaped.
const (
	budgetMark = `"remaining":`
	budgetTail = 100
)

// aroundBudget returns what stands before and behind the number that says what is left of
// the budget; all and nothing when there is none.
func aroundBudget(body []byte) (before, after []byte) {
	from := max(0, len(body)-budgetTail)
	at := bytes.LastIndex(body[from:], []byte(budgetMark))
	if at < 0 {
		return body, nil
	}
	before = body[:from+at+len(budgetMark)]
	return before, bytes.TrimLeft(body[len(before):], "0123456789")
}
