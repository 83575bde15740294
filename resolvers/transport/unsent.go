package transport

import (
	"cmp"
	"slices"
	"sync"

	"github.com/tideline-feeds/tideline/internal/fairshare"
)

// unsent limits the bytes that clients have not received. Beyond the limit, it cuts off the oldest
// response of the addresses that have their fair share or more. So a client that reads gets its
// response although many others do not read.
type unsent struct {
	max, addressMax int
	onCut           func()

	mu        sync.Mutex
	bytes     int
	begun     int                       // responses so far
	addresses map[string]*addressUnsent // those with unsent bytes
}

// addressUnsent has the unsent responses of one address, oldest first.
type addressUnsent struct {
	bytes     int
	responses []*pending
}

// pending is a response or a message until it is received.
type pending struct {
	address string
	number  int // by which the older one is known
	bytes   int
	cut     func()
}

func newUnsent(bytes int, onCut func()) *unsent {
	return &unsent{max: bytes, addressMax: fairshare.OfAddress(bytes), onCut: onCut, addresses: map[string]*addressUnsent{}}
}

// begin counts a response until done is called. cut makes its write fail; cut must not block, and
// is not called after done has returned.
func (u *unsent) begin(address string, bytes int, cut func()) (done func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.begun++
	p := &pending{address: address, number: u.begun, bytes: bytes, cut: cut}
	a := u.addresses[address]
	if a == nil {
		a = &addressUnsent{}
		u.addresses[address] = a
	}
	a.responses = append(a.responses, p)
	a.bytes += bytes
	u.bytes += bytes
	for a.bytes > u.addressMax && a.responses[0] != p {
		u.cutOff(a.responses[0])
	}
	for u.bytes > u.max {
		fair := u.max / len(u.addresses)
		oldest := cmp.Or(u.oldest(p, fair), u.oldest(p, 0))
		if oldest == nil {
			break
		}
		u.cutOff(oldest)
	}
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.remove(p)
	}
}

// oldest returns the oldest response, except begins, of the addresses with at least so many bytes.
func (u *unsent) oldest(begins *pending, bytes int) *pending {
	var oldest *pending
	for _, a := range u.addresses {
		if first := a.responses[0]; a.bytes >= bytes && first != begins && (oldest == nil || first.number < oldest.number) {
			oldest = first
		}
	}
	return oldest
}

func (u *unsent) cutOff(p *pending) {
	p.cut()
	u.remove(p)
	u.onCut()
}

func (u *unsent) remove(p *pending) {
	a := u.addresses[p.address]
	if a == nil {
		return
	}
	if i := slices.Index(a.responses, p); i >= 0 {
		a.responses = slices.Delete(a.responses, i, i+1)
		a.bytes -= p.bytes
		u.bytes -= p.bytes
	}
	if len(a.responses) == 0 {
		delete(u.addresses, p.address)
	}
}

func (u *unsent) total() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.bytes
}
